"""659a.13(l), (m), (n): shufflers and shoes that jam, stop, or cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import device, incident
from felt_protocols.events import round as rounds
from felt_simulators.devices.hands import Refused

if TYPE_CHECKING:
    from .felt_bench import Bench


@pytest.mark.parametrize(
    ("fault", "row"),
    [
        pytest.param("jam=24", "shoe-jam", marks=pytest.mark.rule("shoe-jam")),
        pytest.param("stop=24", "shoe-stops-dealing", marks=pytest.mark.rule("shoe-stops-dealing")),
    ],
)
def test_659a_13_m_a_shoe_that_jams_or_stops_in_a_round_voids_it(
    dealing: Bench, fault: str, row: str
) -> None:
    dealing.fault("shoe-1", fault)
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    ruling = dealing.only_ruling(row)
    assert ruling.cite == ("659a.13(m)",)
    assert ruling.directives == ("return-wagers", "take-cards-from-shoe", "reshuffle")
    assert ruling.effect == "stop"
    assert dealing.state.round.phase == "void"
    with pytest.raises(CommandRefused, match="the cause is still there: shoe-1"):
        dealing.command(commands.ReleaseRound())
    dealing.empty_shoe()
    dealing.command(commands.ReleaseRound())
    dealing.rack += dealing.felt
    dealing.felt = []
    closed = dealing.rows_of(rounds.RoundClosed)[-1]
    assert (closed.round, closed.outcome, closed.hands) == (1, "void", 6)
    assert dealing.holds() == {(row, "red")}
    # The cards dealt and those taken out are reshuffled together: 53 again.
    dealing.change_over()
    assert dealing.holds() == set()
    assert dealing.state.incidents == {}
    dealing.play_round()


@pytest.mark.rule("shoe-jam")
def test_659a_13_m_a_jam_is_answered_with_an_inhibit_and_the_shoe_obeys(dealing: Bench) -> None:
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    assert dealing.sessions["shoe-1"].shown.inhibited
    assert dealing.sessions["shoe-1"].shown.why == "shoe-jam"
    dealing.shoe.clear_jam(dealing.now)
    dealing.run(1.0)
    with pytest.raises(Refused):
        dealing.shoe.press_deal(dealing.now)


@pytest.mark.rule("shoe-jam")
def test_a_jam_that_fires_five_times_is_one_incident_and_a_later_jam_another(dealing: Bench) -> None:
    dealing.fault("shoe-1", "double-jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    dealing.felt += dealing.shoe.clear_jam(dealing.now)
    dealing.run(1.0)
    assert [one.event.times for one in dealing.rows if isinstance(one.event, incident.IncidentJoined)] == [
        2,
        3,
        4,
        5,
    ]
    assert len(dealing.incidents()) == 1
    dealing.take_rest()
    dealing.command(commands.ReleaseRound())
    dealing.rack += dealing.felt
    dealing.felt = []
    dealing.change_over()
    dealing.ready_to_deal()
    dealing.fault("shoe-1", "jam=3")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    assert [one.row for one in dealing.incidents()] == ["shoe-jam", "shoe-jam"]


@pytest.mark.rule("shoe-jam")
def test_a_jam_of_the_other_deck_is_a_trouble_of_its_own_while_the_first_deck_waits_for_its_shuffle(
    dealing: Bench,
) -> None:
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    dealing.empty_shoe()
    dealing.command(commands.ReleaseRound())
    dealing.felt = []
    dealing.rack = []
    dealing.to_shoe()
    dealing.ready_to_deal()
    dealing.fault("shoe-1", "jam=3")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    assert [one.row for one in dealing.incidents()] == ["shoe-jam", "shoe-jam"]
    assert dealing.holds() == {("shoe-jam", "red"), ("shoe-jam", "blue"), ("shoe-jam", "shoe-1")}
    assert dealing.sessions["shoe-1"].shown.why == "shoe-jam"


@pytest.mark.rule("shoe-fails-to-deal-all")
def test_659a_13_m_a_shoe_emptied_before_all_stacks_are_out_voids_the_round(dealing: Bench) -> None:
    dealing.take_rest()
    ruling = dealing.only_ruling("shoe-fails-to-deal-all")
    assert ruling.cite == ("659a.13(m)",)
    assert dealing.state.round.void == "shoe-fails-to-deal-all"
    dealing.command(commands.ReleaseRound())
    assert dealing.holds() == {("shoe-fails-to-deal-all", "red")}


@pytest.mark.rule("shoe-jam-outside-a-deal")
def test_a_shoe_that_stops_while_no_round_is_dealt_voids_nothing_and_holds_the_next_deal(
    dealing: Bench,
) -> None:
    dealing.deal(4)
    dealing.inject("shoe-1", "jam", where="exit")
    ruling = dealing.only_ruling("shoe-jam-outside-a-deal")
    assert ruling.effect == "no-new-round"
    assert dealing.state.round.void == ""
    assert ("shoe-jam-outside-a-deal", "shoe-1") in dealing.holds()
    dealing.take_rest()
    assert dealing.holds() == set()
    assert dealing.state.round.phase == "playing"


@pytest.mark.rule("shuffler-jam")
@pytest.mark.parametrize("fault", ["jam=20", "stop=20", "incomplete=5"])
def test_659a_13_l_a_shuffle_that_is_broken_off_is_done_again(opened: Bench, fault: str) -> None:
    opened.finish_round()
    opened.change_over(fault)
    ruling = opened.only_ruling("shuffler-jam")
    assert ruling.cite == ("659a.13(l)",)
    assert "reshuffle" in ruling.directives
    # Both decks share the shuffler: a card of one may be in the other.
    assert opened.holds() == {("shuffler-jam", "red"), ("shuffler-jam", "blue")}
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1
    cards = opened.shuffler.clear_jam(opened.now)
    opened.run(1.0)
    opened.shuffle(cards)
    assert opened.holds() == {("shuffler-jam", "blue")}
    # The other deck is counted by hand before it is dealt; it lies in the shoe and must come out for that.
    blue = opened.shoe.remove_rest(opened.now)
    opened.run(0.5)
    opened.command(commands.CountCards(deck="blue", count=53), "dealer")
    assert opened.holds() == set()
    opened.shoe.load(blue, opened.now)
    opened.run(0.5)
    assert len(opened.permits("shoe-1")) == 2


@pytest.mark.rule("shuffler-jam")
def test_a_jam_cleared_without_a_shuffle_leaves_both_decks_held_whatever_the_light_says(
    opened: Bench,
) -> None:
    opened.finish_round()
    opened.change_over("jam=20")
    opened.shuffler.clear_jam(opened.now)
    opened.run(60.0)
    assert opened.state.devices["shuffler-1"].light == "green"
    assert opened.holds() == {("shuffler-jam", "red"), ("shuffler-jam", "blue")}
    for hold in opened.state.holds.values():
        assert hold.cause is False


@pytest.mark.rule("device-unusable")
@pytest.mark.parametrize("name", ["shuffler-1", "shoe-1"])
def test_659a_13_n_a_machine_that_cannot_be_used_is_covered_before_another_way_is_taken(
    opened: Bench, name: str
) -> None:
    opened.fault(name, "unusable=motor")
    opened.run(1.0)
    ruling = opened.only_ruling("device-unusable")
    assert ruling.cite == ("659a.13(n)",)
    assert ruling.directives == ("cover-or-sign", "call-floor")
    assert opened.holds() == {("device-unusable", name)}
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []
    # Repaired, the device may do its work; the hold goes when it has done it once.
    opened.machines[name].repair(opened.now)
    opened.run(1.0)
    assert opened.holds() == {("device-unusable", name)}
    assert len(opened.permits("shoe-1")) == 1


@pytest.mark.rule("red-light")
def test_a_red_light_alone_is_latched_and_counts_the_hands_dealt_meanwhile(opened: Bench) -> None:
    opened.fault("shuffler-1", "light=red")
    opened.run(1.0)
    ruling = opened.only_ruling("red-light")
    assert ruling.basis == "own"
    assert opened.holds() == {("red-light", "blue")}
    opened.finish_round()
    hold = next(iter(opened.state.holds.values()))
    assert (hold.rounds, hold.hands) == (1, 6)
    opened.fault("shuffler-1", "light=green")
    opened.run(1.0)
    assert opened.holds() == {("red-light", "blue")}
    # The deck inside, with its doubtful count, is not dealt; the other one is.
    opened.to_shoe()
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1


@pytest.mark.rule("device-unusable")
def test_659a_13_n_a_device_is_unusable_until_its_last_fault_is_cleared(opened: Bench) -> None:
    opened.inject("shoe-1", "fault", code="motor", where="drive")
    opened.inject("shoe-1", "fault", code="sensor", where="exit")
    opened.only_ruling("device-unusable")
    opened.ready_to_deal()
    opened.inject("shoe-1", "cleared", code="motor", where="drive")
    assert opened.permits("shoe-1") == []
    opened.inject("shoe-1", "cleared", code="sensor", where="exit")
    assert len(opened.permits("shoe-1")) == 1


@pytest.mark.rule("device-unusable")
def test_659a_13_n_work_that_a_faulty_device_does_all_the_same_does_not_end_its_hold(opened: Bench) -> None:
    opened.inject("shoe-1", "fault", code="motor", where="drive")
    opened.shoe.remove_rest(opened.now)
    opened.run(0.5)
    assert opened.holds() == {("device-unusable", "shoe-1")}


@pytest.mark.rule("device-unusable")
def test_659a_13_n_a_device_that_is_sound_after_it_was_switched_off_and_on_works_again(
    opened: Bench,
) -> None:
    opened.inject("shoe-1", "fault", code="motor", where="drive")
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []
    opened.shoe.power_cycle(opened.now)
    opened.run(10.0)
    assert len(opened.permits("shoe-1")) == 1


@pytest.mark.rule("device-not-understood")
def test_a_device_that_nobody_understands_is_switched_off_and_on(opened: Bench) -> None:
    opened.take(device.DeviceFaulted(device="shoe-1", code="not-understood", where="no event called jm"))
    ruling = opened.only_ruling("device-not-understood")
    assert (ruling.basis, ruling.effect) == ("own", "no-new-round")
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []
    opened.shoe.power_cycle(opened.now)
    opened.run(10.0)
    assert len(opened.permits("shoe-1")) == 1
    assert opened.holds() == set()


@pytest.mark.rule("shoe-jam")
def test_a_fault_that_is_cleared_says_nothing_of_a_jam(dealing: Bench) -> None:
    dealing.inject("shoe-1", "fault", code="motor", where="drive")
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    dealing.inject("shoe-1", "cleared", code="motor", where="drive")
    assert dealing.state.devices["shoe-1"].jam == "exit"
    with pytest.raises(CommandRefused, match="the cause is still there: shoe-1"):
        dealing.command(commands.ReleaseRound())


@pytest.mark.rule("shoe-jam-outside-a-deal")
def test_a_shoe_that_jams_while_cards_are_dealt_from_the_hand_voids_nothing(opened: Bench) -> None:
    opened.command(commands.Method(deal="hand"))
    opened.no_more_bets()
    opened.inject("shoe-1", "jam", where="exit")
    assert opened.only_ruling("shoe-jam-outside-a-deal").effect == "no-new-round"
    assert (opened.state.phase, opened.state.round.void) == ("hand-deal", "")


@pytest.mark.rule("shoe-jam-beside-the-deal")
def test_659a_13_m_a_shoe_that_jams_beside_a_void_deal_by_hand_is_cleared_and_waited_for_by_nobody(
    opened: Bench,
) -> None:
    opened.command(commands.Method(deal="hand"))
    opened.no_more_bets()
    opened.report("wrong-number")
    opened.inject("shoe-1", "jam", where="exit")
    assert opened.rulings("shoe-jam-beside-the-deal")[0].effect == "no-new-round"
    opened.command(commands.ReleaseRound())
    assert ("shoe-jam-beside-the-deal", "shoe-1") in opened.holds()
