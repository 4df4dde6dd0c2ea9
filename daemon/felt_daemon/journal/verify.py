"""Walks the whole chain and says where it breaks first, and how."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from felt_daemon.journal import chain
from felt_daemon.journal.entry import Raw
from felt_daemon.journal.errors import JournalCorrupt
from felt_daemon.journal.reader import Reader


class Break(StrEnum):
    """How a journal can be broken."""

    FILE = "file"
    MISSING = "missing-row"
    MOVED = "moved-row"
    PUBLIC = "public-changed"
    PRIVATE = "private-changed"
    ENVELOPE = "envelope-changed"
    DIGEST = "digest-changed"
    HASH = "hash-changed"
    SEVERAL = "several-changed"
    TAIL = "tail-missing"
    ANCHOR = "anchor-differs"


_WORDS = {
    Break.PUBLIC: "its public body was changed",
    Break.PRIVATE: "its private body or its salt was changed",
    Break.ENVELOPE: "a column of its envelope was changed, or the epoch, or the row before it",
    Break.DIGEST: "its column publichash or privatehash was changed",
    Break.HASH: "its column hash was changed",
    Break.SEVERAL: "a body was changed, and the chain does not go through it any more",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """The first thing that is wrong in a stream, or something wrong with the whole file."""

    what: Break
    text: str
    stream: str | None = None
    seq: int | None = None


class Anchor(NamedTuple):
    """What somebody outside has kept of a row: the floor keeps the hash of every event."""

    stream: str
    seq: int
    hash: bytes


@dataclass(slots=True)
class StreamReport:
    """One stream as far as it is sound: `last_seq` and `head` are those of its last sound row."""

    rows: int = 0
    last_seq: int = 0
    head: bytes = chain.FIRST_PREVIOUS
    problem: Problem | None = None


@dataclass(slots=True)
class Report:
    """What a verification found; `rows` counts those that were looked at."""

    path: Path
    epoch: str
    created: str
    schema: str
    rows: int = 0
    streams: dict[str, StreamReport] = field(default_factory=dict[str, StreamReport])
    problems: list[Problem] = field(default_factory=list[Problem])

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(
    path: Path | str,
    anchors: Sequence[Anchor] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Check the file, every stream's sequence and chain, and what others kept of it.

    The daemon may be writing: what is committed before the start is checked, in many short
    transactions. `progress` gets the rows done and the rows in all, again and again. Raises the
    errors of a Reader where nothing can be checked.
    """
    with Reader(path) as reader:
        meta = reader.meta()
        report = Report(Path(path), reader.epoch, meta.get("created", ""), meta["schema"])
        try:
            _check(reader, report, anchors, progress)
        except JournalCorrupt as error:
            report.problems.append(Problem(Break.FILE, f"the file is damaged: {error.evidence}"))
    return report


def _check(
    reader: Reader,
    report: Report,
    anchors: Sequence[Anchor],
    progress: Callable[[int, int], None] | None,
) -> None:
    last_id, last_id_ever = reader.last_id(), reader.last_id_ever()
    if (found := reader.integrity()) is not None:
        report.problems.append(Problem(Break.FILE, f"the file is damaged: {found}"))
    ids = 0
    for row in _rows(reader, last_id):
        ids += 1
        if row.id != ids:
            text = f"the row with id {ids} is missing: after it comes {row.stream} {row.seq}"
            report.problems.append(Problem(Break.MISSING, text))
            ids = row.id
        _check_row(reader, report, row)
        report.rows += 1
        if progress is not None:
            progress(row.id, last_id)
    if last_id_ever > last_id:
        text = f"the last row has id {last_id}, but {last_id_ever} have been written"
        report.problems.append(Problem(Break.TAIL, text))
    for anchor in anchors:
        _check_anchor(reader, report, anchor)


def _rows(reader: Reader, last_id: int) -> Iterator[Raw]:
    after = 0
    while after < last_id and (rows := reader.raw(after)):
        for row in rows:
            if row.id <= last_id:
                yield row
        after = rows[-1].id


def _check_row(reader: Reader, report: Report, row: Raw) -> None:
    stream = report.streams.setdefault(row.stream, StreamReport())
    if stream.problem is not None:
        return
    due = stream.last_seq + 1
    problem = (
        _broken(reader, report.epoch, row, stream.head) if row.seq == due else _out_of_order(reader, row, due)
    )
    if problem is None:
        stream.rows += 1
        stream.last_seq, stream.head = row.seq, row.hash
    else:
        stream.problem = problem
        report.problems.append(problem)


def _out_of_order(reader: Reader, row: Raw, due: int) -> Problem:
    if row.seq < due or reader.find(row.stream, due) is not None:
        text = f"row {row.seq} of {row.stream} stands where row {due} belongs"
        return Problem(Break.MOVED, text, row.stream, row.seq)
    last = row.seq - 1
    missing = f"row {due} is missing" if due == last else f"rows {due} to {last} are missing"
    return Problem(Break.MISSING, f"{missing} in {row.stream}", row.stream, due)


def _broken(reader: Reader, epoch: str, row: Raw, previous: bytes) -> Problem | None:
    due = chain.raw_digests(previous, epoch, row)
    if due == (row.publichash, row.privatehash, row.hash):
        return None
    what = _diagnose(reader, epoch, row, previous, due)
    text = f"row {row.seq} of {row.stream} is not what was recorded: {_WORDS[what]}"
    return Problem(what, text, row.stream, row.seq)


def _diagnose(reader: Reader, epoch: str, row: Raw, previous: bytes, due: chain.Digests) -> Break:
    """Tell which part of a row was changed, from what still fits together."""
    envelope = chain.raw_envelope(epoch, row)
    if due.hash == row.hash:
        return Break.DIGEST
    if chain.link(previous, envelope, row.publichash, row.privatehash) == row.hash:
        # The digests are those of the chain, so it is a body that does not fit its own.
        return Break.PUBLIC if due.publichash != row.publichash else Break.PRIVATE
    if (due.publichash, due.privatehash) != (row.publichash, row.privatehash):
        return Break.SEVERAL
    following = reader.after(row.stream, row.seq)
    if following is not None and (chain.raw_digests(due.hash, epoch, following).hash == following.hash):
        return Break.HASH
    return Break.ENVELOPE


def _check_anchor(reader: Reader, report: Report, anchor: Anchor) -> None:
    row = reader.find(anchor.stream, anchor.seq)
    if row is not None and row.hash == anchor.hash:
        return
    found = "is not there" if row is None else f"has the hash {row.hash.hex()}"
    text = f"row {anchor.seq} of {anchor.stream} {found}; outside, {anchor.hash.hex()} was kept"
    report.problems.append(Problem(Break.ANCHOR, text, anchor.stream, anchor.seq))
