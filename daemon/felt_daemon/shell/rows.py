"""Rows on their way into the journal and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.journal import Entry, SchemaRefused
from felt_protocols.errors import UnknownEvent
from felt_protocols.events import Moment, Row, bodies, restored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.journal import Journal, Reader, Stored


def entry_of(row: Row) -> Entry:
    """What the journal stores of a row."""
    public, private = bodies(row.event, row.context)
    at = row.at
    return Entry(
        stream=row.stream,
        seq=row.seq,
        type=row.event.what(),
        v=row.event.v,
        boot=at.boot,
        start=at.start,
        mono_ns=at.mono_ns,
        utc_us=at.utc_us,
        clock="trusted" if at.trusted else "untrusted",
        late=at.late,
        simulated=row.simulated,
        cause=row.cause,
        public=public,
        private=private,
    )


def row_of(stored: Stored) -> Row:
    """The row that was once stored; raises `UnknownEvent` where a later release wrote it."""
    entry = stored.entry
    event, context = restored(entry.type, entry.v, entry.public, entry.private)
    at = Moment(
        boot=entry.boot,
        start=entry.start,
        mono_ns=entry.mono_ns,
        utc_us=entry.utc_us,
        trusted=entry.clock == "trusted",
        late=entry.late,
    )
    return Row(entry.stream, entry.seq, event, at, entry.cause, entry.simulated, context)


def rows_after(journal: Journal | Reader, stream: str, seq: int) -> Iterator[Row]:
    """Every row of a stream after a seq, in order; raises `SchemaRefused` where a later release wrote one."""
    while found := journal.read(stream, seq):
        for stored in found:
            try:
                yield row_of(stored)
            except UnknownEvent as error:
                raise SchemaRefused(f"row {stored.entry.seq} of {stream}: {error}") from error
        seq = found[-1].entry.seq
