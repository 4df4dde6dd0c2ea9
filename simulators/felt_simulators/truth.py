"""Parts of the record of what really happened, which tests hold against what a host was told.

A truth is plain JSON. It says how many cards and which lie in a place, never in which order.
Times are the device's seconds.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from felt_simulators.cards import backs, composition, count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from felt_simulators.cards import Card


Truth: TypeAlias = dict[str, Any]
"""Plain JSON: what `json.dumps` takes and `json.loads` gives back."""


def pile(cards: Sequence[Card]) -> Truth:
    """What lies in one place: the number of cards, their backs, how many of each, how many face up."""
    return {
        "count": count(cards),
        "backs": backs(cards),
        "composition": composition(cards),
        "face_up": sum(card.face_up for card in cards),
    }


def piles(places: Mapping[str, Sequence[Card]]) -> Truth:
    """What lies in each place."""
    return {place: pile(cards) for place, cards in places.items()}


@dataclass(slots=True)
class Stoppage:
    """One time that a machine jammed or stopped at work.

    `card` is the number, from the load on, of the card that did not pass; `told` counts how often the
    machine said so.
    """

    why: str
    card: int
    where: str
    at: float
    told: int = 0
    cleared_at: float | None = None


@dataclass(slots=True)
class Batch:
    """What became of one stack of cards in a shuffler, and what the shuffler said of it.

    `shuffled` is true only when every card came out of a shuffle; `outcome` is waiting, shuffled, sorted,
    unchanged (the drum did nothing), jam, stop, incomplete, power (it failed), or skipped (unshuffled).
    """

    number: int
    boot: int
    loaded_at: float
    cards: Truth
    outcome: str = "waiting"
    shuffled: bool = False
    started_at: float | None = None
    ended_at: float | None = None
    unloaded_at: float | None = None
    unloaded: Truth | None = None
    told: dict[str, int | None] = field(default_factory=dict[str, "int | None"])


@dataclass(slots=True)
class Stack:
    """One stack that a shoe dispensed for a permit's round: its true size and what the shoe said.

    `single` cards of it had come out before, out of turn; `face_up` ones lay face up among it and are
    not in its size. `told` is None when the stack was never finished.
    """

    round: int | None
    at: float
    size: int = 0
    single: int = 0
    face_up: int = 0
    told: int | None = None


@dataclass(slots=True)
class Draw:
    """One card that was drawn by hand, which nobody names here: how it lay, and how often it was told.

    `round`: that of the permit, None without one; `shown`: the machine knew that it goes face up.
    """

    round: int | None
    at: float
    cover: bool
    face_up: bool
    shown: bool
    told: int


@dataclass(slots=True)
class Roll:
    """How the dice lay when the lid came off, and how often the shaker had been shaken."""

    at: float
    shakes: int
    faces: list[int]
    flat: bool
    inside: bool


def plain(items: Sequence[Stoppage | Batch | Stack | Draw | Roll]) -> list[Truth]:
    """Records as JSON."""
    return [asdict(item) for item in items]
