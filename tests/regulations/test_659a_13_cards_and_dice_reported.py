"""659a.13(a), (b), (f) to (h), (k): what the shaker or the shoe shows is reported by people too.

The same trouble told twice is one incident; where people and a device say different things, both stay on
record and somebody settles it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import draw, incident, person
from felt_protocols.events import round as rounds
from felt_simulators.devices.hands import Refused

if TYPE_CHECKING:
    from .felt_bench import Bench

WAYS = pytest.mark.parametrize("way", ["panel", "command"])


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
    assert opened.rows_of(draw.StartPositionWithdrawn) == [
        draw.StartPositionWithdrawn(round=1, row=report, permits=("deal/shoe-1",))
    ]
    assert opened.state.round.start_seat is None
    assert opened.holds() == {("report-contradicts-shaker", "t-1")}
    # The shoe was permitted for that position: it is stopped before its first stack.
    opened.run(1.0)
    assert opened.sessions["shoe-1"].shown.why == "report-contradicts-shaker"
    with pytest.raises(Refused):
        opened.shoe.press_deal(opened.now)
    opened.shake()
    opened.uncover()
    assert opened.holds() == set()
    assert len(opened.permits("shoe-1")) == 2
    opened.deal()
    assert opened.state.round.phase == "dealt"
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


@pytest.mark.parametrize(
    ("fault", "report"),
    [
        pytest.param("not-flat", "dice-not-flat", marks=pytest.mark.rule("dice-not-flat")),
        pytest.param("die-outside", "die-outside", marks=pytest.mark.rule("die-outside")),
    ],
)
def test_659a_13_a_and_b_a_no_roll_that_shaker_and_dealer_both_tell_is_one_and_the_next_is_another(
    opened: Bench, fault: str, report: str
) -> None:
    opened.no_more_bets()
    opened.fault("shaker-1", fault)
    opened.shake()
    opened.uncover()
    opened.press("report", report)
    assert opened.opened_rows() == [report]
    assert opened.joined() == [2]
    if report == "die-outside":
        opened.shaker.gather(opened.now)
    opened.fault("shaker-1", fault)
    opened.shake()
    opened.uncover()
    assert opened.opened_rows() == [report, report]


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


@pytest.mark.rule("face-up-card")
def test_659a_13_f_a_card_in_the_rack_that_only_the_dealer_has_seen_is_one_of_the_four(
    dealing: Bench,
) -> None:
    dealing.press("report", "card-face-up")
    dealing.deal(4)
    # The hand that it was taken from got another card: three are left in the shoe.
    dealing.inject("shoe-1", "removed", count=3)
    assert dealing.only_ruling("face-up-card").directives == ("to-rack",)
    assert dealing.state.phase == "playing"


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
    assert dealing.opened_rows() == ["face-up-card", "face-up-cards"]
    assert dealing.joined() == [2]
    dealing.empty_shoe()
    # Told once more after the cards are out, it holds nothing that has been put right.
    dealing.press("report", "cards-face-up")
    dealing.command(commands.ReleaseRound())
    assert dealing.opened_rows() == ["face-up-card", "face-up-cards"]


@WAYS
@pytest.mark.rule("card-drawn-in-error")
def test_659a_13_g_a_card_that_the_dealer_drew_in_error_is_the_next_card(dealing: Bench, way: str) -> None:
    dealing.seen("card-drawn-in-error", way)
    ruling = dealing.only_ruling("card-drawn-in-error")
    assert (ruling.cite, ruling.directives) == (("659a.13(g)",), ("use-as-next",))
    assert dealing.holds() == set()


@pytest.mark.rule("card-drawn-in-error")
def test_659a_13_g_a_card_that_shoe_and_dealer_both_tell_is_one_incident(dealing: Bench) -> None:
    dealing.shoe.draw_card(dealing.now)
    dealing.run(0.5)
    dealing.press("report", "card-drawn-in-error")
    assert dealing.opened_rows() == ["card-drawn-in-error"]
    assert dealing.joined() == [2]


@pytest.mark.rule("face-up-card")
def test_659a_13_f_one_card_face_up_that_shoe_and_dealer_both_tell_is_one_incident(dealing: Bench) -> None:
    dealing.fault("shoe-1", "face-up=1")
    dealing.deal(1)
    dealing.press("report", "card-face-up")
    assert dealing.opened_rows() == ["face-up-card"]
    assert dealing.joined() == [2]
    dealing.deal(3)
    dealing.take_rest()
    # Three in the shoe and the one in the rack.
    assert dealing.state.phase == "playing"


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
    assert opened.opened_rows() == ["wrong-number-of-cards"]
    assert opened.joined() == [2]


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
