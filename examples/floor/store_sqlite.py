"""Stores every event of every table in SQLite: python store_sqlite.py HOST PORT CONSUMER FILE.

However it ends, it may be started again: what was not stored was not acknowledged, and comes again.
"""

import asyncio
import json
import sqlite3
import sys

from felt_floor import Event, Floor, Position

TABLES = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS event (
  table_id TEXT NOT NULL,
  epoch    TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  time     TEXT NOT NULL,
  type     TEXT NOT NULL,
  faults   TEXT NOT NULL,
  envelope TEXT NOT NULL,
  PRIMARY KEY (table_id, epoch, sequence)
);
CREATE TABLE IF NOT EXISTS position (
  table_id TEXT PRIMARY KEY,
  epoch    TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  hash     TEXT
);
"""
EVENT = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
POSITION = "INSERT OR REPLACE INTO position VALUES (?, ?, ?, ?)"


def row_of(event: Event) -> tuple[str | int, ...]:
    """An event as the database has it; one with faults, too, for it is what the table said."""
    key = (event.table, event.epoch, event.sequence)
    return (*key, event.time.isoformat(), event.type, "; ".join(event.faults), json.dumps(event.envelope))


def store(database: sqlite3.Connection, events: list[Event]) -> None:
    """Store events and how far the tables have come with them, in one transaction."""
    last = {event.table: event.position for event in events}
    with database:
        database.executemany(EVENT, [row_of(event) for event in events])
        database.executemany(
            POSITION, [(table, at.epoch, at.sequence, at.hash) for table, at in last.items()]
        )


async def main(host: str, port: int, consumer: str, file: str) -> None:
    """Store, and acknowledge what is stored, for ever."""
    database = sqlite3.connect(file)
    database.executescript(TABLES)
    positions = {table: Position(*at) for table, *at in database.execute("SELECT * FROM position")}
    async with Floor(host, port, consumer=consumer, positions=positions) as floor:
        async for events in floor.batches():
            store(database, events)
            for event in events:
                await event.ack()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:]))
