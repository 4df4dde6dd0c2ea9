"""What was put into the shoe while the cards lay spread for want of players, and is dealt when play resumes.

Nothing is an irregularity of a game before that; what the shoe was given is looked at then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import deck
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import ENDLESS, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]
    Watched = Callable[[ShoeBench], ShoeBench]


def spread_and_resumed(bench: PokerBench | ShoeBench) -> None:
    """Nobody plays for a while, and what was in the shoe goes into it again as it is."""
    bench.report("cards-spread")
    cards = bench.shoe.remove_rest(bench.now)
    bench.run(0.5)
    bench.shoe.load(cards, bench.now)
    bench.run(0.5)
    bench.report("play-resumes")


def made_ready(bench: ShoeBench) -> None:
    """The first player looks; the cards are washed, shuffled by hand and cut, and go into the shoe again."""
    bench.empty_shoe()
    bench.report("cards-spread")
    bench.report("player-looked", deck="red")
    bench.report("deck-washed", deck="red")
    bench.shuffle_by_hand()
    bench.load_shoe(bench.stacked("red"))
    bench.report("play-resumes")


def times_told(bench: PokerBench | ShoeBench, row: str) -> list[int]:
    """How often each open trouble by this row was told."""
    return [one.times for one in bench.state.incidents.values() if one.row == row]


@pytest.mark.parametrize(
    "chapter", ["686a", *(pytest.param(one, marks=pytest.mark.long) for one in ("665a", "672a", "673a"))]
)
@pytest.mark.rule("dealt-unshuffled")
def test_5_a_a_batch_that_nobody_shuffled_since_it_lay_spread_is_not_dealt(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    bench.empty_shoe()
    bench.report("cards-spread")
    bench.load_shoe(bench.stacked("red"), cut=False)
    assert bench.rulings() == []
    bench.report("play-resumes")
    assert bench.rulings("dealt-unshuffled")[0].cite == (f"{chapter}.5(a)",)
    assert bench.holds() == {("dealt-unshuffled", "red"), ("burn-due", "t-1")}
    bench.empty_shoe()
    bench.shuffle_by_hand()
    bench.load_shoe(bench.stacked("red"))
    assert "dealt-unshuffled" not in {row for row, _about in bench.holds()}


@pytest.mark.rule("dealt-unshuffled", chapters=("686a",))
def test_5_a_a_batch_that_was_shuffled_or_lies_in_a_box_that_shuffles_without_end_is_not_told(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("686a", reads=False))
    bench.open()
    bench.empty_shoe()
    bench.report("cards-spread")
    bench.shuffle_by_hand()
    bench.load_shoe(bench.stacked("red"))
    bench.report("play-resumes")
    assert bench.rulings("dealt-unshuffled") == []
    bench.report("cards-spread")
    bench.load_shoe(bench.empty_shoe(), cut=False)
    bench.report("play-resumes")
    assert len(bench.rulings("dealt-unshuffled")) == 1
    box = watched(ShoeBench("686a", deal=ENDLESS, reads=False))
    box.open_endless()
    # What people spread while the box is jammed, they put back into it.
    box.take(deck.ShuffleInterrupted(device="shoe-1", batch=0, why="jam", where="wheel"))
    box.report("cards-spread")
    box.report("deck-spread", deck="red")
    box.report("play-resumes")
    assert box.rulings("dealt-unshuffled") == []


@pytest.mark.rule("burn-due", chapters=("686a",))
def test_5_g_a_batch_that_was_shuffled_while_nobody_played_is_dealt_and_its_first_card_burnt(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("686a", reads=False))
    bench.open()
    bench.empty_shoe()
    bench.report("cards-spread")
    bench.shuffle_by_hand()
    bench.load_shoe(bench.stacked("red"))
    assert bench.rulings() == []
    bench.report("play-resumes")
    assert bench.only_ruling_of("burn-due").cite == ("686a.7(c)",)
    assert bench.holds() == {("burn-due", "t-1")}
    # That a new dealer burns a card was told as he came; with nothing in the shoe it is not told again.
    bench.empty_shoe()
    bench.report("cards-spread")
    bench.command(commands.NewDealer(dealer="Kim"), "dealer")
    bench.report("play-resumes")
    assert (len(bench.rulings("burn-due")), bench.joined()) == (2, [])


@pytest.mark.rule("deck-not-alternated")
def test_686a_3_b_4_the_batch_of_the_last_shoe_is_not_the_next_one_either(watched: Watched) -> None:
    bench = watched(ShoeBench("686a", reads=False, shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.open()
    bench.deal(1)
    bench.end_round()
    bench.empty_shoe()
    bench.report("cards-spread")
    bench.shuffle(bench.cards["red"])
    bench.shuffler.unload(bench.now)
    bench.run(0.5)
    bench.load_shoe(bench.stacked("red"))
    bench.report("play-resumes")
    assert bench.only_ruling_of("deck-not-alternated").cite == ("686a.3(b)(4)",)
    # Where people shuffle, or the other batch is held, it is the one that there is.
    bench.command(commands.Method(shuffle="hand"))
    spread_and_resumed(bench)
    bench.command(commands.Method(shuffle="device"))
    bench.command(commands.Order(what="shuffle", deck="blue"))
    spread_and_resumed(bench)
    assert times_told(bench, "deck-not-alternated") == [1]


@pytest.mark.rule("dealt-unshuffled", "deck-not-alternated", "deck-not-prepared")
def test_663a_3_b_3_and_5_a_a_spread_deck_that_was_dealt_last_is_told_twice(poker_of: Make) -> None:
    bench = poker_of("663a")
    bench.play(1, 2)
    bench.report("cards-spread")
    bench.shoe.load(bench.rack, bench.now)
    bench.run(0.5)
    assert bench.rulings() == []
    bench.report("play-resumes")
    assert {(one.row, one.cite) for one in bench.rulings()} == {
        ("dealt-unshuffled", ("663a.5(a)",)),
        ("deck-not-alternated", ("663a.3(b)(3)",)),
        ("deck-not-prepared", ("663a.4(a)", "663a.4(b)", "663a.4(c)", "663a.5(f)")),
    }
    bench.command(commands.Method(shuffle="hand"))
    spread_and_resumed(bench)
    bench.command(commands.Method(shuffle="device"))
    bench.command(commands.Order(what="shuffle", deck="blue"))
    spread_and_resumed(bench)
    assert times_told(bench, "deck-not-alternated") == [1]
    other = poker_of("663a")
    other.report("cards-spread")
    other.take_stub()
    other.to_shoe()
    other.report("play-resumes")
    # It was in the shuffler all the while, and not spread.
    assert other.rulings() == []


@pytest.mark.parametrize(
    "chapter", ["659a", *(pytest.param(one, marks=pytest.mark.long) for one in ("671a", "687a"))]
)
@pytest.mark.rule("deck-not-prepared")
def test_4_c_a_deck_that_nobody_washed_since_it_lay_spread_is_told(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter)
    spread_and_resumed(bench)
    idle = "5(e)" if chapter == "659a" else "5(f)"
    steps = ("4(a)", "4(b)", "4(c)", idle)
    assert bench.rulings("deck-not-prepared")[0].cite == tuple(f"{chapter}.{step}" for step in steps)
    assert bench.rulings("deck-not-prepared")[0].directives == ("inspect-deck",)
    # One that was washed is prepared.
    bench.report("cards-spread")
    bench.take_rest()
    bench.report("player-looked", deck="red")
    bench.report("deck-washed", deck="red")
    bench.shoe.load(bench.rack, bench.now)
    bench.run(0.5)
    bench.report("play-resumes")
    assert len(bench.rulings("deck-not-prepared")) == 1


SHOE_FOUR = pytest.mark.parametrize(
    "chapter", ["665a", "673a", *(pytest.param(one, marks=pytest.mark.long) for one in ("672a", "686a"))]
)


@SHOE_FOUR
@pytest.mark.rule("deck-not-prepared", "stack-not-cut")
def test_5_b_and_g_a_batch_that_was_neither_washed_nor_cut_since_it_lay_spread_is_told(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    spread_and_resumed(bench)
    steps = ("4(a)", "4(c)", "4(d)") if chapter == "665a" else ("4(a)", "4(b)", "4(c)")
    assert bench.rulings("deck-not-prepared")[0].cite == tuple(
        f"{chapter}.{step}" for step in (*steps, "5(g)")
    )
    assert bench.rulings("stack-not-cut")[0].cite == (f"{chapter}.5(b)", f"{chapter}.5(c)")
    told = len(bench.rulings("deck-not-prepared")), len(bench.rulings("stack-not-cut"))
    made_ready(bench)
    assert (len(bench.rulings("deck-not-prepared")), len(bench.rulings("stack-not-cut"))) == told == (1, 1)


@pytest.mark.parametrize("chapter", ["672a", "673a"])
@pytest.mark.rule("stack-not-cut", "deck-not-prepared")
def test_5_g_2_a_spread_batch_that_a_player_looked_at_need_not_be_washed(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    bench.report("cards-spread")
    bench.report("player-looked", deck="red")
    bench.load_shoe(bench.empty_shoe(), cut=False)
    bench.report("play-resumes")
    assert bench.rulings("deck-not-prepared") == []
    assert len(bench.rulings("stack-not-cut")) == 1
    # At one that came preshuffled meanwhile nobody need look.
    bench.report("cards-spread")
    cards = bench.empty_shoe()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.load_shoe(cards)
    bench.report("play-resumes")
    assert bench.rulings("deck-not-prepared") == []
    spread_and_resumed(bench)
    assert len(bench.rulings("deck-not-prepared")) == 1


@pytest.mark.rule("stack-not-cut", chapters=("686a",))
def test_5_h_a_stack_that_the_shuffler_gives_to_the_shoe_or_has_without_end_is_not_cut(
    watched: Watched,
) -> None:
    told: dict[str, int] = {}
    for who in ("dealer", "shuffler"):
        fed = watched(
            ShoeBench(
                "686a",
                reads=False,
                shuffler=ShufflerBuild(shuffle_s=3.0),
                elections={"feeding": who},
            )
        )
        fed.open()
        fed.empty_shoe()
        fed.report("cards-spread")
        fed.shuffle(fed.cards["red"])
        fed.shuffler.unload(fed.now)
        fed.run(0.5)
        fed.load_shoe(fed.stacked("red"), cut=False)
        fed.report("play-resumes")
        told[who] = len(fed.rulings("stack-not-cut"))
    box = watched(ShoeBench("686a", deal=ENDLESS, reads=False))
    box.open_endless()
    box.report("cards-spread")
    box.report("play-resumes")
    assert (told, box.rulings("stack-not-cut")) == ({"dealer": 1, "shuffler": 0}, [])
