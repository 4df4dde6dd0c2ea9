"""How the starting position is found: the Asia Poker shaker and its three dice, or a generator's number."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from felt_protocols.events.core import Count, Decision, Fact, Id, Kind, Word, published

# 0: the shaker cannot read this die.
Face = Annotated[int, Field(ge=0, le=6)]


class ShakerFact(Fact):
    """A fact of a shaker."""

    kind: ClassVar[Kind] = "draw"
    device: Id


@published
class ShakerShaken(ShakerFact):
    """The covered shaker was shaken once. `quality`: percent, where the shaker judges it."""

    quality: Annotated[int, Field(ge=0, le=100)] | None = None


@published
class ShakerUncovered(ShakerFact):
    """The lid was taken off."""


@published
class DiceRead(ShakerFact):
    """The dice as they lie: each die's face, whether all lie flat, whether all are inside."""

    faces: tuple[Face, ...]
    flat: bool
    inside: bool


@published
class ShakerCovered(ShakerFact):
    """The lid was put on."""


@published
class ShakerLeftUnattended(ShakerFact):
    """Nobody has been at the shaker for `seconds`."""

    seconds: Count


class GeneratorFact(Fact):
    """A fact of a random number generator."""

    kind: ClassVar[Kind] = "draw"
    device: Id


@published
class NumberDrawn(GeneratorFact):
    """The generator chose and shows a number. `draw`: the draw that it answers."""

    number: Annotated[int, Field(ge=1, le=7)]
    draw: Count


@published
class GeneratorHealthTold(GeneratorFact):
    """How the generator is, in its own word, and which test said so."""

    state: Word
    test: Word = ""


@published
class StartPositionSet(Decision):
    """Where dealing starts.

    `count`: 1 is the dealer, then counter-clockwise; `seat`: 0 is the dealer, 1 farthest to the dealer's
    left, rising clockwise.
    """

    kind: ClassVar[Kind] = "draw"
    round: Count
    total: Count
    count: Annotated[int, Field(ge=1)]
    seat: Count


@published
class StartPositionWithdrawn(Decision):
    """The starting position that was found does not count: the roll was none. `row` is the pack's row.

    `permits` are taken back with it, each by its gate and device: they were given for this position.
    """

    kind: ClassVar[Kind] = "draw"
    round: Count
    row: Word
    permits: tuple[Word, ...] = ()
