"""659a.5, .8 and .9: other ways to shuffle, to deal and to find the starting position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person, system
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from .felt_bench import Bench

BY_HAND_NEEDS_A_DEVICE = "cards are dealt from the hand only where a device shuffles them (659a.9(a)(1))"
BUTTON = "the button is for tables where a device shuffles and an automated shoe deals (659a.5(g)(3))"


def break_down(bench: Bench, name: str) -> None:
    """A machine breaks for good, is covered, and that is reported."""
    bench.fault(name, "unusable=motor")
    bench.run(1.0)
    bench.command(commands.Sign(device=name, sign="covered"), "dealer")


def deal_by_hand(bench: Bench, deck: str) -> None:
    """No more bets, the dice, all hands; all cards of the round lie on the felt afterwards."""
    bench.press("no-more-bets")
    bench.shake()
    bench.uncover()
    bench.report("cards-dealt", deck=deck)


def play_by_hand(bench: Bench, deck: str) -> None:
    """A sound round dealt by hand, its four cards counted."""
    deal_by_hand(bench, deck)
    bench.command(commands.CountCards(deck=deck, count=4, part="remaining"), "dealer")
    bench.cover_and_shake_once()
    bench.press("round-end")


# ---- 659a.5(b), (c): shuffled by hand --------------------------------------------------------------------


@pytest.mark.rule("device-unusable")
def test_659a_5_c_with_the_shuffler_covered_a_deck_is_shuffled_and_cut_by_hand_and_dealt_from_the_shoe(
    opened: Bench,
) -> None:
    opened.finish_round()
    opened.take_from_shuffler()
    break_down(opened, "shuffler-1")
    opened.command(commands.Method(shuffle="hand"))
    red, opened.rack = opened.rack, []
    opened.press("report", "deck-shuffled")
    opened.shoe.load(red, opened.now)
    opened.run(0.5)
    opened.ready_to_deal()
    # The shuffler's hold stays and keeps nothing from the shoe: the table does without the shuffler.
    assert opened.holds() == {("device-unusable", "shuffler-1")}
    assert len(opened.permits("shoe-1")) == 2
    opened.deal()
    opened.take_rest()
    opened.cover_and_shake_once()
    opened.end_round()
    assert [one.outcome for one in opened.rows_of(rounds.RoundClosed)] == ["completed", "completed"]
    # The same deck again: two that alternate are for tables where a device shuffles.
    assert [one.row for one in opened.rulings()] == ["device-unusable"]


@pytest.mark.rule("shuffler-jam")
def test_659a_13_l_a_jammed_deck_that_is_counted_and_shuffled_by_hand_may_be_dealt(opened: Bench) -> None:
    opened.finish_round()
    opened.change_over("jam=20")
    red = opened.shuffler.clear_jam(opened.now)
    opened.run(1.0)
    opened.command(commands.Method(shuffle="hand"))
    assert len(red) == 53
    # Shuffled, and nobody has counted it since the jam.
    opened.report("deck-shuffled", deck="red")
    assert ("shuffler-jam", "red") in opened.holds()
    opened.command(commands.CountCards(deck="red", count=53), "dealer")
    opened.report("deck-shuffled", deck="red")
    assert opened.holds() == {("shuffler-jam", "blue")}


@pytest.mark.rule("wrong-total")
def test_659a_13_c_cards_of_a_void_round_are_reshuffled_by_hand_where_the_house_shuffles_so(
    dealing: Bench,
) -> None:
    dealing.press("report", "wrong-total")
    dealing.take_rest()
    dealing.command(commands.ReleaseRound())
    dealing.command(commands.Method(shuffle="hand"))
    dealing.report("deck-shuffled", deck="red")
    assert dealing.holds() == set()


# ---- 659a.8, .9: dealt without the automated shoe --------------------------------------------------------


@pytest.mark.rule("device-unusable")
@pytest.mark.parametrize("way", ["manual-shoe", "hand"])
def test_659a_8_and_9_with_the_shoe_covered_rounds_are_dealt_by_hand_to_their_end(
    opened: Bench, way: str
) -> None:
    opened.shoe.remove_rest(opened.now)
    break_down(opened, "shoe-1")
    opened.command(commands.Method(deal=way))
    opened.press("no-more-bets")
    assert opened.state.phase == "hand-deal"
    assert opened.shown()[0] == "ROUND 1 HAND-DEAL"
    opened.shake()
    opened.uncover()
    assert opened.permits("shoe-1") == []
    opened.press("report", "cards-dealt")
    assert (opened.state.phase, opened.state.decks["red"].places["table"]) == ("dealt", 49)
    with pytest.raises(CommandRefused, match="round 1 is in phase dealt"):
        opened.command(commands.RoundEnd(), "dealer")
    opened.command(commands.CountCards(deck="red", count=4, part="remaining"), "dealer")
    assert opened.state.phase == "playing"
    opened.cover_and_shake_once()
    opened.press("round-end")
    closed = opened.rows_of(rounds.RoundClosed)[-1]
    assert (closed.outcome, closed.hands) == ("completed", 6)
    # The decks alternate as ever: this one into the shuffler, the other one from it into the dealer's hand.
    opened.take_from_shuffler()
    opened.shuffle(opened.cards["red"])
    play_by_hand(opened, "blue")
    assert [one.outcome for one in opened.rows_of(rounds.RoundClosed)] == ["completed", "completed"]
    assert [one.row for one in opened.rulings()] == ["device-unusable"]
    assert all(sum(one.places.values()) == 53 for one in opened.state.decks.values())


def test_659a_8_b_the_deal_by_hand_comes_after_no_more_bets(opened: Bench) -> None:
    opened.command(commands.Method(deal="manual-shoe"))
    opened.shoe.remove_rest(opened.now)
    opened.run(0.5)
    with pytest.raises(CommandRefused, match="no more bets has not been announced"):
        opened.report("cards-dealt", deck="red")


def test_659a_10_the_automated_shoe_tells_itself_what_it_deals(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.take_from_shuffler()
    with pytest.raises(CommandRefused, match="the automated shoe deals here; change the method first"):
        opened.report("cards-dealt", deck="blue")


@pytest.mark.rule("not-four-left-manual-shoe", "wrong-number-after-deal")
def test_659a_8_e_not_four_left_voids_the_round_and_takes_the_deck_away_unless_it_is_a_misdeal(
    opened: Bench,
) -> None:
    opened.shoe.remove_rest(opened.now)
    opened.run(0.5)
    opened.command(commands.Method(deal="manual-shoe"))
    deal_by_hand(opened, "red")
    opened.command(commands.CountCards(deck="red", count=5, part="remaining"), "dealer")
    ruling = opened.only_ruling("not-four-left-manual-shoe")
    assert ruling.cite == ("659a.8(e)",)
    assert ruling.directives == ("return-wagers", "count-hands", "deck-leaves")
    assert opened.state.round.void == "not-four-left-manual-shoe"
    assert opened.holds() == {("not-four-left-manual-shoe", "red")}
    opened.press("report", "wrong-number")
    assert opened.rulings()[-1].cite == ("659a.13(h)", "659a.13(k)")
    assert opened.holds() == {("wrong-number-after-deal", "red")}
    opened.command(commands.ReleaseRound())
    opened.take_from_shuffler()
    opened.shuffle(opened.cards["red"])
    assert opened.holds() == set()


@pytest.mark.rule("not-four-left-hand")
def test_659a_9_d_not_four_left_and_no_misdeal_takes_the_deck_away(opened: Bench) -> None:
    opened.shoe.remove_rest(opened.now)
    opened.run(0.5)
    opened.command(commands.Method(deal="hand"))
    deal_by_hand(opened, "red")
    opened.command(commands.CountCards(deck="red", count=3, part="remaining"), "dealer")
    assert opened.only_ruling("not-four-left-hand").cite == ("659a.9(d)",)
    opened.command(commands.ReleaseRound())
    assert opened.holds() == {("not-four-left-hand", "red")}
    opened.bring("red")
    assert opened.holds() == set()


@pytest.mark.rule("dealers-card-exposed-in-hand-deal")
def test_659a_13_j_a_dealers_card_exposed_while_it_is_dealt_by_hand(opened: Bench) -> None:
    opened.command(commands.Method(deal="manual-shoe"))
    opened.press("no-more-bets")
    opened.press("report", "dealers-card-exposed")
    ruling = opened.only_ruling("dealers-card-exposed-in-hand-deal")
    assert (ruling.cite, ruling.effect) == (("659a.13(j)",), "stop")
    opened.command(commands.ReleaseRound())
    assert opened.state.phase == "betting"


@pytest.mark.rule("face-up-cards-in-hand-deal")
def test_659a_13_f_more_than_one_card_face_up_while_it_is_dealt_by_hand(opened: Bench) -> None:
    opened.shoe.remove_rest(opened.now)
    opened.run(0.5)
    opened.command(commands.Method(deal="hand"))
    opened.press("no-more-bets")
    opened.report("cards-face-up", deck="red")
    assert opened.only_ruling("face-up-cards-in-hand-deal").cite == ("659a.13(f)",)
    # Nobody waits for an automated shoe that has no part in it.
    opened.command(commands.ReleaseRound())
    assert opened.holds() == {("face-up-cards-in-hand-deal", "red")}
    opened.take_from_shuffler()
    opened.shuffle(opened.cards["red"])
    assert opened.holds() == set()


@pytest.mark.parametrize(
    ("report", "row", "cite"),
    [
        pytest.param(
            "wrong-total",
            "wrong-total-after-deal",
            ("659a.13(c)",),
            marks=pytest.mark.rule("wrong-total-after-deal"),
        ),
        pytest.param(
            "wrong-number",
            "wrong-number-after-deal",
            ("659a.13(h)", "659a.13(k)"),
            marks=pytest.mark.rule("wrong-number-after-deal"),
        ),
    ],
)
def test_659a_13_c_h_and_k_what_goes_wrong_while_it_is_dealt_by_hand_waits_for_no_shoe(
    opened: Bench, report: str, row: str, cite: tuple[str, ...]
) -> None:
    opened.command(commands.Method(deal="manual-shoe"))
    opened.press("no-more-bets")
    opened.press("report", report)
    assert opened.only_ruling(row).cite == cite
    opened.command(commands.ReleaseRound())
    # No card of the round was told of, and one deck is still in the automated shoe: it is the one in play.
    assert opened.holds() == {(row, "red")}


@pytest.mark.rule("dealt-unshuffled", "deck-dealt-twice-running")
def test_659a_5_a_a_deck_dealt_by_hand_that_was_not_shuffled_is_told(opened: Bench) -> None:
    opened.finish_round()
    opened.command(commands.Method(deal="hand"))
    deal_by_hand(opened, "red")
    # Red was dealt in the round before, too.
    assert {(one.row, one.subject_id) for one in opened.rulings()} == {
        ("dealt-unshuffled", "red"),
        ("deck-dealt-twice-running", "red"),
    }
    assert opened.state.phase == "dealt"


@pytest.mark.rule("held-deck-dealt")
def test_a_held_deck_that_is_dealt_by_hand_all_the_same_is_told(opened: Bench) -> None:
    opened.fault("shuffler-1", "light=red")
    opened.run(1.0)
    opened.command(commands.Method(deal="hand"))
    opened.take_from_shuffler()
    deal_by_hand(opened, "blue")
    ruling = opened.rulings("held-deck-dealt")[0]
    assert (ruling.subject_id, ruling.directives) == ("blue", ("call-floor",))


@pytest.mark.rule("deck-too-old-by-hand", "deck-too-old-for-the-hand", "held-deck-dealt")
def test_659a_3_c_1_a_deck_that_is_older_when_the_house_goes_over_to_the_hand_is_not_dealt_as_it_is(
    opened: Bench,
) -> None:
    opened.take(system.TimerDue(timer="deck-age-by-hand/blue", overdue_s=0))
    opened.command(commands.Method(deal="hand"))
    opened.take_from_shuffler()
    assert opened.only_ruling("deck-too-old-for-the-hand").cite == ("659a.3(c)(1)",)
    # It is dealt all the same, where no machine keeps it back; red is still in the shoe.
    deal_by_hand(opened, "blue")
    assert {(one.row, one.cite) for one in opened.rulings()[1:]} == {
        ("deck-too-old-by-hand", ("659a.3(c)(1)",)),
        ("other-deck-not-in-shuffler", ("659a.3(b)(2)",)),
        ("held-deck-dealt", ()),
    }
    assert opened.holds() == {("deck-too-old-by-hand", "blue"), ("deck-too-old-for-the-hand", "blue")}
    opened.command(commands.CountCards(deck="blue", count=4, part="remaining"), "dealer")
    opened.cover_and_shake_once()
    opened.press("round-end")
    opened.bring("blue")
    assert opened.holds() == set()


def test_659a_9_a_1_cards_are_dealt_from_the_hand_only_where_a_device_shuffles(opened: Bench) -> None:
    opened.command(commands.Method(shuffle="hand"))
    assert opened.refused(commands.Method(deal="hand")) == BY_HAND_NEEDS_A_DEVICE
    opened.command(commands.Method(deal="manual-shoe"))
    opened.command(commands.Method(shuffle="device", deal="hand"))
    assert opened.refused(commands.Method(shuffle="hand")) == BY_HAND_NEEDS_A_DEVICE
    opened.command(commands.Method(shuffle="hand", deal="manual-shoe"))


def test_the_way_changed_after_no_more_bets_is_the_way_of_this_round(opened: Bench) -> None:
    opened.press("no-more-bets")
    opened.command(commands.Method(deal="manual-shoe"))
    assert opened.state.phase == "hand-deal"
    opened.command(commands.Method(deal="automated-shoe"))
    assert opened.state.phase == "closed"
    opened.shake()
    opened.uncover()
    assert len(opened.permits("shoe-1")) == 1


# ---- 659a.5(g): other ways to find the starting position -------------------------------------------------


def test_659a_5_g_2_a_number_generator_is_no_devices_fact_and_the_deal_waits_for_no_dice(
    opened: Bench,
) -> None:
    opened.command(commands.Method(start="generator"))
    opened.press("no-more-bets")
    assert opened.permits("shoe-1") == [{"round": 1, "stacks": 7, "size": 7}]
    opened.deal()
    opened.take_rest()
    opened.press("round-end")
    # No dice were used: nobody is asked to shake them.
    assert opened.rulings() == []
    opened.press("report", "dice-not-flat")
    [refused] = opened.rows_of(person.CommandRejected)
    assert "the starting position is not found with the shaker" in refused.reason


def test_659a_13_c_speaks_of_dice_and_a_wrong_number_of_a_generator_is_another_report(opened: Bench) -> None:
    opened.command(commands.Method(start="generator"))
    opened.press("no-more-bets")
    opened.deal(1)
    with pytest.raises(CommandRefused, match="no dice are totalled here; report wrong-start"):
        opened.report("wrong-total")


def test_659a_5_g_3_the_button_is_for_tables_where_a_device_shuffles_and_an_automated_shoe_deals(
    opened: Bench,
) -> None:
    opened.command(commands.Method(start="button"))
    assert opened.refused(commands.Method(shuffle="hand")) == BUTTON
    assert opened.refused(commands.Method(deal="manual-shoe")) == BUTTON
    opened.command(commands.Method(deal="manual-shoe", start="shaker"))
    assert opened.refused(commands.Method(start="button")) == BUTTON
