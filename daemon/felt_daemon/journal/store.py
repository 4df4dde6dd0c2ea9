"""The writer's side of the file: its lock, its connection, its transactions."""

import contextlib
import fcntl
import os
import sqlite3
from pathlib import Path

from felt_daemon.journal import connect, inspection, schema
from felt_daemon.journal.batch import INSERT, Batch
from felt_daemon.journal.errors import (
    JournalCorrupt,
    JournalError,
    JournalInUse,
    JournalReplaced,
    Kind,
    explain,
)
from felt_daemon.journal.wal import WalKeeper


class Store:
    """The one writing connection, opened again after I/O errors; used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._wal = WalKeeper(path)
        # Whether `open` left the rows' pages to an inspection of later.
        self.uninspected = False
        # Set by `open` or, where the disk did not allow it, by whoever could read it.
        self.epoch = ""

    def open(self, now_us: int) -> bool:
        """Open, check and migrate the file; return whether it is a new one.

        Raises sqlite3.Error and OSError for trouble with the disk, and JournalCorrupt,
        JournalInUse, SchemaRefused and NotAJournal, after which the store is closed.
        """
        try:
            self._take_lock()
            connect.create(self.path)
            self._inspect()
            connection = self._connect()
            created = schema.migrate(connection, self.path, now_us)
            self.epoch = schema.epoch(connection, self.path)
        except (sqlite3.Error, OSError, JournalError):
            self.close()
            raise
        return created

    @property
    def is_open(self) -> bool:
        """Whether there is a writing connection."""
        return self._connection is not None

    def commit(self, batch: Batch, *, again: bool) -> None:
        """Commit a sealed batch; `again` if an earlier try of it failed, perhaps in vain.

        Raises sqlite3.Error, OSError, JournalInUse or JournalReplaced; then nothing is committed,
        or all of it and the next try will find it so.
        """
        connection = self._ready()
        try:
            connection.execute("BEGIN IMMEDIATE")
            if again and _has(connection, batch):
                return
            connection.executemany(INSERT, batch.rows)
            for sql, values in batch.sides:
                connection.execute(sql, values)
            connection.execute("COMMIT")
            self._wal.committed(batch.body_bytes)
        except sqlite3.Error as error:
            # After an I/O error the descriptors may be read-only or dead; a full disk may lack
            # the room to open anew, and a busy file needs nothing but patience.
            if explain(error, self.path)[0] not in (Kind.FULL, Kind.BUSY):
                self._disconnect()
            raise
        finally:
            self._roll_back()

    def tidy_due_s(self) -> float | None:
        """Return when to call `tidy`, in monotonic seconds; None while there is nothing to do."""
        return self._wal.due_s() if self.is_open else None

    def tidy(self, now_s: float) -> None:
        """Keep the write-ahead log short. What hinders that shows at the next commit."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._wal.tidy(self._connection, now_s)

    def close(self) -> None:
        """Close the connection, which copies the log into the database, and let go of the lock."""
        self._disconnect()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def interrupt(self) -> None:
        """Break off what SQLite is doing; for a close that must not wait any longer."""
        if self._connection is not None:
            self._connection.interrupt()

    def _inspect(self) -> None:
        """Refuse a file that is not ours or not sound, through a connection that cannot write.

        The rows of a large file are left out unless they are in doubt: an inspection of later looks at them.
        Closing a writing one would copy the log into the file, and both are evidence.
        """
        if self.path.stat().st_size == 0:
            return
        connection, _ = connect.open_reading(self.path, owner=False)
        with contextlib.closing(connection):
            schema.refuse_unknown(connection, self.path)
            whole = inspection.due_at_once(connection, self.path)
            found = inspection.faults(connection, whole=whole)
        if found is not None:
            raise JournalCorrupt(self.path, found)
        self.uninspected = not whole

    def _ready(self) -> sqlite3.Connection:
        """Return the connection, opened anew where needed, to the very file of the beginning."""
        found = self.path.stat()
        if self._identity not in (None, (found.st_dev, found.st_ino)):
            raise JournalReplaced(f"{self.path} was replaced by another file while in use")
        return self._connection or self._reconnect()

    def _reconnect(self) -> sqlite3.Connection:
        self._take_lock()
        connection = self._connect()
        try:
            if schema.epoch(connection, self.path) != self.epoch:
                raise JournalReplaced(f"{self.path} was replaced by another journal")
            # Where the disk could not be written at the start, the schema is as old as the file.
            schema.migrate(connection, self.path, 0)
        except (sqlite3.Error, JournalError):
            self._disconnect()
            raise
        return connection

    def _connect(self) -> sqlite3.Connection:
        self._connection = connect.open_writing(self.path)
        found = self.path.stat()
        self._identity = (found.st_dev, found.st_ino)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _roll_back(self) -> None:
        if self._connection is not None and self._connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")

    def _take_lock(self) -> None:
        """Keep a second daemon out. The kernel lets go of the lock when the process dies."""
        if self._lock is not None:
            return
        lock = os.open(f"{self.path}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, connect.MODE)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(lock)
            raise JournalInUse(
                f"{self.path} is written by another process; is feltd running twice?"
            ) from error
        self._lock = lock


def _has(connection: sqlite3.Connection, batch: Batch) -> bool:
    """Whether a batch is on the disk although its COMMIT reported an error.

    A log whose fsync failed may hold the whole commit all the same.
    """
    if not batch.rows:
        return False
    entry = batch.entries[-1]
    row = connection.execute(
        "SELECT hash FROM rows WHERE stream = ? AND seq = ?", (entry.stream, entry.seq)
    ).fetchone()
    return row is not None and row[0] == batch.heads[entry.stream].hash
