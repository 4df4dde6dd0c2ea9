"""663a.13: irregularities at a table of Five Card Hi-Lo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from . import poker_trials as trials

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]


@pytest.mark.rule("face-up-card")
def test_663a_13_a_a_card_face_up_in_the_shoe_is_not_used_in_this_round(poker_of: Make) -> None:
    bench = poker_of("663a")
    trials.one_card_face_up(bench, "663a.13(a)")
    # It is one of the cards that are left: 37 in all with the 36 that come out of the shoe.
    bench.take_stub()
    assert (bench.state.phase, bench.rulings("stub-count-doubtful")) == ("playing", [])


@pytest.mark.rule("face-up-card")
def test_663a_13_a_a_card_face_up_in_a_manual_shoe_is_told_by_the_shoe(poker_of: Make) -> None:
    bench = poker_of("663a", "manual-shoe")
    bench.ready(1, 2)
    bench.draw(2)
    bench.fault("shoe-1", "face-up=1")
    bench.draw(1)
    trials.advised(bench, "face-up-card", "663a.13(a)", "to-rack")
    # The third position's card is still to come: fifteen cards make three hands.
    bench.draw(13)
    assert (bench.state.phase, bench.state.round.cards) == ("dealt", 15)


@pytest.mark.rule("face-up-cards")
def test_663a_13_a_more_than_one_card_face_up_voids_the_round(poker_of: Make) -> None:
    trials.two_cards_face_up(poker_of("663a"), "663a.13(a)")


@pytest.mark.rule("face-up-cards-in-hand-deal")
def test_663a_13_a_more_than_one_card_face_up_in_the_deck_in_hand_voids_the_round(poker_of: Make) -> None:
    trials.two_cards_face_up_by_hand(poker_of("663a", "hand"), "663a.13(a)")


@pytest.mark.rule("card-drawn-in-error")
def test_663a_13_b_a_card_drawn_in_error_is_the_next_card(poker_of: Make) -> None:
    trials.card_out_of_turn(poker_of("663a"), "663a.13(b)")


@pytest.mark.rule("wrong-number-of-cards")
def test_663a_13_c_a_stack_of_four_voids_the_round(poker_of: Make) -> None:
    trials.wrong_number_from_the_shoe(poker_of("663a"), "663a.13(c)")


@pytest.mark.rule("wrong-number-of-cards")
def test_663a_13_c_the_dealers_hand_counts_as_a_players_does(poker_of: Make) -> None:
    bench = poker_of("663a")
    bench.ready(4)
    bench.deal(1)
    bench.fault("shoe-1", "stack-size=6")
    bench.deal(1)
    trials.voided(bench, "wrong-number-of-cards", "663a.13(c)")


@pytest.mark.rule("wrong-number-of-cards")
def test_663a_13_c_a_wrong_stack_needs_nobody_who_said_who_plays(poker_of: Make) -> None:
    bench = poker_of("663a")
    bench.no_more_bets()
    bench.run(0.5)
    bench.fault("shoe-1", "stack-size=4")
    bench.deal(1)
    trials.voided(bench, "wrong-number-of-cards", "663a.13(c)")


@pytest.mark.rule("wrong-number-after-deal")
@pytest.mark.parametrize("deal", ["automated-shoe", "hand"])
def test_663a_13_c_a_wrong_number_that_people_find_voids_the_round(poker_of: Make, deal: str) -> None:
    trials.wrong_number_found_later(poker_of("663a", deal), "663a.13(c)")


@pytest.mark.rule("shuffler-jam")
@pytest.mark.parametrize(
    "fault",
    [
        "jam=20",
        pytest.param("stop=20", marks=pytest.mark.long),
        pytest.param("incomplete=5", marks=pytest.mark.long),
    ],
)
def test_663a_13_d_a_shuffle_that_is_broken_off_is_done_again(poker_of: Make, fault: str) -> None:
    trials.shuffle_broken_off(poker_of("663a"), "663a.13(d)", fault)


@pytest.mark.rule("shoe-jam")
def test_663a_13_e_a_shoe_that_jams_in_a_round_voids_it(poker_of: Make) -> None:
    trials.shoe_broken_off(poker_of("663a"), "663a.13(e)", "jam=7", "shoe-jam")


@pytest.mark.rule("shoe-stops-dealing")
def test_663a_13_e_a_shoe_that_stops_in_a_round_voids_it(poker_of: Make) -> None:
    trials.shoe_broken_off(poker_of("663a"), "663a.13(e)", "stop=7", "shoe-stops-dealing")


@pytest.mark.rule("shoe-fails-to-deal-all")
def test_663a_13_e_a_shoe_that_fails_to_deal_a_hand_voids_the_round(poker_of: Make) -> None:
    bench = poker_of("663a")
    trials.shoe_gives_too_little(bench, "663a.13(e)")
    # The text has no "all" here.
    said = bench.pack.by_id["shoe-fails-to-deal-all"].note
    assert said is not None
    assert said.startswith("663a.13(e) says that it fails to deal cards, where 659a.13(m) says all cards")


def test_663a_13_e_is_about_automated_shoes_alone(poker_of: Make) -> None:
    bench = poker_of("663a", "manual-shoe")
    refused = bench.refused_report("shoe-jam")
    assert refused == "shoe-jam does not fit: no automated shoe is dealt from here"


@pytest.mark.rule("device-unusable")
def test_663a_13_f_a_shoe_that_cannot_be_used_is_covered_before_another_way(poker_of: Make) -> None:
    trials.cover_before_another_way(poker_of("663a"), "663a.13(f)")


@pytest.mark.rule("other-method-before-sign")
def test_663a_13_f_another_way_before_the_sign_is_told(poker_of: Make) -> None:
    trials.another_way_before_the_sign(poker_of("663a"), "663a.13(f)")
