"""The card reader says Blackjack, and no further card is dealt: 665a.7(g), 672a.7(g), 673a.7(h)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild

from .reader_trials import CHAPTERS, USE, bench_of, dealt
from .shoe_bench import ENDLESS, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]


@pytest.mark.rule("dealer-blackjack")
@CHAPTERS
def test_after_a_blackjack_the_shoe_is_shut_until_the_round_is_over(watched: Watched, chapter: str) -> None:
    bench = bench_of(watched, chapter)
    hole, up = dealt(bench, "KD", "AS")
    bench.insert(hole, up)
    ruling = bench.only_ruling("dealer-blackjack")
    assert (ruling.cite, ruling.effect) == ((USE[chapter],), "stop")
    assert "BLACKJACK: NO MORE CARDS, SETTLE" in bench.shown()
    with pytest.raises(Refused):
        bench.draw()
    assert not bench.state.round.void
    bench.take_out()
    bench.end_round()
    assert not bench.holds()
    bench.draw()


@pytest.mark.rule("card-after-blackjack", "drawn-without-permit")
@CHAPTERS
def test_a_card_out_of_a_shoe_without_a_lock_after_a_blackjack_is_told(
    watched: Watched, chapter: str
) -> None:
    bench = bench_of(watched, chapter, shoe=ManualShoeBuild(locks=False))
    hole, up = dealt(bench, "KD", "AS")
    bench.report("up-card-ten")
    bench.run(0.3)
    bench.insert(hole, up)
    bench.draw()
    told = bench.rulings("card-after-blackjack")[0]
    assert (told.cite, told.directives) == ((USE[chapter],), ("floor-settles", "call-floor"))


def test_after_a_blackjack_a_continuous_shuffler_is_shut_too(watched: Watched) -> None:
    bench = watched(ShoeBench("673a", deal=ENDLESS, reads=False))
    bench.open_endless()
    bench.deal(1)
    bench.report("up-card-ten")
    bench.run(0.3)
    king = next(card for card in bench.cards["red"] if card.code == "KD")
    ace = next(card for card in bench.cards["red"] if card.code == "AS")
    bench.insert(ace, king)
    assert bench.only_ruling("dealer-blackjack").effect == "stop"
    with pytest.raises(Refused):
        bench.draw()


def test_an_answer_that_a_floorperson_sees_to_be_wrong_is_overridden_and_the_shoe_opens(
    watched: Watched,
) -> None:
    bench = bench_of(watched)
    hole, up = dealt(bench, "KD", "6S")
    bench.fault("reader-1", "wrong-answer")
    bench.insert(hole, up)
    [hold] = bench.state.holds
    bench.command(commands.Override(hold=hold, reason="the hole card is a six"))
    bench.run(0.3)
    bench.draw()


def test_a_reader_that_is_asked_again_and_says_no_blackjack_opens_the_shoe(watched: Watched) -> None:
    bench = bench_of(watched)
    hole, up = dealt(bench, "KD", "6S")
    bench.fault("reader-1", "wrong-answer")
    bench.insert(hole, up)
    bench.take_out()
    with pytest.raises(Refused):
        bench.draw()
    bench.insert(hole, up)
    bench.draw()
