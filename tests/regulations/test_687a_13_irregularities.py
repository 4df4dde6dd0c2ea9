"""687a.13: irregularities at a table of DJ Wild Stud Poker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands

from . import poker_trials as trials

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

BONUS_STAYS = ("return-but-bonus", "settle-bonus", "collect-cards", "reshuffle")


@pytest.mark.rule("face-up-card")
def test_687a_13_a_a_card_face_up_in_the_shoe_is_not_used_in_this_round(poker_of: Make) -> None:
    trials.one_card_face_up(poker_of("687a"), "687a.13(a)")


@pytest.mark.rule("face-up-cards")
def test_687a_13_a_more_than_one_card_face_up_voids_the_round(poker_of: Make) -> None:
    trials.two_cards_face_up(poker_of("687a"), "687a.13(a)")


@pytest.mark.rule("face-up-cards-in-hand-deal")
def test_687a_13_a_more_than_one_card_face_up_in_the_deck_in_hand_voids_the_round(poker_of: Make) -> None:
    trials.two_cards_face_up_by_hand(poker_of("687a", "hand"), "687a.13(a)")


@pytest.mark.rule("face-up-card", "face-up-cards-in-hand-deal")
def test_687a_13_a_a_replacement_card_that_lies_face_up_is_not_used_and_a_second_one_voids(
    poker_of: Make,
) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.start_game()
    bench.deal(3)
    bench.take_stub()
    bench.report("card-face-up")
    trials.advised(bench, "face-up-card", "687a.13(a)", "to-rack")
    # Fifteen cards, the one in the rack and the one laid instead of it are out.
    bench.count(36)
    assert [one.row for one in bench.rulings()] == ["face-up-card"]
    bench.report("cards-face-up")
    assert bench.state.round.void == "face-up-cards-in-hand-deal"
    assert bench.rulings()[-1].cite == ("687a.13(a)",)


@pytest.mark.rule("face-up-cards")
def test_687a_13_a_more_than_one_card_face_up_told_after_the_last_stack_voids_the_round(
    poker_of: Make,
) -> None:
    bench = poker_of("687a")
    bench.ready(1, 2)
    bench.deal(3)
    bench.report("cards-face-up")
    trials.voided(bench, "face-up-cards", "687a.13(a)")
    assert bench.holds() == {("face-up-cards", "shoe-1"), ("face-up-cards", "red")}


@pytest.mark.rule("face-up-cards")
def test_687a_13_a_cards_face_up_that_shoe_and_people_both_tell_are_one_incident(poker_of: Make) -> None:
    trials.cards_face_up_told_by_shoe_and_people(poker_of("687a"), poker_of("687a"))


@pytest.mark.rule("face-up-cards", "face-up-cards-in-hand-deal")
def test_687a_13_a_a_shoe_that_was_emptied_in_service_after_the_deal_is_not_waited_for(
    poker_of: Make,
) -> None:
    told: list[list[str]] = []
    for served in (False, True):
        bench = poker_of("687a")
        bench.ready(1, 2)
        bench.deal(3)
        if served:
            bench.command(commands.ServiceBegin(device="shoe-1", why="rollers"), "tech")
            bench.take_stub()
            bench.command(commands.ServiceEnd(device="shoe-1", shown_empty=True), "tech")
            bench.run(1.0)
        assert bench.state.phase == "dealt"
        bench.report("cards-face-up")
        told.append([one.row for one in bench.rulings() if one.row.startswith("face-up")])
    assert told == [["face-up-cards"], ["face-up-cards-in-hand-deal"]]


@pytest.mark.rule("card-drawn-in-error")
def test_687a_13_b_a_replacement_card_drawn_in_error_is_the_next_card(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.ready(1, 2)
    bench.deal(3)
    bench.take_stub()
    bench.report("card-drawn-in-error")
    trials.advised(bench, "card-drawn-in-error", "687a.13(b)", "use-as-next")


@pytest.mark.rule("card-drawn-in-error")
def test_687a_13_b_a_card_drawn_in_error_is_the_next_card(poker_of: Make) -> None:
    trials.card_out_of_turn(poker_of("687a"), "687a.13(b)")


@pytest.mark.rule("wrong-number-of-cards")
def test_687a_13_c_a_players_stack_of_four_voids_the_round(poker_of: Make) -> None:
    bench = poker_of("687a")
    trials.wrong_number_from_the_shoe(bench, "687a.13(c)")
    # What is collected already goes back too.
    assert (
        "the Progressive Bonus Wagers that are collected already too"
        in bench.pack.directives["return-wagers"]
    )


@pytest.mark.rule("wrong-number-of-cards")
def test_687a_13_c_in_a_round_that_is_void_no_hand_is_wrong_any_more(poker_of: Make) -> None:
    wrong: list[int] = []
    for void in (False, True):
        bench = poker_of("687a")
        bench.ready(1, 2)
        if void:
            bench.inject("shoe-1", "jam", where="mouth")
        bench.inject("shoe-1", "stack", size=4)
        assert bench.state.round.last_wrong
        wrong.append(len(bench.rulings("wrong-number-of-cards")))
    assert wrong == [1, 0]


@pytest.mark.rule("wrong-number-after-deal")
def test_687a_13_c_a_players_wrong_number_that_people_find_voids_the_round(poker_of: Make) -> None:
    trials.wrong_number_found_later(poker_of("687a", "hand"), "687a.13(c)")


@pytest.mark.rule("dealers-hand-wrong")
def test_687a_13_c_names_players_alone_and_the_dealers_hand_is_told(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.ready(1, 2)
    bench.deal(2)
    bench.fault("shoe-1", "stack-size=4")
    bench.deal(1)
    ruling = bench.only_ruling("dealers-hand-wrong")
    assert (ruling.basis, ruling.effect) == ("own", "advise")
    assert ruling.directives == ("call-floor", "count-stub")
    assert bench.state.round.void == ""
    bench.report("dealers-wrong-number")
    # The report is the same trouble, not another one.
    assert bench.joined() == [2]


@pytest.mark.rule("dealers-hand-wrong", "face-up-card")
def test_687a_13_c_the_dealers_hand_is_known_although_a_card_of_it_lay_face_up(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.ready(1, 2)
    bench.deal(2)
    bench.fault("shoe-1", "stack-size=4")
    bench.fault("shoe-1", "face-up=1")
    bench.deal(1)
    assert [one.row for one in bench.rulings()] == ["face-up-card", "dealers-hand-wrong"]


@pytest.mark.rule("wrong-stack-of-nobody-known")
def test_687a_13_c_whose_stack_it_is_people_say_where_nobody_said_who_plays(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.no_more_bets()
    bench.run(0.5)
    bench.fault("shoe-1", "stack-size=4")
    bench.deal(1)
    assert bench.only_ruling("wrong-stack-of-nobody-known").directives == ("check-hands", "call-floor")
    bench.report("wrong-number")
    assert bench.state.round.void == "wrong-number-of-cards"


@pytest.mark.rule("card-revealed")
@pytest.mark.parametrize("deal", ["automated-shoe", "hand"])
def test_687a_13_d_a_card_revealed_before_the_raises_voids_all_but_bonus_wagers(
    poker_of: Make, deal: str
) -> None:
    bench = poker_of("687a", deal)
    bench.lay_wager(2)
    bench.ready(1, 2)
    bench.hands_out(3)
    bench.take_stub()
    bench.report("card-revealed")
    trials.voided(bench, "card-revealed", "687a.13(d)", BONUS_STAYS)
    bench.command(commands.ReleaseRound())
    assert bench.holds() == {("card-revealed", "red")}


@pytest.mark.rule("card-revealed-in-deal")
def test_687a_13_d_revealed_in_the_deal_the_bonus_wagers_wait_for_the_floor(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.ready(1, 2)
    bench.deal(1)
    bench.report("card-revealed")
    trials.voided(bench, "card-revealed-in-deal", "687a.13(d)", BONUS_STAYS)
    assert "a floorperson decides" in bench.pack.directives["settle-bonus"]
    assert bench.holds() == {("card-revealed-in-deal", "shoe-1"), ("card-revealed-in-deal", "red")}
    trials.reshuffled(bench, "card-revealed-in-deal")


@pytest.mark.rule("card-revealed-in-deal", "shoe-jam-after-reveal")
def test_687a_13_d_a_jam_of_the_shoe_after_a_card_was_revealed_takes_no_bonus_wager_back(
    poker_of: Make,
) -> None:
    bench = poker_of("687a")
    bench.lay_wager(2)
    bench.ready(1, 2)
    bench.start_game()
    bench.deal(2)
    bench.report("card-revealed")
    bench.inject("shoe-1", "jam", where="mouth")
    bench.report("shoe-jam")
    told = [one.directives for one in bench.rulings()]
    assert told == [BONUS_STAYS, ("take-cards-from-shoe", "reshuffle")]
    assert bench.rulings()[-1].cite == ("687a.13(d)", "687a.13(f)")
    # The report is the same trouble, not another one.
    assert bench.joined() == [2]


WAYS_TO_A_JAM = (
    ("automated-shoe", ()),
    ("automated-shoe", ("card-revealed",)),
    ("hand", ("card-revealed",)),
    ("hand", ("wrong-number",)),
)


@pytest.mark.rule("shoe-jam", "shoe-jam-after-reveal", "shoe-jam-beside-the-deal")
@pytest.mark.parametrize("told_by", ["the shoe", "people"])
def test_687a_13_f_a_jam_is_ruled_on_once_whatever_went_before(poker_of: Make, told_by: str) -> None:
    ruled: list[list[str]] = []
    for deal, reports in WAYS_TO_A_JAM:
        bench = poker_of("687a")
        if deal == "hand":
            bench.command(commands.Method(deal="hand"))
            bench.take_stub()
        bench.ready(1, 2)
        bench.start_game()
        if deal == "hand":
            bench.report("cards-dealt", deck="red")
        else:
            bench.deal(2)
        for word in reports:
            bench.report(word)
        before = len(bench.rulings())
        if told_by == "people":
            bench.report("shoe-jam")
        else:
            bench.inject("shoe-1", "jam", where="mouth")
        ruled.append([one.row for one in bench.rulings()[before:] if not one.row.startswith("report-")])
    assert ruled == [["shoe-jam"], ["shoe-jam-after-reveal"], *[["shoe-jam-beside-the-deal"]] * 2]


@pytest.mark.rule("shuffler-jam")
def test_687a_13_e_a_shuffle_that_is_broken_off_is_done_again(poker_of: Make) -> None:
    trials.shuffle_broken_off(poker_of("687a"), "687a.13(e)", "jam=20")


@pytest.mark.rule("shoe-jam")
def test_687a_13_f_a_shoe_that_jams_in_a_round_voids_it(poker_of: Make) -> None:
    trials.shoe_broken_off(poker_of("687a"), "687a.13(f)", "jam=7", "shoe-jam")


@pytest.mark.rule("shoe-stops-dealing")
def test_687a_13_f_a_shoe_that_stops_in_a_round_voids_it(poker_of: Make) -> None:
    trials.shoe_broken_off(poker_of("687a"), "687a.13(f)", "stop=7", "shoe-stops-dealing")


@pytest.mark.rule("shoe-fails-to-deal-all")
def test_687a_13_f_a_shoe_that_fails_to_deal_all_cards_voids_the_round(poker_of: Make) -> None:
    trials.shoe_gives_too_little(poker_of("687a"), "687a.13(f)")


@pytest.mark.rule("device-unusable")
def test_687a_13_g_a_shoe_that_cannot_be_used_is_covered_before_another_way(poker_of: Make) -> None:
    trials.cover_before_another_way(poker_of("687a"), "687a.13(g)")


@pytest.mark.rule("other-method-before-sign")
def test_687a_13_g_another_way_before_the_sign_is_told(poker_of: Make) -> None:
    trials.another_way_before_the_sign(poker_of("687a"), "687a.13(g)")
