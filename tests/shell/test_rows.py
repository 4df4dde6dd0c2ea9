"""Rows into the journal and back."""

from __future__ import annotations

from felt_daemon.journal import Stored
from felt_daemon.shell.rows import entry_of, row_of
from felt_protocols.events import Moment, Row
from felt_protocols.events.person import CommandRejected, Person

AT = Moment("boot", "run", 1, 2, trusted=True)


def test_a_refusal_comes_back_whether_somebody_stands_behind_it_or_nobody() -> None:
    for by in (None, Person(role="floor", name="ann", proof="signed", key="EH7DDX5BKSRGCYTL")):
        row = Row("t-1", 1, CommandRejected(command="open-table", by=by, reason="no", way="mqtt"), AT)
        assert row_of(Stored(1, entry_of(row), 3, b"", *([bytes(32)] * 4))) == row
