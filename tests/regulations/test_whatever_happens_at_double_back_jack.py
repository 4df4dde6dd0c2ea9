"""Evenings of Double Back Jack, dealt from a shoe with a card reader, at which anything may happen.

A batch is one deck here, so that a shoe is often over and sometimes runs out in a round.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from felt_simulators.cards import cover_card
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .closing_time import ClosingTime
from .drawn_evening import (
    READER_FAULTS,
    BlackjackEvening,
    KeyedEvening,
    ShoeEvening,
    WatchedShoe,
    ask_the_reader,
)
from .evening import few, many
from .shoe_bench import IN_PART

if TYPE_CHECKING:
    from felt_simulators.cards import Card

HOUSE = {"shuffle": "device", "deal": "manual-shoe", "start": "left"}
# Where a part of a game alone is in the text, nobody tells where the deal begins.
HOUSE_IN_PART = {**HOUSE, "start": "untold"}
# What the first seat and the dealer get in a sound round, in the order of 673a.7(e): the reader is asked.
SOUND = ("5", "K", "4", "8")


@functools.cache
def _opened(chapter: str) -> WatchedShoe:
    bench = WatchedShoe(chapter, shuffler=ShufflerBuild(shuffle_s=6.0))
    bench.open()
    bench.inspect("reader-1")
    bench.shuffle(bench.cards["blue"])
    return bench


class ClosingBackJack(ClosingTime):
    """What its people do at the end."""

    bench: WatchedShoe

    @override
    def load_shoe(self, deck: str) -> None:
        """Let the stack be cut and put it into the shoe; it happens to begin with a sound round."""
        bench = self.bench
        cards = self.pile(deck)
        with self.perhaps():
            bench.report("stack-cut", deck=deck)
        # A new shoe burns one card more.
        wanted = ["2"] * (bench.state.burns + 1) + list(SOUND)
        stack: list[Card] = []
        for rank in wanted:
            stack.append(next(card for card in cards if card.rank == rank and card not in stack))
        stack += [card for card in cards if card not in stack]
        bench.shoe.load([*stack, cover_card()], bench.now)
        self.put_down(cards)
        bench.run(0.5)

    @override
    def deal(self, deck: str) -> None:
        """Burn what must be burnt, deal to one player, ask the reader, and end the round."""
        bench = self.bench
        with self.perhaps():
            bench.begin(1, burns=bench.state.burns)
        burnt = bench.state.burns
        for _ in range(burnt):
            bench.burn()
        player, up, _, hole = bench.draw(4)
        ask_the_reader(bench, up, hole)
        assert player.counts
        bench.end_round()

    @override
    def see_to_others(self) -> None:
        """The paperwork of a payout from the meter is completed, where the screen waits for it."""
        if "cards-stay" in self.asked():
            with self.perhaps():
                self.bench.report("payout-documented", "floor")


class BackJackEvening(ShoeEvening, KeyedEvening, BlackjackEvening):
    """The table is open; anything may happen."""

    chapter: ClassVar[str] = "673a"
    faults = (*ShoeEvening.faults, *READER_FAULTS)

    @override
    def opened(self) -> WatchedShoe:
        return _opened(self.chapter).twin()

    @override
    def closing_time(self) -> ClosingTime:
        return ClosingBackJack(self.bench, HOUSE_IN_PART if self.chapter in IN_PART else HOUSE)


class ManyBackJackEvenings(BackJackEvening):
    """The same, where there is time for many."""


class Blackjack633aEvening(BackJackEvening):
    """633a, of whose text a part is here."""

    chapter = "633a"


class Blackjack635aEvening(BackJackEvening):
    """635a, of whose text a part is here."""

    chapter = "635a"


TestAFewEveningsOfBackJack = few(BackJackEvening)
TestManyEveningsOfBackJack = many(ManyBackJackEvenings)
TestManyEvenings633a = many(Blackjack633aEvening, 60)
TestManyEvenings635a = many(Blackjack635aEvening, 60)
