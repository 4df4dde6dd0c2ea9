"""How deep the cover card was put in after the cut: 665a.5(d), 672a.5(d), 673a.5(d), 686a.5(d)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_simulators.cards import cover_card

from .shoe_bench import ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]

# A quarter of the cards of a shoe.
QUARTERS = {"665a": 96, "672a": 78, "673a": 13, "686a": 78}
# One deck is dealt quickly; several at once take their time.
CHAPTERS = [pytest.param(one, marks=() if one == "673a" else pytest.mark.long) for one in QUARTERS]


def _came(watched: Watched, chapter: str, under: int) -> ShoeBench:
    """A round in which the cover card came, with so many cards under it."""
    bench = watched(ShoeBench(chapter, reads=False))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    cards = bench.cards["red"]
    over = len(cards) - under
    bench.load_shoe([*cards[:over], cover_card(), *cards[over:]])
    bench.command(commands.OpenTable())
    bench.begin(1)
    assert not bench.draw(over + 1)[-1].counts
    return bench


@pytest.mark.rule("cover-card-too-deep")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_5_d_a_cover_card_under_which_lies_less_than_a_quarter_was_put_in_too_deep(
    watched: Watched, chapter: str
) -> None:
    bench = _came(watched, chapter, QUARTERS[chapter] - 1)
    ruling = bench.only_ruling_of("cover-card-too-deep")
    assert (ruling.cite, ruling.effect) == ((f"{chapter}.5(d)",), "advise")
    assert ruling.directives == ("cover-card-higher",)
    assert "COVER CARD AT LEAST 1/4 FROM BOTTOM" in bench.shown()
    # The round is finished and the cards are shuffled as for any cover card.
    assert bench.rulings("cover-card-came")
    # With a whole quarter under it, it lies as deep as it may.
    bench = _came(watched, chapter, QUARTERS[chapter])
    assert bench.rulings("cover-card-came")
    assert bench.rulings("cover-card-too-deep") == []


@pytest.mark.rule("cover-card-too-deep", chapters=("673a",))
def test_13_f_in_a_stack_of_the_rack_alone_a_quarter_of_a_whole_shoe_is_not_asked_for(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("673a", reads=False))
    bench.open()
    bench.begin(1)
    # One of 52 was burnt; the cover card came as the 39th of the others.
    bench.draw(46)
    bench.end_round()
    [hold] = bench.state.holds
    bench.command(commands.Override(hold=hold, reason="a test of a shoe that runs out"))
    bench.begin(1)
    bench.draw(6)
    refill, bench.rack = [card for card in bench.rack if card.counts], []
    assert len(refill) == 46
    bench.load_shoe([*refill[:34], cover_card(), *refill[34:]], cut=False)
    bench.burn()
    # Twelve are a quarter of 46, and fewer than one of 52.
    bench.draw(34)
    assert (bench.places()["shoe"], len(bench.rulings("cover-card-came"))) == (12, 2)
    assert bench.rulings("cover-card-too-deep") == []
    assert _came(watched, "673a", 12).rulings("cover-card-too-deep")


@pytest.mark.rule("cover-card-too-deep")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_5_d_how_deep_the_cover_card_goes_is_told_until_the_next_cut(watched: Watched, chapter: str) -> None:
    bench = _came(watched, chapter, QUARTERS[chapter] - 1)
    higher = "COVER CARD AT LEAST 1/4 FROM BOTTOM"
    bench.end_round()
    bench.empty_shoe()
    bench.shuffle_by_hand()
    # The stack is cut after the round, so that the round's end takes nothing away.
    assert higher in bench.shown()
    # It reminds, and keeps nothing from anything.
    [hold] = bench.state.holds.values()
    assert (hold.row, hold.gates) == ("cover-card-too-deep", ())
    bench.report("stack-cut", deck="red")
    assert higher not in bench.shown()
    assert bench.state.holds == {}


def test_5_d_what_nobody_reports_as_cut_is_told_until_it_is_in_the_shoe(watched: Watched) -> None:
    bench = _came(watched, "673a", 12)
    bench.end_round()
    bench.empty_shoe()
    stack = bench.rack
    bench.shuffle_by_hand()
    bench.load_shoe(stack, cut=False)
    assert [one.row for one in bench.state.holds.values() if one.row == "cover-card-too-deep"] == []
    assert bench.rulings("stack-not-cut")


@pytest.mark.rule("cover-card-too-deep", chapters=("673a",))
def test_13_f_the_rest_that_goes_into_another_shoe_within_the_round_is_no_next_cut(watched: Watched) -> None:
    bench = _came(watched, "673a", 12)
    rest = [card for card in bench.shoe.remove_rest(bench.now) if card.counts]
    bench.run(0.3)
    bench.load_shoe(rest, cut=False)
    assert "COVER CARD AT LEAST 1/4 FROM BOTTOM" in bench.shown()


@pytest.mark.parametrize(("under", "told"), [(12, 0), (11, 1)])
def test_5_d_of_a_stack_of_the_rack_a_quarter_of_that_stack_is_asked_for_in_later_rounds_too(
    watched: Watched, under: int, told: int
) -> None:
    bench = watched(ShoeBench("673a", reads=False))
    bench.open()
    bench.begin(1)
    bench.draw(46)
    bench.end_round()
    [hold] = bench.state.holds
    bench.command(commands.Override(hold=hold, reason="a test of a shoe that runs out"))
    bench.begin(1)
    bench.draw(6)
    refill, bench.rack = [card for card in bench.rack if card.counts], []
    over = len(refill) - under
    bench.load_shoe([*refill[:over], cover_card(), *refill[over:]], cut=False)
    bench.burn()
    bench.end_round()
    bench.begin(1)
    bench.draw(over)
    assert (len(refill), bench.places()["shoe"]) == (46, under)
    assert len(bench.rulings("cover-card-too-deep")) == told
