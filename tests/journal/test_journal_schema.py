"""The schema goes forward only, step by step, and what is not known is not touched."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from felt_daemon.journal import JournalCorrupt, NotAJournal, Reader, SchemaRefused
from felt_daemon.journal.schema import STEPS, migrate, version

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journal.conftest import Desk, MakeEntry

NEXT = ("CREATE TABLE archives (id INTEGER PRIMARY KEY) STRICT",)
AFTER_NEXT = ("ALTER TABLE archives ADD COLUMN digest TEXT", "INSERT INTO archives VALUES (1, 'd')")


def test_the_schema_is_number_2(desk: Desk) -> None:
    assert desk.journal.created
    with Reader(desk.path) as reader:
        assert reader.meta()["schema"] == "2"
    with closing(sqlite3.connect(desk.path)) as connection:
        [columns] = connection.execute(
            "SELECT group_concat(name, ' ') FROM pragma_table_info('rows')"
        ).fetchone()
    assert columns == (
        "id stream seq type v boot start mono_ns utc clock recorded_utc late simulated cause"
        " public private salt publichash privatehash hash"
    )


def test_missing_steps_are_taken_in_order_and_rows_stay(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.close()
    with closing(sqlite3.connect(desk.path, isolation_level=None)) as connection:
        assert not migrate(connection, desk.path, 0, (*STEPS, NEXT, AFTER_NEXT))
        assert version(connection, desk.path) == 4
        assert connection.execute("SELECT * FROM archives").fetchall() == [(1, "d")]
        assert connection.execute("SELECT count(*) FROM rows").fetchone() == (1,)
        assert not migrate(connection, desk.path, 0, (*STEPS, NEXT, AFTER_NEXT))


def test_a_step_that_fails_leaves_the_schema_before_it(desk: Desk) -> None:
    assert desk.journal.created
    desk.close()
    bad = ("CREATE TABLE half (x) ", "INSERT INTO missing VALUES (1)")
    with closing(sqlite3.connect(desk.path, isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError, match="missing"):
            migrate(connection, desk.path, 0, (*STEPS, NEXT, bad))
        assert version(connection, desk.path) == 3
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE name = 'half'").fetchall()
        assert tables == []


def test_a_newer_schema_is_refused_and_left_as_it_is(desk: Desk) -> None:
    assert desk.journal.created
    desk.close()
    with closing(sqlite3.connect(desk.path)) as connection:
        connection.execute("PRAGMA user_version = 9")
    for attempt in (desk.open, lambda: Reader(desk.path)):
        with pytest.raises(SchemaRefused, match=r"schema 9.*newer feltd"):
            attempt()
    with closing(sqlite3.connect(desk.path)) as connection:
        assert version(connection, desk.path) == 9


def test_a_reader_leaves_an_older_schema_to_the_daemon(desk: Desk) -> None:
    assert desk.journal.created
    desk.close()
    with closing(sqlite3.connect(desk.path)) as connection:
        connection.execute("PRAGMA user_version = 0")
    with pytest.raises(SchemaRefused, match="Start feltd once"):
        Reader(desk.path)


def test_the_database_of_another_program_is_refused_and_left_as_it_is(desk: Desk, tmp_path: Path) -> None:
    desk.path = tmp_path / "photos.db"
    with closing(sqlite3.connect(desk.path)) as connection:
        connection.execute("CREATE TABLE photos (x)")
    for attempt in (desk.open, lambda: Reader(desk.path)):
        with pytest.raises(NotAJournal, match="another program"):
            attempt()
    with closing(sqlite3.connect(desk.path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema").fetchall()
    assert tables == [("photos",)]


def test_an_empty_file_becomes_a_new_journal(desk: Desk) -> None:
    desk.path.touch()
    assert desk.journal.created


def test_a_journal_without_its_epoch_is_damaged(desk: Desk) -> None:
    assert desk.journal.created
    desk.close()
    with closing(sqlite3.connect(desk.path)) as connection, connection:
        connection.execute("DELETE FROM meta")
    for attempt in (desk.open, lambda: Reader(desk.path)):
        with pytest.raises(JournalCorrupt, match="epoch"):
            attempt()
