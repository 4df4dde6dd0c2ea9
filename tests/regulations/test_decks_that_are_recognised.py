"""A shuffler that recognises cards says what a deck is made of: counts of each card, never their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import deck
from felt_simulators.cards import new_deck
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from felt_simulators.cards import Card

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]
    Watched = Callable[[ShoeBench], ShoeBench]

RECOGNISES = ShufflerBuild(shuffle_s=6.0, recognises=True)
POKER = pytest.mark.parametrize(
    "chapter",
    ["687a", *(pytest.param(one, marks=pytest.mark.long) for one in ("659a", "663a", "671a"))],
)


def _with_one_too_often(cards: Sequence[Card]) -> list[Card]:
    """The cards with the second one of another deck with the same back in the place of the first."""
    spare = new_deck("another", cards[1].back, "table").stack()
    return [next(one for one in spare if one.code == cards[1].code), *cards[1:]]


@pytest.mark.rule("permit/shuffle", chapters=("659a", "663a", "671a", "687a"))
@pytest.mark.rule("composition", chapters=("659a", "663a", "671a", "687a"))
@POKER
def test_a_deck_that_is_complete_is_as_it_must_be(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, shuffler=RECOGNISES)
    assert [one.right for one in bench.rows_of(deck.CompositionJudged)] == [True, True]
    assert bench.rulings() == []


@POKER
@pytest.mark.rule("card-of-another-deck", chapters=("659a", "663a", "671a", "687a"))
def test_a_card_of_the_other_deck_puts_both_in_doubt_although_the_number_is_right(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter, shuffler=RECOGNISES)
    blue = bench.take_from_shuffler()
    [stray, *_] = new_deck("another", "red", "table").stack()
    bench.shuffle([stray, *blue[1:]])
    ruling = bench.only_ruling("card-of-another-deck")
    assert (ruling.basis, ruling.directives) == (
        "own",
        ("look-through-deck", "count-other-deck", "call-floor"),
    )
    judged = bench.rows_of(deck.CompositionJudged)[-1]
    assert (judged.deck, judged.right, judged.foreign) == ("blue", False, 1)
    assert bench.holds() == {("card-of-another-deck", "blue"), ("card-of-another-deck", "red")}
    # Shuffled again without it, the deck is as it must be; red still lacks a card.
    bench.take_from_shuffler()
    bench.shuffle(blue)
    assert bench.holds() == {("card-of-another-deck", "red")}


@POKER
@pytest.mark.rule("deck-not-as-it-must-be", chapters=("659a", "663a", "671a", "687a"))
def test_a_card_that_is_there_twice_holds_the_deck_alone(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, shuffler=RECOGNISES)
    blue = bench.take_from_shuffler()
    bench.shuffle(_with_one_too_often(blue))
    ruling = bench.only_ruling("deck-not-as-it-must-be")
    assert (ruling.basis, ruling.directives) == ("own", ("look-through-deck", "call-floor"))
    assert bench.holds() == {("deck-not-as-it-must-be", "blue")}


FOUR = ("665a", "672a", "673a", "686a")


def _shoe_game(watched: Watched, chapter: str) -> ShoeBench:
    """Red is in the shoe, and blue at hand for a shuffler that recognises cards."""
    bench = watched(ShoeBench(chapter, reads=False, shuffler=RECOGNISES))
    bench.open()
    return bench


@pytest.mark.rule("card-of-another-deck", chapters=("665a", "672a", "673a", "686a"))
@pytest.mark.parametrize("chapter", FOUR)
def test_a_card_of_the_batch_in_the_shoe_keeps_the_next_round_from_being_dealt_until_both_are_in_order(
    watched: Watched, chapter: str
) -> None:
    bench = _shoe_game(watched, chapter)
    bench.begin(1)
    bench.draw()
    blue = bench.cards["blue"]
    bench.shuffle([bench.cards["red"][-1], *blue[1:]])
    assert bench.only_ruling_of("card-of-another-deck").subject_id == "blue"
    assert bench.holds() == {("card-of-another-deck", "blue"), ("card-of-another-deck", "red")}
    # The round is finished.
    bench.draw(3)
    bench.end_round()
    with pytest.raises(Refused):
        bench.draw()
    bench.empty_shoe()
    bench.command(commands.CountCards(deck="red", count=bench.setup.deck_total, part="deck"))
    assert ("card-of-another-deck", "red") not in bench.holds()


@pytest.mark.rule("deck-not-as-it-must-be", chapters=("665a", "672a", "673a", "686a"))
@pytest.mark.parametrize("chapter", FOUR)
def test_a_batch_with_a_card_too_often_is_not_dealt_although_its_number_is_right(
    watched: Watched, chapter: str
) -> None:
    bench = _shoe_game(watched, chapter)
    blue = bench.cards["blue"]
    bench.shuffle(_with_one_too_often(blue))
    assert bench.only_ruling_of("deck-not-as-it-must-be").directives == ("look-through-deck", "call-floor")
    assert bench.holds() == {("deck-not-as-it-must-be", "blue")}
    bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.shuffle(blue)
    assert bench.rulings("card-of-another-deck") == []
    assert bench.holds() == set()


@pytest.mark.long
def test_where_nobody_knows_which_deck_was_put_in_its_cards_prove_nothing(poker_of: Make) -> None:
    bench = poker_of("663a", shuffler=RECOGNISES)
    blue = bench.take_from_shuffler()
    bench.shoe.remove_rest(bench.now)
    bench.run(0.5)
    bench.shuffle(blue)
    assert [one.row for one in bench.rulings()] == ["batch-not-proved"]


def _told_of(bench: PokerBench | ShoeBench, *stacks: list[Card]) -> list[set[str]]:
    """What is told of these stacks in the shuffler, one after the other."""
    found: list[set[str]] = []
    for stack in stacks:
        before = len(bench.rulings())
        bench.shuffle(stack)
        found.append({told.row for told in bench.rulings()[before:]})
        bench.shuffler.unload(bench.now)
        bench.run(0.5)
    return found


def _only_blue_may_be_told_of(known: PokerBench | ShoeBench, unknown: PokerBench | ShoeBench) -> None:
    """Where red is in the shoe it is blue that is shuffled; where it lies at hand, nobody knows."""
    red, blue = known.cards["red"], known.cards["blue"]
    wrong = _with_one_too_often(blue), [red[-1], *blue[1:]]
    assert _told_of(known, *wrong) == [{"deck-not-as-it-must-be"}, {"card-of-another-deck"}]
    unknown.shoe.remove_rest(unknown.now)
    unknown.run(0.5)
    assert _told_of(unknown, *wrong, _with_one_too_often(red)) == [{"batch-not-proved"}] * 3


@pytest.mark.rule("deck-not-as-it-must-be", "card-of-another-deck", chapters=("673a",))
def test_a_batch_that_may_be_the_other_one_is_not_told_to_be_made_up_wrong(watched: Watched) -> None:
    _only_blue_may_be_told_of(_shoe_game(watched, "673a"), _shoe_game(watched, "673a"))


@pytest.mark.rule("deck-not-as-it-must-be", "card-of-another-deck", chapters=("687a",))
def test_a_deck_that_may_be_the_other_one_is_not_told_to_be_made_up_wrong(poker_of: Make) -> None:
    known, unknown = (poker_of("687a", shuffler=RECOGNISES) for _ in range(2))
    for bench in (known, unknown):
        bench.take_from_shuffler()
    _only_blue_may_be_told_of(known, unknown)
