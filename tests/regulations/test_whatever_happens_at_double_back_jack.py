"""Evenings of Double Back Jack, dealt from a shoe with a card reader, at which anything may happen.

A batch is one deck here, so that a shoe is often over and sometimes runs out in a round.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from hypothesis.stateful import rule
from typing_extensions import override

from felt_protocols import commands
from felt_simulators.cards import cover_card
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .closing_time import ClosingTime
from .drawn_evening import BlackjackEvening, KeyedEvening, WatchedShoe, ask_the_reader
from .evening import DECKS, cards_in, few, many

if TYPE_CHECKING:
    from felt_simulators.cards import Card

HOUSE = {"shuffle": "device", "deal": "manual-shoe", "start": "left"}
# From the bottom of a batch up to its cover card.
BELOW_COVER = 13
# What the first seat and the dealer get in a sound round, in the order of 673a.7(e): the reader is asked.
SOUND = ("5", "K", "4", "8")


@functools.cache
def _opened() -> WatchedShoe:
    bench = WatchedShoe("673a", shuffler=ShufflerBuild(shuffle_s=6.0))
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


class BackJackEvening(KeyedEvening, BlackjackEvening):
    """The table is open; anything may happen."""

    faults = (
        ("shoe-1", "jam=3"),
        ("shoe-1", "jam=24"),
        ("shoe-1", "stop=6"),
        ("shoe-1", "face-up=2"),
        ("shoe-1", "cards-left=2"),
        ("shoe-1", "missed-card"),
        ("shoe-1", "double-card"),
        ("shoe-1", "two-cards"),
        ("shoe-1", "stuck-sensor=10"),
        ("shoe-1", "unusable=motor"),
        ("shoe-1", "miscount=-1"),
        ("shuffler-1", "jam"),
        ("shuffler-1", "unusable=motor"),
        ("shuffler-1", "cards-left=16"),
        ("shuffler-1", "lost-card=1"),
        ("shuffler-1", "sort-mode"),
        ("shuffler-1", "light=red"),
        ("reader-1", "unreadable"),
        ("reader-1", "wrong-answer"),
        ("reader-1", "stuck-card"),
        ("reader-1", "unusable=motor"),
    )

    @override
    def opened(self) -> WatchedShoe:
        return _opened().twin()

    @override
    def closing_time(self) -> ClosingTime:
        return ClosingBackJack(self.bench, HOUSE)

    # ---- the game ------------------------------------------------------------------------------------

    @rule()
    def the_shoe_is_over(self) -> None:
        """What is left in the shoe joins the rack."""
        with self.perhaps():
            self.bench.rack += cards_in(self.bench.shoe.remove_rest(self.bench.now))

    @rule(deck=DECKS, cut=st.booleans())
    def change_over(self, deck: str, cut: bool) -> None:  # noqa: FBT001 - drawn by Hypothesis
        """The shuffler's batch goes into the shoe, and what is in the rack into the shuffler."""
        bench = self.bench
        with self.perhaps():
            bench.hand += bench.shuffler.unload(bench.now)
        if cut:
            with self.perhaps():
                bench.report("stack-cut", deck=deck)
        hand = list(bench.hand)
        if hand:
            with self.perhaps():
                bench.shoe.load([*hand[:-BELOW_COVER], cover_card(), *hand[-BELOW_COVER:]], bench.now)
                bench.hand = []
        rack = list(bench.rack)
        if rack:
            with self.perhaps():
                bench.shuffler.load(rack, bench.now)
                bench.rack = []
                bench.run(20.0)

    @rule(deck=DECKS)
    def the_rack_is_shuffled_by_hand(self, deck: str) -> None:
        """People shuffle what lies in the rack, and put it into the shoe."""
        bench = self.bench
        with self.perhaps():
            bench.report("deck-shuffled", deck=deck)
        rack = list(bench.rack)
        if rack:
            with self.perhaps():
                bench.shoe.load([*rack, cover_card()], bench.now)
                bench.rack = []

    @rule(shuffle=st.sampled_from(["device", "hand"]))
    def the_house_goes_another_way(self, shuffle: str) -> None:
        """Cards are shuffled in another way."""
        with self.perhaps():
            self.bench.command(commands.Method(shuffle=shuffle))


class ManyBackJackEvenings(BackJackEvening):
    """The same, where there is time for many."""


TestAFewEveningsOfBackJack = few(BackJackEvening)
TestManyEveningsOfBackJack = many(ManyBackJackEvenings)
