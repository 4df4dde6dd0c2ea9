"""Real cards: every card is one object that lies in exactly one place, and a deck belongs to someone.

Lists of cards run from the top down: the first is the next to be dealt.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# As Felt Link writes them: T is the ten, and clubs, diamonds, hearts and spades.
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
JOKER = "JK"
# A coloured piece of plastic that is put among the cards and is none of the deck.
COVER = "cover"


class CardsAstray(AssertionError):  # noqa: N818 - the name says what became of the cards
    """A simulator made a card out of nothing, lost one, or has one twice: a bug of the simulator."""


@dataclass(slots=True, eq=False)
class Card:
    """One piece of card. Two aces of spades are two cards: equality is identity.

    `suit` is empty for the joker and for a cover card; `deck` names the deck that it belongs to.
    """

    rank: str
    suit: str
    back: str
    deck: str
    face_up: bool = False

    @property
    def code(self) -> str:
        """What the card is, without saying which object it is: `TH` or `JK`."""
        return self.rank + self.suit

    @property
    def counts(self) -> bool:
        """Whether the card is one of the deck's; a cover card is not."""
        return self.rank != COVER


@dataclass(frozen=True, slots=True)
class Content:
    """What lies under one name: so many decks of 52 `without` some ranks, and so many jokers in all."""

    decks: int = 1
    jokers: int = 0
    without: frozenset[str] = frozenset()

    @property
    def size(self) -> int:
        """How many cards that is."""
        return self.decks * len(SUITS) * (len(RANKS) - len(self.without)) + self.jokers


# One joker goes with the 52 cards. Source: 58 Pa. Code § 659a.3(a).
ASIA_POKER = Content(jokers=1)


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards that belong together, wherever each of them lies: one deck, or several shuffled as one."""

    name: str
    back: str
    owner: str
    cards: tuple[Card, ...]

    def stack(self) -> list[Card]:
        """All cards in one stack, in the order in which they came out of the box."""
        return list(self.cards)


def new_deck(name: str, back: str, owner: str, content: Content = ASIA_POKER) -> Deck:
    """What is dealt from under one name, as it comes out of its boxes: deck by deck, in sequence by suit."""
    cards = [
        Card(rank, suit, back, name)
        for _ in range(content.decks)
        for suit in SUITS
        for rank in RANKS
        if rank not in content.without
    ]
    jokers = [Card(JOKER, "", back, name) for _ in range(content.jokers)]
    return Deck(name, back, owner, (*cards, *jokers))


def cover_card() -> Card:
    """A cover card: no card of any deck."""
    return Card(COVER, "", "yellow", "")


def count(cards: Iterable[Card]) -> int:
    """How many cards there are; cover cards are none."""
    return sum(card.counts for card in cards)


def composition(cards: Iterable[Card]) -> dict[str, dict[str, int]]:
    """How many there are of each card of each back, sorted so that it says nothing of their order."""
    counted = Counter((card.back, card.code) for card in cards)
    sorted_by_back: dict[str, dict[str, int]] = {}
    for (back, code), number in sorted(counted.items()):
        sorted_by_back.setdefault(back, {})[code] = number
    return sorted_by_back


def backs(cards: Iterable[Card]) -> dict[str, int]:
    """How many cards there are of each back."""
    return dict(sorted(Counter(card.back for card in cards).items()))


def in_sequence(cards: Iterable[Card]) -> list[Card]:
    """The cards by back, suit and rank, jokers last: what a machine in sort mode makes of them."""

    def place(card: Card) -> tuple[str, int, int]:
        suit = SUITS.index(card.suit) if card.suit in SUITS else len(SUITS)
        rank = RANKS.index(card.rank) if card.rank in RANKS else len(RANKS)
        return (card.back, suit, rank)

    return sorted(cards, key=place)


class Custody:
    """The cards that a device was handed and has not given back.

    `check` is called after every action with all the places that a card can be in.
    """

    def __init__(self) -> None:
        self._held: set[Card] = set()

    def take(self, cards: Iterable[Card]) -> None:
        """Enter cards that came in. Raises `CardsAstray` when one of them is here already."""
        for card in cards:
            if card in self._held:
                raise CardsAstray(f"{card.code} comes in and is here already")
            self._held.add(card)

    def give(self, cards: Iterable[Card]) -> None:
        """Strike out cards that went out. Raises `CardsAstray` when one of them was never here."""
        for card in cards:
            if card not in self._held:
                raise CardsAstray(f"{card.code} goes out and was never here")
            self._held.remove(card)

    def check(self, places: Mapping[str, Sequence[Card]]) -> None:
        """Promise that each card held lies in exactly one place. Raises `CardsAstray` otherwise."""
        found: dict[Card, str] = {}
        for place, card in _walk(places):
            if card in found:
                raise CardsAstray(f"{card.code} is in {found[card]} and in {place}")
            if card not in self._held:
                raise CardsAstray(f"{card.code} is in {place} and nobody brought it")
            found[card] = place
        if lost := self._held - found.keys():
            raise CardsAstray(f"{lost.pop().code} is nowhere")


def _walk(places: Mapping[str, Sequence[Card]]) -> Iterator[tuple[str, Card]]:
    for place, cards in places.items():
        for card in cards:
            yield place, card
