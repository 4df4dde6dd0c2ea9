"""The heart of the device process: stops leave first, everything else waits for its commit."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.shell import core as core_module
from felt_daemon.table.measures import MEASURES
from felt_protocols import commands
from felt_protocols.events import card, device, incident, ruling, system
from felt_simulators.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Felt, Run


async def jam(felt: Felt) -> None:
    felt.shoe.set_fault(Fault.parse("jam=24"), 0.0)
    felt.hand("shoe-1", felt.shoe.press_deal)


def inhibited_for(felt: Felt) -> str | None:
    """Why the shoe is inhibited, as its own electronics have it."""
    return felt.shoe._electronics._session.why


@pytest.mark.asyncio
async def test_a_round_over_real_lines_ends_in_the_journal_as_the_devices_know_it(
    started: Callable[..., Any], felt: Felt
) -> None:
    run: Run = await started()
    await run.ready_table()
    await run.ready_to_deal()
    await run.deal(7)
    felt.hand("shoe-1", felt.shoe.remove_rest)
    await run.until(lambda: run.state.phase == "playing")
    await run.command(commands.RoundEnd(), "dealer")
    rows = run.rows()
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    assert [stack["size"] for stack in felt.shoe.truth["stacks"]] == [7] * 7
    assert run.state.decks["red"].places["discard"] == 53
    # Every event of the devices is acknowledged, so that none comes again.
    for name, machine in (("shoe-1", felt.shoe), ("shaker-1", felt.shaker)):
        await run.until(lambda one=machine: not one._electronics._session._ring._kept)
        assert run.state.devices[name].last_n > 0


@pytest.mark.asyncio
async def test_a_jam_inhibits_the_shoe_although_the_disk_takes_no_row(
    started: Callable[..., Any], felt: Felt
) -> None:
    run: Run = await started()
    await run.ready_table()
    await run.ready_to_deal()
    await run.deal(3)
    await run.until(lambda: run.core.waiting == 0)
    other = sqlite3.connect(felt.folder / "journal.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    await jam(felt)
    await run.until(lambda: inhibited_for(felt) == "shoe-jam")
    assert run.core.waiting > 0
    assert not any(isinstance(row.event, card.ShoeJammed) for row in run.rows())
    other.execute("COMMIT")
    other.close()
    await run.until(lambda: run.core.waiting == 0)
    told = [row.event for row in run.rows() if isinstance(row.event, ruling.RulingMade)]
    assert [one.row for one in told if one.effect == "stop"] == ["shoe-jam"]


@pytest.mark.asyncio
async def test_facts_beyond_the_bound_wait_undecided_and_a_stop_among_them_still_leaves(
    started: Callable[..., Any], felt: Felt, monkeypatch: pytest.MonkeyPatch
) -> None:
    run: Run = await started()
    await run.ready_table()
    await run.ready_to_deal()
    await run.deal(3)
    monkeypatch.setattr(core_module, "MOST_WAITING", 4)
    await run.until(lambda: run.core.waiting == 0)
    other = sqlite3.connect(felt.folder / "journal.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    for _ in range(6):
        felt.hand("shaker-1", felt.shaker.walk_away)
        felt.hand("shaker-1", felt.shaker.come_back)
        light = device.LightShown(device="shaker-1", colour="green")
        run.core.heard("shaker-1", light, 0.0, late=False, mark=None)
    decided = run.state.seq
    assert run.core.waiting >= 4
    await jam(felt)
    await run.until(lambda: inhibited_for(felt) == "shoe-jam")
    assert run.state.seq == decided
    assert run.core.busy()
    other.execute("COMMIT")
    other.close()
    await run.until(lambda: not run.core.busy())
    assert run.state.round.void == "shoe-jam"
    assert run.state.seq == len(run.rows())


@pytest.mark.asyncio
async def test_leases_are_not_renewed_while_a_row_waits_too_long(
    started: Callable[..., Any], felt: Felt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_module, "LONGEST_WAIT_S", 0.05)
    run: Run = await started()
    await run.ready_table()
    sessions = [one._session for one in run.core.drivers.values()]
    assert all(session.renew for session in sessions)
    other = sqlite3.connect(felt.folder / "journal.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    run.core.take(system.ClockTrusted())
    await run.until(lambda: not any(session.renew for session in sessions))
    other.execute("COMMIT")
    other.close()
    await run.until(lambda: all(session.renew for session in sessions))


@pytest.mark.asyncio
async def test_leases_are_renewed_while_rows_wait_all_the_time_and_none_of_them_long(
    started: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_module, "LONGEST_WAIT_S", 0.2)
    run: Run = await started()
    await run.ready_table()
    await run.until(lambda: run.core.waiting == 0)
    wishes: list[bool] = []
    for one in run.core.drivers.values():
        monkeypatch.setattr(one, "renew", wishes.append)
    # Each commit comes while the next row waits already, for three times as long as one row may wait.
    table = run.state.setup.table
    monkeypatch.setattr(run.journal, "append", lambda _entries: None)
    run.core.take(system.ClockTrusted())
    for _ in range(12):
        before = run.state.seq
        run.core.take(system.ClockTrusted())
        await asyncio.sleep(0.05)
        run.core.committed({table: before})
        assert run.core.waiting > 0
    assert wishes == []
    # The last one is left waiting: that is too long.
    await run.until(lambda: wishes == [False] * 3)
    run.core.committed({table: run.state.seq})
    assert wishes == [False] * 3 + [True] * 3


@pytest.mark.asyncio
async def test_a_fact_that_the_rules_fail_on_is_kept_and_holds_the_table_and_ends_the_run(
    started: Callable[..., Any], felt: Felt, monkeypatch: pytest.MonkeyPatch
) -> None:
    run: Run = await started()
    await run.ready_table()

    def broken(*_: object) -> bool:
        raise ZeroDivisionError

    monkeypatch.setitem(MEASURES, "phase", broken)
    felt.hand("shaker-1", felt.shaker.shake)
    felt.hand("shaker-1", felt.shaker.uncover)
    await run.until(lambda: run.failed)
    monkeypatch.undo()
    told = [row.event for row in run.rows() if isinstance(row.event, system.Undecided)]
    assert [(one.what_failed, one.device, one.n) for one in told] == [("dice-read", "shaker-1", 3)]
    assert told[0].where.startswith("ZeroDivisionError at test_core.py:")
    seq = run.state.seq
    await run.stop()
    # The next run reads it, does not fail on it again, and goes on behind it.
    again: Run = await started()
    await again.until(lambda: all(one.link == "ready" for one in again.state.devices.values()))
    holds = {hold.row: number for number, hold in again.state.holds.items()}
    # A deck that came preshuffled waits for its cut, whatever else is wrong.
    assert holds.keys() == {"undecided", "preshuffled-deck-cut"}
    assert again.state.devices["shaker-1"].last_n >= 3
    await again.command(commands.NoMoreBets(), "dealer")
    assert "deal/shoe-1" not in again.state.grants
    reason = "looked at the log with the technician"
    await again.command(commands.Override(hold=holds["undecided"], reason=reason))
    assert [hold.row for hold in again.state.holds.values()] == ["preshuffled-deck-cut"]
    assert again.state.seq > seq


@pytest.mark.asyncio
async def test_a_new_run_in_mid_round_goes_on_exactly_and_gives_no_permit_again(
    started: Callable[..., Any], felt: Felt
) -> None:
    run: Run = await started()
    await run.ready_table()
    await run.ready_to_deal()
    await run.deal(3)
    before = run.state
    await run.stop()
    again: Run = await started()
    await again.until(lambda: all(one.link == "ready" for one in again.state.devices.values()))
    assert again.state.round == before.round
    assert again.state.decks == before.decks
    assert again.state.grants == before.grants
    await again.deal(4)
    felt.hand("shoe-1", felt.shoe.remove_rest)
    await again.until(lambda: again.state.phase == "playing")
    permits = [row for row in again.rows() if isinstance(row.event, device.OrderIssued)]
    assert [row.event.device for row in permits] == ["shuffler-1", "shoe-1"]
    assert len(felt.shoe.truth["stacks"]) == 7


@pytest.mark.asyncio
async def test_what_was_dealt_while_the_daemon_was_away_is_told_late_and_in_order(
    started: Callable[..., Any], felt: Felt
) -> None:
    run: Run = await started()
    await run.ready_table()
    await run.ready_to_deal()
    await run.deal(3)
    await run.stop()
    for _ in range(2):
        felt.hand("shoe-1", felt.shoe.press_deal)
        await asyncio.sleep(0.1)
        felt.hand("shoe-1", felt.shoe.take_stack)
    again: Run = await started()
    await again.until(lambda: again.state.round.stacks == 5 and again.core.waiting == 0)
    stacks = [row for row in again.rows() if row.event.what() == "stack-dispensed"]
    assert [row.at.late for row in stacks] == [False, False, False, True, True]
    assert again.state.decks["red"].places == {
        "hand": 0,
        "shuffler": 0,
        "shoe": 18,
        "table": 35,
        "discard": 0,
        "withdrawn": 0,
    }


@pytest.mark.asyncio
async def test_an_order_that_was_not_answered_is_said_again_to_the_same_boot_and_done_once(
    started: Callable[..., Any], felt: Felt
) -> None:
    run: Run = await started()
    await run.ready_table()
    # The line is cut as the permit goes out: it is committed, and nobody knows whether it arrived.
    felt.pumps["shoe-1"].station.set_fault(Fault.parse("line-unread"), 0.0)
    felt.pumps["shoe-1"].turn()
    await run.command(commands.NoMoreBets(), "dealer")
    for _ in range(3):
        felt.hand("shaker-1", felt.shaker.shake)
    felt.hand("shaker-1", felt.shaker.uncover)
    await run.until(lambda: "deal/shoe-1" in run.state.grants)
    assert run.state.grants["deal/shoe-1"].result == "open"
    await run.stop()
    felt.pumps["shoe-1"].station.line.lift_fault("line-unread")
    felt.pumps["shoe-1"].turn()
    again: Run = await started()
    await again.until(lambda: again.state.grants["deal/shoe-1"].result == "done")
    orders = [row for row in again.rows() if isinstance(row.event, device.OrderIssued)]
    assert len([row for row in orders if row.event.device == "shoe-1"]) == 1


@pytest.mark.asyncio
async def test_holds_of_the_run_before_stop_their_device_again(
    started: Callable[..., Any], felt: Felt
) -> None:
    run: Run = await started()
    await run.ready_table()
    await run.ready_to_deal()
    await run.deal(3)
    await jam(felt)
    await run.until(lambda: inhibited_for(felt) == "shoe-jam" and run.core.waiting == 0)
    await run.stop()
    again: Run = await started()
    await again.until(lambda: all(one.link == "ready" for one in again.state.devices.values()))
    await again.until(lambda: again.core.waiting == 0)
    told = [row.event for row in again.rows() if isinstance(row.event, ruling.RulingMade)]
    assert [one.row for one in told if one.effect == "stop"] == ["shoe-jam"]
    assert not any(isinstance(row.event, device.InhibitFound) for row in again.rows())
    opened = [row.event for row in again.rows() if isinstance(row.event, incident.HoldOpened)]
    assert [one.stops for one in opened if one.cause] == ["shoe-1"]
