"""The storing examples, killed again and again while events come: the database has what the tables sent."""

from __future__ import annotations

import asyncio
import json
import os
import pwd
import random
import runpy
import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from felt_floor import Floor

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from tests.floor.conftest import Hall, Journal, Program, StandIn

    from felt_daemon.publisher.broker import EmbeddedBroker

pytestmark = pytest.mark.asyncio
LIMIT_S = 60.0
KILLS = 8


def some_journals(hall: Hall) -> list[Journal]:
    """Three tables at which something has happened, and been told with all that a text may have."""
    journals = [hall.Journal(table=f"asia-{n}", epoch=f"{n:016x}") for n in range(3)]
    for journal in journals:
        journal.add_cards(20)
        journal.add("certificate-unusable", why='\x00\x1f"\\ \N{PLAYING CARD ACE OF SPADES}')
    return journals


async def keep_playing(tables: Sequence[StandIn]) -> None:
    """Let things happen at the tables, one after the other, until cancelled."""
    for number in range(1_000_000):
        await tables[number % len(tables)].add_cards(3)
        await asyncio.sleep(0.005)


async def killed_again_and_again(
    program: Program, tables: Sequence[StandIn], kills: int, dice: random.Random
) -> None:
    """Kill the program so many times, each time when it has stored some more; then let it come to the end."""
    playing = asyncio.create_task(keep_playing(tables))
    for _ in range(kills):
        await program.start()
        table = dice.choice(tables)
        await table.until_acked(table.acked + dice.choice((1, 10, 60)), LIMIT_S)
        await program.kill()
    playing.cancel()
    await asyncio.wait((playing,))
    await program.start()
    for table in tables:
        await table.until_acked(table.head, LIMIT_S)
    await program.kill()


def sent(journals: Sequence[Journal]) -> dict[str, list[Any]]:
    """What every table sent, in order."""
    return {one.table: [json.loads(payload) for payload in one.payloads] for one in journals}


def assert_same(found: dict[str, list[Any]], sent: dict[str, list[Any]]) -> None:
    """The same events of the same tables in the same order; says which differ, not how."""
    numbers = {table: [int(one["sequence"]) for one in events] for table, events in found.items()}
    assert numbers == {table: list(range(1, len(events) + 1)) for table, events in sent.items()}
    assert [table for table, events in sent.items() if found[table] != events] == []


def in_sqlite(file: Path) -> dict[str, list[Any]]:
    """What the database has of every table, in the order in which it was stored."""
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute("SELECT table_id, envelope, faults FROM event ORDER BY rowid").fetchall()
    assert {faults for _, _, faults in rows} == {""}
    found: dict[str, list[Any]] = {}
    for table, envelope, _ in rows:
        found.setdefault(table, []).append(json.loads(envelope))
    return found


async def test_what_was_stored_and_not_acknowledged_is_not_stored_again(
    hall: Hall, broker: EmbeddedBroker, journal: Journal, tmp_path: Path
) -> None:
    example = runpy.run_path(str(hall.examples / "store_sqlite.py"))
    journal.add_cards(30)
    async with hall.table(broker.port, journal) as table:
        with closing(sqlite3.connect(tmp_path / "floor.db")) as database:
            database.executescript(example["TABLES"])
            # It stores, and dies before it acknowledges.
            async with Floor("127.0.0.1", broker.port, consumer="pit", positions={}) as floor:
                example["store"](database, await anext(floor.batches(12)))
        running = asyncio.create_task(
            example["main"]("127.0.0.1", broker.port, "pit", str(tmp_path / "floor.db"))
        )
        await table.until_acked(30)
        running.cancel()
        await asyncio.wait((running,))
    assert_same(in_sqlite(tmp_path / "floor.db"), sent([journal]))


@pytest.mark.long
async def test_sqlite_has_every_event_once_and_in_order_whenever_the_program_is_killed(
    hall: Hall, broker: EmbeddedBroker, tmp_path: Path
) -> None:
    journals = some_journals(hall)
    file = tmp_path / "floor.db"
    program = hall.Program(hall.examples / "store_sqlite.py", "127.0.0.1", str(broker.port), "pit", file)
    async with hall.tables(broker.port, journals) as tables:
        await killed_again_and_again(program, tables, KILLS, random.Random(7))  # noqa: S311 - moments to kill at
    assert_same(in_sqlite(file), sent(journals))


def programs_of_postgres() -> Path | None:
    """The newest PostgreSQL server on this machine, as Debian installs it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def as_nobody(folder: Path) -> tuple[str, ...]:
    """What stands before a command so that it is not root's: PostgreSQL refuses root."""
    if os.getuid() != 0:
        return ()
    user = pwd.getpwnam("nobody")
    os.chown(folder, user.pw_uid, user.pw_gid)
    return ("setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups")


@asynccontextmanager
async def postgres() -> AsyncIterator[str]:
    """A server of our own, as it is installed; its DSN."""
    programs = programs_of_postgres()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed")
    folder = Path(tempfile.mkdtemp(prefix="felt-pg-"))
    before = as_nobody(folder)
    data = folder / "data"
    made = (*before, programs / "initdb", "-D", data, "-A", "trust", "-U", "felt", "--no-sync")
    await asyncio.to_thread(subprocess.run, made, cwd=folder, check=True, capture_output=True)
    # Nothing is moved in a table that nobody cleans up: its order is the one in which it was written.
    settings = ("-c", "listen_addresses=", "-c", "autovacuum=off")
    server = await asyncio.create_subprocess_exec(
        *before,
        programs / "postgres",
        *("-D", data, "-k", folder, *settings),
        cwd=folder,
        stderr=asyncio.subprocess.DEVNULL,
    )
    dsn = f"postgresql://felt@/postgres?host={folder}"
    try:
        await answering(dsn)
        yield dsn
    finally:
        server.terminate()
        await server.wait()
        shutil.rmtree(folder)


async def answering(dsn: str) -> None:
    """Wait until the server takes connections."""
    async with asyncio.timeout(LIMIT_S):
        while True:
            try:
                connection = await asyncpg.connect(dsn)
            except (OSError, asyncpg.CannotConnectNowError):
                await asyncio.sleep(0.1)
            else:
                await connection.close()
                return


@pytest.mark.long
async def test_postgres_has_every_event_once_and_in_order_whenever_the_program_is_killed(
    hall: Hall, broker: EmbeddedBroker
) -> None:
    journals = some_journals(hall)
    async with postgres() as dsn, hall.tables(broker.port, journals) as tables:
        port = str(broker.port)
        program = hall.Program(hall.examples / "store_postgres.py", "127.0.0.1", port, "pit", dsn)
        await killed_again_and_again(program, tables, KILLS, random.Random(11))  # noqa: S311 - moments to kill at
        database = await asyncpg.connect(dsn)
        rows = await database.fetch("SELECT table_id, envelope, faults FROM event ORDER BY ctid")
        await database.close()
    found: dict[str, list[Any]] = {one.table: [] for one in journals}
    for table, envelope, faults in rows:
        assert faults == []
        found[table].append(json.loads(envelope))
    assert_same(found, sent(journals))
