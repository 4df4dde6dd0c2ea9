"""A shoe that people emptied while nobody heard it, filled again or not, and that forgot what was in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .coup_bench import CoupBench
from .shoe_bench import ENDLESS, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.cards import Card

    from .poker_bench import PokerBench
    from .spoken_table import SpokenTable

    Watched = Callable[[CoupBench], CoupBench]


def emptied_and_filled(bench: CoupBench) -> None:
    """Blue goes into the shoe in the place of red while nobody hears it, and it is switched off between."""
    bench.unplug("shoe-1")
    bench.run(10.0)
    bench.shoe.remove_rest(bench.now)
    bench.shoe.power_cycle(bench.now)
    bench.run(6.0)
    bench.load_shoe(bench.cards["blue"])
    bench.plug("shoe-1")
    bench.heard()


@pytest.mark.rule("rest-of-shoe-wrong", chapters=("631a",))
def test_all_cards_of_a_shoe_that_is_emptied_are_out_whatever_was_believed_inside(
    watched: Watched,
) -> None:
    bench = watched(CoupBench("631a", shuffler=ShufflerBuild(), shoe=ManualShoeBuild(feels=False)))
    bench.open()
    emptied_and_filled(bench)
    # Its memory tells of the deck that came, and of none that went.
    assert (bench.places("red"), bench.places("blue")) == ({"shoe": 52}, {"shoe": 52})

    bench.empty_shoe()

    assert (bench.places("red"), bench.places("blue")) == ({"discard": 52}, {"hand": 52})
    # The doubt about them ends as for any other rest: they are counted.
    assert {name for name, _subject in bench.holds()} == {"rest-of-shoe-wrong"}
    for deck in ("red", "blue"):
        bench.command(commands.CountCards(deck=deck, count=52))
    assert bench.holds() == set()


def test_a_shoe_that_feels_its_cards_tells_that_the_first_deck_is_out_of_it() -> None:
    bench = CoupBench("631a", shuffler=ShufflerBuild())
    bench.open()
    emptied_and_filled(bench)
    assert (bench.places("red"), bench.places("blue")) == ({"discard": 52}, {"shoe": 52})
    bench.empty_shoe()
    assert bench.places("blue") == {"discard": 52}


def emptied_unheard(bench: SpokenTable, empty: Callable[[float], list[Card]]) -> list[Card]:
    """The cards that people take out of a shoe whose cable is out, and that they switch off and on."""
    bench.unplug("shoe-1")
    bench.run(10.0)
    cards = empty(bench.now)
    bench.machines["shoe-1"].power_cycle(bench.now)
    bench.run(6.0)
    bench.plug("shoe-1")
    bench.run(6.0)
    return cards


@pytest.mark.parametrize("chapter", ["663a", "671a"])
def test_cards_of_a_shoe_that_starts_again_without_any_are_at_hand(
    poker_of: Callable[..., PokerBench], chapter: str
) -> None:
    bench = poker_of(chapter)
    cards = emptied_unheard(bench, bench.shoe.remove_rest)
    assert len(cards) == 52
    assert bench.places("red") == {"hand": 52}
    # The shuffler has blue; what goes in after it is the deck that came out of the shoe.
    blue = bench.take_from_shuffler()
    bench.shuffle(cards)
    assert bench.state.devices["shuffler-1"].deck == "red"
    assert (bench.places("red"), bench.places("blue")) == ({"shuffler": 52}, {"hand": 52})
    bench.shoe.load(blue, bench.now)
    bench.run(0.5)
    assert bench.places("blue") == {"shoe": 52}


def test_a_deck_whose_shuffle_was_ordered_is_shuffled_after_its_shoe_forgot_it(
    poker_of: Callable[..., PokerBench],
) -> None:
    bench = poker_of("671a")
    bench.command(commands.Order(what="shuffle", deck="red"))
    cards = emptied_unheard(bench, bench.shoe.remove_rest)
    bench.take_from_shuffler()
    bench.shuffle(cards)
    assert bench.holds() == set()


def test_cards_of_a_box_that_starts_again_without_any_are_at_hand() -> None:
    bench = ShoeBench("686a", deal=ENDLESS)
    bench.open_endless()
    cards = emptied_unheard(bench, bench.shoe.remove_all)
    assert len(cards) + len(bench.rack) == 312
    assert bench.places() == {"hand": len(cards), "discard": len(bench.rack)}
