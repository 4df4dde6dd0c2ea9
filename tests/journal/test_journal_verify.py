"""Whatever is changed in a journal, verification finds the first row that was, and says how."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from felt_daemon.journal import JournalMissing
from felt_daemon.journal.verify import Anchor, Report, verify

if TYPE_CHECKING:
    from tests.journal.conftest import Desk, MakeEntry


@pytest.fixture
def written(desk: Desk, entry: MakeEntry) -> Desk:
    """A closed journal: table-1 has 9 rows with the odd ids, meter-a has 9 with the even ones."""
    for seq in range(1, 10):
        desk.journal.append([entry(seq, cause=1), entry(seq, "meter-a")])
    desk.close()
    return desk


def tamper(desk: Desk, *statements: str) -> Report:
    """Change the file as somebody does who knows SQLite, and verify it."""
    with closing(sqlite3.connect(desk.path)) as connection:
        connection.execute("DROP TRIGGER rows_are_never_changed")
        connection.execute("DROP TRIGGER rows_are_never_deleted")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return verify(desk.path)


def test_an_untouched_journal_is_sound(written: Desk) -> None:
    report = tamper(written)
    assert report.sound
    assert report.rows == 18
    assert {name: (stream.rows, stream.last_seq) for name, stream in report.streams.items()} == {
        "table-1": (9, 9),
        "meter-a": (9, 9),
    }


def test_a_journal_without_rows_is_sound(desk: Desk) -> None:
    assert desk.journal.created
    report = verify(desk.path)
    assert report.sound
    assert report.rows == 0


def test_a_journal_being_written_is_sound(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.settle()
    assert verify(desk.path).rows == 1


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("type = 'felt.card.card-drawn.v2'", "envelope-changed"),
        ("v = 2", "envelope-changed"),
        ("boot = 'another'", "envelope-changed"),
        ("start = 'another'", "envelope-changed"),
        ("mono_ns = mono_ns + 1", "envelope-changed"),
        ("utc = '2026-01-02T03:04:05.678904Z'", "envelope-changed"),
        ("utc = 'yesterday'", "envelope-changed"),
        ("clock = 'untrusted'", "envelope-changed"),
        ("recorded_utc = '2026-01-02T03:04:05.678904Z'", "envelope-changed"),
        ("late = 1", "envelope-changed"),
        ("simulated = 0", "envelope-changed"),
        ("cause = 2", "envelope-changed"),
        ("cause = NULL", "envelope-changed"),
        ("public = replace(public, '4', '5')", "public-changed"),
        ("public = CAST(x'ff' AS TEXT)", "public-changed"),
        ("private = replace(private, 'As', '2d')", "private-changed"),
        ("salt = zeroblob(16)", "private-changed"),
        ("publichash = zeroblob(32)", "digest-changed"),
        ("privatehash = zeroblob(32)", "digest-changed"),
        ("hash = zeroblob(32)", "hash-changed"),
        ("public = '{}', late = 1", "several-changed"),
    ],
)
def test_a_changed_column_is_found_in_its_row(written: Desk, change: str, what: str) -> None:
    report = tamper(written, f"UPDATE rows SET {change} WHERE stream = 'table-1' AND seq = 5")  # noqa: S608 - written above
    assert [(problem.stream, problem.seq, problem.what) for problem in report.problems] == [
        ("table-1", 5, what)
    ]
    assert report.streams["table-1"].last_seq == 4
    assert report.streams["meter-a"].last_seq == 9
    assert "row 5 of table-1 is not what was recorded" in report.problems[0].text


def test_a_changed_last_row_is_found(written: Desk) -> None:
    report = tamper(written, "UPDATE rows SET hash = zeroblob(32) WHERE id = 17")
    assert [(problem.stream, problem.seq) for problem in report.problems] == [("table-1", 9)]


def test_another_stream_or_seq_of_a_row_is_found(written: Desk) -> None:
    for change in ("stream = 'table-2'", "seq = 50", "id = 500"):
        report = tamper_copy(written, f"UPDATE rows SET {change} WHERE id = 9")  # noqa: S608 - written above
        assert not report.sound, change


def tamper_copy(desk: Desk, statement: str) -> Report:
    """Tamper, verify, and put the file back."""
    kept = desk.path.read_bytes()
    report = tamper(desk, statement)
    desk.path.write_bytes(kept)
    return report


def test_a_missing_row_is_named(written: Desk) -> None:
    report = tamper(written, "DELETE FROM rows WHERE stream = 'table-1' AND seq = 5")
    assert ("table-1", 5, "missing-row") in [
        (problem.stream, problem.seq, problem.what) for problem in report.problems
    ]
    assert "row 5 is missing in table-1" in [problem.text for problem in report.problems]


def test_missing_rows_are_named_as_a_range(written: Desk) -> None:
    report = tamper(written, "DELETE FROM rows WHERE stream = 'table-1' AND seq IN (1, 2, 3)")
    assert "rows 1 to 3 are missing in table-1" in [problem.text for problem in report.problems]


def test_a_missing_row_whose_place_was_closed_up_is_found(written: Desk) -> None:
    report = tamper(
        written,
        "DELETE FROM rows WHERE id = 9",
        "UPDATE rows SET seq = -seq + 1 WHERE stream = 'table-1' AND seq > 5",
        "UPDATE rows SET seq = -seq WHERE seq < 0",
        "UPDATE rows SET id = -id + 1 WHERE id > 9",
        "UPDATE rows SET id = -id WHERE id < 0",
    )
    assert ("table-1", 5) in [(problem.stream, problem.seq) for problem in report.problems]


def test_rows_that_changed_places_are_found(written: Desk) -> None:
    report = tamper(
        written,
        "UPDATE rows SET id = 100 WHERE id = 9",
        "UPDATE rows SET id = 9 WHERE id = 11",
        "UPDATE rows SET id = 11 WHERE id = 100",
    )
    assert [(problem.seq, problem.what) for problem in report.problems] == [(6, "moved-row")]


def test_an_end_that_was_cut_off_is_found(written: Desk) -> None:
    report = tamper(written, "DELETE FROM rows WHERE id > 14")
    assert [problem.what for problem in report.problems] == ["tail-missing"]
    assert report.problems[0].text == "the last row has id 14, but 18 have been written"


def test_an_end_that_was_cut_off_with_care_is_found_by_what_the_floor_kept(written: Desk) -> None:
    kept = verify(written.path).streams["table-1"].head
    report = tamper(
        written,
        "DELETE FROM rows WHERE id > 14",
        "UPDATE sqlite_sequence SET seq = 14",
    )
    assert report.sound
    report = verify(written.path, [Anchor("table-1", 9, kept)])
    assert [problem.what for problem in report.problems] == ["anchor-differs"]
    assert report.problems[0].text.startswith("row 9 of table-1 is not there; outside,")


def test_a_chain_that_was_forged_anew_is_found_by_what_the_floor_kept(written: Desk) -> None:
    good = verify(written.path).streams["table-1"].head
    assert verify(written.path, [Anchor("table-1", 9, good)]).sound
    report = verify(written.path, [Anchor("table-1", 8, good)])
    assert [problem.what for problem in report.problems] == ["anchor-differs"]
    assert "has the hash" in report.problems[0].text


def test_another_epoch_breaks_every_stream_at_its_first_row(written: Desk) -> None:
    report = tamper(written, "UPDATE meta SET value = 'another' WHERE name = 'epoch'")
    assert sorted((problem.stream, problem.seq) for problem in report.problems) == [
        ("meter-a", 1),
        ("table-1", 1),
    ]


def test_a_table_made_anew_with_values_of_wrong_types_is_found(written: Desk) -> None:
    report = tamper(
        written,
        "CREATE TABLE loose AS SELECT * FROM rows",
        "UPDATE loose SET salt = 'text' WHERE id = 3",
        "DROP TABLE rows",
        "ALTER TABLE loose RENAME TO rows",
    )
    assert not report.sound


def test_a_damaged_file_is_reported_as_broken(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(seq) for seq in range(1, 200)])
    desk.close()
    data = bytearray(desk.path.read_bytes())
    data[8 * 4096 : 10 * 4096] = b"\xff" * 8192
    desk.path.write_bytes(data)
    report = verify(desk.path)
    assert "file" in [problem.what for problem in report.problems]


def test_a_journal_that_is_not_there_is_no_finding(desk: Desk) -> None:
    with pytest.raises(JournalMissing):
        verify(desk.path)


def test_progress_is_told(written: Desk) -> None:
    steps: list[tuple[int, int]] = []
    verify(written.path, progress=lambda done, of: steps.append((done, of)))
    assert steps[0] == (1, 18)
    assert steps[-1] == (18, 18)
