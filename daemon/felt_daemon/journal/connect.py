"""Opening the SQLite file: for the one writer, for readers, and for readers of a hurt disk."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from felt_daemon.journal.errors import Kind, explain

# How long SQLite itself waits for a lock before the trouble is told.
WRITER_BUSY_S = 0.5
READER_BUSY_S = 1.0

# The journal holds identities: the service and its group read it, nobody else.
MODE = 0o640


def create(path: Path) -> None:
    """Make an empty file with the journal's permissions, durably, unless there is one."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, MODE))
    except FileExistsError:
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def open_writing(path: Path) -> sqlite3.Connection:
    """Return a connection that commits durably: WAL, synchronous FULL. Never creates the file."""
    connection = _connect(path, "mode=rw", WRITER_BUSY_S)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # FULL: a commit is on the disk before it is told to anybody.
        connection.execute("PRAGMA synchronous = FULL")
        # The writer checkpoints by itself, after it has told of the commit (wal.py).
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def open_reading(path: Path, *, owner: bool) -> tuple[sqlite3.Connection, bool]:
    """Return a reading connection, and whether it will see what is committed later.

    A disk that is full or read-only may lack room for the shared-memory file without which WAL
    cannot be read in the usual way. Then a file whose log is empty is read as one that cannot
    change, and the `owner` (who holds the writer's lock) reads past the shared memory.
    Such a connection must be closed after use. Raises sqlite3.Error.
    """
    trouble: sqlite3.Error | None = None
    for mode, exclusive, lasting in _ways(path, owner=owner):
        connection = _connect(path, mode, READER_BUSY_S)
        try:
            if exclusive:
                connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error as error:
            connection.close()
            trouble = trouble or error
            if explain(error, path)[0] not in (Kind.IO, Kind.FULL, Kind.READ_ONLY):
                raise
        else:
            return connection, lasting
    assert trouble is not None  # noqa: S101 - there is always a first way
    raise trouble


def _ways(path: Path, *, owner: bool) -> Iterator[tuple[str, bool, bool]]:
    yield "mode=ro", False, True
    log = Path(f"{path}-wal")
    if not log.exists() or log.stat().st_size == 0:
        yield "mode=ro&immutable=1", False, False
    if owner:
        yield "mode=rw", True, False


def _connect(path: Path, mode: str, busy_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?{mode}",
        uri=True,
        timeout=busy_s,
        isolation_level=None,  # transactions are begun and ended in plain sight
        check_same_thread=False,
    )
    # A damaged text must come out as it is, so that verify can say which row holds it.
    connection.text_factory = _text
    # A full /tmp must not stop the journal.
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
