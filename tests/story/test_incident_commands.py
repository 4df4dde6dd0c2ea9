"""`felt incident list`, `show` and `export`, as people and scripts use them."""

from __future__ import annotations

import json
import re
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.library import digest_of
from felt_daemon.shell.rows import entry_of

from .house import PACK_TEXT, House, overridden_evening, write, writing

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Felt


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a jam that is overridden, dice shaken too seldom, and a shoe that is gone."""
    house = overridden_evening()
    house.no_more_bets()
    house.shake(2)
    house.uncover()
    house.unplug("shoe-1")
    house.run(60.0)
    path = tmp_path_factory.mktemp("busy") / "journal.db"
    write(house, path)
    return path


def test_the_list_shows_every_incident_and_an_override_loudly(felt: Felt, busy: Path) -> None:
    code, out, _ = felt("incident", "list", "--journal", busy)
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith("t-1  1  659a.13(m)  shoe-jam  device shoe-1 ")
    assert lines[0].endswith("OVERRIDDEN, remedy seen")
    assert re.fullmatch(
        r"    2026-11-30 19:0\d:\d\d UTC, 1 min \d+ s; 0 rounds, 0 hands; owned by Ann \(floor\)", lines[1]
    )
    assert lines[2].startswith("    *** OVERRIDE of hold 2 by Ann (floor)")
    assert "STILL OPEN" in out
    assert "over at once" in out
    assert lines[-1].endswith("open: 1, overridden: 1")


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (("--open",), {"shoe-lost"}),
        (("--row", "shoe-jam"), {"shoe-jam"}),
        (("--row", "659a.13(m)"), {"shoe-jam"}),
        (("--deck", "red"), {"shoe-jam"}),
        (("--deck", "blue"), set()),
        (("--device", "shoe-1", "--row", "shoe-jam"), {"shoe-jam"}),
        (("--device", "shaker-1"), {"too-few-shakes"}),
        (("--since", "2026-12-01"), set()),
        (("--since", "2026-11-30", "--row", "shoe-jam"), {"shoe-jam"}),
        (("--table", "t-2"), set()),
    ],
)
def test_the_list_can_be_narrowed(felt: Felt, busy: Path, words: tuple[str, ...], rows: set[str]) -> None:
    code, out, _ = felt("incident", "list", "--journal", busy, "--json", *words)
    assert code == 0
    found = json.loads(out)["incidents"]
    if words == ("--open",):
        assert [one["closed"] for one in found] == [None]
        assert found[0]["so_far_s"] > 0
    else:
        assert {one["row"] for one in found} == rows


def test_show_prints_the_story_or_one_json_document(felt: Felt, evening: Path) -> None:
    code, out, _ = felt("incident", "show", "1", "--journal", evening)
    assert code == 0
    assert out.startswith("INCIDENT 1 of table t-1 (simulated) ")
    assert max(len(line) for line in out.splitlines()) <= 100
    code, out, _ = felt("incident", "show", "1", "--journal", evening, "--json")
    story = json.loads(out)
    assert code == 0
    assert (story["number"], story["overridden"], story["broken"]) == (1, True, None)


def test_an_incident_that_is_not_there_and_a_journal_that_is_not_there_are_said(
    felt: Felt, evening: Path, tmp_path: Path
) -> None:
    code, _, err = felt("incident", "show", "99", "--journal", evening)
    assert (code, "there is no incident 99" in err) == (1, True)
    code, _, err = felt("incident", "list", "--journal", tmp_path / "none.db")
    assert (code, "there is no journal" in err) == (3, True)
    assert felt("incident", "list", "--since", "yesterday")[0] == 2


def test_a_journal_that_is_being_written_can_be_looked_at(felt: Felt, tmp_path: Path) -> None:
    house = overridden_evening()
    path = tmp_path / "journal.db"
    with writing(path) as journal:
        journal.append([entry_of(row) for row in house.rows])
        while journal.pending:
            pass
        code, out, _ = felt("incident", "show", "1", "--journal", path)
    assert (code, "OVERRIDE" in out) == (0, True)
    # Without the text of its pack, people are told the names of what they should do.
    assert "1. return-wagers" in out


def test_a_broken_row_is_said_and_nothing_is_exported(felt: Felt, evening: Path, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(evening.read_bytes())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TRIGGER rows_are_never_changed")
        connection.execute(
            "UPDATE rows SET public = replace(public, 'Ann', 'Eve') WHERE type = 'hold-overridden'"
        )
    code, out, err = felt("incident", "show", "1", "--journal", path)
    assert code == 1
    assert "THE JOURNAL IS BROKEN HERE: row" in err
    assert "Eve" in out
    code, _, err = felt("incident", "export", "1", "--journal", path, "--to", tmp_path / "b")
    assert (code, "nothing is exported" in err) == (1, True)
    assert not (tmp_path / "b").exists()


def test_a_missing_row_is_said(felt: Felt, evening: Path, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(evening.read_bytes())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TRIGGER rows_are_never_deleted")
        connection.execute("DELETE FROM rows WHERE type = 'round-voided'")
    code, _, err = felt("incident", "show", "1", "--journal", path)
    assert (code, "is missing" in err) == (1, True)


def test_export_makes_a_zip_or_a_folder_and_replaces_nothing_unasked(
    felt: Felt, evening: Path, tmp_path: Path
) -> None:
    export = ("incident", "export", "1", "--journal", evening, "--to")
    code, out, _ = felt(*export, tmp_path / "case")
    made = tmp_path / "case" / "incident-t-1-1.zip"
    assert (code, made.exists(), str(made) in out) == (0, True, True)
    before = made.read_bytes()
    code, _, err = felt(*export, tmp_path / "case")
    assert (code, "is there already" in err) == (1, True)
    assert felt(*export, tmp_path / "case", "--force")[0] == 0
    assert made.read_bytes() == before
    assert felt(*export, tmp_path / "other" / "name.zip")[0] == 0
    assert (tmp_path / "other" / "name.zip").read_bytes() == before
    assert felt(*export, tmp_path, "--folder")[0] == 0
    folder = tmp_path / "incident-t-1-1"
    with zipfile.ZipFile(made) as archive:
        assert archive.namelist() == sorted(["README.txt", "SHA256SUMS", "incident.html", "incident.json"])
        for name in archive.namelist():
            assert (folder / name).read_bytes() == archive.read(name)
    (tmp_path / "file").write_text("in the way")
    code, _, err = felt(*export, tmp_path / "file" / "x.zip")
    assert (code, "cannot be written" in err) == (1, True)


def test_an_open_incident_is_exported_as_far_as_it_goes(felt: Felt, tmp_path: Path) -> None:
    house = House()
    house.jam()
    path = tmp_path / "journal.db"
    write(house, path)
    assert felt("incident", "export", "1", "--journal", path, "--to", tmp_path)[0] == 0
    code, out, _ = felt("journal", "verify", tmp_path / "incident-t-1-1.zip")
    assert (code, "faults: none" in out) == (0, True)


def test_the_list_counts_rounds_that_ended_since_while_an_incident_is_open(
    felt: Felt, tmp_path: Path
) -> None:
    house = House()
    house.jam()
    house.clear()
    house.to_shoe()
    house.finish_round()
    path = tmp_path / "journal.db"
    write(house, path)
    words = ("incident", "list", "--journal", path, "--row", "shoe-jam")
    [one] = json.loads(felt(*words, "--json")[1])["incidents"]
    # The void round of the jam was dealt before it.
    assert (one["rounds"], one["hands"], one["open_holds"]) == (1, 6, [2])
    assert " so far; 1 round, 6 hands" in felt(*words)[1]


def test_a_text_that_is_no_pack_leaves_names_and_is_found_in_the_bundle(felt: Felt, tmp_path: Path) -> None:
    house = House()
    house.jam()
    path = tmp_path / "journal.db"
    with writing(path) as journal:
        journal.store_pack(digest_of(PACK_TEXT), "this = is = no pack")
        journal.append([entry_of(row) for row in house.rows])
    assert "1. return-wagers" in felt("incident", "show", "1", "--journal", path)[1]
    assert felt("incident", "export", "1", "--journal", path, "--to", tmp_path)[0] == 0
    code, out, _ = felt("journal", "verify", tmp_path / "incident-t-1-1.zip")
    assert (code, "FAULT (pack-changed)" in out) == (1, True)


def test_of_several_tables_the_one_must_be_named(felt: Felt, tmp_path: Path) -> None:
    house = House()
    house.jam()
    path = tmp_path / "journal.db"
    write(house, path)
    entries = [entry_of(row) for row in house.rows]
    with writing(path) as journal:
        journal.append([replace(entry, stream="t-2") for entry in entries])
    code, _, err = felt("incident", "show", "1", "--journal", path)
    assert (code, "several tables have it: t-1, t-2; say --table" in err) == (1, True)
    assert felt("incident", "show", "1", "--journal", path, "--table", "t-2")[0] == 0
