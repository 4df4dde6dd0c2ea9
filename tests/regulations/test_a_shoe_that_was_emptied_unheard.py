"""A shoe that people emptied and filled again while nobody heard it, and that forgot the first deck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .coup_bench import CoupBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[CoupBench], CoupBench]


@pytest.mark.rule("rest-of-shoe-wrong", chapters=("631a",))
def test_all_cards_of_a_shoe_that_is_emptied_are_out_whatever_was_believed_inside(
    watched: Watched,
) -> None:
    bench = watched(CoupBench("631a", shuffler=ShufflerBuild()))
    bench.open()
    bench.unplug("shoe-1")
    bench.run(10.0)
    bench.shoe.remove_rest(bench.now)
    bench.shoe.power_cycle(bench.now)
    bench.run(6.0)
    bench.load_shoe(bench.cards["blue"])
    bench.plug("shoe-1")
    bench.heard()
    # Its memory tells of the deck that came, and of none that went.
    assert (bench.places("red"), bench.places("blue")) == ({"shoe": 52}, {"shoe": 52})

    bench.empty_shoe()

    assert (bench.places("red"), bench.places("blue")) == ({"discard": 52}, {"hand": 52})
    # The doubt about them ends as for any other rest: they are counted.
    assert {name for name, _subject in bench.holds()} == {"rest-of-shoe-wrong"}
    for deck in ("red", "blue"):
        bench.command(commands.CountCards(deck=deck, count=52))
    assert bench.holds() == set()
