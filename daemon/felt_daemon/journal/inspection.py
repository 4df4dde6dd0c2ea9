"""Looks through a large file while the table runs already, below everything else.

SQLite's check reads every page, seconds for a million rows. What is wrong with an old page keeps nobody from
opening the table, and is told all the same.
"""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

from felt_daemon.journal.errors import JournalCorrupt, JournalError
from felt_daemon.journal.reader import Reader

# Up to this size a file is looked through before anything is written to it: a tenth of a second.
AT_ONCE_BYTES = 32 * 2**20
# While this name is in `meta`, a look through the file has begun and has not ended well: then the next start
# looks before it writes.
MARK = "inspecting"
_LOWEST = 19
_STOP_S = 1.0


def due_at_once(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the whole file is to be looked through before it is written: it is small, or in doubt."""
    if path.stat().st_size <= AT_ONCE_BYTES:
        return True
    return connection.execute("SELECT 1 FROM meta WHERE name = ?", (MARK,)).fetchone() is not None


def faults(connection: sqlite3.Connection, *, whole: bool) -> str | None:
    """Return what SQLite finds wrong with the file, or with all its tables but the rows; None if nothing."""
    names = ["10"]
    if not whole:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'rows'")
        names = [str(row[0]) for row in tables]
    found = [str(row[0]) for name in names for row in connection.execute(f"PRAGMA quick_check({name})")]
    wrong = [one for one in found if one != "ok"]
    return "; ".join(wrong) if wrong else None


class Inspection(threading.Thread):
    """One look through the whole file. Its time goes into SQLite, which holds no lock of Python's meanwhile.

    `found` is called on this thread with what is wrong, None if nothing is; not if the look was broken off.
    """

    def __init__(self, path: Path, found: Callable[[str | None], None]) -> None:
        super().__init__(name="journal-inspection", daemon=True)
        self._reader = Reader(path, owner=True)
        self._found = found
        self._stopping = threading.Event()

    def run(self) -> None:  # type: ignore[explicit-override]  # typing.override is Python 3.12's
        """Look; a file that cannot be read just now is looked through at the next start."""
        # What keeps a service from asking for it, such as a filter of system calls, costs only the courtesy.
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST)
        try:
            wrong = self._reader.integrity(quick=True)
        except JournalCorrupt as error:
            wrong = error.evidence
        except JournalError:
            return
        finally:
            self._reader.close()
        if not self._stopping.is_set():
            self._found(wrong)

    def stop(self) -> bool:
        """Break it off; return whether it was still under way, so that nothing is known to be wrong."""
        under_way = self.is_alive()
        self._stopping.set()
        self._reader.interrupt()
        self.join(_STOP_S)
        return under_way
