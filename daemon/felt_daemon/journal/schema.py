"""The tables, as numbered steps that only go forward."""

import secrets
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from felt_daemon.journal.errors import JournalCorrupt, NotAJournal, SchemaRefused
from felt_daemon.journal.instant import utc_text

# "felt" in ASCII: `file journal.db` then says whose database it is.
APPLICATION_ID = 0x66656C74

Step = Sequence[str]

_FIRST: Step = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE rows (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        stream TEXT NOT NULL,
        seq INTEGER NOT NULL,
        type TEXT NOT NULL,
        v INTEGER NOT NULL,
        boot TEXT NOT NULL,
        start TEXT NOT NULL,
        mono_ns INTEGER NOT NULL,
        utc TEXT NOT NULL,
        clock TEXT NOT NULL CHECK (clock IN ('trusted', 'untrusted')),
        recorded_utc TEXT NOT NULL,
        late INTEGER NOT NULL CHECK (late IN (0, 1)),
        simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
        cause INTEGER,
        public TEXT NOT NULL,
        private TEXT NOT NULL,
        salt BLOB NOT NULL,
        publichash BLOB NOT NULL,
        privatehash BLOB NOT NULL,
        hash BLOB NOT NULL,
        UNIQUE (stream, seq)
    ) STRICT
    """,
    # Against slips, not against malice: for malice there is the chain.
    """
    CREATE TRIGGER rows_are_never_changed BEFORE UPDATE ON rows
    BEGIN SELECT RAISE(ABORT, 'rows of the journal are never changed'); END
    """,
    """
    CREATE TRIGGER rows_are_never_deleted BEFORE DELETE ON rows
    BEGIN SELECT RAISE(ABORT, 'rows of the journal are never deleted'); END
    """,
    "CREATE TABLE packs (digest TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE cursors (
        name TEXT NOT NULL, stream TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (name, stream)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE TABLE retained (topic TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
)

_SECOND: Step = (
    # What configurations said, by digest: the values that held, as JSON.
    "CREATE TABLE configs (digest TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # One for each part of a stream, the newest: `part` is `seq` by so many rows.
    """
    CREATE TABLE snapshots (
        stream TEXT NOT NULL,
        part INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL,
        software TEXT NOT NULL,
        pack TEXT NOT NULL,
        setup TEXT NOT NULL,
        state TEXT NOT NULL,
        digest BLOB NOT NULL,
        PRIMARY KEY (stream, part)
    ) STRICT, WITHOUT ROWID
    """,
)

# Step n brings a file from schema n - 1 to n. A step that is released is never changed again.
STEPS: Sequence[Step] = (_FIRST, _SECOND)


def migrate(connection: sqlite3.Connection, path: Path, now_us: int, steps: Sequence[Step] = STEPS) -> bool:
    """Bring the file to the newest schema and return whether it was made new, with a new epoch.

    Each step is one transaction. Raises SchemaRefused for a schema that is not known here,
    NotAJournal for another program's database, JournalCorrupt where the epoch is missing.
    """
    found = refuse_unknown(connection, path, steps)
    for number in range(found + 1, len(steps) + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in steps[number - 1]:
                connection.execute(statement)
            if number == 1:
                _name_the_epoch(connection, now_us)
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    epoch(connection, path)
    return found == 0


def refuse_unknown(connection: sqlite3.Connection, path: Path, steps: Sequence[Step] = STEPS) -> int:
    """Return the schema of the file; raises SchemaRefused if it is newer, and NotAJournal."""
    found = version(connection, path)
    if found > len(steps):
        raise SchemaRefused(
            f"{path} has schema {found}, and this program knows {len(steps)} at most."
            " It was written by a newer feltd: install that version again"
        )
    return found


def version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema of the file, 0 for an empty one; raises NotAJournal."""
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    owner: int = connection.execute("PRAGMA application_id").fetchone()[0]
    tables: int = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if owner != APPLICATION_ID and (owner or found or tables):
        raise NotAJournal(f"{path} is a database of another program; it is left as it is")
    return found


def epoch(connection: sqlite3.Connection, path: Path) -> str:
    """Return the random id that this journal got when it was made."""
    row = connection.execute("SELECT value FROM meta WHERE name = 'epoch'").fetchone()
    if row is None:
        raise JournalCorrupt(path, "table meta has no epoch")
    return str(row[0])


def _name_the_epoch(connection: sqlite3.Connection, now_us: int) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.executemany(
        "INSERT INTO meta (name, value) VALUES (?, ?)",
        [("epoch", secrets.token_hex(8)), ("created", utc_text(now_us))],
    )
