"""A disk that is full, locked, read-only, damaged or swapped never loses a row in silence."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from felt_daemon.journal import (
    Journal,
    JournalBusy,
    JournalCorrupt,
    JournalMissing,
    JournalUnavailable,
    Reader,
)
from felt_daemon.journal.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.journal.conftest import Desk, MakeEntry, SmallDisk

    from felt_daemon.journal.batch import Batch

BIG = b'{"text":"' + b"x" * 4000 + b'"}'


def seqs(path: Path, stream: str = "table-1") -> list[int]:
    with Reader(path) as reader:
        return [row.entry.seq for row in reader.read(stream)]


@pytest.mark.fault("pimutils/khal#364", "qTox/qTox#2179")
def test_rows_that_meet_a_full_disk_are_committed_unchanged_when_there_is_room(
    small_desk: Desk, small_disk: SmallDisk, entry: MakeEntry
) -> None:
    desk = small_desk
    desk.journal.append([entry(1)])
    desk.settle()
    small_disk.fill()
    for seq in range(2, 52):
        desk.journal.append([entry(seq, public=BIG)])
    desk.wait(lambda: desk.troubles)
    trouble = desk.journal.trouble
    assert trouble is not None
    assert trouble.kind == "full"
    assert "The disk is full" in trouble.text
    assert not trouble.fatal
    waiting = desk.journal.pending
    assert waiting > 0
    desk.journal.append([entry(52)])
    assert desk.journal.pending == waiting + 1
    small_disk.free()
    desk.settle()
    assert desk.kinds() == ["full", None]
    assert seqs(desk.path) == list(range(1, 53))
    assert verify(desk.path).sound


def test_a_page_limit_is_a_full_disk_too(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.settle()
    connection = desk.journal._writer._store._connection
    assert connection is not None
    connection.execute("PRAGMA max_page_count = 1")  # means: no more than it has now
    for seq in range(2, 22):
        desk.journal.append([entry(seq, public=BIG)])
    desk.wait(lambda: desk.troubles)
    first = desk.journal.pending
    assert first > 0
    connection.execute("PRAGMA max_page_count = 1000000")
    desk.settle()
    assert desk.kinds() == ["full", None]
    assert seqs(desk.path) == list(range(1, 22))


def test_the_time_of_recording_stays_that_of_the_first_try(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.settle()
    with closing(sqlite3.connect(desk.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        desk.journal.append([entry(2)])
        desk.wait(lambda: desk.troubles)
        began = desk.journal.trouble
        for _ in range(1000):
            desk.now()
        other.execute("ROLLBACK")
        desk.settle()
    assert began is not None
    [_, row] = desk.journal.read("table-1")
    assert row.recorded_us < began.since < row.recorded_us + 1000


@pytest.mark.fault("RockChinQ/free-one-api#22")
def test_rows_that_meet_a_lock_wait_in_order(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.settle()
    with closing(sqlite3.connect(desk.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for seq in range(2, 32):
            desk.journal.append([entry(seq)])
        desk.wait(lambda: desk.troubles)
        assert desk.journal.pending == 30
        assert seqs(desk.path) == [1]  # the backup does not stop readers
        other.execute("ROLLBACK")
    desk.settle()
    assert desk.kinds() == ["busy", None]
    assert seqs(desk.path) == list(range(1, 32))


def test_a_journal_that_is_locked_at_the_start_takes_rows_all_the_same(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.close()
    with closing(sqlite3.connect(desk.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        desk.open().append([entry(2)])
        desk.wait(lambda: desk.troubles)
        other.execute("ROLLBACK")
    desk.settle()
    assert seqs(desk.path) == [1, 2]


@pytest.mark.fault("O-X-L/ansible-webui-v0#6")
@pytest.mark.long
def test_a_file_that_is_locked_altogether_is_busy_and_no_traceback(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.close()
    with closing(sqlite3.connect(desk.path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(JournalBusy, match="locks the journal"):
            Reader(desk.path)
        with pytest.raises(JournalUnavailable, match="locks the journal") as caught:
            desk.open()
    assert caught.value.kind == "busy"


def test_closing_does_not_wait_for_ever_and_says_what_it_left(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.settle()
    journal = desk.journal
    with closing(sqlite3.connect(desk.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        journal.append([entry(2), entry(3)])
        assert journal.close(0.3) == 2
        other.execute("ROLLBACK")
    desk.reopen()
    assert desk.journal.last_seq("table-1") == 1


@pytest.mark.fault("jellyfin/jellyfin.org#648", "thelounge/thelounge#4571")
def test_a_start_on_a_full_disk_reads_its_history_and_heals(
    small_desk: Desk, small_disk: SmallDisk, entry: MakeEntry
) -> None:
    desk = small_desk
    desk.journal.append([entry(1), entry(2)])
    desk.close()
    small_disk.fill()
    journal = desk.open()
    assert not journal.created
    assert [row.entry.seq for row in journal.read("table-1")] == [1, 2]
    journal.append([entry(3)])
    desk.wait(lambda: desk.troubles)
    assert desk.kinds() == ["full"]
    small_disk.free()
    desk.settle()
    assert [row.entry.seq for row in journal.read("table-1")] == [1, 2, 3]
    assert desk.kinds() == ["full", None]
    assert verify(desk.path).sound


def test_a_start_on_a_full_disk_after_a_power_cut_reads_also_the_log(
    small_desk: Desk, small_disk: SmallDisk, tmp_path: Path, entry: MakeEntry
) -> None:
    desk = small_desk
    desk.journal.append([entry(1), entry(2)])
    desk.settle()
    for name in ("journal.db", "journal.db-wal"):
        shutil.copy(small_disk.folder / name, tmp_path / name)
    desk.close()
    for name in ("journal.db", "journal.db-wal"):
        shutil.copy(tmp_path / name, small_disk.folder / name)
    small_disk.fill()
    # Larger than what the log has room for already, in case it was copied into the file meanwhile.
    large = b'{"note":"' + b"x" * 200_000 + b'"}'
    desk.open().append([entry(3, public=large)])
    assert [row.entry.seq for row in desk.journal.read("table-1")] == [1, 2]
    desk.wait(lambda: desk.troubles)
    small_disk.free()
    desk.settle()
    assert seqs(desk.path) == [1, 2, 3]


def test_a_start_on_a_read_only_disk_reads_its_history_and_heals(
    small_desk: Desk, small_disk: SmallDisk, entry: MakeEntry
) -> None:
    desk = small_desk
    desk.journal.append([entry(1)])
    desk.close()
    small_disk.remount("ro")
    desk.open().append([entry(2)])
    desk.wait(lambda: desk.troubles)
    assert desk.kinds() == ["read-only"]
    assert seqs(desk.path) == [1]
    assert verify(desk.path).sound
    small_disk.remount("rw")
    desk.settle()
    assert seqs(desk.path) == [1, 2]
    assert desk.kinds() == ["read-only", None]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_to_write_is_read_and_told(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.close()
    desk.path.parent.chmod(0o555)
    desk.open().append([entry(2)])
    desk.wait(lambda: desk.troubles)
    assert desk.kinds() == ["read-only"]
    assert seqs(desk.path) == [1]
    desk.path.parent.chmod(0o755)
    desk.settle()
    assert seqs(desk.path) == [1, 2]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_to_read_is_told_as_such(desk: Desk) -> None:
    assert desk.journal.created
    desk.close()
    desk.path.chmod(0)
    with pytest.raises(JournalUnavailable, match="no permission"):
        Reader(desk.path)


def test_where_no_journal_can_be_made_the_start_says_why(small_desk: Desk, small_disk: SmallDisk) -> None:
    small_disk.remount("ro")
    with pytest.raises(JournalUnavailable, match="read-only") as caught:
        small_desk.open()
    assert caught.value.kind == "read-only"
    assert not small_desk.path.exists()


def test_a_folder_that_is_missing_is_named(desk: Desk, tmp_path: Path) -> None:
    desk.path = tmp_path / "nowhere" / "journal.db"
    with pytest.raises(JournalUnavailable, match="nowhere"):
        desk.open()
    with pytest.raises(JournalMissing, match="nowhere"):
        Reader(desk.path)


@pytest.mark.fault("eclipse-mosquitto/mosquitto#2639", "eclipse-mosquitto/mosquitto#3159")
@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: bytes(len(data)), id="all zero bytes"),
        pytest.param(lambda data: b"\xff" * 100 + data[100:], id="the header"),
        pytest.param(lambda data: data[:4096] + os.urandom(8192) + data[12288:], id="pages"),
        pytest.param(lambda data: data[: len(data) // 2], id="cut in half"),
    ],
)
def test_a_damaged_file_is_told_with_evidence_and_left_as_it_is(
    desk: Desk, entry: MakeEntry, damage: Callable[[bytes], bytes]
) -> None:
    desk.journal.append([entry(seq, public=BIG) for seq in range(1, 31)])
    desk.close()
    damaged = damage(desk.path.read_bytes())
    desk.path.write_bytes(damaged)
    with pytest.raises(JournalCorrupt) as caught:
        desk.open()
    assert caught.value.evidence
    assert desk.path.read_bytes() == damaged


def test_a_damaged_file_keeps_its_log_as_evidence(desk: Desk, tmp_path: Path, entry: MakeEntry) -> None:
    desk.journal.append([entry(seq, public=BIG) for seq in range(1, 31)])
    desk.reopen()
    desk.journal.append([entry(31)])
    desk.settle()
    log = tmp_path / "journal.db-wal"
    kept = log.read_bytes()
    damaged = desk.path.read_bytes()[: 8 * 4096] + bytes(4096 * 8)
    desk.close()
    log.write_bytes(kept)
    desk.path.write_bytes(damaged)
    with pytest.raises(JournalCorrupt):
        desk.open()
    assert log.read_bytes() == kept
    assert desk.path.read_bytes() == damaged


def test_a_commit_that_hangs_does_not_hang_the_end_of_the_program(desk: Desk, entry: MakeEntry) -> None:
    journal = desk.journal
    store = journal._writer._store
    entered, let_go = threading.Event(), threading.Event()
    commit = store.commit

    def hang(batch: Batch, *, again: bool) -> None:
        entered.set()
        let_go.wait(20)
        commit(batch, again=again)

    store.commit = hang  # type: ignore[method-assign]  # a disk that does not answer
    journal.append([entry(1)])
    assert entered.wait(10)
    before_s = time.monotonic()
    assert journal.close(0.1) == 1
    assert time.monotonic() - before_s < 5
    let_go.set()
    journal._writer.join(10)


def test_a_journal_overwritten_before_it_could_be_written_is_fatal(
    small_desk: Desk, small_disk: SmallDisk, tmp_path: Path, entry: MakeEntry
) -> None:
    """The disk was read-only at the start, and somebody repairs it with another journal."""
    desk = small_desk
    desk.journal.append([entry(1)])
    desk.close()
    other = tmp_path / "other.db"
    Journal.open(other, now=desk.now, on_commit=lambda _: None, on_trouble=lambda _: None).close(2.0)
    small_disk.remount("ro")
    desk.open().append([entry(2)])
    desk.wait(lambda: desk.troubles)
    desk.journal._reader.close()
    small_disk.remount("rw")
    shutil.copy(other, desk.path)
    desk.wait(lambda: desk.journal.trouble and desk.journal.trouble.fatal)
    assert desk.journal.pending == 1


def test_damage_found_while_running_is_fatal(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(seq, public=BIG) for seq in range(1, 31)])
    desk.reopen()
    connection = desk.journal._writer._store._connection
    assert connection is not None
    connection.execute("PRAGMA shrink_memory")  # else it goes on with its sound copies of the pages
    data = desk.path.read_bytes()
    with desk.path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (len(data) - 4096))
    desk.journal.append([entry(31)])
    desk.wait(lambda: desk.troubles)
    assert desk.journal.trouble is not None
    assert desk.journal.trouble.kind == "corrupt"
    assert desk.journal.trouble.fatal
    assert desk.journal.pending == 1


def test_a_journal_swapped_under_the_writer_is_fatal(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.settle()
    other = desk.path.with_name("other.db")
    Journal.open(other, now=desk.now, on_commit=lambda _: None, on_trouble=lambda _: None).close(2.0)
    other.replace(desk.path)
    desk.journal.append([entry(2)])
    desk.wait(lambda: desk.troubles)
    assert desk.kinds() == ["replaced"]


def test_a_journal_taken_away_is_waited_for(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.settle()
    away = desk.path.with_name("away.db")
    desk.path.rename(away)
    desk.journal.append([entry(2)])
    desk.wait(lambda: desk.troubles)
    assert desk.kinds() == ["io"]
    away.rename(desk.path)
    desk.settle()
    assert seqs(desk.path) == [1, 2]


def test_a_commit_that_reported_an_error_but_reached_the_disk_is_not_doubled(
    desk: Desk, entry: MakeEntry
) -> None:
    desk.journal.append([entry(1)])
    desk.settle()
    writer = desk.journal._writer
    store = writer._store
    commit = store.commit

    def lie(batch: Batch, *, again: bool) -> None:
        commit(batch, again=again)
        if not again:
            raise OSError("the fsync failed")

    store.commit = lie  # type: ignore[method-assign]  # a fault of the disk
    desk.journal.append([entry(2)])
    desk.settle()
    assert desk.kinds() == ["io", None]
    assert seqs(desk.path) == [1, 2]
    assert verify(desk.path).sound
