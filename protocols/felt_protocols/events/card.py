"""Facts of dealing shoes. A face-up card has a rank and a suit; a face-down card has none here."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import model_validator

from felt_protocols.events.core import Count, Fact, Id, Kind, Word, published

Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "joker"]
Suit = Literal["clubs", "diamonds", "hearts", "spades"]


class ShoeFact(Fact):
    """A fact of a dealing shoe."""

    kind: ClassVar[Kind] = "card"
    device: Id


@published
class ShoeLoaded(ShoeFact):
    """Cards were put into the shoe. `count`: cards, where it can count them."""

    count: Count | None = None


@published
class CardDrawn(ShoeFact):
    """One card left the shoe by itself, or was seen face up in a stack.

    `face_up`: it lay face up in the shoe. `shown`: it goes face up to the layout, as a shoe knows that is set
    to the game. Only a card that everybody sees has a rank and a suit.
    """

    face_up: bool
    shown: bool = False
    rank: Rank | None = None
    suit: Suit | None = None
    back: Word | None = None

    @model_validator(mode="after")
    def _face_down_cards_have_no_name(self) -> Self:
        seen = self.face_up or self.shown
        if not seen and (self.rank is not None or self.suit is not None):
            raise ValueError("a face-down card's rank and suit stay in the driver")
        return self


@published
class StackDispensed(ShoeFact):
    """An automated shoe dispensed a stack of `size` cards."""

    size: Count


@published
class CoverCardDrawn(ShoeFact):
    """The cover card came out of the shoe."""


@published
class ShoeJammed(ShoeFact):
    """The shoe jammed."""

    where: Word = ""


@published
class ShoeStopped(ShoeFact):
    """The shoe stopped dealing cards."""


@published
class ShoeEmptied(ShoeFact):
    """The shoe has no card left."""


@published
class ShoeUnloaded(ShoeFact):
    """The cards that were left were taken out of the shoe. `count`: cards, where it can count them."""

    count: Count | None = None


@published
class CardsReturned(ShoeFact):
    """Cards that were played are in the continuous shuffler again. `count`: where it can count them."""

    count: Count | None = None
