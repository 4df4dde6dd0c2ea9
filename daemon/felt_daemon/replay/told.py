"""Rows that were decided in memory, in the words and in the JSON of rows that are in a journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.journal.instant import utc_text
from felt_daemon.shell.rows import entry_of
from felt_daemon.story.record import Said
from felt_daemon.story.words import sentence

if TYPE_CHECKING:
    from felt_daemon.rules import Pack
    from felt_protocols.events import Row


def said_of(row: Row) -> Said:
    """What a row says in public."""
    entry = entry_of(row)
    utc = utc_text(entry.utc_us)
    return Said(
        stream=entry.stream,
        seq=entry.seq,
        type=entry.type,
        v=entry.v,
        boot=entry.boot,
        start=entry.start,
        mono_ns=entry.mono_ns,
        utc=utc,
        clock=entry.clock,
        # It was not recorded, or is not looked at as a record.
        recorded_utc=utc,
        late=int(entry.late),
        simulated=int(entry.simulated),
        cause=entry.cause,
        public=entry.public.decode(),
    )


def words_of(row: Row, pack: Pack | None) -> str:
    """What a row says, in a sentence; reports in the words of the pack, where it is known."""
    return sentence(
        said_of(row), {} if pack is None else {word: kind.says for word, kind in pack.reports.items()}
    )


def document_of(row: Row, pack: Pack | None) -> dict[str, Any]:
    """A row for JSON: where it stands, when, what it says, and its public body."""
    said = said_of(row)
    body = {name: value for name, value in said.whole.items() if name != "context"}
    return {
        "seq": row.seq,
        "type": said.type,
        "utc": said.utc,
        "clock": said.clock,
        "late": row.at.late,
        "simulated": row.simulated,
        "cause": row.cause,
        "says": words_of(row, pack),
        "context": dict(row.context),
        "public": body,
    }
