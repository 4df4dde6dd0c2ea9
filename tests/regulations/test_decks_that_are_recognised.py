"""A shuffler that recognises cards says what a deck is made of: counts of each card, never their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols.events import deck
from felt_simulators.cards import new_deck
from felt_simulators.devices.shuffler_build import ShufflerBuild

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

RECOGNISES = ShufflerBuild(shuffle_s=6.0, recognises=True)
POKER = pytest.mark.parametrize(
    "chapter",
    ["687a", *(pytest.param(one, marks=pytest.mark.long) for one in ("659a", "663a", "671a"))],
)


@pytest.mark.rule("permit/shuffle", chapters=("659a", "663a", "671a", "687a"))
@pytest.mark.rule("composition", chapters=("659a", "663a", "671a", "687a"))
@POKER
def test_a_deck_that_is_complete_is_as_it_must_be(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, shuffler=RECOGNISES)
    assert [one.right for one in bench.rows_of(deck.CompositionJudged)] == [True, True]
    assert bench.rulings() == []


@POKER
@pytest.mark.rule("deck-not-as-it-must-be")
def test_a_card_of_the_other_deck_holds_the_deck_although_the_number_is_right(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter, shuffler=RECOGNISES)
    blue = bench.take_from_shuffler()
    [stray, *_] = new_deck("another", "red", "table").stack()
    bench.shuffle([stray, *blue[1:]])
    ruling = bench.only_ruling("deck-not-as-it-must-be")
    assert (ruling.basis, ruling.directives) == ("own", ("look-through-deck", "call-floor"))
    judged = bench.rows_of(deck.CompositionJudged)[-1]
    assert (judged.deck, judged.right, judged.foreign) == ("blue", False, 1)
    assert bench.holds() == {("deck-not-as-it-must-be", "blue")}
    # Shuffled again without it, the deck is as it must be.
    bench.take_from_shuffler()
    bench.shuffle(blue)
    assert bench.holds() == set()


@pytest.mark.long
def test_where_nobody_knows_which_deck_was_put_in_its_cards_prove_nothing(poker_of: Make) -> None:
    bench = poker_of("663a", shuffler=RECOGNISES)
    blue = bench.take_from_shuffler()
    bench.shoe.remove_rest(bench.now)
    bench.run(0.5)
    bench.shuffle(blue)
    assert [one.row for one in bench.rulings()] == ["batch-not-proved"]
