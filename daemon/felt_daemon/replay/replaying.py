"""Every fact of a journal decided again, in the state that it met then, and compared with what was recorded.

After each fact the state goes on with the rows as they were recorded, so that a difference stands alone: what
comes later is compared as if it had not been.
"""

from __future__ import annotations

import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from felt_daemon.folding import lies
from felt_daemon.replay.past import walk
from felt_daemon.table import decide
from felt_protocols.events import EVENTS, Fact, canonical, ruling, system

if TYPE_CHECKING:
    from collections.abc import Sequence

    from felt_daemon.replay.laws import Laws
    from felt_daemon.replay.past import Met, Progress
    from felt_daemon.rules import Pack
    from felt_protocols.events import Row

# So many differences are kept whole; all of them are counted.
MOST_KEPT = 100


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact from which something else follows than was recorded. Its own row is the first of both.

    `failed` says where the rules fail on it, if they do; then nothing is decided.
    """

    recorded: Sequence[Row]
    decided: Sequence[Row]
    pack: Pack
    failed: str = ""

    @property
    def index(self) -> int:
        """Where the two part: rows before this index are the same."""
        pairs = zip(self.recorded, self.decided, strict=False)
        same = (number for number, (one, other) in enumerate(pairs) if one != other)
        return next(same, min(len(self.recorded), len(self.decided)))


@dataclass(frozen=True, slots=True)
class Undecided:
    """A fact on which the rules failed then; `failed` says where they do so today, empty if they do not."""

    row: Row
    failed: str


@dataclass(frozen=True, slots=True)
class Begun:
    """A start of the daemon: row, release and digests."""

    seq: int
    started: system.Started


@dataclass(slots=True)
class Report:
    """What came of it. `recorded` and `decided` count rulings by their rule, where a step differs."""

    table: str
    first: int = 0
    last: int = 0
    facts: int = 0
    decisions: int = 0
    differing: int = 0
    differences: list[Difference] = field(default_factory=list["Difference"])
    undecided: list[Undecided] = field(default_factory=list["Undecided"])
    # Rows after which a snapshot is not the state that the rows before it make.
    lies: list[int] = field(default_factory=list["int"])
    runs: list[Begun] = field(default_factory=list["Begun"])
    recorded: Counter[str] = field(default_factory=Counter[str])
    decided: Counter[str] = field(default_factory=Counter[str])

    @property
    def same(self) -> bool:
        """Whether every decision comes out as it was recorded, and every snapshot as it was kept."""
        return not (self.differing or self.lies)


def replay(laws: Laws, table: str, since: int = 1, progress: Progress | None = None) -> Report:
    """Decide every fact from that of the row `since` on; raises `NoLaw`, and what a reader raises."""
    report = Report(table)
    kept = {one.seq: one for one in laws.reader.snapshots(table)}
    for met in walk(laws, table, since, progress):
        rows = met.rows
        report.first = report.first or rows[0].seq
        report.last = rows[-1].seq
        report.facts += sum(isinstance(row.event, Fact) for row in rows)
        report.decisions += sum(not isinstance(row.event, Fact) for row in rows)
        fact = rows[0].event
        one = kept.get(met.state.seq)
        if one is not None and lies(one, met.state, met.law.marks):
            report.lies.append(one.seq)
        if isinstance(fact, system.Started):
            report.runs.append(Begun(rows[0].seq, fact))
        if isinstance(fact, system.Undecided):
            report.undecided.append(Undecided(rows[0], _tried(met, _failed_on(fact))[1]))
            continue
        decided, failed = _tried(met, fact)
        if decided != rows:
            _note(report, Difference(rows, decided, met.law.pack, failed))
    return report


def _failed_on(fact: system.Undecided) -> Fact | None:
    """The fact that stands in an undecided row; none if this release does not know it."""
    kind = EVENTS.get(fact.what_failed)
    if kind is None or not issubclass(kind, Fact):
        return None
    try:
        return kind.model_validate_json(canonical(fact.body))
    except ValidationError:
        return None


def _tried(met: Met, fact: object) -> tuple[list[Row], str]:
    """What follows from the fact today, or where the rules fail on it."""
    if not isinstance(fact, Fact):
        return [], "this release does not know it"
    first = met.rows[0]
    try:
        return decide(met.law.pack, met.state, fact, first.at, simulated=first.simulated), ""
    except Exception as bug:  # noqa: BLE001 - rules that fail are what is looked for here
        place = traceback.extract_tb(bug.__traceback__)[-1]
        return [first], f"{type(bug).__name__} at {Path(place.filename).name}:{place.lineno}"


def _note(report: Report, difference: Difference) -> None:
    report.differing += 1
    if len(report.differences) < MOST_KEPT:
        report.differences.append(difference)
    report.recorded.update(_rulings(difference.recorded))
    report.decided.update(_rulings(difference.decided))


def _rulings(rows: Sequence[Row]) -> list[str]:
    return [row.event.row for row in rows if isinstance(row.event, ruling.RulingMade)]
