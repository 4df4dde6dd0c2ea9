"""A row: an event with its place in a stream, its time and its cause."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_protocols.events.core import Event


@dataclass(frozen=True, slots=True)
class Moment:
    """When something happened.

    `boot` is the kernel's boot id and `mono_ns` its CLOCK_BOOTTIME in nanoseconds; `start` is this run
    of the process; `utc_us` is microseconds since 1970, true only while `trusted`. `late`: told long
    after it happened.
    """

    boot: str
    start: str
    mono_ns: int
    utc_us: int
    trusted: bool
    late: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a stream. `seq` has no gaps; `cause` is the seq of the fact that led to a decision."""

    stream: str
    seq: int
    event: Event
    at: Moment
    cause: int | None = None
    simulated: bool = False
    # round, deck, seat, hand, incident: as they apply
    context: Mapping[str, int | str] = field(default_factory=dict[str, "int | str"])
