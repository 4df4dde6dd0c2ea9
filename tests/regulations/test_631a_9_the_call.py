"""Baccarat, the call for cards and the table: 58 Pa. Code §§ 631a.2(a), 631a.9(b)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .coup_bench import CoupBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[CoupBench], CoupBench]


@pytest.fixture
def told(watched: Watched) -> CoupBench:
    """An open table at which the call for cards is told."""
    bench = watched(CoupBench("631a", elections={"call": "told"}))
    bench.open()
    return bench


@pytest.mark.rule("election/call", "report/cards-called")
def test_the_curator_deals_when_the_dealer_has_called_for_cards(told: CoupBench) -> None:
    told.no_more_bets()
    told.report("cards-called")
    told.draw(4)
    assert (told.state.phase, told.rulings()) == ("playing", [])


@pytest.mark.rule("drawn-before-the-call")
def test_a_first_card_before_the_call_is_told_until_somebody_calls(told: CoupBench) -> None:
    told.no_more_bets()
    told.draw()
    ruling = told.only_ruling("drawn-before-the-call")
    assert (ruling.cite, ruling.effect, ruling.directives) == (("631a.9(b)",), "advise", ("call-first",))
    told.draw(3)
    assert len(told.rulings()) == 1


def test_the_call_comes_after_no_more_bets_and_before_the_first_card(told: CoupBench) -> None:
    words = "no more bets comes first, and the call before the first card"
    assert told.unfit("cards-called") == words
    told.deal()
    assert told.unfit("cards-called") == words


def test_where_the_call_is_not_told_no_more_bets_is_enough(watched: Watched) -> None:
    bench = watched(CoupBench("631a"))
    bench.open()
    bench.no_more_bets()
    assert bench.unfit("cards-called") == ("the call for cards is not told here; no more bets is enough")
    bench.draw(4)
    assert bench.rulings() == []


@pytest.mark.parametrize("seats", [10, 14])
@pytest.mark.rule("election/seats")
def test_a_baccarat_table_has_ten_to_fourteen_positions_as_the_house_says(
    watched: Watched, seats: int
) -> None:
    assert watched(CoupBench("631a", elections={"seats": seats})).setup.positions == seats
