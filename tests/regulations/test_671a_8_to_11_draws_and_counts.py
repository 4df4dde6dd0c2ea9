"""671a.8 to .11: the deal of Lunar Poker, the cards that players draw, and the count of the whole deck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.shuffler_build import ShufflerBuild

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

COUNTS_NOTHING = ShufflerBuild(shuffle_s=6.0, counts=False)
FIVE = (1, 2, 3, 4, 5)


def play(bench: PokerBench, deck: str = "red") -> None:
    """A round for positions 1 and 2 in which nobody draws."""
    bench.ready(1, 2)
    bench.hands_out(3, deck)
    bench.report("decisions-locked")
    bench.take_stub()
    bench.end_round()


@pytest.mark.rule("report/seats-playing")
@pytest.mark.parametrize(
    "deal",
    ["automated-shoe", "manual-shoe", pytest.param("hand", marks=pytest.mark.rule("report/cards-dealt"))],
)
def test_671a_8_9_10_five_cards_to_each_of_five_and_the_dealer_leave_twenty_two(
    poker_of: Make, deal: str
) -> None:
    bench = poker_of("671a", deal)
    bench.ready(*FIVE)
    bench.hands_out(6)
    assert (bench.state.phase, bench.state.round.cards) == ("dealt", 30)
    bench.report("decisions-locked")
    bench.take_stub()
    assert len(bench.rack) == 22
    bench.end_round()
    assert bench.state.rounds == 2


def test_671a_2_a_there_is_no_sixth_position(poker_of: Make) -> None:
    bench = poker_of("671a")
    refused = bench.refused_report("seats-playing", seats=(1, 6))
    assert refused == "there is no position 6; positions are 1 to 5"


def test_671a_11_d_the_shoe_gives_what_players_draw_until_the_round_ends(poker_of: Make) -> None:
    bench = poker_of("671a")
    bench.ready(1, 2)
    assert bench.permits("shoe-1") == [{"round": 1, "size": 5}]
    bench.deal(3)
    bench.report("decisions-locked")
    for _ in range(3):
        bench.shoe.press_one(bench.now)
        bench.run(3.0)
        bench.felt += bench.shoe.take_stack(bench.now)
    assert (bench.rulings(), bench.state.round.cards) == ([], 18)
    bench.end_round()
    bench.run(1.0)
    assert bench.sessions["shoe-1"].shown.why == "round-over"
    with pytest.raises(Refused):
        bench.shoe.press_one(bench.now)


@pytest.mark.rule("report/decisions-locked")
def test_671a_11_d_from_a_manual_shoe_they_are_drawn_one_by_one(poker_of: Make) -> None:
    bench = poker_of("671a", "manual-shoe")
    bench.ready(1, 2)
    bench.draw(15)
    bench.report("decisions-locked")
    bench.draw(4)
    assert (bench.rulings(), bench.state.round.cards) == ([], 19)


@pytest.mark.rule("drawn-before-decisions-locked")
def test_671a_11_c_no_card_is_drawn_before_all_decisions_are_locked_in(poker_of: Make) -> None:
    bench = poker_of("671a", "manual-shoe")
    bench.ready(1, 2)
    bench.draw(16)
    ruling = bench.only_ruling("drawn-before-decisions-locked")
    assert (ruling.cite, ruling.directives) == (("671a.11(c)",), ("lock-decisions", "call-floor"))
    bench.report("decisions-locked")
    assert bench.state.round.notices == ()


@pytest.mark.rule("decisions-never-locked")
def test_671a_11_c_a_round_that_ends_without_the_announcement_is_told(poker_of: Make) -> None:
    bench = poker_of("671a")
    bench.ready(1, 2)
    bench.deal(3)
    assert bench.refused_report("decisions-locked", "tech").startswith("decisions-locked is reported by")
    bench.take_stub()
    bench.end_round()
    assert bench.only_ruling("decisions-never-locked").cite == ("671a.11(c)",)
    assert bench.refused_report("decisions-locked").startswith("decisions-locked does not fit")


@pytest.mark.rule("draws-may-run-short")
def test_671a_11_d_five_players_may_ask_for_more_than_the_22_that_are_left(poker_of: Make) -> None:
    bench = poker_of("671a", "hand")
    bench.ready(*FIVE)
    bench.hands_out(6)
    bench.report("decisions-locked")
    assert bench.only_ruling("draws-may-run-short").directives == ("count-draws",)


def test_671a_11_d_the_27_that_four_players_leave_are_enough_for_any_draws(poker_of: Make) -> None:
    bench = poker_of("671a", "hand")
    bench.ready(1, 2, 3, 4)
    bench.hands_out(5)
    bench.report("decisions-locked")
    assert bench.rulings() == []


@pytest.mark.rule("few-cards-left", "draw-cannot-be-met", "draws-may-run-short")
def test_671a_11_d_a_draw_that_cannot_be_met_is_told_before_it_comes_and_the_floor_decides(
    poker_of: Make,
) -> None:
    bench = poker_of("671a", "manual-shoe")
    bench.ready(*FIVE)
    bench.draw(30)
    bench.report("decisions-locked")
    bench.draw(17)
    assert bench.rulings("few-cards-left") == []
    bench.draw(1)
    # Four are left: a player who wants five cannot be served.
    assert bench.rulings("few-cards-left")[0].directives == ("count-draws",)
    bench.report("draw-cannot-be-met")
    assert bench.rulings("draw-cannot-be-met")[0].directives == ("draw-decided", "call-floor")
    assert bench.state.round.void == ""


def five_rounds(bench: PokerBench) -> str:
    """Five rounds without a count of the deck; the deck that is next."""
    deck = "red"
    for _ in range(4):
        play(bench, deck)
        deck = bench.swap()
    assert bench.rulings() == []
    play(bench, deck)
    return deck


@pytest.mark.rule("deck-count-due")
@pytest.mark.parametrize("deal", ["hand", pytest.param("automated-shoe", marks=pytest.mark.long)])
def test_671a_11_h_without_a_counting_shuffler_the_deck_is_counted_after_five_rounds(
    poker_of: Make, deal: str
) -> None:
    bench = poker_of("671a", deal, shuffler=COUNTS_NOTHING)
    deck = five_rounds(bench)
    ruling = bench.only_ruling("deck-count-due")
    assert (ruling.cite, ruling.directives) == (("671a.11(h)",), ("count-deck",))
    assert bench.holds() == {("deck-count-due", deck)}
    bench.count(52, "deck", deck)
    assert bench.holds() == set()


@pytest.mark.rule("deck-count-due", "deck-count-wrong")
def test_671a_11_h_2_a_deck_that_has_not_52_cards_leaves_the_table(poker_of: Make) -> None:
    bench = poker_of("671a", "hand", shuffler=COUNTS_NOTHING)
    deck = five_rounds(bench)
    bench.count(51, "deck", deck)
    ruling = bench.rulings("deck-count-wrong")[0]
    assert (ruling.cite, ruling.directives) == (("671a.11(h)(2)",), ("remove-deck", "search-device"))
    bench.count(52, "deck", deck)
    assert bench.holds() == {("deck-count-wrong", deck)}
    bench.command(commands.ChangeDeck(deck=deck))
    assert bench.holds() == set()


@pytest.mark.rule("hand-count-wrong")
def test_where_the_shuffler_counts_a_wrong_count_by_hand_is_a_doubt(poker_of: Make) -> None:
    bench = poker_of("671a")
    bench.take_from_shuffler()
    bench.command(commands.ChangeDeck(deck="blue"))
    bench.count(51, "deck", "blue")
    assert bench.only_ruling("hand-count-wrong").basis == "own"


@pytest.mark.long
def test_671a_11_h_a_count_of_what_is_left_is_no_count_of_the_deck(poker_of: Make) -> None:
    bench = poker_of("671a", shuffler=COUNTS_NOTHING)
    deck = "red"
    for _ in range(4):
        play(bench, deck)
        deck = bench.swap()
    bench.ready(1, 2)
    bench.deal(3)
    bench.report("decisions-locked")
    bench.take_stub()
    bench.count(37, deck=deck)
    bench.end_round()
    assert [one.row for one in bench.rulings()] == ["deck-count-due"]
