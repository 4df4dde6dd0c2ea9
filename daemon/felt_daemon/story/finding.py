"""Finding incidents in a journal's file, while its daemon writes it or not.

The journal has no index by incident. What belongs to one lies between its first fact and its end, so a few
passes of SQLite over names of rows find where that is, and only those rows are read. Nothing here keeps more
than one window of rows, and what belongs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from felt_daemon.journal import Filter
from felt_daemon.journal.chain import FIRST_PREVIOUS
from felt_daemon.journal.reader import MOST_ROWS
from felt_daemon.story.belonging import Sieve, steps
from felt_daemon.story.record import PublicRow, fault, public_row, said
from felt_daemon.story.summary import Gathering, Summary
from felt_daemon.story.telling import Chapter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from felt_daemon.journal import Reader
    from felt_daemon.story.record import Said

# So many seqs are looked at in one transaction when rows are looked for by their names.
_WINDOW = 20_000
_NAMES = ("incident-*", "hold-*", "ruling-made", "round-closed")


@dataclass(frozen=True, slots=True)
class Broken:
    """The first row of the range that is not what was recorded."""

    seq: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An incident in a journal: what its story is made of, and the first thing wrong with its rows."""

    chapter: Chapter
    broken: Broken | None


def summaries(reader: Reader, table: str) -> list[Summary]:
    """Every incident of a table, in the order of their numbers."""
    head = reader.find(table, _head(reader, table))
    if head is None:
        return []
    gathering = Gathering()
    for row in named_rows(reader, table, _NAMES, 1, head.seq):
        gathering.take(row)
    return gathering.summaries(said(head))


def find(reader: Reader, table: str, number: int) -> Found | None:
    """An incident by its number; none where the table has none of it."""
    head = _head(reader, table)
    opened = next(
        (
            row
            for row in named_rows(reader, table, ("incident-opened",), 1, head)
            if row.get("incident") == number
        ),
        None,
    )
    if opened is None:
        return None
    root = _root(reader, opened)
    first = max(1, root - 1)
    watch = _Watch(reader.epoch)
    sieve = Sieve(number)
    for step in steps(watch.over(rows_of(reader, table, first, head))):
        sieve.step(step)
        if sieve.over:
            break
    kept = sorted(sieve.kept, key=lambda one: one.row.seq)
    start = _last_before(reader, table, "started", 1, root + 1)
    since = start.seq if start is not None else 1
    began = _last_before(reader, table, "gaming-day-began", since, opened.seq)
    last = kept[-1].row
    chapter = Chapter(
        epoch=reader.epoch,
        number=number,
        kept=kept,
        first=next(rows_of(reader, table, first, first)),
        last=last,
        start=start,
        began=began,
        pack=None if start is None else reader.pack(str(start.get("pack_digest", ""))),
    )
    broken = watch.broken
    return Found(chapter=chapter, broken=broken if broken is not None and broken.seq <= last.seq else None)


def rows_of(reader: Reader, table: str, first: int, last: int) -> Iterator[PublicRow]:
    """The rows `first` to `last` of a table, in order, each with the hash of the one before it."""
    before = reader.find(table, first - 1)
    previous = FIRST_PREVIOUS if before is None else before.hash
    for start in range(first, last + 1, MOST_ROWS):
        window = Filter(stream=table, from_seq=start, to_seq=min(last, start + MOST_ROWS - 1))
        for raw in sorted(reader.raw(0, MOST_ROWS, window), key=lambda row: row.seq):
            yield public_row(raw, previous)
            previous = raw.hash


def named_rows(reader: Reader, table: str, names: Sequence[str], first: int, last: int) -> Iterator[Said]:
    """The rows `first` to `last` whose types fit one of the patterns, in order."""
    for start in range(first, last + 1, _WINDOW):
        end = min(last, start + _WINDOW - 1)
        found = [row for name in names for row in _named(reader, table, name, start, end)]
        yield from sorted(found, key=lambda row: row.seq)


def _named(reader: Reader, table: str, name: str, first: int, last: int) -> Iterator[Said]:
    after = 0
    wanted = Filter(stream=table, type_glob=name, from_seq=first, to_seq=last)
    while rows := reader.raw(after, MOST_ROWS, wanted):
        yield from map(said, rows)
        after = rows[-1].id


def _last_before(reader: Reader, table: str, name: str, first: int, before: int) -> PublicRow | None:
    """The last row of a type among those from `first` on that come before another."""
    end = before - 1
    while end >= first:
        start = max(first, end - _WINDOW + 1)
        found = reader.last(1, Filter(stream=table, type_glob=name, from_seq=start, to_seq=end))
        if found:
            return next(rows_of(reader, table, found[0].seq, found[0].seq))
        end = start - 1
    return None


def _head(reader: Reader, table: str) -> int:
    head = reader.head(table)
    return 0 if head is None else head.seq


def _root(reader: Reader, opened: Said) -> int:
    """The seq of the first row that led to the opening."""
    seq, cause = opened.seq, opened.cause
    while cause is not None and cause < seq:
        row = reader.find(opened.stream, cause)
        if row is None:
            break
        seq, cause = row.seq, row.cause
    return seq


@dataclass(slots=True)
class _Watch:
    """Looks at the digests of rows as they go by, and at gaps."""

    epoch: str
    broken: Broken | None = None
    _due: int | None = field(default=None)

    def over(self, rows: Iterator[PublicRow]) -> Iterator[PublicRow]:
        """The same rows."""
        for row in rows:
            if self.broken is None:
                self._look(row)
            self._due = row.seq + 1
            yield row

    def _look(self, row: PublicRow) -> None:
        if self._due is not None and row.seq != self._due:
            self.broken = Broken(self._due, f"row {self._due} is missing")
        elif (wrong := fault(row, self.epoch)) is not None:
            self.broken = Broken(row.seq, f"row {row.seq} is not what was recorded: {wrong}")
