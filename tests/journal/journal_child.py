"""Writes rows until it is killed, and says on stdout which ones were acknowledged."""

import os
import sys
import threading
import time
from collections.abc import Mapping

from felt_daemon.journal import Entry, Journal, Trouble

MOST_PENDING = 64


def entry(stream: str, seq: int, group: int, of: int) -> Entry:
    return Entry(
        stream=stream,
        seq=seq,
        type="felt.system.counted.v1",
        v=1,
        boot="boot",
        start=str(os.getpid()),
        mono_ns=time.monotonic_ns(),
        utc_us=time.time_ns() // 1000,
        clock="trusted",
        late=False,
        simulated=True,
        cause=None,
        public=f'{{"group":{group},"of":{of}}}'.encode(),
        private=b'{"card":"As"}',
    )


def main(path: str) -> None:
    turned = threading.Condition()

    def committed(heads: Mapping[str, int]) -> None:
        os.write(1, "".join(f"{stream} {seq}\n" for stream, seq in heads.items()).encode())
        with turned:
            turned.notify()

    def troubled(trouble: Trouble | None) -> None:
        os.write(2, f"{trouble}\n".encode())

    journal = Journal.open(path, now=lambda: time.time_ns() // 1000, on_commit=committed, on_trouble=troubled)
    group = journal.last_seq("table-1")
    while True:
        group += 1
        tables = [
            entry("table-1", journal.last_seq("table-1") + 1 + n, group, group % 4 + 2)
            for n in range(group % 4 + 1)
        ]
        meter = entry("meter-a", journal.last_seq("meter-a") + 1, group, group % 4 + 2)
        journal.append([*tables, meter])
        journal.set_cursor("floor", "table-1", tables[-1].seq)
        with turned:
            turned.wait_for(lambda: journal.pending < MOST_PENDING)


main(sys.argv[1])
