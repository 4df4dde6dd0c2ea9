"""`felt` at a table that keeps a register of people: PINs typed, read from a file, wrong, and never told."""

from __future__ import annotations

import getpass
import io
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import exits, main
from felt_daemon.control import call
from felt_daemon.journal import Reader
from felt_daemon.people import Entry, Register
from felt_daemon.people.argon import hashed
from felt_daemon.people.store import text_of
from felt_daemon.shell.rows import row_of
from felt_daemon.shell.software import packages, software_digest
from felt_protocols.events.person import CommandRejected, DeckChanged, HoldOverridden, Person
from felt_protocols.events.system import Started

from ..shell.felt_run import answering, table_text  # noqa: TID252 - tests are no package that could be named

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from felt_protocols.events import Event

ME = getpass.getuser()
ANN, BEN = "481516", "902713"
WRONG = "735190"

CONFIG = """\
[people]
register = "{folder}/people.json"
[journal]
directory = "{folder}"
[broker]
mode = "external"
host = "127.0.0.1"
port = 9
[control.roles.dealer]
users = ["{user}"]
"""
# Runs a program with this terminal as its own, as a shell does.
AT_TERMINAL = (
    "import fcntl, os, sys, termios\n"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    "os.execv(sys.executable, [sys.executable, '-m', 'felt_daemon', *sys.argv[1:]])\n"
)


class Terminal:
    """A table with a dealer's terminal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pins = folder / "pins"

    def felt(self, *words: str) -> int:
        """Run `felt` here."""
        return main([*words, "--control", str(self.folder / "control")])

    def with_pins(self, *pins: str) -> str:
        """A file with these lines."""
        self.pins.write_text("\n".join(pins) + "\n", encoding="utf-8")
        return str(self.pins)

    def events(self) -> list[Event]:
        """Every committed row's event."""
        with Reader(self.folder / "journal.db") as reader:
            return [row_of(stored).event for stored in reader.read("t-1", 0, 10_000)]


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """A table that runs; nothing of it, and of nothing that it wrote, has a PIN in it when it ends."""
    folder = tmp_path_factory.mktemp("table")
    entries = (
        Entry(id="ann", name="Ann", kind="person", roles=("floor",), pin=hashed(ANN)),
        Entry(id="ben", name="Ben", kind="person", roles=("floor",), pin=hashed(BEN)),
    )
    register = text_of(Register(version=1, entries=entries))
    (folder / "people.json").write_text(register, encoding="utf-8")
    file = folder / "table.toml"
    file.write_text(table_text(folder) + CONFIG.format(folder=folder, user=ME), encoding="utf-8")
    daemon = answering(folder, file)
    one = Terminal(folder)
    yield one
    daemon.terminate()
    assert daemon.wait(30) == exits.OK
    one.pins.unlink()
    for file in folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert not [pin for pin in (ANN, BEN, WRONG) if pin.encode() in content], file


def test_a_run_says_which_software_it_is(terminal: Terminal) -> None:
    [started] = [event for event in terminal.events() if isinstance(event, Started)]
    assert started.software_digest == software_digest(packages())


def test_a_floorperson_opens_the_table_at_the_dealers_terminal(
    terminal: Terminal, capsys: pytest.CaptureFixture[str]
) -> None:
    assert terminal.felt("change-deck", "red") == exits.REFUSED
    assert capsys.readouterr().err == (
        "change-deck: change-deck is for floor; this account has dealer."
        " Or a person of the register gives a PIN\n"
    )
    file = terminal.with_pins(ANN)
    assert terminal.felt("change-deck", "red", "--person", "ann", "--pin-file", file) == exits.OK
    changed = [event for event in terminal.events() if isinstance(event, DeckChanged)]
    assert changed[-1].by == Person(role="floor", name="Ann (ann)", proof="pin")


def test_a_pin_is_read_from_a_pipe(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{BEN}\n"))
    assert terminal.felt("change-deck", "blue", "--person", "ben", "--pin-file", "-") == exits.OK


def test_a_wrong_pin_and_an_unknown_person_are_refused_alike_and_recorded(
    terminal: Terminal, capsys: pytest.CaptureFixture[str]
) -> None:
    for person in ("ben", "nobody"):
        file = terminal.with_pins(WRONG)
        assert terminal.felt("change-deck", "red", "--person", person, "--pin-file", file) == exits.REFUSED
        assert capsys.readouterr().err == "change-deck: the person or the PIN is not right\n"
        refused = terminal.events()[-1]
        assert isinstance(refused, CommandRejected)
        assert refused.by == Person(role="dealer", name=ME, proof="account")
        assert (refused.reason, refused.way) == ("the person or the PIN is not right", "control")
        assert len(refused.request) == 16


def test_two_people_let_a_hold_go(terminal: Terminal, capsys: pytest.CaptureFixture[str]) -> None:
    file = terminal.with_pins(ANN)
    for deck in ("red", "blue"):
        assert (
            terminal.felt("change-deck", deck, "--preshuffled", "--person", "ann", "--pin-file", file)
            == exits.OK
        )
    assert terminal.felt("open-table", "--person", "ann", "--pin-file", file) == exits.OK
    # No device is there, so that the open table is held as soon as that is sure.
    deadline = time.monotonic() + 60
    while not (holds := call(terminal.folder / "control", "state").data["holds"]):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert isinstance(holds, list)
    number = str(holds[0]["hold"])
    words = ("override", number, "--reason", "the technician stands beside it", "--person", "ann")
    capsys.readouterr()
    assert (
        terminal.felt(*words, "--second", "ann", "--pin-file", terminal.with_pins(ANN, ANN)) == exits.REFUSED
    )
    assert capsys.readouterr().err == "override: both are ann; it takes two people\n"
    assert terminal.felt(*words, "--second", "ben", "--pin-file", terminal.with_pins(ANN, BEN)) == exits.OK
    [overridden] = [event for event in terminal.events() if isinstance(event, HoldOverridden)]
    assert overridden.by == Person(role="floor", name="Ann (ann)", proof="pin")
    assert overridden.second == Person(role="floor", name="Ben (ben)", proof="pin")


def test_a_file_of_pins_that_cannot_be_read_is_said_so_and_nothing_is_asked(
    terminal: Terminal, capsys: pytest.CaptureFixture[str]
) -> None:
    before = len(terminal.events())
    none = str(terminal.folder / "none")
    assert terminal.felt("open-table", "--person", "ann", "--pin-file", none) == exits.NO_INPUT
    assert capsys.readouterr().err == f"felt: {none}: the PIN cannot be read: No such file or directory\n"
    binary = terminal.folder / "binary"
    binary.write_bytes(b"\xff\xfe")
    assert terminal.felt("open-table", "--person", "ann", "--pin-file", str(binary)) == exits.NO_INPUT
    assert capsys.readouterr().err == f"felt: {binary}: the PIN cannot be read: no text\n"
    assert len(terminal.events()) == before


def test_an_empty_file_of_pins_is_no_pin(terminal: Terminal, capsys: pytest.CaptureFixture[str]) -> None:
    empty = terminal.folder / "empty"
    empty.write_text("", encoding="utf-8")
    words = ("open-table", "--person", "ann", "--second", "ben", "--pin-file", str(empty))
    assert terminal.felt(*words) == exits.REFUSED
    assert capsys.readouterr().err == "open-table: pin must be text of 1 to 64 characters\n"


def test_a_pin_is_asked_for_at_a_terminal_and_not_shown(terminal: Terminal) -> None:
    ours, theirs = os.openpty()
    words = ("change-deck", "red", "--person", "ann", "--control", str(terminal.folder / "control"))
    program = [sys.executable, "-c", AT_TERMINAL, *words]
    with subprocess.Popen(  # noqa: S603 - our own program
        program, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as felt:
        os.close(theirs)
        shown = b""
        while not shown.endswith(b"PIN of ann: "):
            shown += os.read(ours, 1024)
        os.write(ours, f"{ANN}\n".encode())
        try:
            while data := os.read(ours, 1024):
                shown += data
        except OSError:
            pass  # the other end is closed
        assert felt.wait(30) == exits.OK
    os.close(ours)
    assert ANN.encode() not in shown
    assert b"change-deck: done, row " in shown
