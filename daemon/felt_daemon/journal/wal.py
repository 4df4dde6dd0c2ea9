"""Keeps the write-ahead log short."""

import sqlite3
from pathlib import Path

from felt_daemon.journal.connect import WRITER_BUSY_S

# After about so much new log its pages are copied into the database.
CHECKPOINT_BYTES = 4 * 2**20
# The log's stated bound while readers are short, as all of ours are.
WAL_LIMIT_BYTES = 16 * 2**20

# What one commit writes besides its rows: the pages of table, index and counter.
_COMMIT_BYTES = 16_384

# A checkpoint that a long reader blocks is tried again after so long, doubled up to the last.
_FIRST_RETRY_S = 0.25
_LAST_RETRY_S = 4.0


class WalKeeper:
    """Checkpoints between commits, never within one; belongs to the writer thread.

    While a foreign program holds a read transaction open, no checkpoint can reset the log and it
    grows with every commit. When the reader goes, the log is cut back within _LAST_RETRY_S.
    """

    def __init__(self, path: Path) -> None:
        self._log = Path(f"{path}-wal")
        # What an earlier run left in the log is unknown, so the first look comes at once.
        self._written = CHECKPOINT_BYTES
        self._blocked = False
        self._next_s = 0.0
        self._retry_s = _FIRST_RETRY_S

    def committed(self, body_bytes: int) -> None:
        """Take note of a commit whose rows' bodies have so many bytes."""
        self._written += _COMMIT_BYTES + 2 * body_bytes

    def due_s(self) -> float | None:
        """Return when to call `tidy`, in monotonic seconds; None while there is nothing to do."""
        if self._written < CHECKPOINT_BYTES:
            return None
        return self._next_s

    def tidy(self, connection: sqlite3.Connection, now_s: float) -> None:
        """Checkpoint if that is due, and cut a log that had grown. Raises sqlite3.Error."""
        if self._written < CHECKPOINT_BYTES or now_s < self._next_s:
            return
        mode = "TRUNCATE" if self._blocked or self.size() > WAL_LIMIT_BYTES else "PASSIVE"
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            # Columns: blocked or not, frames in the log, frames copied to the database.
            busy, frames, copied = connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
        finally:
            connection.execute(f"PRAGMA busy_timeout = {WRITER_BUSY_S * 1000:.0f}")
            self._next_s = now_s + self._retry_s
            self._retry_s = min(2 * self._retry_s, _LAST_RETRY_S)
        self._blocked = bool(busy) or copied < frames
        if not self._blocked:
            self._written = 0
            self._next_s = 0.0
            self._retry_s = _FIRST_RETRY_S

    def size(self) -> int:
        """Return the bytes of the log's file."""
        try:
            return self._log.stat().st_size
        except FileNotFoundError:
            return 0
