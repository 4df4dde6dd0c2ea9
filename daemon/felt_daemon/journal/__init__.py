"""The journal: every row of a process in one SQLite file, committed in order, chained by hashes."""

from felt_daemon.journal.chain import canonical
from felt_daemon.journal.entry import Entry, Head, Stored
from felt_daemon.journal.errors import (
    EntryError,
    JournalBusy,
    JournalCorrupt,
    JournalError,
    JournalInUse,
    JournalMissing,
    JournalReplaced,
    JournalUnavailable,
    Kind,
    NotAJournal,
    SchemaRefused,
    SequenceError,
    Trouble,
)
from felt_daemon.journal.journal import Journal, Size
from felt_daemon.journal.reader import Filter, Reader
from felt_daemon.journal.snapshot import Snapshot
from felt_daemon.journal.wal import WAL_LIMIT_BYTES

__all__ = [
    "WAL_LIMIT_BYTES",
    "Entry",
    "EntryError",
    "Filter",
    "Head",
    "Journal",
    "JournalBusy",
    "JournalCorrupt",
    "JournalError",
    "JournalInUse",
    "JournalMissing",
    "JournalReplaced",
    "JournalUnavailable",
    "Kind",
    "NotAJournal",
    "Reader",
    "SchemaRefused",
    "SequenceError",
    "Size",
    "Snapshot",
    "Stored",
    "Trouble",
    "canonical",
]
