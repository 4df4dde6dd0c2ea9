"""Scenario files: what happens at a table, step by step, and what the daemon must say of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from felt_simulators.record import FLOORPERSON

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from felt_simulators.faults import Fault
    from felt_simulators.record import Who

MOMENTS = (
    "betting",
    "bets-closed",
    "shaken",
    "uncovered",
    *(f"{moment}-{number}" for number in range(1, 8) for moment in ("stack", "in-stack")),
    "card-1",
    "draw-1",
    "dealt",
    "start-game",
    "locked",
    "reader",
    "read",
    "playing",
    "round-end",
    "void",
    "collected",
    "released",
)
CHECKS = (
    "rounds",
    "decks",
    "hands",
    "start-positions",
    "stacks",
    "left",
    "shuffles",
    "stoppages",
    "incidents",
    "dice",
    "shakes",
    "cards",
    "burns",
    "up-cards",
    "reader",
    "wagers",
    "places",
    "people",
    "presses",
    "table",
    "preparation",
)

ACTIONS = (
    "fault",
    "lift",
    "lapse",
    "command",
    "report",
    "press",
    "do",
    "floor",
    "seats",
    "leap",
    "wait",
    "wait_for",
    "kill",
    "stop",
    "clock",
)
MOST_ROUNDS = 10_000
# Monday, 5 January 2026: when a run begins unless it says otherwise.
BEGINS = datetime(2026, 1, 5, 18, tzinfo=UTC)


class BadScenario(Exception):  # noqa: N818 - the name says what is bad
    """A scenario file cannot be played; the text names file, line and key."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that happens. Exactly one of the fields is set, and `device` where it needs one."""

    what: str
    device: str = ""
    fault: Fault | None = None
    name: str = ""
    seconds: float = 0.0
    command: str = ""
    args: Mapping[str, Any] = field(default_factory=dict[str, Any])
    who: Who = FLOORPERSON
    second: str = ""
    trusted: bool = True
    refused: bool = False
    seats: tuple[int, ...] = ()

    @override
    def __str__(self) -> str:
        words = [self.what]
        if self.fault is not None:
            words.append(f"{self.fault.name}={self.fault.value}" if self.fault.value else self.fault.name)
        words += [word for word in (self.name, self.command.removeprefix(self.what).strip()) if word]
        words += [str(value) for value in (*self.args.values(), *self.seats)]
        if self.command:
            words.append(f"({self.who.name})")
        if self.device:
            words.append(f"on {self.device}")
        if self.seconds:
            words.append(f"{self.seconds:g} s")
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class During:
    """An action at a moment of the n-th round of a step; `says` tells the story's reader of it."""

    round: int
    at: str
    action: Action
    says: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """Rounds to play, with what happens during them; or one action between rounds."""

    rounds: int = 0
    during: tuple[During, ...] = ()
    action: Action | None = None
    says: str = ""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the journal must hold, or must not: a ruling by citation or row, or an event."""

    by: str
    name: str
    after: int | None = None
    subject: str = ""
    times: int | None = None
    absent: bool = False
    having: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @override
    def __str__(self) -> str:
        after = f" in step {self.after}" if self.after is not None else ""
        subject = f" on {self.subject}" if self.subject else ""
        subject += "".join(f", {key} {value}" for key, value in self.having.items())
        times = f", {self.times} times" if self.times is not None else ""
        return f"{'no ' if self.absent else ''}{self.by} {self.name}{subject}{after}{times}"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole file.

    `config` is the table's configuration, in which `changes` stand for what they name; `differs` names
    checks that may disagree. `builds` says how simulated devices are built, `seats` who plays, `cover_after`
    how many cards lie above the cover card, `first_cards` which come first. Decks that are `preshuffled`
    come so to the table. Unless it `opens`, its steps open the table. `begins` is the moment on the clock on
    the wall.
    """

    path: Path
    name: str
    about: str
    config: Path
    seed: int
    steps: tuple[Step, ...]
    expectations: tuple[Expectation, ...]
    differs: frozenset[str]
    changes: Mapping[str, Any] = field(default_factory=dict[str, Any])
    builds: Mapping[str, Any] = field(default_factory=dict[str, Any])
    seats: tuple[int, ...] = ()
    cover_after: int | None = None
    first_cards: tuple[str, ...] = ()
    preshuffled: frozenset[str] = frozenset()
    opens: bool = True
    begins: datetime = BEGINS
