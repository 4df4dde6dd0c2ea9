"""665a, 672a, 673a and 686a .3(c) and .5: a batch is shuffled and cut, and is changed after a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import system
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import EACH, ENDLESS, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]

DAY_S = 24 * 3600


@pytest.fixture
def chapter() -> str:
    """Double Back Jack, where a test is not played in each of the games."""
    return "673a"


@pytest.fixture
def opened(watched: Watched, chapter: str) -> ShoeBench:
    """An open table with one batch in a shoe that reads no faces; the first card is burnt."""
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    return bench


# ---- Shuffle and cut: 665a.5, 672a.5, 673a.5, 686a.5 -----------------------------------------------


@pytest.mark.rule("stack-not-cut")
@EACH
def test_a_stack_that_goes_uncut_into_the_shoe_is_told(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.load_shoe(bench.stacked("red"), cut=False)
    ruling = bench.only_ruling_of("stack-not-cut")
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.5(b)", f"{chapter}.5(c)"), ("offer-cut",))


@pytest.mark.rule("election/feeding", chapters=("665a", "686a"))
@pytest.mark.parametrize("chapter", ["686a", pytest.param("665a", marks=pytest.mark.long)])
def test_a_stack_that_a_shuffler_gives_to_the_shoe_by_itself_is_cut_by_nobody(
    watched: Watched, chapter: str
) -> None:
    bench = watched(
        ShoeBench(chapter, shuffler=ShufflerBuild(shuffle_s=3.0), elections={"feeding": "shuffler"})
    )
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.shuffle(bench.cards["red"])
    stack = bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.load_shoe(stack, cut=False)
    assert bench.rulings("stack-not-cut") == []


@pytest.mark.rule("stack-not-cut", chapters=("686a",))
def test_where_a_shuffler_feeds_the_shoe_a_stack_that_people_put_in_is_cut_all_the_same(
    watched: Watched,
) -> None:
    bench = watched(
        ShoeBench("686a", shuffler=ShufflerBuild(shuffle_s=3.0), elections={"feeding": "shuffler"})
    )
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.load_shoe(bench.stacked("red"), cut=False)
    assert bench.only_ruling_of("stack-not-cut").cite == ("686a.5(b)", "686a.5(c)")
    bench.empty_shoe()
    bench.shuffle(bench.cards["red"])
    stack = bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.load_shoe(stack, cut=False)
    assert len(bench.rulings("stack-not-cut")) == 1


@pytest.mark.rule("stack-not-cut", chapters=("686a",))
def test_where_the_dealer_puts_the_shufflers_stack_into_the_shoe_it_is_cut(watched: Watched) -> None:
    bench = watched(ShoeBench("686a", shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.shuffle(bench.cards["red"])
    stack = bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.load_shoe(stack, cut=False)
    assert bench.only_ruling_of("stack-not-cut").cite == ("686a.5(b)", "686a.5(c)")


def test_a_cut_is_good_for_one_shuffle(opened: ShoeBench) -> None:
    opened.empty_shoe()
    opened.shuffle_by_hand()
    opened.load_shoe(opened.stacked("red"), cut=False)
    assert [one.row for one in opened.rulings()] == ["stack-not-cut", "burn-due"]


def test_nobody_cuts_what_is_not_shuffled(opened: ShoeBench) -> None:
    opened.empty_shoe()
    said = opened.refused(commands.Report(what="stack-cut", deck="red"), "dealer")
    assert "the cards are not shuffled yet" in said


@pytest.mark.rule("recut-ordered", "recut-too-late")
@EACH
def test_a_new_cut_is_ordered_until_the_cards_are_in_the_shoe(opened: ShoeBench) -> None:
    opened.empty_shoe()
    opened.shuffle_by_hand()
    opened.command(commands.Order(what="recut"))
    assert opened.only_ruling_of("recut-ordered").directives == ("cut-again",)
    opened.load_shoe(opened.stacked("red"))
    opened.command(commands.Order(what="recut"))
    assert opened.only_ruling_of("recut-too-late").directives == ("order-reshuffle",)


@pytest.mark.rule("recut-ordered", chapters=("673a",))
def test_nobody_cuts_again_what_lies_in_a_box_that_shuffles_without_end(
    watched: Watched, opened: ShoeBench, chapter: str
) -> None:
    opened.empty_shoe()
    opened.shuffle_by_hand()
    box = watched(ShoeBench(chapter, deal=ENDLESS, reads=False))
    box.open_endless()
    for table in (opened, box):
        table.command(commands.Order(what="recut"))
    # Nor what is not yet inside again.
    box.shoe.remove_all(box.now)
    box.run(0.5)
    box.command(commands.Order(what="recut"))
    assert (len(opened.rulings("recut-ordered")), box.rulings()) == (1, [])


@pytest.mark.rule("shuffle-ordered")
@EACH
def test_a_floorperson_may_order_a_reshuffle_after_any_round(opened: ShoeBench) -> None:
    opened.begin(1)
    opened.draw(4)
    opened.command(commands.Order(what="reshuffle"))
    assert opened.only_ruling_of("shuffle-ordered").cite == (
        f"{opened.chapter}.5(a)",
        f"{opened.chapter}.5(f)",
    )
    opened.draw()
    opened.end_round()
    with pytest.raises(Refused):
        opened.draw()
    opened.empty_shoe()
    opened.shuffle_by_hand()
    opened.load_shoe(opened.stacked("red"))
    opened.burn()
    opened.draw()


@pytest.mark.rule("dealt-unshuffled")
@EACH
def test_a_batch_that_was_not_shuffled_is_not_dealt(opened: ShoeBench) -> None:
    opened.empty_shoe()
    opened.rack = []
    opened.load_shoe(opened.stacked("red"), cut=False)
    ruling = opened.only_ruling_of("dealt-unshuffled")
    assert (ruling.cite, ruling.effect) == ((f"{opened.chapter}.5(a)",), "no-new-round")
    assert ruling.directives == ("shuffle-first",)
    with pytest.raises(Refused):
        opened.draw()


@pytest.mark.rule("dealt-unshuffled", "stack-not-cut", chapters=("673a",))
def test_a_stack_that_was_told_unshuffled_and_uncut_is_not_told_again_when_it_goes_back_in_the_round(
    opened: ShoeBench,
) -> None:
    opened.load_shoe(opened.empty_shoe(), cut=False)
    [hold] = [one.id for one in opened.state.holds.values() if one.row == "dealt-unshuffled"]
    opened.command(commands.Override(hold=hold, reason="tried here"), second="Bo")
    opened.burn()
    opened.begin(1)
    opened.draw(2)
    opened.load_shoe(opened.empty_shoe(), cut=False)
    assert len(opened.rulings("dealt-unshuffled")) == len(opened.rulings("stack-not-cut")) == 1
    assert opened.joined() == []


@pytest.mark.rule("deck-not-prepared")
@EACH
def test_a_batch_that_nobody_has_prepared_is_told_when_it_is_in_the_shoe(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red"))
    said = bench.refused(commands.OpenTable())
    tens = "tens-removed, " if chapter == "665a" else ""
    assert f"deck-inspected, inspection-verified, {tens}deck-spread, player-looked, deck-washed" in said
    bench.shuffle_by_hand()
    bench.load_shoe(bench.stacked("red"))
    assert bench.rulings("deck-not-prepared")[0].directives == ("prepare-batch",)


@pytest.mark.rule("deck-not-prepared", chapters=("673a",))
def test_a_batch_that_nobody_has_prepared_is_told_when_it_is_in_a_box_that_shuffles_without_end(
    watched: Watched, chapter: str
) -> None:
    box = watched(ShoeBench(chapter, deal=ENDLESS, reads=False))
    box.heard()
    box.command(commands.ChangeDeck(deck="red"))
    box.put_back(box.cards["red"])
    assert box.only_ruling_of("deck-not-prepared").directives == ("prepare-batch",)


def test_where_nobody_plays_the_cards_lie_spread_and_are_washed_and_shuffled_again(opened: ShoeBench) -> None:
    opened.begin(1)
    opened.draw(4)
    assert "a round is being dealt" in opened.refused(commands.Report(what="cards-spread"), "dealer")
    opened.end_round()
    opened.empty_shoe()
    opened.report("cards-spread")
    assert opened.state.table == "idle"
    opened.report("player-looked", deck="red")
    opened.report("deck-washed", deck="red")
    opened.report("play-resumes")
    opened.shuffle_by_hand()
    opened.load_shoe(opened.stacked("red"))
    opened.burn()
    opened.draw()
    assert "dealt-unshuffled" not in [one.row for one in opened.rulings()]


# ---- How long cards may stay: 665a.3(c), 672a.3(c), 673a.3(c), 686a.3(c) ---------------------------


@pytest.mark.rule("deck-too-old")
@pytest.mark.parametrize("chapter", ["665a", "672a", "673a", "686a"])
def test_cards_that_are_24_hours_at_the_table_are_changed_after_the_round(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    bench.begin(1)
    bench.draw(2)
    assert bench.state.timers["deck-age/red"].after_s == DAY_S
    bench.take(system.TimerDue(timer="deck-age/red", overdue_s=0))
    ruling = bench.only_ruling_of("deck-too-old")
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.3(c)",), ("change-deck",))
    bench.draw(2)
    bench.end_round()
    with pytest.raises(Refused):
        bench.draw()
