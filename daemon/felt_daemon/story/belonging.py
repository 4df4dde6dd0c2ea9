"""Which rows belong to an incident, and why: one pass over the rows of its table, in order.

A *step* is a fact and every row that was decided from it. The rules, for each step from the one that opened
the incident to the one that closed it:

1. A row belongs that names the incident.
2. A person's fact belongs that names one of its holds, or that releases the round that it voided.
3. A refused command belongs if it is one of `ABOUT_HOLDS`, or if the reason names a hold, the rule or a thing
   of the incident.
4. A fact of `PROGRESS` or of `PEOPLE` belongs if it is about a thing that is bound before the step or after
   it: the subject of a hold that has not ended, or the incident's own subject if no hold ever bound that.
   Which deck was put into a device is said by a decision of the same step. What people told about no thing in
   particular belongs too, and all that they told while the table itself is bound.
5. An order belongs if it went to a bound device, or to a device into which its step put a bound deck; so does
   its answer.
6. The end of a round belongs, as do starts and stops of the daemon, and what else is in `ANYWAY`.
7. Whatever belongs, but for the end of a round, brings along the rows that caused it.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from felt_daemon.story.record import PublicRow

ABOUT_HOLDS = frozenset({"acknowledge", "override", "release-round"})
PROGRESS = frozenset(
    {
        "device-back",
        "device-cleared",
        "device-connected",
        "device-faulted",
        "device-lost",
        "device-refused",
        "device-restarted",
        "device-stale",
        "door-moved",
        "events-lost",
        "inhibit-found",
        "interlock-unconfirmed",
        "lease-lapsed",
        "order-leaked",
        "service-ended",
        "shoe-emptied",
        "shoe-jammed",
        "shoe-loaded",
        "shoe-stopped",
        "shoe-unloaded",
        "cards-returned",
        "deck-loaded",
        "deck-unloaded",
        "generator-health-told",
        "hole-card-unreadable",
        "inside-counted",
        "reader-tampered",
        "shuffle-completed",
        "shuffle-interrupted",
        "shuffle-started",
        "undecided",
    }
)
PEOPLE = frozenset(
    {
        "card-replaced",
        "card-withdrawn",
        "deck-changed",
        "deck-counted",
        "device-accepted",
        "device-retired",
        "dice-changed",
        "floor-ordered",
        "inspected",
        "reported",
        "service-begun",
        "service-ending",
        "sign-moved",
    }
)
ANYWAY = frozenset(
    {
        "clock-trusted",
        "dealer-came",
        "floor-called",
        "gaming-day-began",
        "method-chosen",
        "started",
        "stopped",
        "table-closed",
        "table-opened",
    }
)
_MAPS = frozenset({"batch-mapped", "shoe-mapped", "deck-marked"})

_ABOUT_THINGS = PROGRESS | PEOPLE | _MAPS

# Rows before the opening that may turn out to have caused it: a button's press, and the fact itself.
_RECENT = 1_000


class Why(StrEnum):
    """Why a row belongs."""

    NAMES = "names it"
    CAUSED = "caused what belongs"
    HOLD = "names one of its holds"
    REFUSED = "a refused command about it"
    PROGRESS = "about a thing that is held"
    ORDER = "an order to a thing that is held"
    ROUND = "a round while it was open"
    MEANWHILE = "happened while it was open"


@dataclass(frozen=True, slots=True)
class Kept:
    """A row that belongs, and why."""

    row: PublicRow
    why: Why


@dataclass(slots=True)
class Sieve:
    """Keeps the rows of one incident, out of the rows of its table in order.

    Memory is bounded by what belongs. `over` is true once no later row can belong.
    """

    number: int
    kept: list[Kept] = field(default_factory=list["Kept"])
    over: bool = False
    _opened: PublicRow | None = None
    _voided: bool = False
    # What each of its holds binds, and which of them have not ended.
    _holds: dict[int, str] = field(default_factory=dict[int, str])
    _open: set[int] = field(default_factory=set[int])
    _orders: set[int] = field(default_factory=set[int])
    _seen: set[int] = field(default_factory=set[int])
    _recent: OrderedDict[int, PublicRow] = field(default_factory=OrderedDict[int, "PublicRow"])

    def step(self, rows: Sequence[PublicRow]) -> None:
        """Take one step, all its rows. Not to be called once it is over."""
        found = {row.seq: Why.NAMES for row in rows if self._named(row)}
        if self._opened is not None or any(_opens(row, self.number) for row in rows):
            bound = self._bound()
            for row in rows:
                self._learn(row)
            here = self._bound() | bound
            for row in rows:
                why = self._why(row, rows, here)
                if row.seq not in found and why is not None:
                    found[row.seq] = why
            self._keep(rows, found)
            self.over = any(row.type == "incident-closed" and self._named(row) for row in rows)
        for row in rows:
            self._remember(row)

    def _named(self, row: PublicRow) -> bool:
        return self.number in (row.get("incident"), row.context.get("incident"))

    def _bound(self) -> frozenset[str]:
        """The ids of the things that are held now."""
        if self._opened is None:
            return frozenset()
        subject = str(self._opened.get("subject_id", ""))
        held = frozenset(self._holds[hold] for hold in self._open)
        return held if subject in self._holds.values() else held | {subject}

    def _learn(self, row: PublicRow) -> None:
        if _opens(row, self.number):
            self._opened = row
        elif row.type == "hold-opened" and self._named(row):
            self._holds[row.get("hold")] = str(row.get("subject_id", ""))
            self._open.add(row.get("hold"))
        elif row.type == "hold-ended" and self._named(row):
            self._open.discard(row.get("hold"))
        elif row.type == "round-voided" and self._opened is not None:
            self._voided |= row.cause == self._opened.cause and row.get("row") == self._opened.get("row")

    def _why(self, row: PublicRow, rows: Sequence[PublicRow], bound: frozenset[str]) -> Why | None:
        belongs = {
            Why.HOLD: self._names_a_hold(row) or self._about_its_round(row),
            Why.REFUSED: row.type == "command-rejected" and self._refused(row),
            Why.ROUND: row.type == "round-closed",
            Why.MEANWHILE: row.type in ANYWAY,
            Why.PROGRESS: row.type in _ABOUT_THINGS and _about(row, rows, bound),
            Why.ORDER: self._ordered(row, rows, bound),
        }
        return next((why for why, so in belongs.items() if so), None)

    def _ordered(self, row: PublicRow, rows: Sequence[PublicRow], bound: frozenset[str]) -> bool:
        if row.type == "order-issued" and bound & _things(rows, row):
            self._orders.add(row.seq)
            return True
        return row.type == "order-answered" and row.get("order") in self._orders

    def _names_a_hold(self, row: PublicRow) -> bool:
        several: object = row.get("holds")
        holds: list[object] = [
            row.get("hold"),
            *cast("list[object]", several if isinstance(several, list) else []),
        ]
        return row.get("by") is not None and any(hold in self._holds for hold in holds)

    def _about_its_round(self, row: PublicRow) -> bool:
        if self._opened is None or row.type not in {"round-voided", "round-released"}:
            return False
        if row.type == "round-voided":
            return row.cause == self._opened.cause and row.get("row") == self._opened.get("row")
        return self._voided and row.get("round") == self._opened.context.get("round")

    def _refused(self, row: PublicRow) -> bool:
        if row.get("command") in ABOUT_HOLDS:
            return True
        reason = str(row.get("reason", ""))
        rule = str(self._opened.get("row", "")) if self._opened is not None else ""
        words = {rule, *self._bound(), *(f"hold {number}" for number in self._holds)} - {""}
        return any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", reason) for word in words)

    def _keep(self, rows: Sequence[PublicRow], found: dict[int, Why]) -> None:
        known = {row.seq: row for row in rows}
        for seq in sorted(found):
            cause = None if found[seq] is Why.ROUND else known[seq].cause
            while cause is not None and cause not in found:
                row = known.get(cause) or self._recent.get(cause)
                if row is None:
                    break
                known[cause] = row
                found[cause] = Why.CAUSED
                cause = row.cause
        for row in rows:
            if found.get(row.seq) is Why.NAMES and found.get(row.cause or 0) is Why.PROGRESS:
                found[row.cause or 0] = Why.CAUSED
        self.kept += [Kept(known[seq], found[seq]) for seq in sorted(found) if seq not in self._seen]
        self._seen.update(found)

    def _remember(self, row: PublicRow) -> None:
        self._recent[row.seq] = row
        if len(self._recent) > _RECENT:
            self._recent.popitem(last=False)


def steps(rows: Iterable[PublicRow]) -> Iterator[list[PublicRow]]:
    """Rows in order, a fact and what was decided from it together.

    A button's press, the fact that it became and what was decided from that are one step.
    """
    step: list[PublicRow] = []
    for row in rows:
        if step and (row.cause is None or row.cause < step[0].seq):
            yield step
            step = []
        step.append(row)
    if step:
        yield step


def belonging(rows: Iterable[PublicRow], number: int) -> list[Kept]:
    """The rows that belong to an incident of their table, in order."""
    sieve = Sieve(number)
    for step in steps(rows):
        sieve.step(step)
        if sieve.over:
            break
    return sorted(sieve.kept, key=lambda one: one.row.seq)


def _opens(row: PublicRow, number: int) -> bool:
    return row.type == "incident-opened" and row.get("incident") == number


def _about(row: PublicRow, rows: Sequence[PublicRow], bound: frozenset[str]) -> bool:
    things = _things(rows, row)
    if row.type in PEOPLE and (not things or row.stream in bound):
        return True
    return bool(bound & things)


def _decks(rows: Sequence[PublicRow], row: PublicRow) -> set[str]:
    """The decks that a row is about: its own, or the one that its step says was put in."""
    own = {str(name) for name in (row.get("deck"), row.context.get("deck")) if name}
    if own:
        return own
    device = row.get("device")
    return {str(one.get("deck")) for one in rows if one.type in _MAPS and one.get("device") == device}


def _things(rows: Sequence[PublicRow], row: PublicRow) -> set[str]:
    """The device and the decks that a row is about."""
    device = row.get("device")
    return _decks(rows, row) | ({str(device)} if device else set[str]())
