"""Evenings at tables whose hands come as stacks out of an automated shoe, or from the hand."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from felt_protocols import commands

from .evening import Evening

SHOE_FAULTS = (
    ("shoe-1", "jam=3"),
    ("shoe-1", "jam=24"),
    ("shoe-1", "stack-size=6"),
    ("shoe-1", "face-up=2"),
    ("shoe-1", "stray-card=1"),
    ("shoe-1", "unusable=motor"),
    ("shoe-1", "miscount=-1"),
)


class StackEvening(Evening):
    """Stacks come out of the shoe when its button is pressed, while another deck is shuffled by a device."""

    # Of Asia Poker, or of a game with seats.
    bench: Any

    def take_stacks(self, stacks: int) -> None:
        """Press the shoe's button so many times, and take what comes."""
        for _ in range(stacks):
            with self.perhaps():
                self.bench.shoe.press_deal(self.bench.now)
                self.bench.run(3.0)
            with self.perhaps():
                self.bench.felt += self.bench.shoe.take_stack(self.bench.now)

    @rule()
    def change_over(self) -> None:
        """The shuffler's deck goes into the shoe, and what is in the rack into the shuffler."""
        bench = self.bench
        with self.perhaps():
            bench.hand += bench.shuffler.unload(bench.now)
        hand = list(bench.hand)
        if len(hand) == self.total:
            with self.perhaps():
                bench.shoe.load(hand, bench.now)
                bench.hand = []
        rack = list(bench.rack)
        if rack:
            with self.perhaps():
                bench.shuffler.load(rack, bench.now)
                bench.rack = []
                bench.run(20.0)

    @rule(deal=st.sampled_from(["automated-shoe", "hand"]), shuffle=st.sampled_from(["device", "hand"]))
    def the_house_goes_another_way(self, deal: str, shuffle: str) -> None:
        """Cards are dealt and shuffled in another way from the next round on."""
        with self.perhaps():
            self.bench.command(commands.Method(deal=deal, shuffle=shuffle))
