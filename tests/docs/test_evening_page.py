"""The page that tells an evening: each of its commands is run, and says what the page says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from felt_simulators.house import felt

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "evening.md"
# What no two runs share, or no reader wants to read, is this on the page.
ELIDED = "…"


@dataclass
class Shown:
    """One command of the page and the lines that it must print."""

    command: str
    lines: list[str] = field(default_factory=list)


def commands(page: str) -> list[Shown]:
    """Read the commands of all console blocks; a block that begins without one goes on with the last."""
    found: list[Shown] = []
    for block in re.findall(r"^```console\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append(Shown(line[2:]))
            else:
                found[-1].lines.append(line)
    return found


def apart(shown: list[str], said: list[str]) -> str:
    """Say where the page and the program part; empty when they do not.

    An ellipsis in a line stands for any text, one alone on its line for any number of lines.
    """
    rest = list(said)
    skipping = False
    for line in shown:
        if line.strip() == ELIDED:
            skipping = True
            continue
        pattern = ".*".join(re.escape(part) for part in line.split(ELIDED))
        while skipping and rest and not re.fullmatch(pattern, rest[0]):
            rest.pop(0)
        if not rest or not re.fullmatch(pattern, rest[0]):
            return f"the page says\n  {line}\nand the program\n  {rest[0] if rest else 'nothing more'}"
        rest.pop(0)
        skipping = False
    return "" if skipping or not rest else f"the program says more: {rest[0]}"


@pytest.mark.long
@pytest.mark.timeout(180)
def test_every_command_of_the_evening_says_what_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    env = {**os.environ, "PATH": f"{Path(felt()).parent}:{os.environ['PATH']}", "COLUMNS": "100"}
    shown = commands(PAGE.read_text(encoding="utf-8"))
    assert [one.command.split()[0] for one in shown[:2]] == ["felt-sim", "felt"]
    for one in shown:
        words = shlex.split(one.command)
        assert words[0] in {"felt", "felt-sim"}
        done = subprocess.run(  # noqa: S603 - words of our own page
            words, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), one.command
        assert apart(one.lines, done.stdout.splitlines()) == "", one.command


def test_the_evening_fits_a_terminal() -> None:
    told = commands(PAGE.read_text(encoding="utf-8"))[0]
    assert len(told.lines) > 80
    assert [line for line in told.lines if len(line) > 100] == []


@pytest.mark.parametrize(
    ("shown", "said", "why"),
    [
        (["a", "b"], ["a", "b"], ""),
        (["a", "b"], ["a"], "nothing more"),
        (["a"], ["a", "b"], "the program says more: b"),
        (["a"], ["b"], "the page says\n  a\nand the program\n  b"),
        (["last …, row 3"], ["last 9f86d0, row 3"], ""),
        (["last …, row 3"], ["last 9f86d0, row 4"], "last 9f86d0, row 4"),
        (["a", "…", "d"], ["a", "b", "c", "d"], ""),
        (["a", "…"], ["a", "b", "c"], ""),
        (["a", "…", "d"], ["a", "b", "c"], "nothing more"),
        (["a+b"], ["aab"], "aab"),
    ],
)
def test_a_page_that_says_something_else_is_noticed(shown: list[str], said: list[str], why: str) -> None:
    found = apart(shown, said)
    assert found == "" if not why else why in found
