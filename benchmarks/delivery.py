"""From a device's last byte to a subscriber, and to a consumer whose acknowledgement the table has.

A process that is nothing but a shoe tells something over a pseudo-terminal. It is also a subscriber of the
barest kind, so that it sees when the event comes, synced commit and QoS 1 included, and when the consumer's
acknowledgement goes by. Three sides take turns:

    felt run            the whole daemon, and a consumer that uses felt_floor and stores in SQLite
    commit and publish  one synced commit of a row of SQLite, one publish at QoS 1, and nothing else
    line copier         a process that copies lines from a pseudo-terminal to the broker at QoS 1

All use the same broker and sleep as long between two events, so that each begins cold.

    python benchmarks/delivery.py
    python benchmarks/delivery.py --blocks 2 --events 10     a look whether it works
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sqlite3
import sys
import tempfile
import time
import tty
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bare import (
    ANSWER_S,
    HOST,
    READ_SIZE,
    SERVES,
    TABLE,
    TELLS,
    Client,
    WatchingShoe,
    configuration,
    consuming,
    felt,
    running,
)
from jam_to_inhibit import table

from felt_daemon.publisher.broker import EmbeddedBroker, chosen
from felt_drivers.port.terminal import open_terminal
from felt_protocols import topics
from felt_simulators.floor import packets
from felt_simulators.floor.link import Link

if TYPE_CHECKING:
    from felt_simulators.floor.packets import Published

CONSUMER: Final = "pit"
# Longer than felt_floor waits between two acknowledgements of a table.
PAUSE_S: Final = 0.15
LINES: Final = "bench/lines"
BARE: Final = "bench/bare"
# About what a row of such an event has in the journal, and its payload.
ROW_BYTES: Final = 500
PAYLOAD_BYTES: Final = 850


class TellingShoe(WatchingShoe):
    """A shoe that tells that cards were taken out, and sees what becomes of it."""

    def tell(self) -> tuple[float, float]:
        """Microseconds from the last byte until the event has come, and until it is acknowledged."""
        self.idle(PAUSE_S)
        began_ns = self.happen("removed", {"count": 0})
        told_ns, sequence = self.until(_sequence_of_an_event)
        acked_ns, _ = self.until(lambda message: _is_acknowledged(message, sequence))
        return (told_ns - began_ns) / 1000, (acked_ns - began_ns) / 1000


def _sequence_of_an_event(message: Published) -> int | None:
    if message.topic != topics.event(TABLE, "card"):
        return None
    return int(json.loads(message.payload)["sequence"])


def _is_acknowledged(message: Published, sequence: int) -> int | None:
    is_ack = message.topic == topics.ack(TABLE, CONSUMER)
    reached = is_ack and int(json.loads(message.payload)["sequence"]) >= sequence
    return sequence if reached else None


class CommitAndPublish:
    """One synced commit and one publish, in the process that subscribes."""

    def __init__(self, folder: Path, port: int) -> None:
        self._rows = sqlite3.connect(folder / "bare.db", isolation_level=None)
        self._rows.execute("PRAGMA journal_mode = WAL")
        self._rows.execute("PRAGMA synchronous = FULL")
        self._rows.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, body BLOB)")
        self._subscriber = Client(port, "bench-bare", [BARE])
        self._publisher = Client(port, "bench-publisher", [])

    def tell(self) -> float:
        """Microseconds from before the commit until the message has come."""
        time.sleep(PAUSE_S)
        began_ns = time.perf_counter_ns()
        self._rows.execute("INSERT INTO rows (body) VALUES (?)", (bytes(ROW_BYTES),))
        publish = packets.publish(BARE, bytes(PAYLOAD_BYTES), self._publisher.number())
        self._publisher.send(publish)
        came_ns = self._subscriber.until(lambda _message: True)
        self._publisher.expect(packets.Puback)
        return (came_ns - began_ns) / 1000


class LineCopier:
    """A device that speaks in lines, whose process at the other end only copies them."""

    def __init__(self, path: Path, port: int) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        path.symlink_to(os.ttyname(slave))
        self._subscriber = Client(port, "bench-lines", [LINES])

    def tell(self) -> float:
        """Microseconds from the last byte until the line has come."""
        time.sleep(PAUSE_S)
        began_ns = time.perf_counter_ns()
        os.write(self._master, b'{"event": "removed", "count": 0}\n')
        return (self._subscriber.until(lambda _message: True) - began_ns) / 1000

    def settle(self) -> None:
        """Wait until the process at the other end copies."""
        end_s = time.monotonic() + ANSWER_S
        while time.monotonic() < end_s:
            os.write(self._master, b"?\n")
            with contextlib.suppress(TimeoutError):
                self._subscriber.take(0.2)
                return
        raise TimeoutError("nobody copies lines")


async def copy_lines(path: str, port: int) -> None:
    """Copy lines from a terminal to the broker, for ever."""
    loop = asyncio.get_running_loop()
    _, link = await loop.create_connection(lambda: Link(lambda _packet: None, loop.stop), HOST, port)
    link.send(packets.connect("bench-copier", 0, "bench/copier", b""))
    fd = open_terminal(path, 115_200)
    held = b""

    def readable() -> None:
        nonlocal held
        *lines, held = (held + os.read(fd, READ_SIZE)).split(b"\n")
        for line in lines:
            link.send(packets.publish(LINES, line, link.number()))

    loop.add_reader(fd, readable)
    await asyncio.Event().wait()


def measured(
    shoe: TellingShoe, bare: CommitAndPublish, lines: LineCopier, blocks: int, events: int
) -> dict[str, list[list[float]]]:
    """The blocks of each side, taken in turn: microseconds, sorted."""
    names = ("told", "bare", "acknowledged", "lines")
    found: dict[str, list[list[float]]] = {name: [] for name in names}
    for _ in range(blocks):
        both = [shoe.tell() for _ in range(events)]
        found["told"].append(sorted(told for told, _ in both))
        found["acknowledged"].append(sorted(acked for _, acked in both))
        for name, side in (("bare", bare), ("lines", lines)):
            block: list[float] = []
            for _ in range(events):
                block.append(side.tell())
                # The shoe has to be heard as well.
                shoe.idle(0.001)
            found[name].append(sorted(block))
    return found


def arguments() -> argparse.Namespace:
    """What the caller wants."""
    about, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=about, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--blocks", type=int, default=10, help="blocks for each side (%(default)s)")
    parser.add_argument("--events", type=int, default=50, help="events in a block (%(default)s)")
    parser.add_argument("--copy", nargs=2, metavar=("PATH", "PORT"), help=argparse.SUPPRESS)
    return parser.parse_args()


async def at_a_broker(blocks: int, events: int) -> dict[str, list[list[float]]]:
    """Measure at a broker of our own."""
    broker = EmbeddedBroker(chosen())
    await broker.start()
    try:
        return await asyncio.to_thread(with_all_sides, broker, blocks, events)
    finally:
        await broker.stop()


def with_all_sides(broker: EmbeddedBroker, blocks: int, events: int) -> dict[str, list[list[float]]]:
    """Start every side, and measure."""
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as open_ends:
        folder = Path(name)
        config = configuration(folder, broker.port, [CONSUMER])
        filters = [topics.events_filter(TABLE), topics.acks_filter(TABLE)]
        shoe = TellingShoe(folder / "shoe", broker.port, filters)
        open_ends.enter_context(consuming(broker.address, CONSUMER, folder / "store.db"))
        daemon = open_ends.enter_context(running([felt(), "run", str(config)]))
        daemon.until(SERVES)
        shoe.connect()
        daemon.until(TELLS)
        shoe.idle(2.0)
        bare = CommitAndPublish(folder, broker.port)
        lines = LineCopier(folder / "lines", broker.port)
        copier = [sys.executable, __file__, "--copy", str(folder / "lines"), str(broker.port)]
        open_ends.enter_context(running(copier))
        lines.settle()
        return measured(shoe, bare, lines, blocks, events)


def main() -> None:
    """Measure and print tables in Markdown."""
    wanted = arguments()
    if wanted.copy:
        path, port = wanted.copy
        asyncio.run(copy_lines(path, int(port)))
        return
    found = asyncio.run(at_a_broker(wanted.blocks, wanted.events))
    print(f"{wanted.blocks} alternating blocks of {wanted.events} events, {os.cpu_count()} processors\n")
    print(table({"felt run, to a subscriber": found["told"], "commit and publish": found["bare"]}))
    print()
    print(table({"felt run, acknowledged": found["acknowledged"], "line copier": found["lines"]}))


if __name__ == "__main__":
    main()
