"""Stores every event of every table in PostgreSQL: python store_postgres.py HOST PORT CONSUMER DSN.

However it ends, also because the database went away, it may be started again: what was not stored was not
acknowledged, and comes again. Needs asyncpg; a DSN is like postgresql://user@host/database.
"""

import asyncio
import json
import sys
from typing import Any

import asyncpg

from felt_floor import Event, Floor, Position

TABLES = """
CREATE TABLE IF NOT EXISTS event (
  table_id text NOT NULL,
  epoch    text NOT NULL,
  sequence bigint NOT NULL,
  time     timestamptz NOT NULL,
  type     text NOT NULL,
  faults   text[] NOT NULL,
  envelope json NOT NULL,
  PRIMARY KEY (table_id, epoch, sequence)
);
CREATE TABLE IF NOT EXISTS position (
  table_id text PRIMARY KEY,
  epoch    text NOT NULL,
  sequence bigint NOT NULL,
  hash     text
);
"""
EVENT = "INSERT INTO event VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING"
POSITION = """
INSERT INTO position VALUES ($1, $2, $3, $4)
ON CONFLICT (table_id)
DO UPDATE SET (epoch, sequence, hash) = (excluded.epoch, excluded.sequence, excluded.hash)
"""


def row_of(event: Event) -> tuple[Any, ...]:
    """An event as the database has it; one with faults, too, for it is what the table said."""
    key = (event.table, event.epoch, event.sequence)
    return (*key, event.time, event.type, list(event.faults), json.dumps(event.envelope))


async def store(database: asyncpg.Connection, events: list[Event]) -> None:
    """Store events and how far the tables have come with them, in one transaction."""
    last = {event.table: event.position for event in events}
    async with database.transaction():
        await database.executemany(EVENT, [row_of(event) for event in events])
        await database.executemany(
            POSITION, [(table, at.epoch, at.sequence, at.hash) for table, at in last.items()]
        )


async def main(host: str, port: int, consumer: str, dsn: str) -> None:
    """Store, and acknowledge what is stored, for ever."""
    database = await asyncpg.connect(dsn)
    await database.execute(TABLES)
    positions = {table: Position(*at) for table, *at in await database.fetch("SELECT * FROM position")}
    async with Floor(host, port, consumer=consumer, positions=positions) as floor:
        async for events in floor.batches():
            await store(database, events)
            for event in events:
                await event.ack()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:]))
