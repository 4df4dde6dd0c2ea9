"""Who gets which card when: 671a.8, 671a.10, 672a.7, 673a.7, 687a.10; other files have the other games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols.events import card

from .shoe_bench import ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]
    Watched = Callable[[ShoeBench], ShoeBench]


@pytest.mark.parametrize("chapter", ["672a", "673a"])
@pytest.mark.rule("deal/manual-shoe", "report/seats-playing", "permit/deal", chapters=("672a", "673a"))
def test_7_e_a_card_to_each_box_and_to_the_dealer_and_then_the_same_again(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter))
    bench.open("8H", "7S", "9D", "5C", "4H", "6S")
    bench.begin(2, 5)
    bench.draw(3)
    # The dealer's first card is the one that lies face up.
    assert bench.state.round.notes["up_card"] == "other"
    bench.draw(3)
    assert bench.whose() == [2, 5, 0, 2, 5, 0]
    assert (bench.state.phase, bench.rulings()) == ("playing", [])


@pytest.mark.rule("deal/manual-shoe", "report/seats-playing")
def test_671a_8_c_one_card_at_a_time_to_each_player_and_the_dealer_until_each_has_five(
    poker_of: Make,
) -> None:
    bench = poker_of("671a", "manual-shoe")
    bench.ready(2, 4)
    bench.draw(15)
    seats = [row.context["seat"] for row in bench.rows if isinstance(row.event, card.CardDrawn)]
    assert seats == [2, 4, 0] * 5
    assert bench.state.phase == "dealt"


@pytest.mark.parametrize("chapter", ["671a", "687a"])
@pytest.mark.rule("deal/automated-shoe", "report/seats-playing", "permit/deal", chapters=("671a", "687a"))
def test_10_b_a_stack_of_five_to_each_player_from_the_left_and_then_one_to_the_dealer(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter)
    assert bench.permits("shoe-1") == []
    bench.ready(4, 2)
    assert bench.permits("shoe-1")[0]["size"] == 5
    bench.deal(3)
    given = [row for row in bench.rows if isinstance(row.event, card.StackDispensed)]
    assert [row.context["seat"] for row in given] == [2, 4, 0]
    assert len(bench.felt) == 15
