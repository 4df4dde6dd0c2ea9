"""`felt check-config`, as a person or a script runs it."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import check_config
from felt_daemon.cli.terminal import shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

PROGRAM = (
    "import argparse, sys\n"
    "from felt_daemon.cli import check_config\n"
    "parser = argparse.ArgumentParser(prog='felt')\n"
    "check_config.register(parser.add_subparsers())\n"
    "args = parser.parse_args()\n"
    "sys.exit(args.run(args))\n"
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `felt` with these words: exit code, output, errors."""

    def felt(*words: str) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser(prog="felt")
        check_config.register(parser.add_subparsers())
        args = parser.parse_args(words)
        code: int = args.run(args)
        told = capsys.readouterr()
        return code, told.out, told.err

    return felt


def test_a_valid_file_ends_with_0_and_shows_every_value_that_holds(
    tmp_path: Path, valid: str, run: Run
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(valid, encoding="utf-8")
    code, out, err = run("check-config", str(file))
    assert (code, err) == (0, "")
    assert f'table.id = "asia-1"  ({file}:2)' in out.splitlines()
    assert "devices.shuffler-1.baud = 115200  (default)" in out.splitlines()
    assert out.splitlines()[-1].startswith("digest ")


def test_a_file_with_mistakes_ends_with_78_and_lists_them_all(tmp_path: Path, valid: str, run: Run) -> None:
    file = tmp_path / "table.toml"
    file.write_text(valid.replace("57600", "57601").replace("decks = 2", "decks = 3"), encoding="utf-8")
    code, out, err = run("check-config", str(file))
    assert code == 78
    assert [line.split(": ")[:2] for line in out.splitlines()] == [
        [f"{file}:13", "elections.decks = 3"],
        [f"{file}:13", "elections.decks = 3"],
        [f"{file}:24", "devices.shoe-1.baud = 57601"],
    ]
    assert err == "3 mistakes; feltd does not start with this file\n"


def test_a_file_that_cannot_be_read_ends_with_66(tmp_path: Path, run: Run) -> None:
    code, out, err = run("check-config", str(tmp_path / "none.toml"))
    assert (code, out) == (66, "")
    assert err == f"{tmp_path}/none.toml: cannot be read: No such file or directory\n"


def test_json_holds_the_values_or_the_mistakes(tmp_path: Path, valid: str, run: Run) -> None:
    file = tmp_path / "table.toml"
    file.write_text(valid, encoding="utf-8")
    code, out, _ = run("check-config", "--json", str(file))
    document = json.loads(out)
    assert (code, document["valid"], len(document["digest"])) == (0, True, 64)
    assert {"key": "table.id", "value": '"asia-1"', "source": f"{file}:2"} in document["values"]
    file.write_text(valid.replace("57600", "57601"), encoding="utf-8")
    code, out, _ = run("check-config", "--json", str(file))
    document = json.loads(out)
    assert (code, document["valid"]) == (78, False)
    assert [(one["line"], one["key"], one["value"]) for one in document["problems"]] == [
        (24, "devices.shoe-1.baud", "57601")
    ]


def test_accounts_that_this_machine_does_not_have_are_noted_and_no_mistake(
    tmp_path: Path, valid: str, run: Run
) -> None:
    file = tmp_path / "table.toml"
    roles = '[control.roles.floor]\nusers = ["root", "nobody-at-all"]\ngroups = ["no-such-group"]\n'
    file.write_text(valid + roles, encoding="utf-8")
    code, out, _ = run("check-config", str(file))
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("note: ")] == [
        "note: control.roles.floor: this machine has no user nobody-at-all",
        "note: control.roles.floor: this machine has no group no-such-group",
    ]


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        pytest.param({"LC_ALL": "C"}, marks=pytest.mark.long),
        pytest.param({"PYTHONIOENCODING": "latin-1"}, marks=pytest.mark.long),
        pytest.param({"TERM": "dumb", "NO_COLOR": "1"}, marks=pytest.mark.long),
    ],
)
def test_a_terminal_that_lacks_the_characters_gets_readable_text_and_the_right_code(
    tmp_path: Path, valid: str, environment: dict[str, str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(valid, encoding="utf-8")
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))}
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM, "check-config", str(file)],
        env=clean | environment,
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    (name,) = [line for line in done.stdout.splitlines() if line.startswith(b"table.name")]
    assert b"\x1b" not in done.stdout
    if "LC_ALL" in environment:
        assert name.startswith(b'table.name = "Tisch 7 ? M?ller"  (')
    if "PYTHONIOENCODING" in environment:
        assert name.startswith(b'table.name = "Tisch 7 ? M\xfcller"  (')


def test_characters_that_move_a_cursor_are_shown_and_not_sent() -> None:
    assert shown("a\x1b[31mb\r\u202e", "utf-8") == "a\\x1b[31mb\\r\\u202e"
    assert shown("Müller\nzwei", "ascii") == "M?ller\nzwei"
