"""Cards that are withdrawn or stayed in a device, and decks that are not in order, in poker games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

EACH = pytest.mark.parametrize(
    "chapter", ["663a", *(pytest.param(one, marks=pytest.mark.long) for one in ("671a", "687a"))]
)


@pytest.mark.rule("card-withdrawn")
@EACH
def test_a_card_that_is_withdrawn_is_replaced_before_its_deck_is_dealt(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter)
    bench.take_from_shuffler()
    bench.command(commands.WithdrawCard(deck="blue", place="hand", why="marked backs"))
    withdrawn = bench.only_ruling("card-withdrawn")
    assert (withdrawn.subject_id, withdrawn.directives) == ("blue", ("replace-card",))
    bench.command(commands.ReplaceCard(deck="blue"))
    assert not bench.holds()


@pytest.mark.rule("service-left-cards")
@EACH
def test_cards_that_stayed_in_the_shuffler_are_missed_when_its_service_ends(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter)
    bench.fault("shuffler-1", "cards-left=16")
    bench.take_from_shuffler()
    bench.command(commands.ServiceBegin(device="shuffler-1", why="a roller is changed"), "tech")
    bench.command(commands.ServiceEnd(device="shuffler-1", shown_empty=True), "tech")
    bench.run(10.0)
    [left] = bench.rulings("service-left-cards")
    assert (left.subject_id, left.directives) == ("blue", ("search-device", "count-deck"))


@pytest.mark.rule("deck-not-in-order")
@EACH
def test_a_deck_that_an_inspection_finds_not_in_order_leaves_the_table(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter)
    bench.command(commands.Inspect(deck="red", result="not-in-order", note="two backs are marked"))
    assert bench.only_ruling("deck-not-in-order").directives == ("remove-deck",)
    bench.command(commands.ChangeDeck(deck="red"))
    assert not bench.holds()
