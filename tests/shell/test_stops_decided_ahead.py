"""A jam is answered with what was decided before it: for the state that is there, and for no other."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.shell import core as core_module
from felt_daemon.table.measures import MEASURES
from felt_protocols.events import card, person, system

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Felt, Run

    from felt_daemon.rules import Pack
    from felt_daemon.table import State

DEALER = person.Person(role="dealer", name="Dan")
JAM = card.ShoeJammed(device="shoe-1", where="gate")


def inhibited_for(felt: Felt) -> str | None:
    """Why the shoe is inhibited, as its own electronics have it."""
    return felt.shoe._electronics._session.why


def broken(*_: object) -> bool:
    """A rule with a bug."""
    raise ZeroDivisionError


@pytest.mark.asyncio
async def test_a_jam_is_answered_although_the_rules_fail_on_it(
    started: Callable[..., Any], felt: Felt, monkeypatch: pytest.MonkeyPatch
) -> None:
    run: Run = await started()
    await run.ready_table()
    await run.ready_to_deal()
    await run.until(lambda: run.core.waiting == 0)
    monkeypatch.setitem(MEASURES, "phase", broken)
    run.core.heard("shoe-1", JAM, 0.0, late=False, mark=None)
    monkeypatch.undo()
    await run.until(lambda: inhibited_for(felt) == "shoe-jam")
    await run.until(lambda: run.failed)
    assert [row.event.what_failed for row in run.rows() if isinstance(row.event, system.Undecided)] == [
        "shoe-jammed"
    ]


@pytest.mark.asyncio
async def test_a_jam_behind_a_row_that_waits_for_the_disk_is_answered_by_the_state_after_that_row(
    started: Callable[..., Any], felt: Felt
) -> None:
    run: Run = await started()
    await run.ready_table()
    await run.until(lambda: run.core.waiting == 0)
    other = sqlite3.connect(felt.folder / "journal.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    # While bets are open, a jam would be one outside a deal.
    run.core.take(person.BetsClosed(by=DEALER))
    run.core.heard("shoe-1", JAM, 0.0, late=False, mark=None)
    await run.until(lambda: inhibited_for(felt) == "shoe-jam")
    assert run.core.waiting > 0
    other.execute("COMMIT")
    other.close()
    await run.until(lambda: run.core.waiting == 0)
    assert run.state.devices["shoe-1"].jam == "gate"


@pytest.mark.asyncio
async def test_stops_that_cannot_be_decided_ahead_are_tried_once_for_a_state_told_once_and_keep_nothing_up(
    started: Callable[..., Any],
    felt: Felt,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    run: Run = await started()
    await run.ready_table()
    await run.until(lambda: run.core.waiting == 0)
    tried: list[State] = []

    def failing(_pack: Pack, state: State) -> Any:  # noqa: ANN401 - it gives nothing
        tried.append(state)
        broken()

    with monkeypatch.context() as patch:
        patch.setattr(core_module, "ready_stops", failing)
        run.core.take(person.BetsClosed(by=DEALER))
        await run.until(lambda: run.core.waiting == 0)
        run.core.committed({run.state.setup.table: run.state.seq})
        run.core.committed({run.state.setup.table: run.state.seq})
        assert [state.seq for state in tried] == [run.state.seq]
        # The next commit tries again, and says no more of it.
        run.core.take(person.FloorCalled(by=DEALER))
        await run.until(lambda: run.core.waiting == 0)
        assert len(tried) > 1
    assert caplog.messages.count("no stops could be decided before they are asked for") == 1
    assert run.told[-1] == {run.state.setup.table: run.state.seq}
    run.core.heard("shoe-1", JAM, 0.0, late=False, mark=None)
    await run.until(lambda: inhibited_for(felt) == "shoe-jam")
