"""671a.13: irregularities at a table of Lunar Poker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands

from . import poker_trials as trials

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]


def drawing(bench: PokerBench) -> PokerBench:
    """The hands of two players are dealt, and all decisions are locked in."""
    bench.ready(1, 2)
    bench.hands_out(3)
    bench.report("decisions-locked")
    return bench


@pytest.mark.rule("face-up-card")
def test_671a_13_a_a_card_face_up_in_the_shoe_is_not_used_in_this_round(poker_of: Make) -> None:
    trials.one_card_face_up(poker_of("671a"), "671a.13(a)")


@pytest.mark.rule("face-up-cards")
def test_671a_13_a_more_than_one_card_face_up_voids_the_round(poker_of: Make) -> None:
    trials.two_cards_face_up(poker_of("671a"), "671a.13(a)")


@pytest.mark.rule("face-up-cards")
def test_671a_13_a_cards_face_up_that_shoe_and_people_both_tell_are_one_incident(poker_of: Make) -> None:
    trials.cards_face_up_told_by_shoe_and_people(poker_of("671a"), poker_of("671a"))


@pytest.mark.rule("face-up-card", "face-up-cards")
def test_671a_13_a_holds_for_the_cards_that_players_draw_too(poker_of: Make) -> None:
    bench = drawing(poker_of("671a"))
    bench.inject("shoe-1", "card", face_up=True, rank="K", suit="S")
    trials.advised(bench, "face-up-card", "671a.13(a)", "to-rack")
    bench.inject("shoe-1", "card", face_up=True, rank="2", suit="D")
    trials.voided(bench, "face-up-cards", "671a.13(a)")


@pytest.mark.rule("face-up-cards-in-hand-deal")
def test_671a_13_a_drawn_from_the_hand_no_shoe_is_waited_for(poker_of: Make) -> None:
    bench = drawing(poker_of("671a", "hand"))
    bench.report("cards-face-up")
    trials.voided(bench, "face-up-cards-in-hand-deal", "671a.13(a)")


@pytest.mark.rule("card-drawn-in-error")
def test_671a_13_b_a_card_drawn_in_error_is_the_next_card(poker_of: Make) -> None:
    trials.card_out_of_turn(poker_of("671a"), "671a.13(b)")


@pytest.mark.rule("wrong-number-of-cards")
def test_671a_13_c_a_stack_of_four_voids_the_round(poker_of: Make) -> None:
    trials.wrong_number_from_the_shoe(poker_of("671a"), "671a.13(c)")


@pytest.mark.rule("wrong-number-after-deal")
def test_671a_13_c_a_wrong_number_that_people_find_voids_the_round(poker_of: Make) -> None:
    trials.wrong_number_found_later(poker_of("671a"), "671a.13(c)")


@pytest.mark.rule("dealers-card-exposed")
def test_671a_13_d_a_dealers_card_exposed_before_all_have_decided_voids_the_round(poker_of: Make) -> None:
    bench = drawing(poker_of("671a", "hand"))
    bench.report("dealers-card-exposed")
    trials.voided(bench, "dealers-card-exposed", "671a.13(d)")
    assert bench.holds() == {("dealers-card-exposed", "red")}


@pytest.mark.rule("dealers-card-exposed-in-deal")
@pytest.mark.parametrize("hands", [2, 3])
def test_671a_13_d_the_cards_that_are_left_in_the_shoe_are_reshuffled_too(poker_of: Make, hands: int) -> None:
    bench = poker_of("671a")
    bench.ready(1, 2)
    bench.deal(hands)
    bench.report("dealers-card-exposed")
    out = ("return-wagers", "collect-cards", "take-cards-from-shoe", "reshuffle")
    trials.voided(bench, "dealers-card-exposed-in-deal", "671a.13(d)", out)
    trials.reshuffled(bench, "dealers-card-exposed-in-deal")


@pytest.mark.rule("shuffler-jam")
def test_671a_13_e_a_shuffle_that_is_broken_off_is_done_again(poker_of: Make) -> None:
    bench = drawing(poker_of("671a"))
    bench.take_stub()
    bench.end_round()
    bench.change_over("jam=20")
    assert bench.only_ruling("shuffler-jam").cite == ("671a.13(e)",)
    assert bench.holds() == {("shuffler-jam", "red"), ("shuffler-jam", "blue")}


@pytest.mark.rule("shoe-jam")
def test_671a_13_f_a_shoe_that_jams_in_a_round_voids_it(poker_of: Make) -> None:
    trials.shoe_broken_off(poker_of("671a"), "671a.13(f)", "jam=7", "shoe-jam")


@pytest.mark.rule("shoe-stops-dealing")
def test_671a_13_f_a_shoe_that_stops_in_a_round_voids_it(poker_of: Make) -> None:
    trials.shoe_broken_off(poker_of("671a"), "671a.13(f)", "stop=7", "shoe-stops-dealing")


@pytest.mark.rule("shoe-jam")
def test_671a_13_f_a_jam_while_cards_are_drawn_voids_the_round_too(poker_of: Make) -> None:
    bench = drawing(poker_of("671a"))
    bench.fault("shoe-1", "jam=16")
    bench.shoe.press_one(bench.now)
    bench.run(5.0)
    trials.voided(bench, "shoe-jam", "671a.13(f)", trials.FROM_SHOE)


@pytest.mark.rule("shoe-fails-to-deal-all")
def test_671a_13_f_a_shoe_that_fails_to_deal_a_hand_voids_the_round(poker_of: Make) -> None:
    bench = poker_of("671a")
    trials.shoe_gives_too_little(bench, "671a.13(f)")
    # The text has no "all" here.
    said = bench.pack.by_id["shoe-fails-to-deal-all"].note
    assert said is not None
    assert said.startswith("671a.13(f) says that it fails to deal cards, where 659a.13(m) says all cards")


@pytest.mark.rule("device-unusable")
def test_671a_13_g_a_shoe_that_cannot_be_used_is_covered_before_another_way(poker_of: Make) -> None:
    trials.cover_before_another_way(poker_of("671a"), "671a.13(g)")


@pytest.mark.rule("other-method-before-sign")
def test_671a_13_g_another_way_before_the_sign_is_told(poker_of: Make) -> None:
    bench = poker_of("671a")
    bench.command(commands.Method(shuffle="hand"))
    drawing(bench)
    bench.take_stub()
    bench.end_round()
    bench.fault("shuffler-1", "unusable=motor")
    bench.run(1.0)
    bench.report("deck-shuffled", deck="red")
    assert bench.rulings("other-method-before-sign")[-1].cite == ("671a.13(g)",)
