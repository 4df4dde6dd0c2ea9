"""A table's past, fact by fact: what was told, in which state, under which law, and what was decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from felt_daemon.folding import begin
from felt_daemon.journal import Filter
from felt_daemon.replay.laws import NoLaw
from felt_daemon.shell.rows import rows_after
from felt_daemon.table import evolve
from felt_protocols.events import Row, restored
from felt_protocols.events.system import Started

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from felt_daemon.journal import Reader
    from felt_daemon.replay.laws import Law, Laws
    from felt_daemon.table.state import State

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Met:
    """A step of the past: a fact, the state and the law that it met, and the rows that were recorded of it.

    The first row is the fact's own.
    """

    law: Law
    state: State
    rows: list[Row]


def walk(laws: Laws, table: str, first: int = 1, progress: Progress | None = None) -> Iterator[Met]:
    """Every step from that of row `first` on, as recorded; a later one never depends on what is made of it.

    A run folds all rows anew with its own setup, as the daemon did. `progress` gets the row reached and the
    last one. Raises `NoLaw`, and what a reader raises.
    """
    past = _Past(laws, table, progress or (lambda _done, _all: None))
    root = past.root_of(first)
    law = laws.of(past.started_before(root))
    state = past.state_before(root, law)
    for rows in steps(past.rows(root - 1)):
        fact = rows[0].event
        if isinstance(fact, Started):
            law = laws.of(fact)
            if law.setup != state.setup:
                state = past.state_before(rows[0].seq, law)
        yield Met(law, state, rows)
        for row in rows:
            state = evolve(state, row)


def step_of(laws: Laws, table: str, seq: int) -> list[Row]:
    """The step that a row is in, whatever was in force; raises `NoLaw` where there is no such row."""
    past = _Past(laws, table, lambda _done, _all: None)
    return next(steps(past.rows(past.root_of(seq) - 1)))


def steps(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows in order, each fact with what was decided from it and from the facts that it became."""
    step: list[Row] = []
    for row in rows:
        if step and (row.cause is None or row.cause < step[0].seq):
            yield step
            step = []
        step.append(row)
    if step:
        yield step


@dataclass(frozen=True, slots=True)
class _Past:
    laws: Laws
    table: str
    progress: Progress

    @property
    def reader(self) -> Reader:
        return self.laws.reader

    def rows(self, after: int) -> Iterator[Row]:
        head = self.reader.head(self.table)
        last = 0 if head is None else head.seq
        for row in rows_after(self.reader, self.table, after):
            self.progress(row.seq, last)
            yield row

    def root_of(self, seq: int) -> int:
        """The first row of the step that a row is in; raises `NoLaw` where there is no such row."""
        raw = self.reader.find(self.table, seq)
        if raw is None:
            raise NoLaw(f"{self.table} has no row {seq}")
        while raw is not None and raw.cause is not None and raw.cause < raw.seq:
            seq = raw.cause
            raw = self.reader.find(self.table, seq)
        return seq

    def started_before(self, seq: int) -> Started:
        """How the run began that a row is of; raises `NoLaw` where no row says it."""
        found = self.reader.last(1, Filter(stream=self.table, type_glob="started", to_seq=seq))
        if not found:
            raise NoLaw(f"no row before {seq} of {self.table} says what was in force")
        one = found[0]
        event, _context = restored(one.type, one.v, one.public.encode(), one.private.encode())
        return cast("Started", event)

    def state_before(self, seq: int, law: Law) -> State:
        """The state that the row `seq` met in a run under this law."""
        state = begin(self.reader, law.setup, law.marks, seq)
        for row in self.rows(state.seq):
            if row.seq >= seq:
                break
            state = evolve(state, row)
        return state
