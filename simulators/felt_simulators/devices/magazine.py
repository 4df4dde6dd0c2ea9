"""Inside a shoe: the places where its cards lie, and how they leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.cards import Custody

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from felt_simulators.cards import Card


class Magazine:
    """Cards lie in the magazine, in the path as a stack is made, or in the mouth where people take them.

    Every method leaves each card in exactly one of these places, and checks that.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._custody = Custody()
        self._cards: list[Card] = []
        self._path: list[Card] = []
        self._mouth: list[Card] = []

    @property
    def cards(self) -> Sequence[Card]:
        """The undealt cards, the next one first."""
        return self._cards

    @property
    def path(self) -> Sequence[Card]:
        """The cards of the stack that is being made."""
        return self._path

    @property
    def mouth(self) -> Sequence[Card]:
        """The cards that came out and were not taken."""
        return self._mouth

    def places(self) -> Mapping[str, Sequence[Card]]:
        """Every place and what lies there."""
        return {"magazine": self._cards, "path": self._path, "mouth": self._mouth}

    def take_in(self, cards: Sequence[Card]) -> None:
        """Put cards in."""
        self._custody.take(cards)
        self._cards += cards
        self._check()

    def turn_up(self, how_many: int, among: int) -> None:
        """Turn some of the next cards face up."""
        upcoming = [card for card in self._cards[:among] if card.counts]
        for card in self._rng.sample(upcoming, min(how_many, len(upcoming))):
            card.face_up = True

    def next_odd(self, plain: int) -> int:
        """How many cards pass until one is face up or no playing card, or `plain` ordinary ones passed."""
        for index, card in enumerate(self._cards[:plain]):
            if card.face_up or not card.counts:
                return index + 1
        return min(plain, len(self._cards))

    def into_path(self) -> None:
        """Let the next card go into the path."""
        self._path.append(self._cards.pop(0))
        self._check()

    def into_mouth(self) -> None:
        """Let the next card come out by itself."""
        self._mouth.append(self._cards.pop(0))
        self._check()

    def finish(self) -> None:
        """Let the stack that was made come out."""
        self._mouth += self._path
        self._path = []
        self._check()

    def take_mouth(self) -> list[Card]:
        """Take what came out."""
        cards, self._mouth = self._mouth, []
        return self._give(cards)

    def take_path(self) -> list[Card]:
        """Take out what stuck."""
        cards, self._path = self._path, []
        return self._give(cards)

    def take_cards(self) -> list[Card]:
        """Take out the undealt cards."""
        cards, self._cards = self._cards, []
        return self._give(cards)

    def _give(self, cards: list[Card]) -> list[Card]:
        self._custody.give(cards)
        self._check()
        return cards

    def _check(self) -> None:
        self._custody.check(self.places())
