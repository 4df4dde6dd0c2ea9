"""A large file is looked through while the table runs, and one in doubt before anything is written to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from felt_daemon.journal import JournalCorrupt, Reader, inspection

if TYPE_CHECKING:
    from tests.journal.conftest import Desk, MakeEntry

PAGE_BYTES = 4096
# Source: https://www.sqlite.org/fileformat2.html, b-tree pages.
LEAF_OF_A_TABLE = 13


@pytest.fixture(autouse=True)
def _every_file_is_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "AT_ONCE_BYTES", 0)


def marked(desk: Desk) -> bool:
    """Whether the next start would look before it writes."""
    with Reader(desk.path) as reader:
        return inspection.MARK in reader.meta()


def root_page(desk: Desk, table: str) -> int:
    """Where in the file the first page of a table lies."""
    with closing(sqlite3.connect(desk.path)) as connection:
        [root] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    return (int(root) - 1) * PAGE_BYTES


def old_leaf(desk: Desk) -> int:
    """Where a page lies that holds the first rows, and no others are found by it."""
    content = desk.path.read_bytes()
    root = root_page(desk, "rows")
    leaves = (
        at
        for at in range(PAGE_BYTES, len(content), PAGE_BYTES)
        if at != root and content[at] == LEAF_OF_A_TABLE and b"card-drawn" in content[at : at + PAGE_BYTES]
    )
    return next(leaves)


def spoil(desk: Desk, offset: int) -> None:
    """Overwrite the head of a page."""
    with desk.path.open("r+b") as file:
        file.seek(offset)
        file.write(b"\xff" * 64)


def filled(desk: Desk, entry: MakeEntry) -> None:
    """A journal of a few pages, closed."""
    desk.journal.append([entry(seq) for seq in range(1, 101)])
    desk.close()


def test_a_sound_file_keeps_no_mark(desk: Desk, entry: MakeEntry) -> None:
    filled(desk, entry)
    desk.open()
    desk.poll(lambda: not marked(desk))
    assert desk.troubles == []
    assert len(desk.journal.read("table-1")) == 100


def test_a_file_is_looked_through_where_a_service_may_not_lower_its_priority(
    desk: Desk, entry: MakeEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_arguments: int) -> None:
        raise PermissionError

    monkeypatch.setattr("os.setpriority", forbidden)
    filled(desk, entry)
    spoil(desk, old_leaf(desk))
    desk.open()
    desk.wait(lambda: desk.troubles)
    assert [one.kind for one in desk.troubles if one is not None] == ["corrupt"]


def test_rows_of_which_not_even_the_last_can_be_read_are_refused_at_once(
    desk: Desk, entry: MakeEntry
) -> None:
    filled(desk, entry)
    spoil(desk, root_page(desk, "rows"))
    with pytest.raises(JournalCorrupt):
        desk.open()


def test_an_old_page_that_is_damaged_ends_the_run_and_the_next_start_writes_nothing(
    desk: Desk, entry: MakeEntry
) -> None:
    filled(desk, entry)
    spoil(desk, old_leaf(desk))
    desk.open()
    desk.wait(lambda: desk.troubles)
    trouble = desk.troubles[0]
    assert trouble is not None
    assert (trouble.kind, trouble.fatal) == ("corrupt", True)
    assert "is damaged" in trouble.text
    desk.close()
    before = desk.path.read_bytes()
    with pytest.raises(JournalCorrupt):
        desk.open()
    assert desk.path.read_bytes() == before


def test_a_damaged_side_table_is_found_before_anything_is_written(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.journal.store_pack("d" * 64, "x" * 100)
    desk.close()
    spoil(desk, root_page(desk, "packs"))
    with pytest.raises(JournalCorrupt):
        desk.open()


def test_a_run_that_died_while_it_looked_leaves_the_look_to_the_next_start(
    desk: Desk, entry: MakeEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(desk, entry)
    with closing(sqlite3.connect(desk.path)) as connection, connection:
        connection.execute("INSERT INTO meta VALUES (?, 'x')", (inspection.MARK,))
    with closing(sqlite3.connect(desk.path)) as connection:
        assert inspection.due_at_once(connection, desk.path)
    looks: list[bool] = []
    real = inspection.faults

    def faults(connection: sqlite3.Connection, *, whole: bool) -> str | None:
        looks.append(whole)
        return real(connection, whole=whole)

    monkeypatch.setattr(inspection, "faults", faults)
    desk.open()
    assert looks == [True]


def test_a_look_that_an_orderly_end_breaks_off_leaves_no_doubt(
    desk: Desk, entry: MakeEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(desk, entry)
    # It looks until it is told to stop.
    monkeypatch.setattr(inspection.Inspection, "run", lambda self: self._stopping.wait(10.0))
    desk.open()
    desk.poll(lambda: marked(desk))
    desk.close()
    assert not marked(desk)
