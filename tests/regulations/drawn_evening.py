"""Evenings at tables whose cards are drawn by hand, one after the other, from a shoe or from a box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from hypothesis.stateful import rule

from felt_protocols import commands

from .evening import SEATS, Evening, cards_in
from .shoe_bench import ShoeBench
from .watched_table import WatchedTable

if TYPE_CHECKING:
    from felt_simulators.cards import Card


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
