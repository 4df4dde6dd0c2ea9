"""Facts of hole-card readers. Which card it was, no reader says and nobody here knows."""

from __future__ import annotations

from typing import ClassVar

from felt_protocols.events.core import Fact, Id, Kind, Word, published


class ReaderFact(Fact):
    """A fact of a hole-card reader."""

    kind: ClassVar[Kind] = "card"
    device: Id


@published
class HoleCardInserted(ReaderFact):
    """The dealer's hole card was put into the reader."""


@published
class HoleCardRead(ReaderFact):
    """The reader's answer: whether the hole card gives the dealer a Blackjack, and nothing else."""

    blackjack: bool


@published
class HoleCardUnreadable(ReaderFact):
    """The reader could not tell; `why` is its own word."""

    why: Word


@published
class HoleCardRemoved(ReaderFact):
    """The hole card was taken out of the reader."""


@published
class ReaderTampered(ReaderFact):
    """The reader's case was opened, or is closed again."""

    open: bool
