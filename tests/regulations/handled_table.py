"""What people do with the cards of a poker table: its shuffler, its shoe, its decks and its discard rack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_protocols import commands
from felt_simulators.cards import ASIA_POKER, Card, Content, new_deck

from .linked_table import BACKS
from .spoken_table import SpokenTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_daemon.rules.pack import Pack
    from felt_simulators.devices.shoe import Shoe
    from felt_simulators.devices.shuffler import Shuffler

# What the dealer and the floorperson report of a deck before it is shuffled: 659a.4(a), (b), (c) and the like
# in the other games.
PREPARATION = (
    ("deck-inspected", "dealer"),
    ("inspection-verified", "floor"),
    ("deck-spread", "dealer"),
    ("player-looked", "dealer"),
    ("deck-washed", "dealer"),
)


class HandledTable(SpokenTable):
    """A table with a shuffler and cards in people's hands; a hand takes the time that devices need."""

    def __init__(
        self,
        pack: Pack,
        machines: Mapping[str, Any],
        *,
        decks: Mapping[str, str] = BACKS,
        content: Content = ASIA_POKER,
        **options: Any,  # noqa: ANN401 - a linked table's own options
    ) -> None:
        self.cards: dict[str, list[Card]] = {
            name: new_deck(name, back, "table", content).stack() for name, back in decks.items()
        }
        # What people hold or have in front of them, and what lies in the discard rack.
        self.hand: list[Card] = []
        self.felt: list[Card] = []
        self.rack: list[Card] = []
        super().__init__(pack, machines, decks=decks, **options)

    @property
    def shuffler(self) -> Shuffler:
        """The shuffler."""
        found: Shuffler = self.machines["shuffler-1"]
        return found

    @property
    def shoe(self) -> Shoe:
        """The automated shoe."""
        found: Shoe = self.machines["shoe-1"]
        return found

    def bring(self, deck: str) -> None:
        """A new deck comes to the table and is prepared for its shuffle."""
        self.command(commands.ChangeDeck(deck=deck))
        for what, role in PREPARATION:
            self.report(what, role, deck=deck)

    def load(self, cards: list[Card]) -> None:
        """Put cards into the shuffler."""
        self.shuffler.load(cards, self.now)
        self.run(0.5)

    def shuffle(self, cards: list[Card]) -> None:
        """Put cards into the shuffler and wait for the end of its work."""
        self.load(cards)
        end = self.now + 40.0
        while self.shuffler.state.value in {"loaded", "shuffling"} and self.now < end:
            self.run(1.0)
        self.run(1.0)

    def look_inside(self) -> list[Card]:
        """Open the shuffler and take out what stayed in it."""
        self.shuffler.open_door(self.now)
        cards = self.shuffler.look_inside(self.now)
        self.shuffler.close_door(self.now)
        self.run(0.5)
        return cards

    def take_from_shuffler(self) -> list[Card]:
        """Take the cards out of the shuffler into the hand."""
        cards = self.shuffler.unload(self.now)
        self.run(0.5)
        return cards

    def to_shoe(self) -> None:
        """Take the cards out of the shuffler and put them into the shoe."""
        self.hand = self.shuffler.unload(self.now)
        self.run(0.5)
        self.shoe.load(self.hand, self.now)
        self.hand = []
        self.run(0.5)

    def no_more_bets(self) -> None:
        """The dealer's announcement."""
        self.command(commands.NoMoreBets(), "dealer")

    def deal(self, stacks: int = 7) -> None:
        """Press the shoe's button for each stack, and take what comes."""
        for _ in range(stacks):
            self.shoe.press_deal(self.now)
            self.run(3.0)
            self.felt += self.shoe.take_stack(self.now)

    def take_rest(self) -> None:
        """Take what is left out of the shoe."""
        self.rack += self.shoe.remove_rest(self.now)
        self.run(0.5)

    def empty_shoe(self) -> None:
        """Take every card out of a shoe that has stopped."""
        self.felt += self.shoe.clear_jam(self.now)
        self.run(0.5)
        self.take_rest()

    def end_round(self) -> None:
        """Finish the round; all its cards go to the rack."""
        self.command(commands.RoundEnd(), "dealer")
        self.rack += self.felt
        self.felt = []

    def change_over(self, *faults: str) -> None:
        """The other deck goes into the shoe, this one into the shuffler, which then has these faults."""
        self.to_shoe()
        for text in faults:
            self.fault("shuffler-1", text)
        used, self.rack = self.rack, []
        self.shuffle(used)
