"""Reading a journal while its daemon writes it: short transactions, typed errors."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import NoneType
from typing import Any, Self, TypeVar

from felt_daemon.journal import schema
from felt_daemon.journal.chain import FIRST_PREVIOUS
from felt_daemon.journal.connect import open_reading
from felt_daemon.journal.entry import COLUMNS, LARGEST_INTEGER, Head, Raw, Stored
from felt_daemon.journal.errors import JournalCorrupt, JournalMissing, SchemaRefused, raised
from felt_daemon.journal.snapshot import Snapshot

T = TypeVar("T")
Value = str | int | bytes | None

# One read holds its snapshot only while it fetches so many rows, and so never stops the
# write-ahead log from being reset.
MOST_ROWS = 1_000

# Rows are the same in every schema from this one on; what came later is not there in an older file.
_OLDEST_SCHEMA = 1
_SCHEMA_OF_CONFIGS = 2

_ROW = ", ".join(f"rows.{name}" for name in COLUMNS)
_INTEGERS = {"id", "seq", "v", "mono_ns", "late", "simulated", "cause"}
_BLOBS = {"salt", "publichash", "privatehash", "hash"}
_TYPES = {
    tuple(
        type_of_cause if name == "cause" else int if name in _INTEGERS else bytes if name in _BLOBS else str
        for name in COLUMNS
    )
    for type_of_cause in (int, NoneType)
}
_ROWS = f"SELECT {_ROW} FROM rows"  # noqa: S608 - the columns are ours
_STORED = f"""
    SELECT {_ROW}, before.hash
    FROM rows LEFT JOIN rows AS before
      ON before.stream = rows.stream AND before.seq = rows.seq - 1
"""  # noqa: S608 - the columns are ours
_ROUND = """
    CASE WHEN json_valid(rows.public) THEN json_extract(rows.public, '$.context.round') END = ?
"""
# The first entry of the index for each stream, jumping from stream to stream.
_STREAMS = """
    WITH RECURSIVE found (stream) AS (
        SELECT min(stream) FROM rows
        UNION ALL
        SELECT (SELECT min(stream) FROM rows WHERE stream > found.stream)
        FROM found WHERE found.stream IS NOT NULL
    )
    SELECT stream FROM found WHERE stream IS NOT NULL
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which rows are wanted; what is None does not matter.

    `type_glob` is matched against the whole type; times are RFC 3339 text as in the column utc,
    both ends included, as are the seqs.
    """

    stream: str | None = None
    type_glob: str | None = None
    from_seq: int | None = None
    to_seq: int | None = None
    from_utc: str | None = None
    to_utc: str | None = None
    round: int | None = None

    def where(self) -> tuple[str, list[Value]]:
        """Return the SQL condition and its values."""
        wanted: list[tuple[str, Value]] = [
            ("rows.stream = ?", self.stream),
            ("rows.type GLOB ?", self.type_glob),
            ("rows.seq >= ?", self.from_seq),
            ("rows.seq <= ?", self.to_seq),
            ("rows.utc >= ?", self.from_utc),
            ("rows.utc <= ?", self.to_utc),
            (_ROUND, self.round),
        ]
        asked = [(text, value) for text, value in wanted if value is not None]
        return (
            "".join(f" AND {text}" for text, _ in asked),
            [value for _, value in asked],
        )


class Reader:
    """Reads one journal through its own connection; for one thread; close it after use.

    Every call is one short transaction. Raises JournalMissing, JournalBusy (try again),
    JournalCorrupt, JournalUnavailable, SchemaRefused and NotAJournal, and nothing of SQLite's.
    `owner` is for the process that writes this journal.
    """

    def __init__(self, path: Path | str, *, owner: bool = False) -> None:
        self._path = Path(path)
        self._owner = owner
        self._connection: sqlite3.Connection | None = None
        self._schema = 0
        self._epoch = self._ask(lambda connection: schema.epoch(connection, self._path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def epoch(self) -> str:
        """The random id that the journal got when it was made."""
        return self._epoch

    def close(self) -> None:
        """Close the connection; a later call opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def interrupt(self) -> None:
        """Break off what is being read on another thread."""
        connection = self._connection
        if connection is not None:
            connection.interrupt()

    def meta(self) -> dict[str, str]:
        """Return `epoch` and `created`, and `schema` as text."""
        found = {str(name): str(value) for name, value in self._fetch("SELECT * FROM meta")}
        found["schema"] = str(self._fetch("PRAGMA user_version")[0][0])
        return found

    def streams(self) -> list[str]:
        """Return the names of all streams, sorted."""
        return [str(row[0]) for row in self._fetch(_STREAMS)]

    def head(self, stream: str) -> Head | None:
        """Return the last committed row of a stream, None where there is none."""
        rows = self._fetch("SELECT seq, hash FROM rows WHERE stream = ? ORDER BY seq DESC LIMIT 1", stream)
        return Head(rows[0][0], rows[0][1]) if rows else None

    def heads(self) -> dict[str, Head]:
        """Return the last committed row of every stream."""
        found = {stream: self.head(stream) for stream in self.streams()}
        return {stream: head for stream, head in found.items() if head is not None}

    def read(self, stream: str, after_seq: int = 0, limit: int = MOST_ROWS) -> list[Stored]:
        """Return the rows of a stream after a seq, in order; at most MOST_ROWS at a time."""
        rows = self._fetch(
            f"{_STORED} WHERE rows.stream = ? AND rows.seq > ? ORDER BY rows.seq LIMIT ?",
            stream,
            after_seq,
            min(limit, MOST_ROWS),
        )
        return self._stored(rows)

    def read_all(self, after_id: int = 0, limit: int = MOST_ROWS) -> list[Stored]:
        """Return the rows of all streams after an id, in the order of their commits."""
        rows = self._fetch(
            f"{_STORED} WHERE rows.id > ? ORDER BY rows.id LIMIT ?",
            after_id,
            min(limit, MOST_ROWS),
        )
        return self._stored(rows)

    def raw(self, after_id: int = 0, limit: int = MOST_ROWS, wanted: Filter | None = None) -> list[Raw]:
        """Return rows after an id as their columns are, sense or not, in the order of ids."""
        condition, values = (wanted or Filter()).where()
        rows = self._fetch(
            f"{_ROWS} WHERE rows.id > ?{condition} ORDER BY rows.id LIMIT ?",
            after_id,
            *values,
            min(limit, MOST_ROWS),
        )
        return [self._raw(row) for row in rows]

    def last(self, count: int, wanted: Filter | None = None) -> list[Raw]:
        """Return the last rows by id, oldest first; at most MOST_ROWS."""
        condition, values = (wanted or Filter()).where()
        rows = self._fetch(
            f"{_ROWS} WHERE true{condition} ORDER BY rows.id DESC LIMIT ?",
            *values,
            min(count, MOST_ROWS),
        )
        return [self._raw(row) for row in reversed(rows)]

    def after(self, stream: str, seq: int) -> Raw | None:
        """Return the next row of a stream as its columns are, None behind the last."""
        rows = self._fetch(
            f"{_ROWS} WHERE rows.stream = ? AND rows.seq > ? ORDER BY rows.seq LIMIT 1", stream, seq
        )
        return self._raw(rows[0]) if rows else None

    def find(self, stream: str, seq: int) -> Raw | None:
        """Return one row as its columns are, None if there is none."""
        rows = self._fetch(f"{_ROWS} WHERE rows.stream = ? AND rows.seq = ?", stream, seq)
        return self._raw(rows[0]) if rows else None

    def hash_of(self, stream: str, seq: int) -> bytes | None:
        """Return the hash of a row, None where there is none."""
        rows = self._fetch("SELECT hash FROM rows WHERE stream = ? AND seq = ?", stream, seq)
        return rows[0][0] if rows else None

    def last_id(self) -> int:
        """Return the id of the last row, 0 for an empty journal."""
        return int(self._fetch("SELECT coalesce(max(id), 0) FROM rows")[0][0])

    def last_id_ever(self) -> int:
        """Return the highest id that was ever given, also when its row is gone."""
        rows = self._fetch("SELECT seq FROM sqlite_sequence WHERE name = 'rows'")
        return int(rows[0][0]) if rows else 0

    def pack(self, digest: str) -> str | None:
        """Return the text of a rule pack by its digest."""
        rows = self._fetch("SELECT text FROM packs WHERE digest = ?", digest)
        return str(rows[0][0]) if rows else None

    def config(self, digest: str) -> str | None:
        """Return the values of a configuration by their digest, as JSON."""
        if self._schema < _SCHEMA_OF_CONFIGS:
            return None
        rows = self._fetch("SELECT text FROM configs WHERE digest = ?", digest)
        return str(rows[0][0]) if rows else None

    def snapshot(self, stream: str, before_seq: int = LARGEST_INTEGER) -> Snapshot | None:
        """Return the last state that was kept of a stream before a row, sound or not."""
        found = self.snapshots(stream, before_seq, 1)
        return found[0] if found else None

    def snapshots(
        self, stream: str, before_seq: int = LARGEST_INTEGER, limit: int = MOST_ROWS
    ) -> list[Snapshot]:
        """Return the states that were kept of a stream before a row, the last first, sound or not."""
        if self._schema < _SCHEMA_OF_CONFIGS:
            return []
        rows = self._fetch(
            "SELECT stream, seq, hash, software, pack, setup, state, digest FROM snapshots"
            " WHERE stream = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
            stream,
            before_seq,
            limit,
        )
        names = [field.name for field in fields(Snapshot)]
        return [Snapshot(**dict(zip(names, row, strict=True))) for row in rows]

    def cursor(self, name: str, stream: str) -> int | None:
        """Return the seq that a named cursor has reached in a stream."""
        rows = self._fetch("SELECT seq FROM cursors WHERE name = ? AND stream = ?", name, stream)
        return int(rows[0][0]) if rows else None

    def cursors(self, stream: str) -> dict[str, int]:
        """Return every named cursor of a stream, and the seq that it has reached."""
        rows = self._fetch("SELECT name, seq FROM cursors WHERE stream = ?", stream)
        return {str(name): int(seq) for name, seq in rows}

    def retained(self) -> set[str]:
        """Return the topics that were ever retained and not yet cleared."""
        return {str(row[0]) for row in self._fetch("SELECT topic FROM retained")}

    def integrity(self, *, quick: bool = False) -> str | None:
        """Return what SQLite finds wrong with the file, None if nothing; quick leaves out indexes."""
        check = "quick_check" if quick else "integrity_check"
        found = [str(row[0]) for row in self._fetch(f"PRAGMA {check}(10)")]
        return None if found == ["ok"] else "; ".join(found)

    def _stored(self, rows: Sequence[tuple[Any, ...]]) -> list[Stored]:
        return [self._row(self._raw(row[:-1]), row[-1]) for row in rows]

    def _raw(self, row: tuple[Any, ...]) -> Raw:
        """Return the row if every column has its type, which STRICT promises of an intact file."""
        if tuple(map(type, row)) not in _TYPES:
            raise JournalCorrupt(self._path, f"row with id {row[0]} has values of wrong types")
        return Raw(*row)

    def _row(self, raw: Raw, before: bytes | None) -> Stored:
        previous = FIRST_PREVIOUS if before is None else before
        try:
            return raw.stored(previous)
        except ValueError as error:
            raise JournalCorrupt(self._path, f"row {raw.stream} {raw.seq}: {error}") from error

    def _fetch(self, sql: str, *values: Value) -> list[tuple[Any, ...]]:
        return self._ask(lambda connection: connection.execute(sql, values).fetchall())

    def _ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Ask through the open connection, or through one opened for this question."""
        if self._connection is not None:
            return self._answer(self._connection, question)
        try:
            if not self._path.exists():
                raise JournalMissing(f"there is no journal {self._path}")
            connection, lasting = open_reading(self._path, owner=self._owner)
        except (sqlite3.Error, OSError) as error:
            raise raised(error, self._path) from error
        try:
            self._refuse_schema(connection)
            answer = self._answer(connection, question)
        except BaseException:
            connection.close()
            raise
        if lasting:
            self._connection = connection
        else:
            connection.close()
        return answer

    def _answer(self, connection: sqlite3.Connection, question: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return question(connection)
        except sqlite3.Error as error:
            raise raised(error, self._path) from error

    def _refuse_schema(self, connection: sqlite3.Connection) -> None:
        found = self._answer(connection, lambda c: schema.version(c, self._path))
        known = len(schema.STEPS)
        self._schema = found
        if not _OLDEST_SCHEMA <= found <= known:
            raise SchemaRefused(
                f"{self._path} has schema {found}, and this program reads {known}."
                + (" Use the programs of the newer feltd" if found > known else " Start feltd once")
            )
