"""Rows go in at once, come out in order, and are the same after the next start."""

from __future__ import annotations

import sqlite3
import stat
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.journal import (
    EntryError,
    Journal,
    JournalError,
    JournalInUse,
    Reader,
    SequenceError,
    Trouble,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journal.conftest import Desk, MakeEntry


def test_a_row_comes_back_as_it_was_given(desk: Desk, entry: MakeEntry) -> None:
    given = entry(1, late=True, clock="untrusted", public='{"name":"Müller"}'.encode())
    desk.journal.append([given])
    desk.settle()
    [row] = desk.journal.read("table-1")
    assert row.entry == given
    assert row.id == 1
    assert row.previous == bytes(32)
    assert desk.journal.head("table-1") == (1, row.hash)


def test_times_are_text_with_microseconds_and_a_z(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1, utc_us=1_767_323_045_678_901)])
    desk.settle()
    with sqlite3.connect(desk.path) as connection:
        row = connection.execute("SELECT utc, recorded_utc FROM rows").fetchone()
    connection.close()
    assert row[0] == "2026-01-02T03:04:05.678901Z"
    assert row[1].startswith("2026-01-02T03:05:00.00000")
    assert row[1].endswith("Z")


def test_one_append_is_one_transaction_over_two_streams(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1), entry(2), entry(1, "meter-a"), entry(3)])
    desk.settle()
    assert desk.commits == [{"table-1": 3, "meter-a": 1}]
    assert desk.journal.streams() == ["meter-a", "table-1"]
    order = [(row.entry.stream, row.entry.seq) for row in desk.journal.read_all()]
    assert order == [("table-1", 1), ("table-1", 2), ("meter-a", 1), ("table-1", 3)]


def test_nothing_is_told_before_it_can_be_read(desk: Desk, entry: MakeEntry) -> None:
    desk.gate.clear()  # the writer stays in its callback
    desk.journal.append([entry(1)])
    desk.wait(lambda: desk.commits)
    with Reader(desk.path) as reader:
        assert [row.entry.seq for row in reader.read("table-1")] == [1]


def test_what_queues_during_a_commit_becomes_the_next_transaction(desk: Desk, entry: MakeEntry) -> None:
    desk.gate.clear()
    desk.journal.append([entry(1)])
    desk.wait(lambda: desk.commits)
    for seq in range(2, 42):
        desk.journal.append([entry(seq)])
    assert desk.journal.pending == 40
    desk.gate.set()
    desk.settle()
    assert desk.commits == [{"table-1": 1}, {"table-1": 41}]


def test_the_time_of_recording_is_that_of_the_transaction(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1), entry(2)])
    desk.settle()
    desk.journal.append([entry(3)])
    desk.settle()
    first, second, third = [row.recorded_us for row in desk.journal.read("table-1")]
    assert first == second
    assert third > second


def test_a_seq_that_is_not_the_next_is_refused_at_once_and_takes_nothing_along(
    desk: Desk, entry: MakeEntry
) -> None:
    desk.journal.append([entry(1)])
    for wrong in ([entry(3)], [entry(1)], [entry(2), entry(2)], [entry(2), entry(1, "b"), entry(4)]):
        with pytest.raises(SequenceError, match="is due"):
            desk.journal.append(wrong)
    assert desk.journal.last_seq("table-1") == 1
    desk.journal.append([entry(2), entry(1, "b")])
    desk.settle()
    assert [row.entry.seq for row in desk.journal.read("table-1")] == [1, 2]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"stream": ""}, "stream"),
        ({"stream": 'a"b'}, "stream"),
        ({"stream": "back\\slash"}, "stream"),
        ({"type": "zeile\n"}, "type"),
        ({"boot": "é"}, "boot"),
        ({"start": "x" * 201}, "start"),
        ({"seq": 0}, "seq"),
        ({"v": 0}, "v is 0"),
        ({"mono_ns": -1}, "mono_ns"),
        ({"mono_ns": 2**63}, "mono_ns"),
        ({"utc_us": -1}, "utc_us"),
        ({"utc_us": 253_402_300_800_000_000}, "utc_us"),
        ({"cause": 0}, "cause"),
        ({"clock": "maybe"}, "clock"),
        ({"public": b"{"}, "public body is no JSON"),
        ({"public": b"[]"}, "public body is no JSON object"),
        ({"private": b'{"a":"\xff"}'}, "private body is no JSON"),
    ],
)
def test_an_entry_that_cannot_be_stored_is_refused_by_name(
    desk: Desk, entry: MakeEntry, changed: dict[str, Any], why: str
) -> None:
    with pytest.raises(EntryError, match=why):
        desk.journal.append([entry(**({"seq": 1} | changed))])
    assert desk.journal.pending == 0


def test_the_largest_values_are_kept(desk: Desk, entry: MakeEntry) -> None:
    given = entry(1, mono_ns=2**63 - 1, utc_us=253_402_300_799_999_999, cause=2**63 - 1)
    desk.journal.append([given])
    desk.settle()
    assert desk.journal.read("table-1")[0].entry == given


def test_the_next_start_goes_on_where_the_last_one_stopped(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1), entry(1, "meter-a")])
    first = desk.journal
    assert first.created
    epoch = first.epoch
    desk.reopen()
    assert not desk.journal.created
    assert desk.journal.epoch == epoch
    assert desk.journal.last_seq("table-1") == 1
    desk.journal.append([entry(2)])
    desk.settle()
    row, following = desk.journal.read("table-1")
    assert following.previous == row.hash


def test_every_new_journal_has_an_epoch_of_its_own(tmp_path: Path, desk: Desk) -> None:
    other = Journal.open(
        tmp_path / "other.db", now=desk.now, on_commit=lambda _: None, on_trouble=lambda _: None
    )
    other.close(2.0)
    assert len(other.epoch) == 16
    assert other.epoch != desk.journal.epoch


def test_reading_goes_on_from_a_cursor_by_pages(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(seq) for seq in range(1, 6)])
    desk.settle()
    assert [row.entry.seq for row in desk.journal.read("table-1", 1, 2)] == [2, 3]
    assert [row.id for row in desk.journal.read_all(3)] == [4, 5]
    assert desk.journal.read("table-1", 5) == []
    assert desk.journal.read("unknown") == []
    assert desk.journal.head("unknown") is None


def test_packs_cursors_and_topics_outlive_the_process(desk: Desk) -> None:
    journal = desk.journal
    journal.store_pack("d1", "[pack]")
    journal.retained_add("felt/1/table-1/hold/1")
    journal.retained_add("felt/1/table-1/hold/2")
    journal.retained_drop("felt/1/table-1/hold/1")
    journal.set_cursor("floor", "table-1", 7)
    last = journal.set_cursor("floor", "table-1", 9)
    desk.wait(lambda: journal.settled >= last)
    desk.reopen()
    assert desk.journal.pack("d1") == "[pack]"
    assert desk.journal.pack("d2") is None
    assert desk.journal.retained() == {"felt/1/table-1/hold/2"}
    assert desk.journal.cursor("floor", "table-1") == 9
    assert desk.journal.cursor("floor", "meter-a") is None


def test_a_cursor_waits_for_rows_to_go_with(desk: Desk, entry: MakeEntry) -> None:
    ticket = desk.journal.set_cursor("floor", "table-1", 1)
    desk.journal.append([entry(1)])
    desk.settle()
    assert desk.journal.settled == ticket
    assert desk.commits == [{"table-1": 1}]


def test_closing_commits_what_is_queued_and_leaves_one_file_and_its_lock(
    desk: Desk, entry: MakeEntry
) -> None:
    journal = desk.journal
    journal.append([entry(seq) for seq in range(1, 301)])
    journal.set_cursor("floor", "table-1", 3)
    assert journal.close(5.0) == 0
    assert journal.close(5.0) == 0
    assert sorted(path.name for path in desk.path.parent.iterdir()) == [
        "journal.db",
        "journal.db.lock",
    ]
    with pytest.raises(JournalError, match="closed"):
        journal.append([entry(301)])
    with Reader(desk.path) as reader:
        assert reader.last_id() == 300
        assert reader.cursor("floor", "table-1") == 3


def test_a_second_writer_is_refused(desk: Desk) -> None:
    assert desk.journal.created
    with pytest.raises(JournalInUse, match="running twice"):
        Journal.open(desk.path, now=desk.now, on_commit=print, on_trouble=print)


def test_every_commit_is_forced_to_the_disk(desk: Desk) -> None:
    """No kill -9 can show it: only a power cut tells FULL from NORMAL."""
    connection = desk.journal._writer._store._connection
    assert connection is not None
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_only_the_service_and_its_group_can_read_the_file(desk: Desk) -> None:
    assert desk.journal.created
    assert stat.S_IMODE(desk.path.stat().st_mode) & 0o027 == 0


def test_rows_cannot_be_changed_or_deleted_by_a_slip(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.reopen()
    connection = sqlite3.connect(desk.path)
    for slip in ("UPDATE rows SET seq = 2", "DELETE FROM rows"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            connection.execute(slip)
    connection.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_callback_that_raises_is_told_as_a_fatal_trouble(desk: Desk, entry: MakeEntry) -> None:
    def burst(_: object) -> None:
        raise RuntimeError("a fault of the shell")

    troubles: list[object] = []
    journal = Journal.open(desk.path, now=desk.now, on_commit=burst, on_trouble=troubles.append)
    journal.append([entry(1)])
    journal.close(5.0)
    [trouble] = troubles
    assert isinstance(trouble, Trouble)
    assert journal.trouble is trouble
    assert trouble.kind == "bug"
    assert trouble.fatal
