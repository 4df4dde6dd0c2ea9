"""Two tables in one loop and one journal: neither waits for the other, and neither has a row of the other."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules import load
from felt_daemon.shell import core as core_module
from felt_daemon.shell.core import Core
from felt_daemon.table import Table, blank, set_up
from felt_protocols.events import card, device

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Felt, Run

    from felt_protocols.events import Row

OTHER = "t-2"
QUEUED = 1_000
# The other table has decided so many when the jam comes.
BEFORE = 300


def _beside(run: Run, watch: Callable[[list[Row]], None]) -> Core:
    """Another table without devices, with the journal of this run."""
    pack = load("659a")
    setup = set_up(pack, table=OTHER, devices={"shoe-2": "shoe"}, decks={"green": "green"})
    core = Core(
        table=Table(pack, blank(setup)),
        journal=run.journal,
        clock=run.clock,
        loop=run.loop,
        tell=lambda _: None,
        watch=watch,
        fail=lambda: None,
    )
    run.beside.append(core)
    return core


def _committed(run: Run) -> list[tuple[str, str]]:
    """Stream and type of every row, in the order of their commits."""
    found: list[tuple[str, str]] = []
    last = 0
    while stored := run.journal.read_all(last):
        found += [(one.entry.stream, one.entry.type) for one in stored]
        last = stored[-1].id
    return found


@pytest.mark.asyncio
async def test_an_inhibit_does_not_wait_for_a_thousand_facts_of_the_other_table(
    started: Callable[..., Any], felt: Felt
) -> None:
    run: Run = await started()
    await run.until(lambda: run.state.devices["shoe-1"].link == "ready")
    decided = 0

    def watch(_: list[Row]) -> None:
        nonlocal decided
        decided += 1
        if decided == BEFORE:
            jam = card.ShoeJammed(device="shoe-1", where="mouth")
            # As the port's reader would, in the loop's next turn.
            run.loop.call_soon(lambda: run.core.heard("shoe-1", jam, 0.0, late=False, mark=None))

    other = _beside(run, watch)
    for number in range(QUEUED):
        told = device.LightShown(device="shoe-2", colour=f"c{number % 2}")
        other.heard("shoe-2", told, 0.0, late=False, mark=None)
    assert decided == core_module.MOST_WAITING
    await run.until(lambda: felt.shoe._electronics._session.why == "shoe-jam-outside-a-deal")
    await run.until(lambda: not other.busy() and not run.core.busy())
    rows = _committed(run)
    jammed = rows.index(("t-1", "shoe-jammed"))
    # Decided and recorded after those that were decided when it came, and after none that waited.
    assert rows[:jammed].count((OTHER, "light-shown")) == BEFORE
    assert rows.count((OTHER, "light-shown")) == QUEUED


@pytest.mark.asyncio
async def test_each_stream_has_the_rows_of_its_own_table_alone_and_counts_for_itself(
    started: Callable[..., Any],
) -> None:
    run: Run = await started()
    other = _beside(run, lambda _: None)
    for _ in range(5):
        for core, name in ((run.core, "shoe-1"), (other, "shoe-2")):
            core.heard(name, device.LightShown(device=name, colour="red"), 0.0, late=False, mark=None)
    await run.until(lambda: not other.busy() and not run.core.busy())
    for stream, name in (("t-1", "shoe-1"), (OTHER, "shoe-2")):
        stored = run.journal.read(stream)
        assert [one.entry.seq for one in stored] == list(range(1, len(stored) + 1))
        lights = [one.entry.public for one in stored if one.entry.type == "light-shown"]
        assert len(lights) == 5
        assert all(f'"{name}"'.encode() in public for public in lights)
    assert not any(b"shoe-1" in one.entry.public for one in run.journal.read(OTHER))


@pytest.mark.asyncio
async def test_a_queue_that_is_full_at_one_table_leaves_the_other_its_room(
    started: Callable[..., Any], felt: Felt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_module, "MOST_WAITING", 16)
    run: Run = await started()
    await run.until(lambda: run.core.waiting == 0)
    other = _beside(run, lambda _: None)
    lock = sqlite3.connect(felt.folder / "journal.db", isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    for _ in range(40):
        other.heard("shoe-2", device.LightShown(device="shoe-2", colour="red"), 0.0, late=False, mark=None)
    assert other.waiting == 16
    before = run.core.waiting
    run.core.heard("shoe-1", device.LightShown(device="shoe-1", colour="red"), 0.0, late=False, mark=None)
    assert run.core.waiting > before
    lock.execute("COMMIT")
    lock.close()
    await run.until(lambda: not other.busy() and not run.core.busy())
