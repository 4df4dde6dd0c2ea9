"""How a game is dealt, as data: who gets which card when, burns, notes of the round, what a deck is."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from felt_daemon.rules.part import Citation, Name, Part, Variable, When

# `positions`: every position and the dealer in turn, wager or not; `seats`: each position that plays;
# `extra`: a card or a stack that is nobody's hand.
Target = Literal["positions", "seats", "dealer", "player", "banker", "extra"]


class Step(Part):
    """A turn of the deal: to whom, how many cards in one go, and how they lie.

    `cards`: a number, or `"{name}"` of a constant; where an election makes it 0 there is no such turn.
    """

    to: Target
    cards: Annotated[int, Field(ge=0, le=16)] = 1
    face: Literal["up", "down"] = "down"


class Pattern(Part):
    """Who gets which card when, for these ways to deal: the steps in turn, and all of them `times` over.

    `unit`: whether the device tells of single cards or of whole stacks. `start`, clockwise all: from the
    position farthest to the dealer's left, from the starting position of the round, or from one of which
    nobody tells the table (`untold`), such as a button that people move: whose a card is stays open then.
    """

    deal: Annotated[tuple[Name, ...], Field(min_length=1)]
    unit: Literal["card", "stack"]
    times: Annotated[int, Field(ge=1, le=16)] = 1
    start: Literal["left", "start-position", "untold"] = "left"
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]
    cite: tuple[Citation, ...] = ()


class Burns(Part):
    """When the next card goes to the discard rack unseen."""

    new_shoe: bool = False
    new_dealer: bool = False
    cite: tuple[Citation, ...] = ()


class Setting(Part):
    """When one of these events happens under these conditions, the round is noted for this.

    With `none` as its value it is noted for nothing of this name any more.
    """

    note: Variable
    value: Name
    on: Annotated[tuple[Name, ...], Field(min_length=1)]
    when: tuple[When, ...] = ()
    cite: tuple[Citation, ...] = ()


class Composition(Part):
    """What a deck at the table is made of: packs of 52, without these ranks, with so many jokers each.

    `packs`: a number, or the name of the constant that has it.
    """

    packs: Annotated[int, Field(ge=1, le=16)] | Variable = 1
    without: tuple[Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"], ...] = ()
    jokers: Annotated[int, Field(ge=0, le=2)] = 0
    cite: tuple[Citation, ...] = ()
