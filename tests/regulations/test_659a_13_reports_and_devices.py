"""659a.13(a), (b), (f) to (h), (k) to (n): what a device shows is reported by people too.

The same trouble told twice is one incident; where people and a device say different things, both stay on
record and somebody settles it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import draw, incident, person
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from .felt_bench import Bench

WAYS = pytest.mark.parametrize("way", ["panel", "command"])


def joined(bench: Bench) -> list[int]:
    """How often each joining says that the trouble was told so far."""
    return [one.times for one in bench.rows_of(incident.IncidentJoined)]


def opened_incidents(bench: Bench) -> list[str]:
    return [one.row for one in bench.incidents()]


# ---- the dice --------------------------------------------------------------------------------------------


@WAYS
@pytest.mark.rule("report-contradicts-shaker")
@pytest.mark.parametrize(
    ("report", "cite"),
    [
        pytest.param("dice-not-flat", "659a.13(a)", marks=pytest.mark.rule("dice-not-flat")),
        pytest.param("die-outside", "659a.13(b)", marks=pytest.mark.rule("die-outside")),
    ],
)
def test_659a_13_a_and_b_a_no_roll_that_the_dealer_saw_and_the_shaker_did_not_counts_and_is_settled(
    opened: Bench, report: str, cite: str, way: str
) -> None:
    opened.ready_to_deal()
    first = opened.rows_of(draw.StartPositionSet)[-1]
    opened.seen(report, way)
    assert [one.row for one in opened.rulings()] == [report, "report-contradicts-shaker"]
    assert opened.rulings()[0].cite == (cite,)
    assert opened.rulings()[0].directives == ("no-roll", "reshake")
    # The position that the shaker gave stays on record, and does not count.
    assert opened.rows_of(draw.StartPositionWithdrawn) == [draw.StartPositionWithdrawn(round=1, row=report)]
    assert opened.state.round.start_seat is None
    assert opened.holds() == {("report-contradicts-shaker", "t-1")}
    opened.shake()
    opened.uncover()
    assert opened.holds() == set()
    assert len(opened.rows_of(draw.StartPositionSet)) == 2
    assert first.round == opened.rows_of(draw.StartPositionSet)[-1].round


@pytest.mark.rule("dice-not-flat")
def test_659a_13_a_a_no_roll_before_the_shaker_told_anything_contradicts_nothing(opened: Bench) -> None:
    opened.no_more_bets()
    opened.press("report", "dice-not-flat")
    assert opened.only_ruling("dice-not-flat").cite == ("659a.13(a)",)
    assert opened.rows_of(draw.StartPositionWithdrawn) == []
    assert opened.shown()[0] == "ROUND 1 CLOSED"
    assert set(opened.shown()[1:]) == {"NO ROLL", "COVER AND SHAKE 3 TIMES"}
    opened.shake()
    opened.uncover()
    assert opened.permits("shoe-1") == [{"round": 1, "stacks": 7, "size": 7}]


def test_659a_13_a_dice_are_none_of_a_deals_business(dealing: Bench) -> None:
    dealing.press("report", "dice-not-flat")
    [refused] = dealing.rows_of(person.CommandRejected)
    assert "cards are being dealt already" in refused.reason


# ---- cards -----------------------------------------------------------------------------------------------


@WAYS
@pytest.mark.rule("face-up-card")
def test_659a_13_f_a_card_that_the_dealer_finds_face_up_is_not_used(dealing: Bench, way: str) -> None:
    dealing.seen("card-face-up", way)
    ruling = dealing.only_ruling("face-up-card")
    assert (ruling.cite, ruling.directives) == (("659a.13(f)",), ("to-rack",))
    assert dealing.state.round.void == ""


@WAYS
@pytest.mark.rule("face-up-cards")
def test_659a_13_f_more_than_one_that_the_dealer_finds_void_the_round(dealing: Bench, way: str) -> None:
    dealing.seen("cards-face-up", way)
    ruling = dealing.only_ruling("face-up-cards")
    assert ruling.cite == ("659a.13(f)",)
    assert ruling.directives == ("return-wagers", "collect-cards", "reshuffle")
    dealing.take_rest()
    dealing.command(commands.ReleaseRound())
    assert dealing.holds() == {("face-up-cards", "red")}


@pytest.mark.rule("face-up-cards")
def test_659a_13_f_cards_face_up_that_shoe_and_dealer_both_tell_are_one_incident(dealing: Bench) -> None:
    dealing.fault("shoe-1", "face-up=2")
    dealing.deal(1)
    dealing.press("report", "cards-face-up")
    assert opened_incidents(dealing) == ["face-up-card", "face-up-cards"]
    assert joined(dealing) == [2]
    dealing.empty_shoe()
    # Told once more after the cards are out, it holds nothing that has been put right.
    dealing.press("report", "cards-face-up")
    dealing.command(commands.ReleaseRound())
    assert opened_incidents(dealing) == ["face-up-card", "face-up-cards"]


@WAYS
@pytest.mark.rule("card-drawn-in-error")
def test_659a_13_g_a_card_that_the_dealer_drew_in_error_is_the_next_card(dealing: Bench, way: str) -> None:
    dealing.seen("card-drawn-in-error", way)
    ruling = dealing.only_ruling("card-drawn-in-error")
    assert (ruling.cite, ruling.directives) == (("659a.13(g)",), ("use-as-next",))
    assert dealing.holds() == set()


@WAYS
@pytest.mark.rule("wrong-number-of-cards")
def test_659a_13_h_and_k_a_wrong_number_that_the_dealer_finds_during_the_deal_voids_the_round(
    dealing: Bench, way: str
) -> None:
    dealing.seen("wrong-number", way)
    ruling = dealing.only_ruling("wrong-number-of-cards")
    assert ruling.cite == ("659a.13(h)", "659a.13(k)")
    assert ruling.directives == ("return-wagers", "collect-cards", "reshuffle")
    dealing.take_rest()
    dealing.command(commands.ReleaseRound())
    assert dealing.holds() == {("wrong-number-of-cards", "red")}


@WAYS
@pytest.mark.rule("wrong-number-after-deal")
def test_659a_13_h_and_k_a_wrong_number_found_after_the_deal_voids_the_round(opened: Bench, way: str) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    opened.seen("wrong-number", way)
    assert opened.only_ruling("wrong-number-after-deal").cite == ("659a.13(h)", "659a.13(k)")
    opened.command(commands.ReleaseRound())
    assert opened.rows_of(rounds.RoundClosed)[-1].outcome == "void"
    assert opened.holds() == {("wrong-number-after-deal", "red")}
    opened.rack += opened.felt
    opened.felt = []
    opened.change_over()
    assert opened.holds() == set()


@pytest.mark.rule("wrong-number-of-cards")
def test_659a_13_h_and_k_a_wrong_number_that_shoe_and_dealer_both_tell_is_one_incident(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal(2)
    opened.fault("shoe-1", "stack-size=6")
    opened.deal(1)
    opened.press("report", "wrong-number")
    assert opened_incidents(opened) == ["wrong-number-of-cards"]
    assert joined(opened) == [2]


@pytest.mark.rule("not-four-left", "wrong-number-after-deal")
def test_659a_10_d_a_misdeal_that_the_dealer_finds_keeps_the_deck_that_the_shoes_counts_would_take_away(
    opened: Bench,
) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.inject("shoe-1", "removed", count=3)
    assert opened.holds() == {("not-four-left", "red")}
    # A hand has eight cards, whatever the shoe has counted: it is a misdeal, and the deck is only reshuffled.
    opened.press("report", "wrong-number")
    assert [one.row for one in opened.rulings()] == ["not-four-left", "wrong-number-after-deal"]
    assert opened.holds() == {("wrong-number-after-deal", "red")}
    ended = opened.rows_of(incident.HoldEnded)[-1]
    assert (ended.how, ended.by.role, ended.by.proof) == ("reported", "dealer", "panel")


# ---- (l) -------------------------------------------------------------------------------------------------


@pytest.mark.rule("shuffler-jam")
def test_659a_13_l_a_jam_that_the_shuffler_tells_and_then_the_dealer_is_one_incident(opened: Bench) -> None:
    opened.finish_round()
    opened.change_over("jam=20")
    opened.press("report", "shuffler-jam")
    opened.report("shuffler-jam", "tech")
    assert opened_incidents(opened) == ["shuffler-jam"]
    assert joined(opened) == [2, 3]
    assert opened.rulings("report-contradicts-shuffler") == []


@pytest.mark.rule("shuffler-jam", "report-contradicts-shuffler")
def test_659a_13_l_a_jam_that_the_dealer_tells_before_the_shuffler_is_one_incident(opened: Bench) -> None:
    opened.finish_round()
    opened.to_shoe()
    # It cannot be stopped, so that it goes on until the card jams that the dealer has seen coming.
    opened.fault("shuffler-1", "ignore-inhibit,lasting")
    opened.fault("shuffler-1", "jam=40")
    opened.load(opened.rack)
    opened.rack = []
    opened.press("report", "shuffler-jam")
    assert [one.row for one in opened.rulings()] == ["shuffler-jam", "report-contradicts-shuffler"]
    assert ("report-contradicts-shuffler", "shuffler-1") in opened.holds()
    opened.run(40.0)
    # Shown by the shuffler as well, it is no longer in dispute.
    assert [one for one in opened_incidents(opened) if one == "shuffler-jam"] == ["shuffler-jam"]
    assert joined(opened) == [2]
    assert opened.holds() == {("shuffler-jam", "red"), ("shuffler-jam", "blue")}
    settled = opened.rows_of(incident.HoldEnded)[-1]
    assert (settled.how, settled.by) == ("observed", None)


@WAYS
@pytest.mark.rule("shuffler-jam", "report-contradicts-shuffler")
def test_659a_13_l_a_jam_that_the_shuffler_never_shows_is_held_until_it_is_inspected(
    opened: Bench, way: str
) -> None:
    opened.finish_round()
    opened.to_shoe()
    opened.load(opened.rack)
    opened.rack = []
    opened.seen("shuffler-jam", way)
    opened.run(1.0)
    # The report stops the shuffler; that it stopped proves no jam.
    assert opened.sessions["shuffler-1"].shown.why == "shuffler-jam"
    assert opened.holds() == {
        ("shuffler-jam", "red"),
        ("shuffler-jam", "blue"),
        ("report-contradicts-shuffler", "shuffler-1"),
    }
    looked = commands.Inspect(device="shuffler-1", result="in-order", note="no card is stuck")
    assert opened.refused(looked, "dealer") == "inspect is for floor, tech; you are dealer"
    opened.command(looked, "tech")
    ended = opened.rows_of(incident.HoldEnded)[-1]
    assert (ended.how, ended.by.role) == ("reported", "tech")
    # Settled, and the cards are reshuffled all the same.
    assert opened.holds() == {("shuffler-jam", "red"), ("shuffler-jam", "blue")}
    opened.shuffle(opened.shuffler.clear_jam(opened.now))
    assert opened.holds() == {("shuffler-jam", "blue")}


@pytest.mark.rule("empty-shuffler-jam")
def test_a_jam_reported_of_an_empty_shuffler_holds_the_shuffler_and_no_deck(opened: Bench) -> None:
    opened.finish_round()
    opened.to_shoe()
    opened.press("report", "shuffler-jam")
    assert opened.only_ruling("empty-shuffler-jam").directives == ("search-device", "inspect-device")
    assert opened.holds() == {("empty-shuffler-jam", "shuffler-1")}
    opened.load(opened.rack)
    opened.rack = []
    assert opened.shuffler.state.value == "loaded"
    opened.command(commands.Inspect(device="shuffler-1", result="in-order"), "tech")
    opened.run(2.0)
    assert opened.shuffler.state.value == "shuffling"


# ---- (m) -------------------------------------------------------------------------------------------------


@pytest.mark.rule("shoe-jam")
def test_659a_13_m_a_jam_that_the_shoe_tells_and_then_the_dealer_is_one_incident(dealing: Bench) -> None:
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    dealing.press("report", "shoe-jam")
    assert opened_incidents(dealing) == ["shoe-jam"]
    assert joined(dealing) == [2]
    assert dealing.rulings("report-contradicts-shoe") == []


@pytest.mark.rule("shoe-jam", "report-contradicts-shoe")
def test_659a_13_m_a_jam_that_the_dealer_tells_before_the_shoe_is_one_incident(dealing: Bench) -> None:
    dealing.fault("shoe-1", "ignore-inhibit,lasting")
    dealing.press("report", "shoe-jam")
    assert [one.row for one in dealing.rulings()] == ["shoe-jam", "report-contradicts-shoe"]
    assert dealing.state.round.void == "shoe-jam"
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    assert [one for one in opened_incidents(dealing) if one == "shoe-jam"] == ["shoe-jam"]
    assert joined(dealing)[0] == 2
    assert ("report-contradicts-shoe", "shoe-1") not in dealing.holds()


@WAYS
@pytest.mark.rule("shoe-jam", "report-contradicts-shoe")
def test_659a_13_m_a_jam_that_the_shoe_never_shows_voids_the_round_and_is_held_until_it_is_inspected(
    dealing: Bench, way: str
) -> None:
    dealing.seen("shoe-jam", way)
    assert dealing.rulings()[0].cite == ("659a.13(m)",)
    assert dealing.rulings()[0].directives == ("return-wagers", "take-cards-from-shoe", "reshuffle")
    dealing.take_rest()
    dealing.command(commands.ReleaseRound())
    # Emptied it may be; whether it jammed is not settled.
    assert dealing.holds() == {("shoe-jam", "red"), ("report-contradicts-shoe", "shoe-1")}
    dealing.command(commands.Inspect(device="shoe-1", result="in-order"))
    assert dealing.holds() == {("shoe-jam", "red")}
    dealing.rack += dealing.felt
    dealing.felt = []
    dealing.change_over()
    dealing.play_round()


@pytest.mark.rule("shoe-jam-outside-a-deal", "report-contradicts-shoe")
def test_a_jam_reported_of_an_empty_shoe_waits_for_an_inspection_and_for_no_cards(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    opened.press("report", "shoe-jam")
    assert [one.row for one in opened.rulings()] == ["shoe-jam-outside-a-deal", "report-contradicts-shoe"]
    assert opened.state.round.void == ""
    opened.cover_and_shake_once()
    opened.end_round()
    opened.command(commands.Inspect(device="shoe-1", result="in-order"), "tech")
    assert opened.holds() == set()


# ---- (n) -------------------------------------------------------------------------------------------------


@WAYS
@pytest.mark.parametrize(
    ("report", "name"), [("shuffler-unusable", "shuffler-1"), ("shoe-unusable", "shoe-1")]
)
@pytest.mark.rule("device-unusable")
def test_659a_13_n_a_machine_that_people_find_unusable_is_held_until_they_find_it_in_order(
    opened: Bench, report: str, name: str, way: str
) -> None:
    opened.seen(report, way)
    ruling = opened.only_ruling("device-unusable")
    assert (ruling.cite, ruling.subject_id) == (("659a.13(n)",), name)
    assert ruling.directives == ("cover-or-sign", "call-floor")
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []
    # Cards that are taken out of it are no work that it has done.
    if name == "shoe-1":
        opened.shoe.load([*opened.shoe.remove_rest(opened.now)], opened.now)
        opened.run(1.0)
    assert opened.holds() == {("device-unusable", name)}
    opened.command(commands.Inspect(device=name, result="in-order"), "tech")
    assert opened.holds() == set()
    assert len(opened.permits("shoe-1")) == 1


@pytest.mark.rule("device-unusable")
def test_659a_13_n_a_fault_that_device_and_people_both_tell_is_one_incident(opened: Bench) -> None:
    opened.press("report", "shoe-unusable")
    opened.fault("shoe-1", "unusable=motor")
    opened.run(1.0)
    opened.report("shoe-unusable", "tech")
    assert opened_incidents(opened) == ["device-unusable"]
    assert joined(opened) == [2, 3]
