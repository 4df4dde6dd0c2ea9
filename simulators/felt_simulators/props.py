"""The cards as people have them: in hands, at seats, in the discard rack, and in the box that leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.cards import ASIA_POKER, Card, Content, Deck, count, new_deck

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

DEALER = 0
# Where one card lies apart after the deal: 687a.8(f).
EXTRA = -1


class Props:
    """Every card that is in no device. Stacks in the hand are sorted by deck, whose backs all can see.

    `content` is what each deck holds, `positions` how many seats there are beside the dealer's.
    """

    def __init__(self, decks: Mapping[str, str], content: Content = ASIA_POKER, positions: int = 6) -> None:
        self.backs = dict(decks)
        self.decks: dict[str, Deck] = {}
        self.hand: dict[str, list[Card]] = {name: [] for name in decks}
        self.content = content
        self.seats: dict[int, list[Card]] = {seat: [] for seat in range(EXTRA, positions + 1)}
        # Whether a hand had not the number of the others, when hands were last taken from the layout.
        self.wrong_hand = False
        self.spread: list[Card] = []
        self.rack: list[Card] = []
        self.withdrawn: dict[str, list[Card]] = {name: [] for name in decks}
        # Cards that left the table, and for each deck how often a new one came.
        self.box: list[Card] = []
        self.brought: dict[str, int] = dict.fromkeys(decks, 0)

    def bring(self, name: str) -> None:
        """Take what is at hand of the old deck from the table, and bring a new one."""
        self.gather(name)
        self.box += self.hand[name] + self.withdrawn[name]
        self.withdrawn[name] = []
        self.brought[name] += 1
        self.decks[name] = new_deck(name, self.backs[name], f"{name}-{self.brought[name]}", self.content)
        self.hand[name] = self.decks[name].stack()

    def follow(self, command: str, args: Mapping[str, object]) -> None:
        """Do with the cards what a command says was done."""
        name = str(args.get("deck", ""))
        if command == "change-deck":
            self.bring(name)
        elif command == "withdraw-card":
            self._withdraw(name, str(args["place"]))
        elif command == "replace-card":
            self.hand[name].append(self.withdrawn[name].pop())

    def _withdraw(self, name: str, place: str) -> None:
        piles = {
            "hand": [self.hand[name]],
            "table": [*self.seats.values(), self.spread],
            "discard": [self.rack],
        }
        for pile in piles[place]:
            for card in pile:
                if card.deck == name:
                    pile.remove(card)
                    self.withdrawn[name].append(card)
                    return

    def pick_up(self, cards: Iterable[Card]) -> None:
        """Take cards into the hand, each to its deck's stack; a cover card is laid aside."""
        for card in cards:
            if card.counts:
                self.hand[card.deck].append(card)

    def decks_named(self) -> tuple[str, ...]:
        """The ids of the decks, in the order of the configuration."""
        return tuple(self.backs)

    def take_hand(self, name: str) -> list[Card]:
        """The stack of this deck, which leaves the hand."""
        stack, self.hand[name] = self.hand[name], []
        return stack

    def discard(self, cards: Iterable[Card]) -> None:
        """Put cards into the discard rack; a cover card is laid aside."""
        self.rack += [card for card in cards if card.counts]

    def deliver(self, seat: int, cards: Sequence[Card]) -> list[Card]:
        """Put a stack before a seat, face down; face-up cards go to the rack and are given back."""
        turned = [card for card in cards if card.face_up]
        self.seats[seat] += [card for card in cards if not card.face_up and card.counts]
        self.discard(turned)
        return turned

    def discard_of(self, seat: int, number: int) -> None:
        """Put some cards of a seat into the rack."""
        hand = self.seats[seat]
        self.discard(hand[:number])
        del hand[:number]

    def clear_layout(self) -> None:
        """Put all cards of the round into the rack, hand by hand."""
        self._look_at_hands()
        for seat in self.seats:
            self.discard(self.seats[seat])
            self.seats[seat] = []
        self.discard(self.spread)
        self.spread = []

    def take_rack(self, name: str) -> int:
        """Take the cards of a deck that lie in the rack into the hand, face down; how many."""
        found = [card for card in self.rack if card.deck == name]
        self.rack = [card for card in self.rack if card.deck != name]
        for card in found:
            card.face_up = False
        self.hand[name] += found
        return len(found)

    def gather(self, name: str) -> None:
        """Take all cards of a deck that lie on the table or in the rack into the hand, face down."""
        self._look_at_hands()
        for pile in (*self.seats.values(), self.spread, self.rack):
            self.hand[name] += [card for card in pile if card.deck == name]
            pile[:] = [card for card in pile if card.deck != name]
        for card in self.hand[name]:
            card.face_up = False

    def _look_at_hands(self) -> None:
        sizes = {count(hand) for hand in self.seats.values() if hand}
        if sizes:
            self.wrong_hand = len(sizes) > 1

    def mix_up(self, one: str, other: str) -> None:
        """Lay the top cards of two decks in the hand each with the other deck."""
        first, second = self.hand[one], self.hand[other]
        first[0], second[0] = second[0], first[0]

    def in_hand(self, name: str) -> int:
        """How many cards of the deck are in the hand, counted one by one."""
        return count(self.hand[name])

    def at_hand(self, name: str) -> bool:
        """Whether all that people have of the deck is in the hand or in the rack, and there is some."""
        return bool(self.hand[name]) or any(card.deck == name for card in self.rack)

    def places(self) -> dict[str, dict[str, int]]:
        """For each deck the number of its cards in each place that people see."""
        return {
            name: {
                "hand": count(self.hand[name]),
                "table": self._of(name, *self.seats.values(), self.spread),
                "discard": self._of(name, self.rack),
                "withdrawn": self._of(name, self.withdrawn[name]),
            }
            for name in self.backs
        }

    def _of(self, name: str, *piles: Sequence[Card]) -> int:
        return sum(count(card for card in pile if card.deck == name) for pile in piles)
