"""Facts of shufflers, and what the table makes of them: which deck it is and where its cards are."""

from __future__ import annotations

from typing import ClassVar, Literal

from felt_protocols.events.core import Count, Decision, Fact, Id, Kind, Text, Word, published

# Where the cards of a deck can be. `hand`: held or stacked at the table, in no device and not dealt.
Place = Literal["hand", "shuffler", "shoe", "table", "discard", "withdrawn"]


class ShufflerFact(Fact):
    """A fact of a shuffler about one batch, which is the shuffler's own counter."""

    kind: ClassVar[Kind] = "deck"
    device: Id
    batch: Count


@published
class DeckLoaded(ShufflerFact):
    """Cards were put into the shuffler. `count`: cards, where it can count them."""

    count: Count | None = None


@published
class ShuffleStarted(ShufflerFact):
    """The shuffler began to work on the batch."""


@published
class ShuffleCompleted(ShufflerFact):
    """The shuffler finished the batch.

    `sort` is no shuffle. `composition` says how many of each card there are, never in which order,
    and is never public.
    """

    private: ClassVar[frozenset[str]] = frozenset({"composition"})

    mode: Literal["shuffle", "sort"]
    count: Count | None = None
    # back colour, then card, then how many of it
    composition: dict[str, dict[str, int]] | None = None


@published
class ShuffleInterrupted(ShufflerFact):
    """The shuffler jammed, stopped in a shuffle, or did not complete its cycle."""

    why: Literal["jam", "stopped", "incomplete"]
    where: Word = ""


@published
class DeckUnloaded(ShufflerFact):
    """The batch was taken out of the shuffler. `count`: cards that came out, where it can count."""

    count: Count | None = None


@published
class InsideCounted(Fact):
    """A continuous shuffler's count of the cards inside it."""

    kind: ClassVar[Kind] = "deck"
    device: Id
    count: Count


@published
class BatchMapped(Decision):
    """The table takes a shuffler's batch to be this deck. `proved`: nothing else it could be."""

    kind: ClassVar[Kind] = "deck"
    device: Id
    batch: Count
    deck: Id
    proved: bool
    how: Text


@published
class ShoeMapped(Decision):
    """The table takes the cards in the shoe to be this deck. `proved`: nothing else it could be."""

    kind: ClassVar[Kind] = "deck"
    device: Id
    deck: Id
    proved: bool
    how: Text


@published
class CardsMoved(Decision):
    """`count` cards of a deck went from one place to another; every deck's places add up to its total."""

    kind: ClassVar[Kind] = "deck"
    deck: Id
    count: Count
    source: Place
    target: Place


@published
class DeckMarked(Decision):
    """A step of a deck's preparation was reported, by its word in the pack."""

    kind: ClassVar[Kind] = "deck"
    deck: Id
    mark: Word


@published
class CompositionJudged(Decision):
    """What a recognising device read of a deck, against what the game wants; never which card it is about.

    `foreign`: cards with another back than the deck's. `missing` and `extra`: cards that are too few or too
    many, whatever their backs.
    """

    kind: ClassVar[Kind] = "deck"
    deck: Id
    right: bool
    foreign: Count = 0
    missing: Count = 0
    extra: Count = 0
