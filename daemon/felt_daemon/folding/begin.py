"""Where a fold begins: at a snapshot that fits rows, program and table, or before the first row."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from felt_daemon.folding import text
from felt_daemon.journal import Snapshot
from felt_daemon.journal.entry import LARGEST_INTEGER
from felt_daemon.table import blank

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.table.state import Setup, State

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Marks:
    """Digests, in hex, of all that makes a state out of rows: the programs, the pack, the table's setup."""

    software: str
    pack: str
    setup: str


class Kept(Protocol):
    """What a fold asks a journal for."""

    def snapshot(self, stream: str, before_seq: int = ...) -> Snapshot | None:
        """The last state that was kept of a stream before a row, sound or not."""
        ...

    def hash_of(self, stream: str, seq: int) -> bytes | None:
        """The hash of a row, none where there is none."""
        ...


def marks_of(software: str, pack: str, setup: Setup) -> Marks:
    """The marks of this program with this pack's digest at this table."""
    return Marks(software, pack, text.digest(setup))


def begin(journal: Kept, setup: Setup, marks: Marks, before_seq: int = LARGEST_INTEGER) -> State:
    """The state to fold on from, after its row `seq`; the log says why it is no snapshot."""
    found = journal.snapshot(setup.table, before_seq)
    if found is None:
        return blank(setup)
    for wrong, level in ((_unlike(found, marks), logging.WARNING), (_unsound(found, journal), logging.ERROR)):
        if wrong:
            return _nothing(found, wrong, level, setup)
    try:
        state = text.read(found.state, setup)
    except text.Unreadable as error:
        return _nothing(found, f"cannot be read ({error})", logging.ERROR, setup)
    if state.seq != found.seq:
        return _nothing(found, f"is the state after row {state.seq}", logging.ERROR, setup)
    return state


def snapshot_of(state: State, marks: Marks) -> Callable[[bytes], Snapshot | None]:
    """What makes the snapshot of a state of its last row's hash; none of a state that has no text."""

    def make(digest: bytes) -> Snapshot | None:
        try:
            state_text = text.written(state)
        except text.Unreadable:
            LOG.exception("no snapshot is kept of %s", state.setup.table)
            return None
        return Snapshot(
            stream=state.setup.table,
            seq=state.seq,
            hash=digest,
            software=marks.software,
            pack=marks.pack,
            setup=marks.setup,
            state=state_text,
        )

    return make


def lies(found: Snapshot, state: State, marks: Marks) -> bool:
    """Whether a snapshot of these programs is not the state that was folded up to its row."""
    if _unlike(found, marks):
        return False
    try:
        return text.read(found.state, state.setup) != state
    except text.Unreadable:
        return True


def _unlike(found: Snapshot, marks: Marks) -> str:
    """Whether something else made it, as it will after an update; empty if not."""
    for name, theirs, ours in (
        ("programs", found.software, marks.software),
        ("a rule pack", found.pack, marks.pack),
        ("a setup of the table", found.setup, marks.setup),
    ):
        if theirs != ours:
            return f"was made with {name} of before"
    return ""


def _unsound(found: Snapshot, journal: Kept) -> str:
    """Why it is not what was kept, or not the state of these rows; empty if nothing is wrong."""
    if found.digest_due() != found.digest:
        return "is DAMAGED: its digest is another"
    if journal.hash_of(found.stream, found.seq) != found.hash:
        return "is NOT of these rows: the chain has another hash there"
    return ""


def _nothing(found: Snapshot, wrong: str, level: int, setup: Setup) -> State:
    LOG.log(level, "the snapshot after row %d of %s %s; every row is folded", found.seq, found.stream, wrong)
    return blank(setup)
