"""665a, 672a, 673a and 686a .3(b): two batches are dealt in turn, one in the shoe and one in the shuffler."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import EACH, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]


@pytest.fixture
def chapter() -> str:
    """Double Back Jack, where a test is not played in each of the games."""
    return "673a"


@pytest.fixture
def two_batches(watched: Watched, chapter: str) -> ShoeBench:
    """An open table with one batch in the shoe, and another shuffled and in the shuffler."""
    bench = watched(ShoeBench(chapter, reads=False, shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.open()
    bench.shuffle(bench.cards["blue"])
    return bench


def _change_over(bench: ShoeBench) -> None:
    """The shoe is emptied and filled from the shuffler, and the rack goes into the shuffler."""
    bench.empty_shoe()
    fresh = bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.load_shoe(fresh, "blue")
    used, bench.rack = [card for card in bench.rack if card.counts], []
    bench.shuffle(used)


def test_two_batches_alternate_shoe_by_shoe_and_nothing_is_said(two_batches: ShoeBench) -> None:
    two_batches.begin(1)
    two_batches.draw(4)
    two_batches.inject("shoe-1", "cover_card")
    two_batches.end_round()
    _change_over(two_batches)
    assert two_batches.places() == {"shuffler": 52}
    assert two_batches.places("blue") == {"shoe": 52}
    two_batches.burn()
    two_batches.begin(1)
    two_batches.draw(4)
    assert [one.row for one in two_batches.rulings()] == ["cover-card-came", "burn-due"]
    assert not two_batches.holds()


@pytest.mark.rule("election/batches", "one-batch-in-shuffler", chapters=("665a", "672a", "673a", "686a"))
@EACH
def test_one_batch_alone_does_not_go_through_a_shuffler(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter, shuffler=ShufflerBuild(shuffle_s=3.0), elections={"batches": 1}))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red"))
    bench.shuffle(bench.cards["red"])
    ruling = bench.only_ruling_of("one-batch-in-shuffler")
    assert (ruling.cite, ruling.effect) == ((f"{chapter}.3(b)",), "no-new-round")
    bench.command(commands.Method(shuffle="hand"))
    assert not bench.holds()


@pytest.mark.rule("deck-not-alternated")
@EACH
def test_the_batch_of_the_last_shoe_is_not_dealt_again(two_batches: ShoeBench) -> None:
    two_batches.begin(1)
    two_batches.draw(4)
    two_batches.end_round()
    rest = two_batches.empty_shoe()
    two_batches.load_shoe(rest, cut=False)
    ruling = two_batches.only_ruling_of("deck-not-alternated")
    assert (ruling.cite, ruling.directives) == ((f"{two_batches.chapter}.3(b)(4)",), ("use-other-batch",))
    two_batches.empty_shoe()
    assert ("deck-not-alternated", "red") not in two_batches.holds()


@pytest.mark.rule("other-deck-not-in-shuffler")
@EACH
def test_while_one_batch_is_dealt_the_other_is_in_the_shuffler(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter, reads=False, shuffler=ShufflerBuild()))
    bench.open(burn=False)
    bench.burn()
    ruling = bench.only_ruling("other-deck-not-in-shuffler")
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.3(b)(3)",), ("other-batch-to-shuffler",))


@pytest.mark.rule("two-decks-in-rack")
@EACH
def test_cards_of_one_batch_alone_lie_in_the_rack(two_batches: ShoeBench) -> None:
    two_batches.empty_shoe()
    fresh = two_batches.shuffler.unload(two_batches.now)
    two_batches.run(0.3)
    two_batches.load_shoe(fresh, "blue")
    two_batches.burn()
    two_batches.draw(2)
    two_batches.end_round()
    ruling = two_batches.only_ruling_of("two-decks-in-rack")
    assert (ruling.cite, ruling.directives) == ((f"{two_batches.chapter}.3(b)(5)",), ("one-batch-in-rack",))


@pytest.mark.rule("device-unusable", "device-not-understood")
@EACH
def test_a_shuffler_that_fails_keeps_no_shuffled_shoe_from_being_dealt(two_batches: ShoeBench) -> None:
    two_batches.report("shuffler-unusable")
    two_batches.take(device.DeviceFaulted(device="shuffler-1", code="not-understood"))
    two_batches.begin(1)
    two_batches.draw(4)
    two_batches.end_round()
    assert two_batches.waits("deal") == ""
    two_batches.draw()


@pytest.mark.rule("other-method-before-sign")
@EACH
def test_cards_shuffled_by_hand_beside_an_unsigned_shuffler_are_told(two_batches: ShoeBench) -> None:
    two_batches.command(commands.Method(shuffle="hand"))
    two_batches.fault("shuffler-1", "unusable=motor")
    two_batches.run(0.3)
    two_batches.empty_shoe()
    two_batches.shuffle_by_hand("red")
    assert two_batches.only_ruling_of("other-method-before-sign").directives == (
        "cover-or-sign",
        "call-floor",
    )


def test_a_game_of_batches_speaks_of_batches_on_the_panel_and_in_refusals(two_batches: ShoeBench) -> None:
    two_batches.command(commands.Order(what="reshuffle", deck="red"))
    assert "HELD: batch red" in two_batches.shown()
    assert two_batches.refused(commands.ChangeDeck(deck="green")) == (
        "there is no batch green; there are: red, blue"
    )
    assert two_batches.refused(commands.Inspect(result="in-order")) == (
        "say what was inspected: a device or a batch"
    )
    assert two_batches.refused_report("deck-inspected") == "deck-inspected: say which batch: red, blue"
    assert two_batches.refused(commands.DeviceRetire(device="shoe-1", shown_empty=True)) == (
        "51 cards of red are believed to be in shoe-1: take them out, count the batch by hand"
        " and report it with count, or bring another batch with change-deck"
    )
