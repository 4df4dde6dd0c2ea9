"""A whole table, the real daemon, a real broker, and a floor system that is killed: nothing is lost."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from felt_simulators.demo import scenario
from felt_simulators.felt import read_plan
from felt_simulators.house import House
from felt_simulators.journal import read_rows
from felt_simulators.overhearing import free_port
from felt_simulators.play import Player

if TYPE_CHECKING:
    from tests.floor.conftest import Hall

    from felt_simulators.play import Outcome
    from felt_simulators.view import View

EXAMPLE = Path(__file__).parents[2] / "examples" / "asia-poker.toml"
LIMIT_S = 60.0


def stored(file: Path) -> list[dict[str, Any]]:
    """Every envelope in the database, in the order in which it was stored; none has a fault."""
    with closing(sqlite3.connect(file)) as database:
        if not database.execute("SELECT * FROM sqlite_master WHERE name = 'event'").fetchall():
            return []  # the program has only just begun
        rows = database.execute("SELECT envelope, faults FROM event ORDER BY rowid").fetchall()
    assert {faults for _, faults in rows} <= {""}
    return [json.loads(envelope) for envelope, _ in rows]


def wait_for(file: Path, count: int) -> None:
    """Wait until so many events are in the database; called in a thread."""
    ends = time.monotonic() + LIMIT_S
    while time.monotonic() < ends:
        if file.exists() and len(stored(file)) >= count:
            return
        time.sleep(0.05)
    raise TimeoutError(f"of {count} events only {len(stored(file))} were stored")


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.timeout(300)
async def test_what_a_table_records_is_what_a_floor_system_stores_that_is_killed_twice(
    hall: Hall, tmp_path: Path
) -> None:
    port, file = free_port(), tmp_path / "floor.db"
    what = scenario(read_plan(EXAMPLE), EXAMPLE, 5, 7)

    def done(view: View) -> None:
        """The last round is over: the floor has everything before the table is stopped."""
        wait_for(file, int(view.shown["sequence"]))

    def play() -> Outcome:
        with House(EXAMPLE, tmp_path, 7, port=port, changes={"consumers": {"pit": {}}}) as house:
            return Player(what, house, lambda _: None, done=done).play(7)

    system = (hall.examples / "store_sqlite.py", "127.0.0.1", str(port), "pit", file)
    async with hall.program(*system) as program:
        playing = asyncio.create_task(asyncio.to_thread(play))
        for count in (40, 120):
            await asyncio.to_thread(wait_for, file, count)
            await program.kill()
            await program.start()
        outcome = await playing
    journal = read_rows(tmp_path / "state" / "journal.db", "asia-1").all
    envelopes = stored(file)
    assert outcome.disagreements == []
    # The last rows are written when the table stops, and may be told after its next start only.
    assert len(journal) - 2 <= len(envelopes) <= len(journal)
    told = [(int(one["sequence"]), one["type"].split(".")[2], one["data"]) for one in envelopes]
    written = [(row.seq, row.what, row.body) for row in journal]
    assert [one for one, other in zip(told, written, strict=False) if one != other] == []
