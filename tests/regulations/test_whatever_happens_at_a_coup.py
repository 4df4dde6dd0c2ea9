"""Evenings at which coups of baccarat are dealt, or hands of Badugi, and anything may happen."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import rule
from typing_extensions import override

from felt_simulators.devices.shuffler_build import ShufflerBuild

from .closing_time import ClosingTime
from .coup_bench import START, CoupBench
from .drawn_evening import BELOW_COVER, ShoeEvening
from .evening import SEATS, many
from .watched_table import WatchedTable

BADUGI = "637a"


class WatchedCoup(WatchedTable, CoupBench):
    """Such a table that is watched, and whose cards are kept."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - a coup bench's own options
        super().__init__(*args, **options)
        self.felt, self.rack = [], []

    @override
    def draw(self, times: int = 1) -> None:
        """Draw cards from the shoe onto the layout."""
        for _ in range(times):
            self.felt.append(self.shoe.draw(self.now))
            self.run(0.2)

    @override
    def end_round(self) -> None:
        """Finish the round; its cards go to the rack."""
        super().end_round()
        self.rack += self.felt
        self.felt = []


@functools.cache
def _opened(chapter: str) -> WatchedCoup:
    bench = WatchedCoup(chapter, shuffler=ShufflerBuild(shuffle_s=6.0))
    bench.open()
    bench.shuffle(bench.cards["blue"])
    return bench


class ClosingCoup(ClosingTime):
    """What its people do at the end."""

    bench: WatchedCoup

    @override
    def load_shoe(self, deck: str) -> None:
        """Put a stack with its cover card into the shoe."""
        cards = self.pile(deck)
        self.bench.load_shoe(self.bench.with_cover(cards, len(cards) - BELOW_COVER))
        self.put_down(cards)

    @override
    def deal(self, deck: str) -> None:
        """Close the bets, deal four cards for a coup, and end the round."""
        bench = self.bench
        with self.perhaps():
            bench.no_more_bets()
        bench.draw(4)
        with self.perhaps():
            bench.report("no-house-money")
        bench.end_round()


class ClosingBadugi(ClosingCoup):
    """What its people do at the end."""

    @override
    def deal(self, deck: str) -> None:
        """Deal four cards each to two players, and end the round."""
        bench = self.bench
        with self.perhaps():
            bench.report("seats-playing", seats=(1, 2))
        bench.draw(8)
        bench.end_round()


class CoupEvening(ShoeEvening):
    """The table is open; anything may happen."""

    chapter: ClassVar[str] = "631a"

    @override
    def opened(self) -> WatchedCoup:
        return _opened(self.chapter).twin()

    @override
    def closing_time(self) -> ClosingTime:
        house = {"shuffle": "device", "deal": "manual-shoe", "start": START[self.chapter]}
        return (ClosingBadugi if self.chapter == BADUGI else ClosingCoup)(self.bench, house)

    @rule()
    def bets_close(self) -> None:
        """No more bets, and the call for cards where it is told."""
        with self.perhaps():
            self.bench.no_more_bets()
        with self.perhaps():
            self.bench.report("cards-called")

    @rule(what=st.sampled_from(["house-money-settled", "no-house-money"]))
    def house_money_is_told(self, what: str) -> None:
        """The dealer tells what became of the House Money Wagers."""
        with self.perhaps():
            self.bench.report(what)

    @rule(seats=SEATS)
    def players_bet(self, seats: tuple[int, ...]) -> None:
        """Who plays is told, in a game that asks for it."""
        with self.perhaps():
            self.bench.report("seats-playing", seats=seats)


class ManyCoupEvenings(CoupEvening):
    """The same, where there is time for many."""


class Coup627aEvening(CoupEvening):
    """627a."""

    chapter = "627a"


class Coup629aEvening(CoupEvening):
    """629a."""

    chapter = "629a"


class BadugiEvening(CoupEvening):
    """637a, in which players discard and draw."""

    chapter = BADUGI


TestManyEveningsOfCoups = many(ManyCoupEvenings)
TestManyEvenings627a = many(Coup627aEvening, 60)
TestManyEvenings629a = many(Coup629aEvening, 60)
TestManyEveningsOfBadugi = many(BadugiEvening, 60)
