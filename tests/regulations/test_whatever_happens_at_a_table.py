"""An evening of Asia Poker at which anything may happen: hands of people and faults of devices, by chance."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.stateful import rule
from typing_extensions import override

from felt_protocols import commands

from .closing_time import ClosingTime
from .evening import few, many
from .felt_bench import METHOD, Bench
from .stack_evening import SHOE_FAULTS, StackEvening
from .watched_table import WatchedTable


class WatchedAsiaPoker(WatchedTable, Bench):
    """A table of Asia Poker that is watched."""


@functools.cache
def _opened() -> WatchedAsiaPoker:
    bench = WatchedAsiaPoker()
    bench.open()
    return bench


class ClosingAsiaPoker(ClosingTime):
    """What its people do at the end."""

    bench: WatchedAsiaPoker

    @override
    def deal(self, deck: str) -> None:
        """Find where the deal begins, deal seven hands, count what is left if that is wanted."""
        bench = self.bench
        with self.perhaps():
            bench.no_more_bets()
        if bench.state.round.start_seat is None:
            self._gather_dice()
            bench.shake()
            bench.uncover()
        bench.deal()
        bench.take_rest()
        if "count-left" in self.asked():
            bench.command(commands.CountCards(deck=deck, count=len(bench.rack), part="remaining"), "dealer")
        with self.perhaps():
            bench.cover_and_shake_once()
        bench.end_round()

    @override
    def see_to_others(self) -> None:
        """New dice, where the screen asks for them."""
        if "change-dice" in self.asked():
            self._gather_dice()
            with self.perhaps():
                self.bench.command(commands.ChangeDice(device="shaker-1"))

    def _gather_dice(self) -> None:
        """All dice are in the shaker, and the lid is on."""
        for hand in (self.bench.shaker.uncover, self.bench.shaker.gather, self.bench.shaker.cover):
            with self.perhaps():
                hand(self.bench.now)


class AsiaPokerEvening(StackEvening):
    """The table is open; anything may happen."""

    bench: WatchedAsiaPoker
    faults = (
        *SHOE_FAULTS,
        ("shuffler-1", "jam"),
        ("shuffler-1", "unusable=motor"),
        ("shuffler-1", "cards-left=16"),
        ("shuffler-1", "sort-mode"),
        ("shuffler-1", "light=red"),
        ("shaker-1", "not-flat"),
        ("shaker-1", "die-outside"),
        ("shaker-1", "unusable"),
    )

    @override
    def opened(self) -> WatchedAsiaPoker:
        return _opened().twin()

    @override
    def closing_time(self) -> ClosingTime:
        return ClosingAsiaPoker(self.bench, METHOD)

    # ---- the game ------------------------------------------------------------------------------------

    @rule()
    def bets_close_and_dice_are_read(self) -> None:
        """What comes before a deal."""
        with self.perhaps():
            self.bench.no_more_bets()
        with self.perhaps():
            self.bench.shake()
            self.bench.uncover()

    @rule(stacks=st.integers(1, 7))
    def deal(self, stacks: int) -> None:
        """Press the shoe's button, and take what comes."""
        self.take_stacks(stacks)

    @rule()
    def end_the_round(self) -> None:
        """Take the rest out, cover and shake, and end the round."""
        with self.perhaps():
            self.bench.take_rest()
        with self.perhaps():
            self.bench.cover_and_shake_once()
        with self.perhaps():
            self.bench.command(commands.RoundEnd(), "dealer")
        self.collect()


class ManyAsiaPokerEvenings(AsiaPokerEvening):
    """The same, where there is time for many."""


TestAFewEvenings = few(AsiaPokerEvening)
TestManyEvenings = many(ManyAsiaPokerEvenings)
