"""The daemon's own life: starts, clocks and timers."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from felt_protocols.events.core import Count, Decision, Fact, Kind, Text, Word, published


class SystemFact(Fact):
    """A fact of the daemon itself."""

    kind: ClassVar[Kind] = "system"


@published
class Started(SystemFact):
    """This run began, with these digests (SHA-256, hex) of its pack, its configuration and its own files.

    `gaming_day` is the casino's day at the start, by the clock then.
    """

    version: Word
    epoch: Word
    pack: Word
    pack_digest: Word
    config_digest: Word
    elections: dict[str, int | str | bool]
    reference: Text
    reference_date: Word
    gaming_day: Word = ""
    software_digest: Word = ""


@published
class Stopped(SystemFact):
    """This run ended in an orderly way."""

    why: Text


@published
class GamingDayBegan(SystemFact):
    """The casino's next gaming day began; `day` is its date."""

    day: Word


@published
class ClockTrusted(SystemFact):
    """The wall clock is synchronized now; timers whose age was unknown can be settled."""


@published
class TimerDue(SystemFact):
    """A timer fell due. `overdue_s`: seconds since then, 0 when it fired in time."""

    timer: Word
    overdue_s: Count


@published
class TimerUnknown(SystemFact):
    """After a boot without trusted time nobody can say how old this timer is."""

    timer: Word


@published
class TimerSet(Decision):
    """A timer runs from this row's time; it falls due `after_s` seconds later."""

    kind: ClassVar[Kind] = "system"
    timer: Word
    after_s: Annotated[int, Field(ge=1)]


@published
class TimerCancelled(Decision):
    """A timer does not run any more."""

    kind: ClassVar[Kind] = "system"
    timer: Word


@published
class DeadLettered(SystemFact):
    """The event of row `sequence` broke the connection to the broker again and again: it is left out."""

    sequence: Count


@published
class Undecided(Fact):
    """The rules failed on a fact: nothing was decided from it, and people must look.

    The fact itself, `what_failed` with its `body`, stands here instead of in a row of its own, so that no
    later reading of the journal fails on it again.
    """

    kind: ClassVar[Kind] = "system"
    private: ClassVar[frozenset[str]] = frozenset({"body"})

    what_failed: Word
    device: Word = ""
    body: dict[str, Any]
    where: Text
