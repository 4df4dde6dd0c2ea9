"""Who is asked to own a hold, one after the other, and what stops it."""

from __future__ import annotations

import pytest

from felt_daemon.table import Table
from felt_daemon.table.changes import changed
from felt_protocols import commands
from felt_protocols.events import card, deck, device, incident, person, system

from .felt import FLOOR, Felt, setup_of, started

LADDER = (("dealer", 0), ("floor", 60), ("shift-manager", 300))
RED_LIGHT = device.LightShown(device="shuffler-1", colour="red")
TIMER = "escalation:1"
DUE = system.TimerDue(timer=TIMER, overdue_s=0)


@pytest.fixture
def felt() -> Felt:
    """An open table whose house asks the dealer, the floor after 60 s and the shift manager after 300 s."""
    table = Felt(setup=setup_of(escalation=LADDER))
    table.open()
    return table


def asked(felt: Felt) -> list[tuple[int, str]]:
    """Who was asked to own which hold so far."""
    return [(one.hold, one.step) for one in felt.of(incident.HoldEscalated)]


def running(felt: Felt) -> dict[str, int]:
    """The timers of escalations that run, each with its seconds."""
    return {
        name: timer.after_s for name, timer in felt.state.timers.items() if name.startswith("escalation:")
    }


def test_the_dealer_is_asked_at_once_then_the_floor_then_the_shift_manager(felt: Felt) -> None:
    felt.tell(RED_LIGHT)
    assert asked(felt) == [(1, "dealer")]
    assert running(felt) == {TIMER: 60}
    felt.tell(DUE)
    assert asked(felt) == [(1, "dealer"), (1, "floor")]
    assert running(felt) == {TIMER: 240}
    felt.tell(DUE)
    assert asked(felt) == [(1, "dealer"), (1, "floor"), (1, "shift-manager")]
    assert running(felt) == {}
    assert felt.state.holds[1].step == "shift-manager"
    # Nobody is above the shift manager.
    felt.tell(DUE)
    assert len(asked(felt)) == 3


def test_each_hold_of_a_trouble_is_asked_for(felt: Felt) -> None:
    felt.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"))
    assert asked(felt) == [(1, "dealer"), (2, "dealer")]
    assert set(running(felt)) == {"escalation:1", "escalation:2"}


def test_a_hold_that_somebody_owns_is_not_asked_for_any_more_and_stays(felt: Felt) -> None:
    felt.tell(RED_LIGHT)
    rows = felt.command(commands.Acknowledge(hold=1))
    assert [row.event.what() for row in rows] == ["hold-acknowledged", "timer-cancelled"]
    assert felt.state.holds[1].owner == "Ann"
    assert running(felt) == {}
    felt.tell(DUE)
    assert asked(felt) == [(1, "dealer")]
    assert felt.holds() == {("red-light", "blue")}


def test_what_the_dealer_has_seen_is_asked_for_all_the_same(felt: Felt) -> None:
    felt.tell(RED_LIGHT, person.TroubleSeen(by=FLOOR, holds=(1,)), DUE)
    assert asked(felt) == [(1, "dealer"), (1, "floor")]


def test_a_hold_that_has_ended_is_not_asked_for_any_more(felt: Felt) -> None:
    felt.tell(RED_LIGHT)
    felt.change_deck("blue")
    assert felt.holds() == set()
    assert running(felt) == {}
    assert felt.of(system.TimerCancelled) == [system.TimerCancelled(timer=TIMER)]
    felt.tell(DUE)
    assert asked(felt) == [(1, "dealer")]


def test_what_only_advises_needs_no_owner(felt: Felt) -> None:
    felt.tell(device.DeviceLost(device="shaker-1", why="silent"))
    assert felt.holds() == {("device-silent", "shaker-1")}
    assert asked(felt) == []
    assert felt.state.holds[1].step is None


def test_a_hold_that_closes_its_gates_while_its_cause_is_there_needs_an_owner(felt: Felt) -> None:
    felt.tell(device.DeviceFaulted(device="shuffler-1", code="motor"))
    assert felt.state.holds[1].gates == ()
    assert asked(felt) == [(1, "dealer")]


def test_a_hold_of_an_incident_that_nobody_knows_is_asked_for_by_its_gates(felt: Felt) -> None:
    felt.tell(RED_LIGHT, device.DeviceFaulted(device="shuffler-1", code="motor"))
    felt.table.state = changed(felt.state, incidents={})
    felt.tell(DUE, system.TimerDue(timer="escalation:2", overdue_s=0))
    # The first closes a gate by itself; what the second was about, nobody can say any more.
    assert asked(felt)[2:] == [(1, "floor")]


def test_after_a_restart_without_a_trusted_clock_the_step_runs_anew(felt: Felt) -> None:
    felt.tell(RED_LIGHT, DUE)
    felt.tell(started(), system.TimerUnknown(timer=TIMER))
    assert asked(felt) == [(1, "dealer"), (1, "floor")]
    timer = felt.state.timers[TIMER]
    assert (timer.after_s, timer.unknown) == (240, False)
    assert timer.since.mono_ns == felt.rows[-1].at.mono_ns


def test_a_timer_that_fell_due_while_nobody_ran_asks_the_next_one_alone(felt: Felt) -> None:
    felt.tell(RED_LIGHT)
    felt.tell(started(), system.TimerDue(timer=TIMER, overdue_s=5000))
    assert asked(felt) == [(1, "dealer"), (1, "floor")]
    assert running(felt) == {TIMER: 240}


@pytest.mark.parametrize("fact", [DUE, system.TimerUnknown(timer=TIMER)])
@pytest.mark.parametrize("ladder", [(("dealer", 0), ("shift-manager", 30)), (("dealer", 0), ("floor", 60))])
def test_a_step_that_the_house_has_given_up_asks_nobody_further(
    felt: Felt, fact: system.SystemFact, ladder: tuple[tuple[incident.Step, int], ...]
) -> None:
    felt.tell(RED_LIGHT, DUE)
    assert felt.state.holds[1].step == "floor"
    # The house has changed its configuration, and the daemon was started again.
    felt.table = Table(felt.pack, changed(felt.state, setup=setup_of(escalation=ladder)))
    felt.tell(fact)
    assert asked(felt) == [(1, "dealer"), (1, "floor")]


def test_a_house_without_steps_asks_nobody(opened: Felt) -> None:
    opened.tell(RED_LIGHT)
    assert asked(opened) == []
    assert running(opened) == {}


def test_a_hold_of_before_is_asked_for_once_the_house_has_steps(opened: Felt) -> None:
    opened.tell(RED_LIGHT)
    opened.table = Table(opened.pack, changed(opened.state, setup=setup_of(escalation=LADDER)))
    opened.tell(started())
    assert asked(opened) == [(1, "dealer")]


def test_nobody_is_asked_at_a_closed_table_and_all_of_them_when_it_opens(felt: Felt) -> None:
    felt.tell(RED_LIGHT, DUE)
    felt.command(commands.CloseTable())
    assert felt.state.table == "closed"
    assert running(felt) == {}
    felt.tell(system.TimerDue(timer="dice-age/shaker-1", overdue_s=0))
    assert asked(felt) == [(1, "dealer"), (1, "floor")]
    felt.command(commands.OpenTable())
    # The old hold goes on from the floor, whose time runs anew; the new one begins with the dealer.
    assert asked(felt) == [(1, "dealer"), (1, "floor"), (2, "dealer")]
    assert running(felt) == {TIMER: 240, "escalation:2": 60}


def test_what_an_override_lets_go_is_not_asked_for_any_more(felt: Felt) -> None:
    felt.tell(card.ShoeJammed(device="shoe-1"))
    felt.command(commands.Override(hold=1, reason="looked at it"))
    assert running(felt) == {}
