"""What can go wrong with a journal, by who can act on it."""
# ruff: noqa: N818 - a name says what is so, as LinkLost and DeviceFault do

import os
import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class JournalError(Exception):
    """Anything that the journal reports; the message is for people."""


class EntryError(JournalError, ValueError):
    """A programming error: an entry that cannot be stored as it is."""


class SequenceError(JournalError, ValueError):
    """A programming error: a seq that is not the one after the last of its stream."""


class JournalMissing(JournalError):
    """There is no file where a journal was to be read."""


class JournalCorrupt(JournalError):
    """The file is damaged. It is never repaired or replaced here; `evidence` is SQLite's own words."""

    def __init__(self, path: Path, evidence: str) -> None:
        super().__init__(f"{path} is damaged: {evidence}")
        self.path = path
        self.evidence = evidence


class NotAJournal(JournalError):
    """The file is a sound SQLite database of some other program."""


class SchemaRefused(JournalError):
    """The file's schema is newer than this program, or older than a mere reader can read."""


class JournalInUse(JournalError):
    """Another process is the writer of this journal."""


class JournalReplaced(JournalError):
    """Under the running writer the file became another one."""


class JournalBusy(JournalError):
    """Another program locks the file just now; the same call may work a moment later."""


class JournalUnavailable(JournalError):
    """The file can be neither written nor read just now; `kind` says why."""

    def __init__(self, kind: "Kind", text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Kind(StrEnum):
    """Why rows cannot be committed."""

    FULL = "full"
    BUSY = "busy"
    IO = "io"
    READ_ONLY = "read-only"
    FORBIDDEN = "forbidden"
    # From here on nothing heals by itself.
    CORRUPT = "corrupt"
    REPLACED = "replaced"
    IN_USE = "in-use"
    BUG = "bug"


FATAL = frozenset({Kind.CORRUPT, Kind.REPLACED, Kind.IN_USE, Kind.BUG})


@dataclass(frozen=True, slots=True)
class Trouble:
    """Rows wait and cannot be committed. `since` is UTC in microseconds, when it began.

    Unless `fatal`, the writer goes on trying the same rows without end. After a fatal one it has
    stopped for good and the process should end, so that systemd starts it again.
    """

    kind: Kind
    text: str
    since: int

    @property
    def fatal(self) -> bool:
        """Whether the writer has given up."""
        return self.kind in FATAL


# SQLite's primary result codes. Source: https://www.sqlite.org/rescode.html
_KINDS = {
    sqlite3.SQLITE_FULL: Kind.FULL,
    sqlite3.SQLITE_BUSY: Kind.BUSY,
    sqlite3.SQLITE_LOCKED: Kind.BUSY,
    sqlite3.SQLITE_PROTOCOL: Kind.BUSY,
    sqlite3.SQLITE_IOERR: Kind.IO,
    sqlite3.SQLITE_CANTOPEN: Kind.IO,
    sqlite3.SQLITE_NOMEM: Kind.IO,
    sqlite3.SQLITE_READONLY: Kind.READ_ONLY,
    sqlite3.SQLITE_PERM: Kind.FORBIDDEN,
    sqlite3.SQLITE_CORRUPT: Kind.CORRUPT,
    sqlite3.SQLITE_NOTADB: Kind.CORRUPT,
}

_WORDS = {
    Kind.FULL: "The disk is full",
    Kind.BUSY: "Another program locks the journal",
    Kind.IO: "The disk gives errors",
    Kind.READ_ONLY: "The disk or the file is read-only",
    Kind.FORBIDDEN: "This user has no permission",
    Kind.CORRUPT: "The journal is damaged",
    Kind.BUG: "The journal refuses the rows, which is a fault of this program",
}

_OWN_KINDS: dict[type[JournalError], Kind] = {
    JournalInUse: Kind.IN_USE,
    JournalReplaced: Kind.REPLACED,
    JournalCorrupt: Kind.CORRUPT,
}

# Below this much free space an I/O error of SQLite is the full disk: its shared-memory file
# alone wants 32 KiB, and reports the lack of it as an I/O error.
_SCARCE_BYTES = 65_536


def explain(error: sqlite3.Error | OSError | JournalError, path: Path) -> tuple[Kind, str]:
    """Return what kind of trouble an error is, and a sentence about it."""
    if isinstance(error, JournalError):
        return _OWN_KINDS.get(type(error), Kind.BUG), str(error)
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        kind = _KINDS.get(code & 0xFF, Kind.BUG)
        detail = f"{getattr(error, 'sqlite_errorname', 'no code')}: {error}"
    else:
        kind, detail = Kind.IO, str(error)
    if kind is Kind.IO:
        kind = _look_closer(path)
    return kind, f"{_WORDS[kind]}: {path} ({detail})"


def _look_closer(path: Path) -> Kind:
    """Tell a full, read-only or forbidden place from a broken disk where SQLite could not."""
    if path.parent.is_dir() and not os.access(path.parent, os.R_OK | os.X_OK):
        return Kind.FORBIDDEN
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return Kind.IO
    if disk.f_flag & os.ST_RDONLY:
        return Kind.READ_ONLY
    if disk.f_bavail * disk.f_frsize < _SCARCE_BYTES:
        return Kind.FULL
    if path.exists() and not os.access(path, os.R_OK):
        return Kind.FORBIDDEN
    return Kind.IO if os.access(path.parent, os.W_OK) else Kind.READ_ONLY


def raised(error: sqlite3.Error | OSError, path: Path) -> JournalError:
    """Return the typed error that a reader raises in place of SQLite's."""
    kind, text = explain(error, path)
    if kind is Kind.CORRUPT:
        return JournalCorrupt(path, str(error))
    if kind is Kind.BUSY:
        return JournalBusy(text)
    return JournalUnavailable(kind, text)
