"""A fold begins at a snapshot that fits, and before the first row where it does not; the log says why."""

from __future__ import annotations

import dataclasses
import logging
import sqlite3
from contextlib import closing
from functools import reduce
from typing import TYPE_CHECKING

import pytest

from felt_daemon.folding import Marks, begin, marks_of, snapshot_of
from felt_daemon.journal import Reader, snapshot
from felt_daemon.shell.rows import entry_of, rows_after
from felt_daemon.table import blank, evolve

from ..regulations.felt_bench import Bench  # noqa: TID252 - tests are no package that could be named

if TYPE_CHECKING:
    from tests.journal.conftest import Desk

    from felt_daemon.table.state import Setup, State

STREAM = "t-1"
SOFTWARE, PACK = "50" * 32, "ab" * 32


@pytest.fixture(scope="session")
def played() -> Bench:
    """A table that was opened. Not to be changed."""
    bench = Bench()
    bench.open()
    return bench


@pytest.fixture
def marks(played: Bench) -> Marks:
    return marks_of(SOFTWARE, PACK, played.setup)


def kept(desk: Desk, played: Bench, marks: Marks, upto: int) -> State:
    """A journal of all rows, with a snapshot after some of them; gives that state."""
    rows = played.rows
    desk.journal.append([entry_of(row) for row in rows[:upto]])
    desk.settle()
    state = reduce(evolve, rows[:upto], blank(played.setup))
    desk.journal.keep(snapshot_of(state, marks), STREAM, state.seq)
    desk.poll(lambda: desk.journal.snapshot(STREAM))
    desk.journal.append([entry_of(row) for row in rows[upto:]])
    desk.settle()
    return state


def changed(desk: Desk, sql: str) -> None:
    """Somebody changes the file while nobody writes it."""
    desk.close()
    with closing(sqlite3.connect(desk.path)) as connection, connection:
        connection.execute("DROP TRIGGER rows_are_never_changed")
        connection.execute(sql)
    desk.open()


def test_the_fold_from_a_snapshot_is_the_fold_of_all_rows(desk: Desk, played: Bench, marks: Marks) -> None:
    state = kept(desk, played, marks, 20)
    begun = begin(desk.journal, played.setup, marks)
    assert begun == state
    assert begun.seq == 20
    assert reduce(evolve, rows_after(desk.journal, STREAM, begun.seq), begun) == played.state
    with Reader(desk.path) as reader:
        assert begin(reader, played.setup, marks) == state


def test_without_a_snapshot_it_begins_before_the_first_row(
    desk: Desk, played: Bench, marks: Marks, caplog: pytest.LogCaptureFixture
) -> None:
    assert begin(desk.journal, played.setup, marks) == blank(played.setup)
    assert caplog.messages == []


@pytest.mark.parametrize(
    "change",
    [
        ("UPDATE snapshots SET state = replace(state, 'red', 'rot')", "is DAMAGED: its digest is another"),
        ("UPDATE snapshots SET seq = 19", "is DAMAGED: its digest is another"),
        ("UPDATE snapshots SET hash = zeroblob(32)", "is DAMAGED: its digest is another"),
        ("UPDATE rows SET hash = zeroblob(32) WHERE seq = 20", "is NOT of these rows"),
    ],
)
def test_a_snapshot_that_was_changed_is_found(
    desk: Desk, played: Bench, marks: Marks, caplog: pytest.LogCaptureFixture, change: tuple[str, str]
) -> None:
    sql, said = change
    kept(desk, played, marks, 20)
    changed(desk, sql)
    assert begin(desk.journal, played.setup, marks) == blank(played.setup)
    [record] = caplog.records
    assert record.levelno == logging.ERROR
    assert said in record.getMessage()
    assert record.getMessage().endswith("every row is folded")


@pytest.mark.parametrize("lie", ["no state", "another row's"])
def test_a_snapshot_that_lies_with_a_right_digest_is_found(
    desk: Desk, played: Bench, marks: Marks, caplog: pytest.LogCaptureFixture, lie: str
) -> None:
    state = kept(desk, played, marks, 20)
    made = snapshot_of(state, marks)(bytes(32))
    assert made is not None
    text = "{}" if lie == "no state" else made.state.replace('"seq":20', '"seq":19')
    assert text != made.state
    forged = dataclasses.replace(made, hash=desk.journal.hash_of(STREAM, 20) or b"", state=text)
    digest = forged.digest_due().hex()
    quoted = text.replace("'", "''")
    changed(desk, f"UPDATE snapshots SET state = '{quoted}', digest = x'{digest}'")  # noqa: S608 - ours
    assert begin(desk.journal, played.setup, marks) == blank(played.setup)
    [record] = caplog.records
    assert record.levelno == logging.ERROR


def other_setup(setup: Setup) -> Setup:
    """The same table with another ladder."""
    return dataclasses.replace(setup, escalation=(("floor", 5),))


@pytest.mark.parametrize(
    "changes",
    [("software", "programs"), ("pack", "a rule pack"), ("setup", "a setup of the table")],
)
def test_a_snapshot_of_before_a_change_is_dropped(
    desk: Desk, played: Bench, marks: Marks, caplog: pytest.LogCaptureFixture, changes: tuple[str, str]
) -> None:
    part, said = changes
    kept(desk, played, marks, 20)
    now = dataclasses.replace(marks, **{part: "00" * 32})
    assert begin(desk.journal, other_setup(played.setup), now) == blank(other_setup(played.setup))
    [message] = caplog.messages
    assert message == (
        f"the snapshot after row 20 of t-1 was made with {said} of before; every row is folded"
    )


def test_nothing_is_kept_of_a_row_that_is_not_the_last(desk: Desk, played: Bench, marks: Marks) -> None:
    desk.journal.append([entry_of(row) for row in played.rows])
    desk.settle()
    state = reduce(evolve, played.rows[:5], blank(played.setup))
    desk.journal.keep(snapshot_of(state, marks), STREAM, 5)
    desk.reopen()
    assert desk.journal.snapshot(STREAM) is None


def test_nothing_is_kept_of_a_state_that_has_no_text(
    desk: Desk, played: Bench, marks: Marks, caplog: pytest.LogCaptureFixture
) -> None:
    desk.journal.append([entry_of(row) for row in played.rows])
    desk.settle()
    odd = dataclasses.replace(played.state, dealer=object())
    desk.journal.keep(snapshot_of(odd, marks), STREAM, odd.seq)
    desk.reopen()
    assert desk.journal.snapshot(STREAM) is None
    assert [message for message in caplog.messages if "no snapshot is kept of t-1" in message]


def test_an_orderly_end_keeps_what_was_asked_for_last(desk: Desk, played: Bench, marks: Marks) -> None:
    desk.journal.append([entry_of(row) for row in played.rows])
    desk.settle()
    desk.journal.keep(snapshot_of(played.state, marks), STREAM, played.state.seq)
    desk.close()
    assert begin(desk.open(), played.setup, marks) == played.state


def test_rows_go_before_a_snapshot(desk: Desk, played: Bench, marks: Marks) -> None:
    """While the writer has something to commit, nothing is put into text."""
    desk.journal.append([entry_of(row) for row in played.rows[:5]])
    desk.settle()
    desk.gate.clear()
    desk.journal.append([entry_of(played.rows[5])])
    desk.wait(lambda: len(desk.commits) == 2)
    state = reduce(evolve, played.rows[:6], blank(played.setup))
    asked: list[int] = []

    def make(digest: bytes) -> snapshot.Snapshot | None:
        asked.append(desk.journal.pending)
        return snapshot_of(state, marks)(digest)

    desk.journal.keep(make, STREAM, 6)
    desk.journal.append([entry_of(played.rows[6])])
    desk.gate.set()
    desk.poll(lambda: asked)
    assert asked == [0]
    desk.poll(lambda: desk.journal.snapshot(STREAM))


def test_each_part_of_a_stream_keeps_its_last_snapshot(
    desk: Desk, played: Bench, marks: Marks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("felt_daemon.journal.journal.PART_ROWS", 10)
    state = blank(played.setup)
    for row in played.rows[:25]:
        state = evolve(state, row)
        desk.journal.append([entry_of(row)])
        desk.settle()
        if row.seq in {4, 9, 14, 24}:
            desk.journal.keep(snapshot_of(state, marks), STREAM, row.seq)
            desk.reopen()
    with closing(sqlite3.connect(desk.path)) as connection:
        seqs = [seq for (seq,) in connection.execute("SELECT seq FROM snapshots ORDER BY seq")]
    assert seqs == [9, 14, 24]
    assert begin(desk.journal, played.setup, marks, 14).seq == 9
    assert begin(desk.journal, played.setup, marks, 15).seq == 14


def test_a_journal_of_before_snapshots_is_read_as_it_is(desk: Desk, played: Bench, marks: Marks) -> None:
    desk.journal.append([entry_of(row) for row in played.rows])
    desk.close()
    with closing(sqlite3.connect(desk.path)) as connection:
        connection.executescript("DROP TABLE snapshots; DROP TABLE configs; PRAGMA user_version = 1")
    with Reader(desk.path) as reader:
        assert reader.snapshot(STREAM) is None
        assert reader.config("00" * 32) is None
        assert begin(reader, played.setup, marks) == blank(played.setup)
        assert len(reader.read(STREAM)) == len(played.rows)
    desk.open().store_config("00" * 32, "{}")
    desk.poll(lambda: desk.journal.config("00" * 32) == "{}")


def test_an_old_schema_that_could_not_be_written_at_the_start_is_brought_up_later(
    desk: Desk, played: Bench
) -> None:
    desk.journal.append([entry_of(row) for row in played.rows[:1]])
    desk.close()
    with closing(sqlite3.connect(desk.path)) as connection:
        connection.executescript("DROP TABLE snapshots; DROP TABLE configs; PRAGMA user_version = 1")
    with closing(sqlite3.connect(desk.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        desk.open().store_config("11" * 32, "{}")
        desk.wait(lambda: desk.troubles)
        other.execute("ROLLBACK")
    desk.poll(lambda: desk.journal.trouble is None and desk.journal.settled)
    assert desk.reopen().config("11" * 32) == "{}"
