"""Holds and incidents: counted while ignored, escalated, owned, ended, overridden, never forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import incident, person
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from collections.abc import Callable

    from .felt_bench import Bench

LADDER = (("dealer", 0), ("floor", 60), ("shift-manager", 300))


@pytest.fixture
def asking(table_of: Callable[..., Bench]) -> Bench:
    """An open table: the dealer is asked at once, the floor after 60 s, the shift manager after 300 s."""
    bench = table_of(escalation=LADDER)
    bench.open()
    return bench


def red_light(bench: Bench) -> int:
    """The shuffler's light turns red and nothing else is said; the hold's number."""
    bench.fault("shuffler-1", "light=red")
    bench.run(1.0)
    [opened] = [one for one in bench.rows_of(incident.HoldOpened) if one.row == "red-light"]
    return int(opened.hold)


def steps(bench: Bench, hold: int) -> list[tuple[str, int]]:
    """Who was asked to own it, and how many seconds after it opened."""
    [since] = [row.at for row in bench.rows if isinstance(row.event, incident.HoldOpened)]
    return [
        (row.event.step, round((row.at.mono_ns - since.mono_ns) / 1e9))
        for row in bench.rows
        if isinstance(row.event, incident.HoldEscalated) and row.event.hold == hold
    ]


# ---- ignored ---------------------------------------------------------------------------------------------


@pytest.mark.rule("red-light", chapters=("659a",))
def test_a_red_light_ignored_for_two_rounds_has_twelve_hands_on_its_record(opened: Bench) -> None:
    hold = red_light(opened)
    opened.finish_round()
    # The dealer puts the deck of the red light aside, and deals the other one again.
    blue = opened.take_from_shuffler()
    opened.shuffle(opened.rack)
    opened.rack = []
    opened.to_shoe()
    opened.finish_round()
    assert [one.outcome for one in opened.rows_of(rounds.RoundClosed)] == ["completed", "completed"]
    held = opened.state.holds[hold]
    assert (held.subject_id, held.rounds, held.hands) == ("blue", 2, 12)
    # A light that is green again ends nothing; a count by hand of the deck it was about does.
    opened.fault("shuffler-1", "light=green")
    opened.run(1.0)
    assert ("red-light", "blue") in opened.holds()
    assert len(blue) == 53
    opened.command(commands.CountCards(deck="blue", count=53), "dealer")
    [ended] = [one for one in opened.rows_of(incident.HoldEnded) if one.hold == hold]
    assert (ended.how, ended.rounds, ended.hands, ended.by.role) == ("reported", 2, 12, "dealer")
    [closed] = [one for one in opened.rows_of(incident.IncidentClosed) if one.incident == held.incident]
    assert (closed.rounds, closed.hands) == (2, 12)


@pytest.mark.rule("red-light", chapters=("659a",))
def test_a_later_red_light_is_a_trouble_of_its_own(opened: Bench) -> None:
    red_light(opened)
    opened.take_from_shuffler()
    opened.command(commands.CountCards(deck="blue", count=53), "dealer")
    opened.fault("shuffler-1", "light=green")
    opened.run(1.0)
    opened.shuffle(opened.cards["blue"])
    opened.fault("shuffler-1", "light=red")
    opened.run(1.0)
    assert [one.row for one in opened.incidents()] == ["red-light", "red-light"]
    assert len({one.incident for one in opened.incidents()}) == 2
    assert opened.holds() == {("red-light", "blue")}


# ---- escalated until somebody owns it --------------------------------------------------------------------


@pytest.mark.rule("red-light", chapters=("659a",))
def test_a_hold_that_nobody_owns_goes_from_the_dealer_to_the_floor_to_the_shift_manager(
    asking: Bench,
) -> None:
    hold = red_light(asking)
    asking.run(310.0)
    assert steps(asking, hold) == [("dealer", 0), ("floor", 60), ("shift-manager", 300)]
    assert asking.state.holds[hold].step == "shift-manager"
    # Nobody further is asked, and nothing has let go.
    assert asking.holds() == {("red-light", "blue")}
    assert not any(name.startswith("escalation:") for name in asking.state.timers)


@pytest.mark.rule("red-light", chapters=("659a",))
def test_who_acknowledges_owns_it_the_asking_ends_and_the_hold_stays(asking: Bench) -> None:
    hold = red_light(asking)
    asking.run(61.0)
    told = asking.refused(commands.Acknowledge(hold=hold), "dealer")
    assert told == "acknowledge is for floor; you are dealer"
    asking.command(commands.Acknowledge(hold=hold), name="Fay")
    assert asking.state.holds[hold].owner == "Fay"
    asking.run(310.0)
    assert steps(asking, hold) == [("dealer", 0), ("floor", 60)]
    assert asking.holds() == {("red-light", "blue")}
    asking.command(commands.Acknowledge(hold=hold), name="Gil")
    assert asking.state.holds[hold].owner == "Gil"
    assert [one.by.name for one in asking.rows_of(person.HoldAcknowledged)] == ["Fay", "Gil"]
    assert asking.refused(commands.Acknowledge(hold=99)) == f"there is no open hold 99; open: {hold}"


@pytest.mark.rule("red-light", chapters=("659a",))
def test_the_dealer_who_has_seen_it_owns_nothing_and_the_floor_is_asked_all_the_same(asking: Bench) -> None:
    hold = red_light(asking)
    assert asking.panel.lamps["hold"] == "fast"
    asking.press("acknowledge")
    assert asking.state.holds[hold].seen
    assert asking.state.holds[hold].owner == ""
    assert asking.panel.lamps["hold"] == "slow"
    asking.press("acknowledge")
    [refused] = asking.rows_of(person.CommandRejected)
    assert refused.reason == "nothing is held that you have not seen"
    asking.run(61.0)
    assert steps(asking, hold) == [("dealer", 0), ("floor", 60)]
    asking.command(commands.Acknowledge(hold=hold))
    asking.run(0.5)
    assert asking.panel.lamps["hold"] == "on"


@pytest.mark.rule("red-light", chapters=("659a",))
def test_a_hold_that_ends_asks_nobody_any_more(asking: Bench) -> None:
    hold = red_light(asking)
    asking.run(30.0)
    asking.take_from_shuffler()
    asking.command(commands.CountCards(deck="blue", count=53), "dealer")
    asking.run(310.0)
    assert steps(asking, hold) == [("dealer", 0)]
    assert asking.panel.lamps["hold"] == "off"


@pytest.mark.rule("device-silent", chapters=("659a",))
def test_what_only_advises_is_nobodys_to_own(asking: Bench) -> None:
    asking.unplug("shaker-1")
    asking.run(310.0)
    assert asking.holds() == {("device-silent", "shaker-1")}
    assert asking.rows_of(incident.HoldEscalated) == []


# ---- ended by its remedy and by nothing else -------------------------------------------------------------


@pytest.mark.rule("shoe-jam", chapters=("659a",))
def test_a_device_that_says_it_is_sound_again_ends_no_hold(dealing: Bench) -> None:
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    dealing.felt += dealing.shoe.clear_jam(dealing.now)
    dealing.run(30.0)
    assert dealing.state.devices["shoe-1"].jam == ""
    assert dealing.holds() == {("shoe-jam", "shoe-1"), ("shoe-jam", "red")}
    assert [one.cause for one in dealing.state.holds.values()] == [False, False]


@pytest.mark.rule("shoe-jam", chapters=("659a",))
def test_a_void_round_is_released_once_its_cause_is_gone_and_by_the_floor(dealing: Bench) -> None:
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    assert dealing.refused(commands.ReleaseRound()) == "the cause is still there: shoe-1, shoe-jam (hold 1)"
    assert dealing.refused(commands.ReleaseRound(), "dealer") == "release-round is for floor; you are dealer"
    told = dealing.refused(commands.RoundEnd(), "dealer")
    assert told == "round 1 is void (shoe-jam); release it first"
    dealing.empty_shoe()
    dealing.command(commands.ReleaseRound(), name="Hal")
    [released] = dealing.rows_of(person.RoundReleased)
    assert (released.round, released.by.name) == (1, "Hal")
    assert dealing.refused(commands.ReleaseRound()) == "no round is void"


@pytest.mark.rule("shoe-jam", chapters=("659a",))
def test_a_shoe_that_broke_for_good_in_the_deal_keeps_nobody_waiting_for_ever(dealing: Bench) -> None:
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    dealing.unplug("shoe-1")
    dealing.run(20.0)
    # Its cards are taken out by hand, and it cannot tell: another deck, and the shoe leaves the table.
    assert "the cause is still there: shoe-1" in dealing.refused(commands.ReleaseRound())
    assert "cards of red are believed to be in shoe-1" in dealing.refused(
        commands.DeviceRetire(device="shoe-1", shown_empty=True), "tech"
    )
    dealing.bring("red")
    dealing.command(commands.DeviceRetire(device="shoe-1", shown_empty=True), "tech")
    dealing.command(commands.ReleaseRound())
    assert dealing.state.phase == "betting"
    assert dealing.holds() == set()


# ---- overridden ------------------------------------------------------------------------------------------


@pytest.mark.rule("red-light", chapters=("659a",))
def test_one_floorperson_overrides_a_hold_and_that_is_seen_for_ever(opened: Bench) -> None:
    hold = red_light(opened)
    override = commands.Override(hold=hold, reason="lamp is broken, deck looked at")
    assert opened.refused(override, "dealer") == "override is for floor; you are dealer"
    opened.command(override, name="Ida")
    assert opened.holds() == set()
    [ended] = opened.rows_of(incident.HoldEnded)
    assert (ended.how, ended.reason, ended.by.name) == ("override", "lamp is broken, deck looked at", "Ida")
    assert [one.incident for one in opened.rows_of(incident.IncidentClosed)] == [ended.incident]


@pytest.mark.rule("not-four-counted", chapters=("659a",))
def test_a_hold_that_takes_two_is_overridden_by_two_different_floorpersons(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    opened.command(commands.CountCards(deck="red", count=5, part="remaining"), "dealer")
    [hold] = opened.state.holds
    override = commands.Override(hold=hold, reason="counted twice more, fifty-three")
    assert opened.refused(override) == (
        f"hold {hold} (not-four-counted) takes two people to override; name the second one"
    )
    assert opened.refused(override, second="Ann") == "the second person must be another one"
    opened.command(override, second="Jan")
    [given] = opened.rows_of(person.HoldOverridden)
    assert given.second == person.Person(role="floor", name="Jan")
    [ended] = opened.rows_of(incident.HoldEnded)
    assert (ended.how, ended.by.name) == ("override", "Ann")
    assert opened.holds() == set()


@pytest.mark.parametrize(
    "row",
    [
        "not-four-left",
        "not-four-counted",
        "not-four-left-manual-shoe",
        "not-four-left-of-a-deal-unseen",
        "not-four-left-hand",
        "void-and-not-four-left",
        "shoe-count-wrong",
        "shuffler-count-wrong",
        "cards-left-inside",
        "hand-count-wrong",
        "counts-contradict",
        "card-withdrawn",
        "service-left-cards",
        "deck-not-in-order",
        "order-leaked",
    ],
)
def test_a_deck_that_may_be_short_or_known_is_let_go_by_two_and_by_no_one_alone(
    opened: Bench, row: str
) -> None:
    assert {hold.override for hold in opened.pack.by_id[row].holds} == {"two"}
