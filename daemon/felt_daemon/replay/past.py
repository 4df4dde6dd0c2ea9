"""A table's past, fact by fact: what was told, in which state, under which law, and what was decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

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

# So far back at least are rows looked at to say after which of them something was so: some hours of a table.
LOOKED_BACK_ROWS = 10_000
# So many are folded for it, rather than fewer from a snapshot that is nearer: some seconds.
MOST_FOLDED_ROWS = 60_000


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
    past = Past(laws, table, progress)
    root = past.root_of(first)
    law = past.law_before(root)
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


class Watcher(Protocol):
    """Looks at a state and at every row after it, each with the state that it makes."""

    def begin(self, state: State) -> None:
        """The state before the first row that is seen."""
        ...

    def see(self, row: Row, state: State) -> None:
        """A row, and the state after it."""
        ...


@dataclass(frozen=True, slots=True)
class Past:
    """What a journal has of one table. `progress` gets the row reached and the last one."""

    laws: Laws
    table: str
    progress: Progress | None = None

    @property
    def reader(self) -> Reader:
        """The journal."""
        return self.laws.reader

    def rows(self, after: int) -> Iterator[Row]:
        """Every row of the table after a seq, in order."""
        head = self.reader.head(self.table)
        last = 0 if head is None else head.seq
        for row in rows_after(self.reader, self.table, after):
            if self.progress is not None:
                self.progress(row.seq, last)
            yield row

    def step_of(self, seq: int) -> list[Row]:
        """The step that a row is in, whatever was in force; raises `NoLaw` where there is no such row."""
        return next(steps(self.rows(self.root_of(seq) - 1)))

    def root_of(self, seq: int) -> int:
        """The first row of the step that a row is in; raises `NoLaw` where there is no such row."""
        raw = self.reader.find(self.table, seq)
        if raw is None:
            raise NoLaw(f"{self.table} has no row {seq}")
        while raw is not None and raw.cause is not None and raw.cause < raw.seq:
            seq = raw.cause
            raw = self.reader.find(self.table, seq)
        return seq

    def law_before(self, seq: int) -> Law:
        """What was in force in the run that a row is of; raises `NoLaw`."""
        return self.laws.of(self._started_before(seq))

    def _started_before(self, seq: int) -> Started:
        """How the run began that a row is of; raises `NoLaw` where no row says it."""
        found = self.reader.last(1, Filter(stream=self.table, type_glob="started", to_seq=seq))
        if not found:
            raise NoLaw(f"no row before {seq} of {self.table} says what was in force")
        one = found[0]
        event, _context = restored(one.type, one.v, one.public.encode(), one.private.encode())
        return cast("Started", event)

    def state_before(self, seq: int, law: Law, watcher: Watcher | None = None) -> State:
        """The state that the row `seq` met in a run under this law.

        A watcher sees each row that is folded: of the last `LOOKED_BACK_ROWS` all, where it is no matter of
        more than `MOST_FOLDED_ROWS`.
        """
        before = seq if watcher is None else self._far_enough_back(seq, law)
        state = begin(self.reader, law.setup, law.marks, before)
        if watcher is not None:
            watcher.begin(state)
        for row in self.rows(state.seq):
            if row.seq >= seq:
                break
            state = evolve(state, row)
            if watcher is not None:
                watcher.see(row, state)
        return state

    def _far_enough_back(self, seq: int, law: Law) -> int:
        """Before which row the snapshot lies that a fold which looks back begins at."""
        marks = law.marks
        ours = [
            one.seq
            for one in self.reader.snapshots(self.table, seq)
            if (one.software, one.pack, one.setup) == (marks.software, marks.pack, marks.setup)
        ]
        far = next((one for one in ours if seq - one > LOOKED_BACK_ROWS), None)
        if far is None and ours and seq > MOST_FOLDED_ROWS:
            far = ours[-1]
        if far is not None:
            return far + 1
        return 1 if ours else seq
