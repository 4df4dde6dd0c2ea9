"""`felt journal verify`, `show` and `tail`, as people and scripts use them."""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.cli import journal as command
from felt_daemon.journal.verify import verify

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journal.conftest import Desk, MakeEntry

RUN = """
import argparse, sys
from felt_daemon.cli.journal import register
parser = argparse.ArgumentParser(prog="felt")
register(parser.add_subparsers())
codes = []
for words in " ".join(sys.argv[1:]).split(" + "):
    args = parser.parse_args(words.split())
    codes.append(args.run(args))
sys.exit(max(codes))
"""


class Felt:
    """The command line in this process: exit code, and what it wrote."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str | Path) -> tuple[int, str, str]:
        """Run `felt journal` with these words."""
        parser = argparse.ArgumentParser(prog="felt")
        command.register(parser.add_subparsers())
        self._capsys.readouterr()
        try:
            args = parser.parse_args(["journal", *map(str, words)])
            code: int = args.run(args)
        except SystemExit as left:
            code = int(left.code or 0)
        written = self._capsys.readouterr()
        return code, written.out, written.err


@pytest.fixture
def felt(capsys: pytest.CaptureFixture[str]) -> Felt:
    return Felt(capsys)


@pytest.fixture
def path(desk: Desk, entry: MakeEntry) -> Path:
    """A journal in use with four rows of a table and one of a meter."""
    ruling = "felt.ruling.deck-removed.v1"
    desk.journal.append(
        [
            entry(1),
            entry(2, type=ruling, cause=1, public=b'{"context":{"round":5,"deck":1},"rule":"x"}'),
            entry(1, "meter-a", private=b"{}"),
            entry(3, late=True, clock="untrusted", utc_us=1_767_409_445_000_000),
            entry(4, public='{"name":"Müller \\u001b[31m"}'.encode(), simulated=False),
        ]
    )
    desk.settle()
    return desk.path


def test_verify_says_that_a_journal_is_sound(felt: Felt, path: Path, desk: Desk) -> None:
    code, out, _ = felt("verify", path)
    head = desk.journal.head("table-1")
    assert head is not None
    assert code == 0
    assert f"table-1: rows 1 to 4 unbroken, head {head.hash.hex()}" in out
    assert "5 rows, streams: 2, faults: none" in out


def test_verify_names_the_first_broken_row_and_exits_with_1(felt: Felt, path: Path, desk: Desk) -> None:
    desk.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TRIGGER rows_are_never_changed")
        connection.execute("UPDATE rows SET public = '{}' WHERE stream = 'table-1' AND seq = 3")
    code, out, _ = felt("verify", path)
    assert code == 1
    assert "table-1: BROKEN after row 2" in out
    assert "FAULT (public-changed): row 3 of table-1 is not what was recorded" in out
    assert "meter-a: rows 1 to 1 unbroken" in out
    code, out, _ = felt("verify", path, "--json")
    assert code == 1
    document = json.loads(out)
    assert document["sound"] is False
    assert document["streams"]["table-1"]["sound"] is False
    [problem] = document["problems"]
    assert (problem["what"], problem["stream"], problem["seq"]) == ("public-changed", "table-1", 3)


def test_verify_prints_one_json_document(felt: Felt, path: Path, desk: Desk) -> None:
    code, out, _ = felt("verify", path, "--json")
    document = json.loads(out)
    assert code == 0
    assert document["sound"] is True
    assert document["epoch"] == desk.journal.epoch
    assert document["rows"] == 5
    assert document["schema"] == 2
    assert document["streams"]["meter-a"]["last_seq"] == 1


def test_verify_compares_with_a_hash_kept_elsewhere(felt: Felt, path: Path) -> None:
    head = verify(path).streams["table-1"].head.hex()
    assert felt("verify", path, "--anchor", f"table-1:4:{head}")[0] == 0
    code, out, _ = felt("verify", path, "--anchor", f"table-1:3:{head}")
    assert code == 1
    assert "anchor-differs" in out


@pytest.mark.parametrize("anchor", ["table-1", "table-1:x:00", "table-1:1:zz", "table-1:1:00"])
def test_an_anchor_that_is_none_is_a_usage_error(felt: Felt, path: Path, anchor: str) -> None:
    code, _, err = felt("verify", path, "--anchor", anchor)
    assert code == 2
    assert "--anchor" in err


@pytest.mark.parametrize("part", ["verify", "show", "tail"])
def test_what_cannot_be_read_exits_with_3_and_a_sentence(felt: Felt, tmp_path: Path, part: str) -> None:
    code, out, err = felt(part, tmp_path / "nowhere.db")
    assert (code, out) == (3, "")
    assert err.startswith("there is no journal")


def test_a_locked_journal_exits_with_3_and_asks_to_try_again(felt: Felt, path: Path, desk: Desk) -> None:
    desk.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        code, _, err = felt("show", path)
    assert code == 3
    assert "Another program locks the journal" in err
    assert "Try again" in err


def test_a_file_that_is_no_database_is_broken(felt: Felt, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(bytes(8192))
    code, _, err = felt("verify", path)
    assert code == 1
    assert "damaged" in err


def test_show_prints_one_row_on_a_line(felt: Felt, path: Path) -> None:
    code, out, _ = felt("show", path)
    lines = out.splitlines()
    assert code == 0
    assert len(lines) == 5
    assert lines[1] == (
        "2026-01-02T03:04:05.678903Z  table-1  2  felt.ruling.deck-removed.v1"
        '  round 5  deck 1  from 1  simulated  {"rule": "x"}'
    )
    assert "  late  clock untrusted  simulated" in lines[3]


def test_nothing_in_a_row_reaches_the_terminal_as_a_control_code(felt: Felt, path: Path) -> None:
    assert "\x1b" not in felt("show", path)[1]


def test_private_bodies_are_shown_only_when_asked_for(felt: Felt, path: Path) -> None:
    for words in (("show", path), ("show", path, "--json"), ("tail", path)):
        assert "As" not in felt(*words)[1]
    assert 'private {"card":"As"}' in felt("show", path, "--private")[1]
    rows = json.loads(felt("show", path, "--json", "--private")[1])["rows"]
    assert rows[0]["private"] == {"card": "As"}
    assert len(rows[0]["salt"]) == 32
    assert "soon in a file" in felt("show", "--help")[1]


def test_show_prints_one_json_document(felt: Felt, path: Path, desk: Desk) -> None:
    code, out, _ = felt("show", path, "--json", "--stream", "table-1")
    document: dict[str, Any] = json.loads(out)
    assert code == 0
    assert document["journal"] == str(path)
    assert document["epoch"] == desk.journal.epoch
    assert [row["seq"] for row in document["rows"]] == [1, 2, 3, 4]
    assert document["rows"][3]["public"] == {"name": "Müller \x1b[31m"}
    assert document["rows"][2]["late"] is True
    assert set(document["rows"][0]) == {
        *("id", "stream", "seq", "type", "v", "boot", "start", "mono_ns", "utc", "clock"),
        *("recorded_utc", "late", "simulated", "cause", "public"),
        *("publichash", "privatehash", "hash"),
    }
    assert json.loads(felt("show", path, "--json", "--stream", "nobody")[1])["rows"] == []


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--stream", "meter-a"], [("meter-a", 1)]),
        (["--type", "ruling"], [("table-1", 2)]),
        (["--type", "felt.ruling.*"], [("table-1", 2)]),
        (["--type", "felt.ruling"], [("table-1", 2)]),
        (["--type", "ruling.*"], []),
        (["--round", "5"], [("table-1", 2)]),
        (["--stream", "table-1", "--from", "2", "--to", "3"], [("table-1", 2), ("table-1", 3)]),
        (["--from", "2026-01-03"], [("table-1", 3)]),
        (["--from", "2026-01-03T04:04+01:00", "--to", "2026-01-03T03:05Z"], [("table-1", 3)]),
        (["--from", "2026-01-03T03:05"], []),
        (["--to", "2026-01-02", "--stream", "meter-a"], [("meter-a", 1)]),
        (["--to", "2026-01-01"], []),
    ],
)
def test_show_finds_what_is_asked_for(
    felt: Felt, path: Path, words: list[str], found: list[tuple[str, int]]
) -> None:
    rows = json.loads(felt("show", path, "--json", *words)[1])["rows"]
    assert [(row["stream"], row["seq"]) for row in rows] == found


@pytest.mark.parametrize("words", [["--from", "yesterday"], ["--round", "x"], ["--nonsense"]])
def test_a_filter_that_makes_no_sense_is_a_usage_error(felt: Felt, path: Path, words: list[str]) -> None:
    assert felt("show", path, *words)[0] == 2


def test_tail_prints_the_last_rows(felt: Felt, path: Path) -> None:
    assert [line.split("  ")[1:3] for line in felt("tail", path, "-n", "2")[1].splitlines()] == [
        ["table-1", "3"],
        ["table-1", "4"],
    ]
    assert len(felt("tail", path)[1].splitlines()) == 5
    assert felt("tail", path, "-n", "0")[1] == ""
    assert felt("tail", path, "-n", "1001")[0] == 2
    lines = felt("tail", path, "--json", "--type", "card-drawn", "-n", "2")[1].splitlines()
    assert [json.loads(line)["seq"] for line in lines] == [3, 4]


def test_tail_follows_what_the_daemon_commits(path: Path, desk: Desk, entry: MakeEntry) -> None:
    with start(["tail", str(path), "-n", "1", "--follow", "--stream", "table-1"]) as child:
        assert child.stdout is not None
        assert "  table-1  4  " in child.stdout.readline()
        desk.journal.append([entry(5), entry(2, "meter-a")])
        assert "  table-1  5  " in child.stdout.readline()
        desk.journal.append([entry(6)])
        assert "  table-1  6  " in child.stdout.readline()
        child.send_signal(2)
        try:
            assert child.wait(10) == 0
        finally:
            child.kill()


@pytest.mark.long
def test_a_reader_that_has_seen_enough_is_no_error(path: Path, desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(seq) for seq in range(5, 2005)])
    desk.settle()
    with start(["show", str(path)]) as child:
        assert child.stdout is not None
        child.stdout.readline()
        child.stdout.close()
        assert child.wait(10) == 0
        assert child.stderr is not None
        assert child.stderr.read() == ""


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        pytest.param({"LC_ALL": "C"}, marks=pytest.mark.long),
        pytest.param({"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "latin-1"}, marks=pytest.mark.long),
        pytest.param({"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "ascii"}, marks=pytest.mark.long),
    ],
)
def test_a_terminal_without_utf_8_is_no_obstacle(path: Path, environment: dict[str, str]) -> None:
    every = [["show"], ["show", "--json"], ["tail"], ["verify"]]
    words = " + journal ".join(f"{' '.join(words)} {path}" for words in every)
    with start([words], environment) as child:
        out, err = child.communicate(timeout=30)
    assert (child.returncode, err) == (0, "")
    assert out.count("felt.ruling.deck-removed.v1") == 3
    assert "faults: none" in out


def start(words: list[str], environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", RUN, "journal", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="latin-1",
        env={**os.environ, **(environment or {})},
    )


def test_every_part_has_a_help_with_examples_and_exit_codes(felt: Felt) -> None:
    for part in ("verify", "show", "tail"):
        text = felt(part, "--help")[1]
        assert text.isascii()
        assert "examples:" in text
        assert "exit codes:" in text
