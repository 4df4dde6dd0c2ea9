"""`felt journal replay`: what was decided is decided again, or it is said where it is not."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.folding import marks_of, snapshot_of, written
from felt_daemon.journal import Journal
from felt_daemon.rules.library import digest_of
from felt_daemon.shell.software import packages, software_digest
from felt_daemon.table import blank, evolve
from felt_protocols.events import card, incident, ruling

from .past import PACK_TEXT, Past, config_of, toml_of, write_past

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Asked = Callable[..., tuple[int, str, str]]


@pytest.fixture
def deaf_pack(tmp_path: Path) -> Path:
    """The pack as it would be if a jam were nothing to advise about."""
    pack: dict[str, Any] = json.loads(PACK_TEXT)
    [rule] = [one for one in pack["rules"] if one["id"] == "shoe-jam"]
    rule["when"] = ["phase == 'never'"]
    path = tmp_path / "deaf.toml"
    path.write_text(json.dumps(pack), encoding="utf-8")
    return path


def test_the_same_rules_decide_the_same(ask_felt: Asked, jammed: Past, jammed_journal: Path) -> None:
    before = jammed_journal.read_bytes()
    code, out, _ = ask_felt("journal", "replay", jammed_journal)
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith(f"t-1: rows 1 to {len(jammed.rows)}, ")
    assert lines[-1] == "every decision comes out as it was recorded"
    assert jammed_journal.read_bytes() == before


def test_a_changed_pack_is_told_by_its_first_difference(
    ask_felt: Asked, jammed: Past, jammed_journal: Path, deaf_pack: Path
) -> None:
    jam = jammed.row(card.ShoeJammed)
    opened = next(
        row for row in jammed.rows if row.cause == jam.seq and isinstance(row.event, incident.IncidentOpened)
    )
    code, out, _ = ask_felt("journal", "replay", jammed_journal, "--pack", deaf_pack)
    assert code == 5
    assert "DIFFERENT: " in out
    assert f"the first: row {jam.seq}, shoe-jammed: shoe-1 JAMMED" in out
    assert f"    {opened.seq}  incident-opened: Incident" in out
    assert "ruling shoe-jam: recorded 1 time, decided 0 times" in out
    assert max(map(len, out.splitlines())) <= 100


def test_one_json_document_has_both_sides(
    ask_felt: Asked, jammed: Past, jammed_journal: Path, deaf_pack: Path
) -> None:
    jam = jammed.row(card.ShoeJammed)
    code, out, _ = ask_felt("journal", "replay", jammed_journal, "--json", "--pack", deaf_pack)
    document = json.loads(out)
    [table] = document["tables"]
    first = table["differences"][0]
    assert (code, document["same"], table["same"]) == (5, False, False)
    assert first["fact"]["seq"] == jam.seq
    assert "incident-opened" in [row["type"] for row in first["recorded"]]
    assert "incident-opened" not in [row["type"] for row in first["decided"]]
    assert table["rulings"]["shoe-jam"] == {"recorded": 1, "decided": 0}
    assert table["runs"][0]["seq"] == 1


@pytest.mark.long
def test_several_runs_are_each_under_their_own_pack_and_configuration(
    ask_felt: Asked, tmp_path: Path
) -> None:
    past = Past()
    past.run(2.0)
    other: dict[str, Any] = json.loads(PACK_TEXT)
    [rule] = [one for one in other["rules"] if one["id"] == "shoe-jam"]
    rule["says"] = "It jammed."
    past.again(config_of(floor_after_s=20), json.dumps(other))
    past.jam()
    past.again(config_of(), PACK_TEXT)
    past.run(5.0)
    assert past.row(ruling.RulingMade, row="shoe-jam").event.says == "It jammed."
    path = tmp_path / "journal.db"
    write_past(past, path)
    code, out, _ = ask_felt("journal", "replay", path)
    assert (code, out.splitlines()[-1]) == (0, "every decision comes out as it was recorded")
    assert out.count("  row ") == 3
    # From somewhere in the second run on.
    since = past.row(ruling.RulingMade, row="shoe-jam").seq
    code, out, _ = ask_felt("journal", "replay", path, "--since", since)
    assert code == 0
    assert out.startswith(f"t-1: rows {past.row(card.ShoeJammed).seq} to {len(past.rows)}, ")
    # Under the first pack alone the ruling would have had other words.
    pack = tmp_path / "first.toml"
    pack.write_text(PACK_TEXT, encoding="utf-8")
    assert ask_felt("journal", "replay", path, "--pack", pack)[0] == 5


def test_what_the_rules_failed_on_stays_undecided(ask_felt: Asked, tmp_path: Path) -> None:
    past = Past()
    past.open()
    [failed, *_] = past.fail_on(card.ShoeStopped(device="shoe-1"))
    past.press("call-floor")
    path = tmp_path / "journal.db"
    write_past(past, path)
    code, out, _ = ask_felt("journal", "replay", path)
    assert code == 0
    assert f"  row {failed.seq}: the rules failed on it; today they do not" in out
    document = json.loads(ask_felt("journal", "replay", path, "--json")[1])
    assert document["tables"][0]["undecided"] == [{"seq": failed.seq, "fails": None}]


def test_what_people_were_refused_comes_out_again(ask_felt: Asked, tmp_path: Path) -> None:
    past = Past()
    past.open()
    past.press("acknowledge")
    path = tmp_path / "journal.db"
    write_past(past, path)
    code, out, _ = ask_felt("journal", "replay", path)
    assert (code, "every decision comes out" in out) == (0, True)


def test_a_decision_that_was_changed_afterwards_is_found(
    ask_felt: Asked, jammed: Past, tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    write_past(jammed, path)
    made = jammed.row(ruling.RulingMade, row="shoe-jam")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TRIGGER rows_are_never_changed")
        connection.execute(
            "UPDATE rows SET public = replace(public, 'stop', 'advise') WHERE seq = ?", (made.seq,)
        )
    code, out, _ = ask_felt("journal", "replay", path)
    assert code == 5
    assert f"    {made.seq}  ruling-made: Ruling" in out


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("DELETE FROM packs", "the journal does not hold the rule pack"),
        ("UPDATE packs SET text = text || ' '", "is not what its digest was made of"),
        ("DELETE FROM configs", "the journal does not hold the configuration"),
        ("UPDATE configs SET text = replace(text, 'red', 'blau')", "is not what its digest was made of"),
        ("UPDATE configs SET text = '{}'", "this release cannot read the configuration"),
        ("UPDATE rows SET v = 2 WHERE seq = 3", "a newer feltd wrote it"),
    ],
)
def test_what_was_in_force_and_cannot_be_had_is_named(
    ask_felt: Asked, jammed: Past, tmp_path: Path, sql: str, said: str
) -> None:
    path = tmp_path / "journal.db"
    write_past(jammed, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TRIGGER rows_are_never_changed")
        connection.execute(sql)
    code, _, err = ask_felt("journal", "replay", path)
    assert (code, said in err) == (3, True)


def test_a_configuration_that_the_journal_does_not_hold_may_be_given(
    ask_felt: Asked, jammed: Past, tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    write_past(jammed, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM configs")
    good, bad = tmp_path / "table.toml", tmp_path / "bad.toml"
    good.write_text(toml_of(), encoding="utf-8")
    bad.write_text("[table]\n", encoding="utf-8")
    assert ask_felt("journal", "replay", path, "--config", good)[0] == 0
    assert ask_felt("journal", "replay", path, "--config", bad)[0] == 78
    assert ask_felt("journal", "replay", path, "--config", tmp_path / "none.toml")[0] == 66


def test_a_pack_that_does_not_load_is_told(ask_felt: Asked, jammed_journal: Path, tmp_path: Path) -> None:
    pack = tmp_path / "bad.toml"
    pack.write_text("rules = 1\n", encoding="utf-8")
    code, _, err = ask_felt("journal", "replay", jammed_journal, "--pack", pack)
    assert (code, str(pack) in err) == (3, True)


def test_a_row_that_is_not_there_is_told(ask_felt: Asked, jammed_journal: Path) -> None:
    code, _, err = ask_felt("journal", "replay", jammed_journal, "--since", 99_999)
    assert (code, err) == (3, "felt: t-1 has no row 99999\n")


def test_a_fact_that_the_rules_fail_on_today_is_a_difference(
    ask_felt: Asked, jammed: Past, jammed_journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from felt_daemon.table.measures import MEASURES  # noqa: PLC0415 - for this test alone

    def broken(_state: object, _focus: object) -> None:
        raise KeyError("phase")

    monkeypatch.setitem(MEASURES, "phase", broken)
    since = jammed.row(card.ShoeJammed).seq
    code, out, _ = ask_felt("journal", "replay", jammed_journal, "--since", since)
    assert code == 5
    assert "  the rules FAIL on it today: KeyError at test_felt_replay.py:" in out


def test_an_empty_table_has_nothing_to_say(ask_felt: Asked, jammed_journal: Path) -> None:
    assert ask_felt("journal", "replay", jammed_journal, "--table", "t-9")[0] == 3


def test_a_snapshot_that_was_forged_with_a_right_digest_is_named(
    ask_felt: Asked, jammed: Past, tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    write_past(jammed, path)
    marks = marks_of(software_digest(packages()), digest_of(PACK_TEXT), jammed.setup)
    last = jammed.row(card.ShoeJammed).seq - 1
    state = reduce(evolve, jammed.rows[:last], blank(jammed.setup))
    forged = replace(state, rounds=state.rounds + 7)
    for text, code in ((written(state), 0), (written(forged), 5), ("{}", 5)):
        journal = Journal.open(path, now=lambda: 0, on_commit=lambda _: None, on_trouble=lambda _: None)
        made = snapshot_of(state, marks)(journal.hash_of("t-1", last) or b"")
        assert made is not None
        made = replace(made, state=text)
        journal.close(5.0)
        with closing(sqlite3.connect(path)) as connection, connection:
            values = (made.stream, 0, made.seq, made.hash, made.software, made.pack, made.setup, made.state)
            connection.execute(
                "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*values, made.digest_due()),
            )
        found, out, _ = ask_felt("journal", "replay", path)
        assert (found, f"the SNAPSHOT after row {last}" in out) == (code, code == 5)
