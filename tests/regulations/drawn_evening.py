"""Evenings at tables whose cards are drawn by hand, one after the other, from a shoe or from a box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import rule

from felt_protocols import commands
from felt_simulators.cards import cover_card

from .evening import DECKS, SEATS, Evening, cards_in
from .shoe_bench import ShoeBench
from .watched_table import WatchedTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from felt_simulators.cards import Card

# From the bottom of a batch up to its cover card.
BELOW_COVER = 13
READER_FAULTS = (
    ("reader-1", "unreadable"),
    ("reader-1", "wrong-answer"),
    ("reader-1", "stuck-card"),
    ("reader-1", "unusable=motor"),
)


class WatchedShoe(WatchedTable, ShoeBench):
    """A table of a game with a shoe that is watched."""


class DrawnEvening(Evening):
    """A hand draws the cards that somebody gets, and may burn some."""

    @rule(cards=st.integers(1, 6))
    def draw(self, cards: int) -> None:
        """Draw cards onto the layout."""
        for _ in range(cards):
            with self.perhaps():
                self.bench.felt += cards_in([self.bench.machines["shoe-1"].draw(self.bench.now)])

    @rule()
    def burn(self) -> None:
        """The next card goes to the rack."""
        with self.perhaps():
            self.bench.rack += cards_in([self.bench.machines["shoe-1"].draw(self.bench.now)])

    @rule()
    def end_the_round(self) -> None:
        """The round is over, and its cards go to the rack."""
        with self.perhaps():
            self.bench.command(commands.RoundEnd(), "dealer")
        self.collect()


class ShoeEvening(DrawnEvening):
    """They come from a shoe of many rounds, while another batch is shuffled by a device."""

    # Of blackjack, or of a game with its bench.
    bench: Any
    faults: ClassVar[Sequence[tuple[str, str]]] = (
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
    )

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


class KeyedEvening(DrawnEvening):
    """Who plays is told, and keyed in where the shoe reads cards."""

    bench: WatchedShoe

    @rule(seats=SEATS, burns=st.integers(0, 1))
    def players_bet(self, seats: tuple[int, ...], burns: int) -> None:
        """Who plays is told, and the keys of the shoe are set."""
        with self.perhaps():
            self.bench.begin(*seats, burns=burns)


class BlackjackEvening(DrawnEvening):
    """The dealer tells his up card, and asks a reader what lies under it."""

    bench: WatchedShoe

    @rule(word=st.sampled_from(["ace", "ten", "other"]), closed=st.booleans())
    def the_up_card_is_told(self, word: str, closed: bool) -> None:  # noqa: FBT001 - drawn by Hypothesis
        """The dealer says what the up card is, and closes insurance or not."""
        with self.perhaps():
            self.bench.report(f"up-card-{word}")
        if closed:
            with self.perhaps():
                self.bench.report("insurance-closed")

    @rule(taken=st.booleans())
    def the_reader_is_asked(self, taken: bool) -> None:  # noqa: FBT001 - drawn by Hypothesis
        """The hole card goes into the reader, and comes out again or stays."""
        bench = self.bench
        if len(bench.felt) > 1:
            with self.perhaps():
                bench.reader.insert(bench.felt[-1], bench.felt[-2], bench.now)
                bench.felt.pop()
        if taken:
            with self.perhaps():
                bench.run(1.0)
                bench.felt.append(bench.reader.remove(bench.now))


def ask_the_reader(bench: WatchedShoe, up: Card, hole: Card) -> None:
    """Tell the up card where nobody has read it, and let the reader look at what lies under a ten."""
    if bench.state.round.notes.get("up_card") is None:
        words = {"A": "ace", **dict.fromkeys("TJQK", "ten")}
        bench.report(f"up-card-{words.get(up.rank, 'other')}")
    if bench.state.round.notes["up_card"] == "ten":
        bench.insert(hole, up)
        bench.take_out()
