"""The journal as the device process uses it."""

import os
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from felt_daemon.journal.batch import Side
from felt_daemon.journal.entry import LARGEST_INTEGER, Entry, Head, Stored, check
from felt_daemon.journal.errors import (
    JournalBusy,
    JournalCorrupt,
    JournalError,
    JournalMissing,
    JournalUnavailable,
    Kind,
    SequenceError,
    Trouble,
    explain,
)
from felt_daemon.journal.inspection import MARK, Inspection
from felt_daemon.journal.reader import MOST_ROWS, Reader
from felt_daemon.journal.snapshot import PART_ROWS, Snapshot
from felt_daemon.journal.store import Store
from felt_daemon.journal.writer import OnCommit, OnTrouble, Writer


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes of the database, of its write-ahead log, and free on the disk."""

    database_bytes: int
    log_bytes: int
    free_bytes: int


class Journal:
    """The truth of one process: rows are taken at once and committed in order, each exactly once.

    For one thread (reads and appends), beside the writer's own. Close it when done.
    """

    def __init__(
        self, path: Path, writer: Writer, reader: Reader, last: dict[str, int], *, created: bool
    ) -> None:
        self._path = path
        self._writer = writer
        self._reader = reader
        self._last = last
        self._closed = False
        self._inspection: Inspection | None = None
        self._damaged = False
        self.created = created
        """Whether this call of `open` made the journal, and so its epoch."""
        self.epoch = reader.epoch
        """The random id that the journal got when it was made."""

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        now: Callable[[], int],
        on_commit: OnCommit,
        on_trouble: OnTrouble,
    ) -> Self:
        """Open the journal, or make it, and start its writer.

        `now` returns UTC in microseconds. After each transaction `on_commit` gets the last seq of
        every stream in it. `on_trouble` is called when committing begins to fail, when the kind of
        trouble changes, and with None when it is over. All three are called on the writer thread.

        An existing journal on a disk that cannot be written is opened all the same: its history
        can be read, and the trouble is told at once.

        Raises JournalCorrupt (the file stays as it is), JournalInUse, SchemaRefused, NotAJournal,
        and JournalUnavailable where the disk lets nothing be made or read.
        """
        path = Path(path)
        store = Store(path)
        try:
            created = store.open(now())
        except (sqlite3.Error, OSError) as error:
            reader = _history(path, error)
            store.epoch = reader.epoch
            created = False
        else:
            reader = Reader(path, owner=True)
        heads = reader.heads()
        writer = Writer(store, heads, now, on_commit, on_trouble)
        last = {stream: head.seq for stream, head in heads.items()}
        journal = cls(path, writer, reader, last, created=created)
        writer.start()
        if store.uninspected:
            journal._inspect(lambda text: on_trouble(Trouble(Kind.CORRUPT, text, now())))
        return journal

    def _inspect(self, trouble: Callable[[str], None]) -> None:
        """Look through the whole file meanwhile. A mark stays in it until that has ended well."""
        mark = ("INSERT OR REPLACE INTO meta VALUES (?, ?)", (MARK, self.epoch))
        self._writer.put_side(("meta", MARK), mark)

        def found(wrong: str | None) -> None:
            if wrong is None:
                self._unmark()
            else:
                self._damaged = True
                trouble(f"{self._path} is damaged: {wrong}")

        self._inspection = Inspection(self._path, found)
        self._inspection.start()

    def _unmark(self) -> None:
        self._writer.put_side(("meta", MARK), ("DELETE FROM meta WHERE name = ?", (MARK,)))

    # Writing: nothing here waits for the disk.

    def append(self, entries: Sequence[Entry]) -> None:
        """Queue rows; those of one call are committed together or not at all.

        Trouble with the disk never shows here. Raises EntryError or SequenceError, which are
        faults of the caller, and then takes none of the rows.
        """
        self._refuse_closed()
        last: dict[str, int] = {}
        for entry in entries:
            check(entry)
            due = last.get(entry.stream, self._last.get(entry.stream, 0)) + 1
            if entry.seq != due:
                raise SequenceError(f"row {entry.seq} of {entry.stream} came where {due} is due")
            last[entry.stream] = entry.seq
        if entries:
            self._writer.put(entries)
            self._last.update(last)

    def store_pack(self, digest: str, text: str) -> int:
        """Queue the text of a rule pack, never later than rows that come after; its ticket."""
        sql = "INSERT OR IGNORE INTO packs (digest, text) VALUES (?, ?)"
        return self._side(("pack", digest), sql, digest, text)

    def store_config(self, digest: str, text: str) -> int:
        """Queue the values of a configuration, as JSON; its ticket."""
        sql = "INSERT OR IGNORE INTO configs (digest, text) VALUES (?, ?)"
        return self._side(("config", digest), sql, digest, text)

    def keep(self, snapshot: Callable[[bytes], Snapshot | None], stream: str, seq: int) -> None:
        """Have the writer keep a state when it has nothing else to do, in place of an older one.

        `snapshot` gets the hash of the row `seq`, which must be the last committed one of the stream, or
        nothing is kept. It is called on the writer's thread and must not raise; none keeps nothing.
        """
        self._refuse_closed()
        head = self._writer.head(stream)
        if head is not None and head.seq == seq:
            self._writer.put_spare(("snapshot", stream), lambda: _kept(snapshot(head.hash)))

    def set_cursor(self, name: str, stream: str, seq: int) -> int:
        """Queue a delivered position. It may wait half a second for rows to go with; its ticket."""
        sql = "INSERT OR REPLACE INTO cursors (name, stream, seq) VALUES (?, ?, ?)"
        return self._side(("cursor", name, stream), sql, name, stream, seq, lazy=True)

    def retained_add(self, topic: str) -> int:
        """Queue a topic that is about to be retained: publish once `settled` has its ticket."""
        sql = "INSERT OR IGNORE INTO retained (topic) VALUES (?)"
        return self._side(("retained", topic), sql, topic)

    def retained_drop(self, topic: str) -> int:
        """Queue that a retained topic has been cleared; its ticket."""
        return self._side(("retained", topic), "DELETE FROM retained WHERE topic = ?", topic)

    @property
    def pending(self) -> int:
        """Rows that are not yet committed."""
        return self._writer.pending

    @property
    def settled(self) -> int:
        """The ticket up to which all writes to side tables are on the disk."""
        return self._writer.settled

    @property
    def trouble(self) -> Trouble | None:
        """What hinders committing just now, None while all is well."""
        return self._writer.trouble

    def last_seq(self, stream: str) -> int:
        """Return the seq of the last row that was appended, committed or not; 0 if none was."""
        return self._last.get(stream, 0)

    # Reading: what is committed.

    def head(self, stream: str) -> Head | None:
        """Return the last committed row of a stream, None where there is none."""
        return self._writer.head(stream)

    def streams(self) -> list[str]:
        """Return the names of all streams, sorted."""
        return self._reader.streams()

    def read(self, stream: str, after_seq: int = 0, limit: int = MOST_ROWS) -> list[Stored]:
        """Return the rows of a stream after a seq, in order; at most MOST_ROWS at a time."""
        return self._reader.read(stream, after_seq, limit)

    def read_all(self, after_id: int = 0, limit: int = MOST_ROWS) -> list[Stored]:
        """Return the rows of all streams after an id, in the order of their commits."""
        return self._reader.read_all(after_id, limit)

    def pack(self, digest: str) -> str | None:
        """Return the text of a rule pack by its digest."""
        return self._reader.pack(digest)

    def config(self, digest: str) -> str | None:
        """Return the values of a configuration by their digest, as JSON."""
        return self._reader.config(digest)

    def snapshot(self, stream: str, before_seq: int = LARGEST_INTEGER) -> Snapshot | None:
        """Return the last state that was kept of a stream before a row, sound or not."""
        return self._reader.snapshot(stream, before_seq)

    def hash_of(self, stream: str, seq: int) -> bytes | None:
        """Return the hash of a row, None where there is none."""
        return self._reader.hash_of(stream, seq)

    def cursor(self, name: str, stream: str) -> int | None:
        """Return the seq that a named cursor has reached in a stream."""
        return self._reader.cursor(name, stream)

    def retained(self) -> set[str]:
        """Return the topics that were ever retained and not yet cleared."""
        return self._reader.retained()

    def size(self) -> Size:
        """Return what the journal takes and what the disk has left; raises OSError."""
        log = Path(f"{self._path}-wal")
        disk = os.statvfs(self._path.parent)
        return Size(
            database_bytes=self._path.stat().st_size,
            log_bytes=log.stat().st_size if log.exists() else 0,
            free_bytes=disk.f_bavail * disk.f_frsize,
        )

    def close(self, timeout_s: float) -> int:
        """Commit what is queued, close the file, and return how many rows were left behind.

        Takes at most the timeout and a second, even on a disk that hangs.
        """
        if not self._closed:
            self._closed = True
            self._reader.close()
            self._break_off()
            self._writer.stop(timeout_s)
        return self._writer.pending

    def _break_off(self) -> None:
        """End an inspection that is still under way; in an orderly end that is no doubt about the file."""
        if self._inspection is not None and self._inspection.stop() and not self._damaged:
            self._unmark()

    def _side(self, key: tuple[str, ...], sql: str, *values: str | int, lazy: bool = False) -> int:
        self._refuse_closed()
        return self._writer.put_side(key, (sql, values), lazy=lazy)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise JournalError(f"{self._path} is closed")


_KEEP = (
    "INSERT OR REPLACE INTO snapshots (stream, part, seq, hash, software, pack, setup, state, digest)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def _kept(one: Snapshot | None) -> Side | None:
    if one is None:
        return None
    about = (one.stream, one.seq // PART_ROWS, one.seq, one.hash, one.software, one.pack, one.setup)
    return _KEEP, (*about, one.state, one.digest_due())


def _history(path: Path, error: sqlite3.Error | OSError) -> Reader:
    """Return a reader of a journal that cannot be opened for writing, or raise why not."""
    kind, text = explain(error, path)
    if kind is Kind.CORRUPT:
        raise JournalCorrupt(path, str(error)) from error
    if not path.exists() or path.stat().st_size == 0:
        raise JournalUnavailable(kind, text) from error
    try:
        reader = Reader(path, owner=True)
        if (found := reader.integrity(quick=True)) is not None:
            raise JournalCorrupt(path, found)
    except (JournalBusy, JournalMissing, JournalUnavailable):
        raise JournalUnavailable(kind, text) from error
    return reader
