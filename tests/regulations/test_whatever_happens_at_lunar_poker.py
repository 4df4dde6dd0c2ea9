"""Evenings of Lunar Poker at which anything may happen: decisions are locked in, and then cards are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from hypothesis.stateful import rule
from typing_extensions import override

from .evening import many
from .poker_evening import HOUSE, ClosingPoker, PokerEvening

if TYPE_CHECKING:
    from .closing_time import ClosingTime


class ClosingLunar(ClosingPoker):
    """What its people do at the end."""

    @override
    def after_the_deal(self) -> None:
        """Lock all decisions in, and let the first player draw one card."""
        self.bench.report("decisions-locked")
        self.bench.shoe.press_one(self.bench.now)
        self.bench.run(3.0)
        self.bench.felt += self.bench.shoe.take_stack(self.bench.now)


class LunarEvening(PokerEvening):
    """671a, in which players may draw cards after the deal."""

    chapter = "671a"

    @override
    def closing_time(self) -> ClosingTime:
        return ClosingLunar(self.bench, HOUSE)

    @rule()
    def decisions_are_locked(self) -> None:
        """The dealer says that nobody may decide otherwise any more."""
        with self.perhaps():
            self.bench.report("decisions-locked")

    @rule(cards=st.integers(1, 5))
    def a_player_draws(self, cards: int) -> None:
        """Press the button for single cards, and take what comes."""
        for _ in range(cards):
            with self.perhaps():
                self.bench.shoe.press_one(self.bench.now)
                self.bench.run(3.0)
            with self.perhaps():
                self.bench.felt += self.bench.shoe.take_stack(self.bench.now)


class ManyLunarEvenings(LunarEvening):
    """The same, where there is time for many."""


TestManyEveningsOfLunarPoker = many(ManyLunarEvenings)
