"""Evenings at a poker table whose hands have five cards, dealt from an automated shoe or from the hand."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import rule
from typing_extensions import override

from felt_protocols import commands

from .closing_time import ClosingTime
from .evening import SEATS
from .poker_bench import PokerBench
from .stack_evening import SHOE_FAULTS, StackEvening
from .watched_table import WatchedTable

if TYPE_CHECKING:
    from collections.abc import Sequence

HOUSE = {"shuffle": "device", "deal": "automated-shoe", "start": "left"}


class WatchedPoker(WatchedTable, PokerBench):
    """A table of a poker game that is watched."""


@functools.cache
def _opened(chapter: str) -> WatchedPoker:
    bench = WatchedPoker(chapter)
    bench.open()
    return bench


class ClosingPoker(ClosingTime):
    """What its people do at the end."""

    bench: WatchedPoker

    @override
    def deal(self, deck: str) -> None:
        """Deal to two players, count the stub if that is wanted, and end the round."""
        bench = self.bench
        with self.perhaps():
            bench.plays(1, 2)
        with self.perhaps():
            bench.no_more_bets()
        bench.deal(len(bench.state.round.seats) + 1)
        self.after_the_deal()
        bench.take_rest()
        if "count-stub" in self.asked():
            bench.count(len(bench.rack), deck=deck)
        bench.end_round()

    def after_the_deal(self) -> None:
        """Do what only this game has between its deal and the rest of the deck."""


class PokerEvening(StackEvening):
    """The table is open; anything may happen."""

    bench: WatchedPoker
    chapter: ClassVar[str]
    faults: ClassVar[Sequence[tuple[str, str]]] = (
        *SHOE_FAULTS,
        ("shuffler-1", "jam"),
        ("shuffler-1", "unusable=motor"),
        ("shuffler-1", "cards-left=16"),
        ("shuffler-1", "lost-card=1"),
        ("shuffler-1", "miscount=-1"),
        ("shuffler-1", "sort-mode"),
        ("shuffler-1", "light=red"),
    )

    @override
    def opened(self) -> WatchedPoker:
        return _opened(self.chapter).twin()

    @override
    def closing_time(self) -> ClosingTime:
        return ClosingPoker(self.bench, HOUSE)

    # ---- the game ------------------------------------------------------------------------------------

    @rule(seats=SEATS)
    def players_bet_and_bets_close(self, seats: tuple[int, ...]) -> None:
        """What comes before a deal."""
        with self.perhaps():
            self.bench.plays(*seats)
        with self.perhaps():
            self.bench.no_more_bets()

    @rule(stacks=st.integers(1, 4))
    def deal(self, stacks: int) -> None:
        """Press the shoe's button, and take what comes."""
        self.take_stacks(stacks)

    @rule(hands=st.integers(2, 4))
    def deal_from_the_hand(self, hands: int) -> None:
        """Deal hands of five without a shoe, and report it."""
        cards = hands * 5
        self.bench.felt += self.bench.hand[:cards]
        self.bench.hand = self.bench.hand[cards:]
        with self.perhaps():
            self.bench.report("cards-dealt")

    @rule(counted=st.booleans())
    def end_the_round(self, counted: bool) -> None:  # noqa: FBT001 - drawn by Hypothesis
        """Take the rest out, count it or not, and end the round."""
        before = len(self.bench.rack)
        with self.perhaps():
            self.bench.take_rest()
        now = self.bench.state.round
        if counted and now is not None and now.deck:
            with self.perhaps():
                self.bench.count(len(self.bench.rack) - before, deck=now.deck)
        with self.perhaps():
            self.bench.command(commands.RoundEnd(), "dealer")
        self.collect()
