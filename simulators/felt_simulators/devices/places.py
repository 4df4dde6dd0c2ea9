"""The places in a device where cards lie, and how cards go from one to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.cards import Custody

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from felt_simulators.cards import Card


class Places:
    """Lists of cards by the names of their places, each with the next card first.

    Every method leaves each card in exactly one place, and checks that.
    """

    def __init__(self, *names: str) -> None:
        self._custody = Custody()
        self._at: dict[str, list[Card]] = {name: [] for name in names}

    def __getitem__(self, place: str) -> Sequence[Card]:
        """The cards that lie in a place."""
        return self._at[place]

    def all(self) -> Mapping[str, Sequence[Card]]:
        """Every place and what lies there."""
        return self._at

    def take_in(self, cards: Sequence[Card], place: str) -> None:
        """Put cards into a place, behind those that lie there."""
        self._custody.take(cards)
        self._at[place] += cards
        self._check()

    def move(self, source: str, target: str, how_many: int) -> None:
        """Let the next cards of one place go behind those of another, as many as there are."""
        self._at[target] += self._at[source][:how_many]
        del self._at[source][:how_many]
        self._check()

    def move_last(self, source: str, target: str, how_many: int) -> None:
        """Let the last cards of one place go behind those of another, as many as there are."""
        kept = max(0, len(self._at[source]) - how_many)
        self._at[target] += self._at[source][kept:]
        del self._at[source][kept:]
        self._check()

    def swap(self, one: str, other: str) -> None:
        """Let two places change their cards."""
        self._at[one], self._at[other] = self._at[other], self._at[one]

    def take_next(self, place: str) -> Card:
        """Take the next card of a place, in which there is one, out of the device."""
        card = self._at[place].pop(0)
        self._give([card])
        return card

    def take_out(self, *places: str) -> list[Card]:
        """Take every card of these places, one after the other, out of the device."""
        cards: list[Card] = []
        for place in places:
            cards += self._at[place]
            self._at[place] = []
        return self._give(cards)

    def _give(self, cards: list[Card]) -> list[Card]:
        self._custody.give(cards)
        self._check()
        return cards

    def _check(self) -> None:
        self._custody.check(self._at)
