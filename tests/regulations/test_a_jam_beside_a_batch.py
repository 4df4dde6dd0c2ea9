"""Two batches share a shuffler, and one jams in it: 665a.13(j), 672a.12(k), 673a.13(k), 686a.9(d)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]

CITES = {"665a": "665a.13(j)", "672a": "672a.12(k)", "673a": "673a.13(k)", "686a": "686a.9(d)"}


def _opened(watched: Watched, chapter: str) -> ShoeBench:
    """Red is in the shoe, and blue at hand for the shuffler."""
    bench = watched(ShoeBench(chapter, reads=False, shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.open()
    return bench


def _blue_jams(bench: ShoeBench) -> None:
    bench.fault("shuffler-1", "jam")
    bench.shuffle(bench.cards["blue"], until="interrupted")


def _count_red(bench: ShoeBench) -> None:
    bench.command(commands.CountCards(deck="red", count=bench.setup.deck_total, part="deck"))


@pytest.mark.rule("shuffler-jam", chapters=("665a", "672a", "673a", "686a"))
@pytest.mark.parametrize("chapter", CITES)
def test_a_jam_puts_both_batches_in_doubt_and_the_one_in_the_shoe_is_dealt_to_its_cover_card(
    watched: Watched, chapter: str
) -> None:
    bench = _opened(watched, chapter)
    bench.begin(1)
    bench.draw()
    _blue_jams(bench)
    assert bench.only_ruling_of("shuffler-jam").cite == (CITES[chapter],)
    assert bench.holds() == {("shuffler-jam", "blue"), ("shuffler-jam", "red")}
    bench.draw(3)
    bench.end_round()
    bench.begin(1)
    bench.draw(4)
    bench.end_round()
    # Red has come out of the shoe, and people count it before its next one.
    bench.empty_shoe()
    _count_red(bench)
    assert bench.holds() == {("shuffler-jam", "blue")}
    bench.load_shoe(bench.stacked("red"), cut=False)
    assert bench.rulings("batch-in-doubt-dealt") == []


@pytest.mark.rule("batch-in-doubt-dealt", chapters=("665a", "672a", "673a", "686a"))
@pytest.mark.parametrize("chapter", CITES)
def test_a_batch_that_nobody_counted_since_the_other_one_jammed_is_not_dealt_in_another_shoe(
    watched: Watched, chapter: str
) -> None:
    bench = _opened(watched, chapter)
    _blue_jams(bench)
    bench.empty_shoe()
    bench.load_shoe(bench.stacked("red"), cut=False)
    ruling = bench.only_ruling_of("batch-in-doubt-dealt")
    assert (ruling.basis, ruling.directives) == ("own", ("count-deck", "search-device"))
    assert "counted by hand" in bench.waits("deal")
    bench.empty_shoe()
    _count_red(bench)
    assert {row for row, name in bench.holds() if name == "red"} <= {"dealt-unshuffled"}
    bench.load_shoe(bench.stacked("red"), cut=False)
    assert len(bench.rulings("batch-in-doubt-dealt")) == 1


def test_the_batch_that_jammed_is_in_no_doubt_once_it_is_shuffled_and_counted(watched: Watched) -> None:
    bench = _opened(watched, "673a")
    _blue_jams(bench)
    cards = bench.shuffler.clear_jam(bench.now)
    bench.run(0.5)
    bench.shuffle(cards)
    assert bench.holds() == {("shuffler-jam", "red")}
    bench.empty_shoe()
    fresh = bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.load_shoe(fresh, "blue", cut=False)
    assert bench.rulings("batch-in-doubt-dealt") == []
    # Red is counted by the shuffler in its turn.
    bench.shuffle([*bench.cards["red"]])
    assert ("shuffler-jam", "red") not in bench.holds()


@pytest.mark.rule("batch-in-doubt-dealt", chapters=("673a",))
def test_a_batch_that_goes_into_the_shoe_within_a_round_is_not_asked_for_then(watched: Watched) -> None:
    bench = _opened(watched, "673a")
    bench.begin(1)
    bench.draw(2)
    _blue_jams(bench)
    rest = bench.empty_shoe()
    bench.shoe.load([card for card in rest if card.counts], bench.now)
    bench.run(0.3)
    assert bench.rulings("batch-in-doubt-dealt") == []
    bench.end_round()
    bench.empty_shoe()
    bench.load_shoe(bench.stacked("red"), cut=False)
    assert len(bench.rulings("batch-in-doubt-dealt")) == 1
