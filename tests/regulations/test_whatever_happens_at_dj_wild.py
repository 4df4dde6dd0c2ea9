"""Evenings of DJ Wild Stud Poker, with its station for progressive wagers, at which anything may happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from hypothesis.stateful import rule
from typing_extensions import override

from .evening import many
from .poker_evening import HOUSE, ClosingPoker, PokerEvening

if TYPE_CHECKING:
    from .closing_time import ClosingTime

SEAT = st.integers(1, 6)


class ClosingWild(ClosingPoker):
    """What its people do at the end."""

    @override
    def see_to_others(self) -> None:
        """Every progressive wager goes back."""
        station, now = self.bench.station, self.bench.now
        with self.perhaps():
            station.collect(now)
        for seat in range(1, station.build.seats + 1):
            with self.perhaps():
                station.take_bet(seat, now)


class WildEvening(PokerEvening):
    """687a, in which a replacement card may be laid from what is left of the deck."""

    chapter = "687a"
    faults = (
        *PokerEvening.faults,
        ("station-1", "sensor-stuck-on=2"),
        ("station-1", "sensor-stuck-off=1"),
        ("station-1", "unusable=motor"),
        ("station-1", "reboot"),
    )

    @override
    def closing_time(self) -> ClosingTime:
        return ClosingWild(self.bench, HOUSE)

    @rule(seat=SEAT)
    def a_wager_is_laid(self, seat: int) -> None:
        """A player lays a progressive wager on his sensor."""
        with self.perhaps():
            self.bench.station.place_bet(seat, self.bench.now)

    @rule(seat=SEAT)
    def a_wager_is_taken_back(self, seat: int) -> None:
        """He takes it away again."""
        with self.perhaps():
            self.bench.station.take_bet(seat, self.bench.now)

    @rule(collected=st.booleans())
    def wagers_are_taken(self, collected: bool) -> None:  # noqa: FBT001 - drawn by Hypothesis
        """Start Game is pressed, and the dealer collects what lights up."""
        with self.perhaps():
            self.bench.station.press_start(self.bench.now)
        if collected:
            with self.perhaps():
                self.bench.station.collect(self.bench.now)

    @rule(told=st.booleans())
    def the_replacement_card_is_laid(self, told: bool) -> None:  # noqa: FBT001 - drawn by Hypothesis
        """The rest comes out of the shoe, and one card of it is laid; a floorperson says so or not."""
        bench = self.bench
        with self.perhaps():
            bench.take_rest()
        if bench.rack:
            bench.felt.append(bench.rack.pop())
        if told:
            with self.perhaps():
                bench.report("replacement-card-there", "floor")


class ManyWildEvenings(WildEvening):
    """The same, where there is time for many."""


TestManyEveningsOfDjWild = many(ManyWildEvenings)
