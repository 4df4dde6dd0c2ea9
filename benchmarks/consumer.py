"""The floor's consumer of a benchmark, a process of its own: felt_floor, and SQLite as its store.

    python benchmarks/consumer.py --broker HOST:PORT --consumer pit --store FILE

Each event is committed before it is acknowledged. Nothing keeps one from being stored twice or out of turn:
a benchmark would see it. `id` is the order in which they came.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import signal
import sqlite3
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from felt_floor import Floor, Position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from felt_floor import Trouble

_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY, stream TEXT, epoch TEXT, sequence INTEGER, hash TEXT, type TEXT, data TEXT,
    at_ns INTEGER
)
"""


def opened(path: Path) -> sqlite3.Connection:
    """A store: what is committed outlives a kill, and need not outlive the machine."""
    store = sqlite3.connect(path, isolation_level=None)
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("PRAGMA synchronous = OFF")
    store.execute(_SCHEMA)
    return store


def positions(store: sqlite3.Connection) -> dict[str, Position]:
    """The last event of each table."""
    last = store.execute(
        "SELECT stream, epoch, sequence, hash FROM events"
        " WHERE id IN (SELECT max(id) FROM events GROUP BY stream)"
    )
    return {stream: Position(epoch, sequence, digest) for stream, epoch, sequence, digest in last}


async def consume(host: str, port: int, consumer: str, path: Path, tables: Sequence[str] | None) -> None:
    """Store and acknowledge until SIGTERM; the client's troubles go to stderr."""
    store = opened(path)

    def trouble(one: Trouble) -> None:
        print(f"{one.kind}: {one.text} ({one.table} {one.sequence})", file=sys.stderr, flush=True)

    where = positions(store)
    async with Floor(
        host, port, consumer=consumer, tables=tables, positions=where, on_trouble=trouble
    ) as floor:

        async def take() -> None:
            async for event in floor.events():
                row = (
                    event.table,
                    event.epoch,
                    event.sequence,
                    event.position.hash,
                    event.type,
                    json.dumps(event.data, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
                    time.monotonic_ns(),
                )
                store.execute(
                    "INSERT INTO events (stream, epoch, sequence, hash, type, data, at_ns)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    row,
                )
                await event.ack()

        taking = asyncio.create_task(take())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, taking.cancel)
        print("up", flush=True)
        with contextlib.suppress(asyncio.CancelledError):
            await taking
    store.close()


def main() -> None:
    """Consume until SIGTERM."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--broker", required=True)
    parser.add_argument("--consumer", required=True)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--table", action="append")
    wanted = parser.parse_args()
    host, _, port = wanted.broker.rpartition(":")
    asyncio.run(consume(host, int(port), wanted.consumer, wanted.store, wanted.table))


if __name__ == "__main__":
    main()
