"""The device process has its state kept now and then, never before its rows are committed."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.folding import begin, marks_of, snapshot_of
from felt_daemon.shell import core as core_module
from felt_daemon.table import admit
from felt_protocols import commands
from felt_protocols.events import person

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Run

    from felt_daemon.table.state import State

TABLE = "t-1"


@pytest.mark.asyncio
async def test_a_state_is_kept_when_so_many_rows_are_committed_and_no_sooner(
    started: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_module, "KEEP_EVERY", 20)
    run: Run = await started()
    states: list[State] = []

    def keep(state: State) -> None:
        assert run.core.waiting == 0
        assert run.journal.head(TABLE) == (state.seq, run.journal.hash_of(TABLE, state.seq))
        states.append(state)

    run.core.keep = keep
    run.core.kept = run.state.seq
    first = run.state.seq
    await run.ready_table()
    assert states
    seqs = [first, *(state.seq for state in states)]
    assert all(later - earlier >= 20 for earlier, later in pairwise(seqs))
    assert run.core.kept == states[-1].seq


@pytest.mark.asyncio
async def test_what_is_kept_at_the_end_is_where_the_next_run_begins(started: Callable[..., Any]) -> None:
    run: Run = await started()
    marks = marks_of("50" * 32, "ab" * 32, run.state.setup)
    run.core.keep = lambda state: run.journal.keep(snapshot_of(state, marks), TABLE, state.seq)
    await run.ready_table()
    await run.command(commands.CallFloor(), "dealer")
    await run.until(lambda: run.core.waiting == 0)
    run.core.keep_state()
    state = run.state
    await run.stop()
    again: Run = await started()
    assert begin(again.journal, state.setup, marks) == state


@pytest.mark.asyncio
async def test_while_rows_wait_nothing_is_kept(started: Callable[..., Any]) -> None:
    run: Run = await started()
    states: list[State] = []
    run.core.keep = states.append
    by = person.Person(role="dealer", name="Dan")
    run.core.take(admit(run.core.table.pack, run.state, commands.CallFloor(), by))
    run.core.keep_state()
    assert states == []
    await run.until(lambda: run.core.waiting == 0)
    run.core.keep_state()
    assert states == [run.state]
