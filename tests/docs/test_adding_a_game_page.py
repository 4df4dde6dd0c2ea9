"""The page that adds a game: its files are those of examples/own-game, its commands say what it prints."""

from __future__ import annotations

import getpass
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import main
from felt_simulators.house import felt

from .test_evening_page import apart

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "adding-a-game.md"
OWN = ROOT / "examples" / "own-game"
# Where the page works, and whose user it names.
FOLDER, USER = "/tmp/low-four", '"ann"'  # noqa: S108 - a word of the page
PACK, TABLE = "packs/900a.toml", "low-four.toml"
SKETCH = "# A beginning.\n"
DEADLINE_S = 40.0


@dataclass(frozen=True)
class Block:
    """One block of the page: `toml`, `console`, or `text` with the device at which it is typed.

    A `toml` that is about something is a skeleton of another game.
    """

    kind: str
    about: str
    text: str


def blocks() -> list[Block]:
    """Every block in the order of the page."""
    found = re.findall(
        r"^```(\w+) ?(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return [Block(*one) for one in found]


def own_blocks(*kinds: str) -> list[Block]:
    """The blocks of these kinds that are Low Four's."""
    return [block for block in blocks() if block.kind in kinds and not block.about]


def commands(block: Block) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def files() -> tuple[str, str]:
    """The pack and the table's configuration as the page gives them, piece by piece."""
    toml = [block.text for block in own_blocks("toml") if not block.text.startswith(SKETCH)]
    return "\n".join(toml[:-1]), toml[-1]


def runs(command: str) -> bool:
    """Whether the command goes on until it is ended."""
    return shlex.split(command)[:2] in (["felt", "run"], ["felt-sim", "run"])


def at_the_table(command: str) -> bool:
    """Whether the command speaks to the table that runs, or reads its journal."""
    return "--control" in command or "journal" in command


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in the place of the page's own; its name is short, since sockets are in it."""
    place = Path(tempfile.mkdtemp(prefix="lf-"))
    (place / "packs").mkdir()
    monkeypatch.chdir(place)
    yield place
    shutil.rmtree(place)


def test_the_pages_files_are_those_of_the_example() -> None:
    pack, table = files()
    assert (OWN / PACK).read_text(encoding="utf-8") == pack
    assert (OWN / TABLE).read_text(encoding="utf-8") == table


def test_the_page_tells_what_the_commands_print_as_the_pack_grows(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pieces: list[str] = []
    seen = 0
    for block in own_blocks("toml", "console"):
        if block.kind == "toml" and "[table]" in block.text:
            (folder / TABLE).write_text(block.text.replace(FOLDER, str(folder)), encoding="utf-8")
        elif block.kind == "toml":
            pieces = [*([] if pieces and pieces[0].startswith(SKETCH) else pieces), block.text]
            (folder / PACK).write_text("\n".join(pieces), encoding="utf-8")
        else:
            for command, lines in commands(block):
                if runs(command) or at_the_table(command):
                    continue
                main(shlex.split(command)[1:])
                said = capsys.readouterr()
                assert apart(lines, (said.out + said.err).splitlines()) == "", command
                seen += 1
    assert seen == 8


@dataclass
class Terminal:
    """A program that goes on running, and what can be typed at it."""

    program: subprocess.Popen[str]

    def line(self) -> str:
        """The next line that it prints."""
        assert self.program.stdout is not None
        return self.program.stdout.readline().rstrip("\n")

    def type(self, typed: str) -> str:
        """Type a line, until the device's works have come so far; give its answer."""
        end = time.monotonic() + DEADLINE_S
        assert self.program.stdin is not None
        while True:
            self.program.stdin.write(f"{typed}\n")
            self.program.stdin.flush()
            answer = self.line()
            if not answer.startswith("refused: ") or time.monotonic() > end:
                return answer
            time.sleep(0.2)


class Desk:
    """The terminals of the page, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        path = f"{Path(felt()).parent}:{os.environ['PATH']}"
        self._env = {**os.environ, "PATH": path, "COLUMNS": "100"}
        self.terminals: dict[str, Terminal] = {}

    def start(self, command: str, lines: list[str]) -> None:
        """Start a program that goes on running, up to the line that the page waits for."""
        words = shlex.split(command.replace(FOLDER, str(self._folder)))
        program = subprocess.Popen(  # noqa: S603 - words of our own page
            words,
            cwd=self._folder,
            env=self._env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        name = words[2] if words[0] == "felt-sim" else "table"
        self.terminals[name] = Terminal(program)
        awaited = self._awaited(lines)
        while (said := self.terminals[name].line()) != awaited:
            assert program.poll() is None, f"{command} ended: {said}"

    def _awaited(self, lines: list[str]) -> str:
        """The last line that the page shows of a program's beginning."""
        whole = [line for line in lines if line != "…"]
        return whole[-1].replace(FOLDER, str(self._folder))

    def ask(self, command: str, lines: list[str]) -> str:
        """Give a command until it says what the page says; how they part in the end."""
        end = time.monotonic() + DEADLINE_S
        while True:
            done = subprocess.run(  # noqa: S603 - words of our own page
                shlex.split(command),
                cwd=self._folder,
                env=self._env,
                capture_output=True,
                text=True,
                timeout=DEADLINE_S,
                check=False,
            )
            parted = apart(lines, (done.stdout + done.stderr).splitlines())
            if not parted or time.monotonic() > end:
                return parted
            time.sleep(0.3)

    def close(self) -> None:
        """End every program."""
        for terminal in self.terminals.values():
            terminal.program.terminate()
        for terminal in self.terminals.values():
            terminal.program.communicate(timeout=DEADLINE_S)


@pytest.mark.long
def test_a_table_of_the_game_runs_and_its_own_rule_fires_as_the_page_says(folder: Path) -> None:
    pack, table = files()
    (folder / PACK).write_text(pack, encoding="utf-8")
    mine = table.replace(FOLDER, str(folder)).replace(USER, f'"{getpass.getuser()}"')
    (folder / TABLE).write_text(mine, encoding="utf-8")
    desk = Desk(folder)
    try:
        for block in blocks():
            if block.kind == "text":
                typed = block.text.splitlines()
                answers = [desk.terminals[block.about].type(line) for line in typed[::2]]
                assert answers == typed[1::2]
            for command, lines in commands(block) if block.kind == "console" else ():
                if runs(command):
                    desk.start(command, lines)
                elif at_the_table(command):
                    assert desk.ask(command, lines) == "", command
        assert set(desk.terminals) == {"shuffler", "shoe", "table"}
    finally:
        desk.close()
