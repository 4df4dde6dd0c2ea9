"""665a, 672a, 673a, 686a .3 to .5 and .7: what a batch is made of, its preparation and cut, what deals it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules import load
from felt_daemon.rules.library import BadPack
from felt_daemon.table.setting_up import ways_of
from felt_protocols import commands
from felt_protocols.events import deck
from felt_simulators.cards import Content, new_deck
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .shoe_bench import ANSWERS, ENDLESS, PREPARATION, Answers, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]

CHAPTERS = ("665a", "672a", "673a", "686a")
EACH = pytest.mark.parametrize("chapter", CHAPTERS)
RECOGNISES = ShufflerBuild(shuffle_s=3.0, recognises=True)
# A batch that this game must not be dealt from: with 10s, of two decks more, or of one deck more.
WRONG = {
    "665a": Content(decks=8),
    "672a": Content(decks=8),
    "673a": Content(decks=2),
    "686a": Content(decks=8),
}
# The steps of .4(a) to (c), and in Double Attack Blackjack the 10s of 665a.4(b).
TENS = ("tens-removed", "floor")
STEPS = dict.fromkeys(CHAPTERS, PREPARATION) | {"665a": (*PREPARATION[:2], TENS, *PREPARATION[2:])}
CITED = {chapter: f"{chapter}.4(a), {chapter}.4(b), {chapter}.4(c), {chapter}.4(d)" for chapter in CHAPTERS}
CITED["665a"] += ", 665a.4(e)"


@pytest.mark.rule("permit/shuffle", chapters=("665a", "672a", "673a", "686a"))
@EACH
@pytest.mark.rule("composition", chapters=("665a", "672a", "673a", "686a"))
def test_3_a_a_batch_has_the_decks_and_the_cards_that_the_text_says_and_no_others(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, shuffler=RECOGNISES))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.shuffle(bench.cards["red"])
    assert [one.right for one in bench.rows_of(deck.CompositionJudged)] == [True]
    bench.shuffler.unload(bench.now)
    bench.run(0.3)
    bench.shuffle(new_deck("red", "red", "table", WRONG[chapter]).stack())
    assert [one.right for one in bench.rows_of(deck.CompositionJudged)] == [True, False]


@EACH
@pytest.mark.rule("opening", chapters=("665a", "672a", "673a", "686a"))
def test_4_with_a_shuffler_each_batch_is_prepared_by_itself_before_the_table_opens(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, shuffler=ShufflerBuild(shuffle_s=3.0)))
    bench.heard()
    for name in ("red", "blue"):
        bench.command(commands.ChangeDeck(deck=name))
    for name in ("red", "blue"):
        steps = [what for what, _role in STEPS[chapter]]
        for done, (what, role) in enumerate(STEPS[chapter]):
            told = bench.refused(commands.OpenTable())
            assert f"batch {name} is not prepared ({CITED[chapter]})" in told
            assert told.partition("report first: ")[2] == ", ".join(steps[done:])
            bench.report(what, role, deck=name)
    bench.command(commands.OpenTable())
    assert bench.state.table == "open"


@EACH
@pytest.mark.rule("stack-not-cut", "report/stack-cut", chapters=("665a", "672a", "673a", "686a"))
def test_5_b_and_d_a_stack_is_cut_before_it_goes_into_the_shoe_and_the_dealer_vouches_for_it(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    bench.empty_shoe()
    bench.shuffle_by_hand()
    bench.load_shoe(bench.stacked("red"))
    assert bench.rulings("stack-not-cut") == []
    bench.empty_shoe()
    bench.shuffle_by_hand()
    bench.load_shoe(bench.stacked("red"), cut=False)
    assert bench.only_ruling_of("stack-not-cut").cite == (f"{chapter}.5(b)", f"{chapter}.5(c)")


@EACH
@pytest.mark.rule("permit/deal", chapters=("665a", "672a", "673a", "686a"))
def test_7_a_no_card_is_dealt_before_the_shuffled_and_cut_stack_is_in_the_shoe(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, reads=False))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.command(commands.OpenTable())
    assert (bench.waits("deal"), bench.permits("shoe-1")) == ("no cards are in the shoe", [])
    bench.load_shoe(bench.stacked("red"))
    assert bench.permits("shoe-1") == [{"round": 1}]
    bench.burn()
    bench.begin(1)
    bench.draw()
    assert bench.state.round.cards == 1
    bench.command(commands.Sign(device="shoe-1", sign="out-of-order"))
    bench.end_round()
    with pytest.raises(Refused):
        bench.draw()


@EACH
@pytest.mark.rule("election/shuffle", "election/deal", chapters=("665a", "672a", "673a", "686a"))
def test_5_h_and_7_a_the_house_may_elect_a_device_that_reshuffles_by_itself_and_then_nothing_is_cut(
    watched: Watched, chapter: str
) -> None:
    elected: Answers = {"shuffle": ENDLESS, "deal": ENDLESS}
    answers = {**ANSWERS[chapter], **elected}
    ways = ways_of(load(chapter, answers), answers)
    assert (ways["shuffle"], ways["deal"]) == (ENDLESS, ENDLESS)
    for asked in elected:
        with pytest.raises(BadPack, match=asked):
            load(chapter, {**answers, asked: "nobody"})
    bench = watched(ShoeBench(chapter, deal=ENDLESS, reads=False, elections=elected, method=ways))
    bench.open_endless()
    bench.begin(1)
    cards = bench.draw(3)
    bench.felt = []
    bench.end_round()
    bench.put_back(cards)
    bench.begin(1)
    bench.draw()
    assert "stack-not-cut" not in [one.row for one in bench.rulings()]
    assert len(bench.permits("shoe-1")) == 2
