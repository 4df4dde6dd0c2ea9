"""`felt-sim run`: one device alone, in real time, on a pseudo-terminal, told by typed lines what to do."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from felt_protocols.link.host import HostSession
from felt_protocols.link.items import Happened, Send
from felt_simulators.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from felt_protocols.link.items import Item

DEADLINE_S = 10.0
COMMAND = (sys.executable, "-c", "import sys; from felt_simulators.cli import main; sys.exit(main())", "run")


class Running:
    """The program, its input and its output."""

    def __init__(self, link: Path, *arguments: str) -> None:
        self.link = link
        self.program = subprocess.Popen(  # noqa: S603 - our own program
            [*COMMAND, *arguments, "--link", str(link)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self._held = b""
        assert self.answer() == f"{arguments[0]} on {link}"

    def answer(self) -> str:
        """The next line that it writes, within the deadline."""
        assert self.program.stdout is not None
        while b"\n" not in self._held:
            assert select.select([self.program.stdout], [], [], DEADLINE_S)[0], "no answer"
            said = os.read(self.program.stdout.fileno(), 4096)
            assert said, "it has ended"
            self._held += said
        line, _, self._held = self._held.partition(b"\n")
        return line.decode()

    def type(self, line: str) -> str:
        """Type a line; give the line that answers."""
        assert self.program.stdin is not None
        self.program.stdin.write(f"{line}\n".encode())
        return self.answer()

    def end(self) -> int:
        """End its input; give its exit code."""
        self.program.communicate(timeout=DEADLINE_S)
        return self.program.returncode


class Host:
    """A host in real time at the port."""

    def __init__(self, link: Path, family: str) -> None:
        self.port = os.open(link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self.session = HostSession(1, family, None, None, None, time.monotonic())
        self.session.renew = True
        self.words: list[str] = []
        self._take(self.session.opened(time.monotonic()))

    def run_until(self, done: Callable[[], bool]) -> None:
        """Keep the session going until it is done, within the deadline."""
        end = time.monotonic() + DEADLINE_S
        while not done():
            now = time.monotonic()
            assert now < end, f"heard {self.words}"
            if select.select([self.port], [], [], max(0.0, min(end, self.session.due()) - now))[0]:
                self._take(self.session.receive(os.read(self.port, 4096), time.monotonic()))
            self._take(self.session.elapsed(time.monotonic()))

    def permit(self) -> None:
        """Permit the first batch."""
        os.write(
            self.port,
            self.session.order("permit", {"cycle": 1, "batch": 1}, ("trial", 1), time.monotonic()),
        )

    def show(self, *wishes: tuple[str, dict[str, object]]) -> None:
        """Wish something shown."""
        os.write(self.port, self.session.show(wishes, time.monotonic()))

    def _take(self, items: Iterable[Item]) -> None:
        for item in items:
            if isinstance(item, Send):
                os.write(self.port, item.data)
            elif isinstance(item, Happened):
                self.words.append(item.name)
                os.write(self.port, self.session.acknowledge(item.n, item.boot))


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def start(*arguments: str) -> Running:
        started.append(Running(tmp_path / "port", *arguments))
        return started[-1]

    yield start
    for one in started:
        one.program.kill()
        one.program.communicate(timeout=DEADLINE_S)


@pytest.mark.long
def test_a_shuffler_shuffles_for_a_host_in_real_time(running: Callable[..., Running]) -> None:
    shuffler = running("shuffler", "--work-s", "0.5")
    host = Host(shuffler.link, "shuffler")
    assert shuffler.type("load") == "loaded 53 cards"
    host.run_until(lambda: host.words == ["loaded"])
    host.permit()
    host.run_until(lambda: host.words == ["loaded", "started", "completed"])
    assert shuffler.type("unload") == "took 53 cards"
    host.run_until(lambda: host.words[-1] == "unloaded")
    truth = json.loads(shuffler.type("truth"))
    assert truth["batches"][0]["shuffled"] is True
    os.close(host.port)
    assert shuffler.end() == 0
    assert not shuffler.link.is_symlink()


@pytest.mark.long
def test_a_fault_of_the_command_line_strikes(running: Callable[..., Running]) -> None:
    shuffler = running("shuffler", "--work-s", "0.5", "--fault", "jam=20")
    host = Host(shuffler.link, "shuffler")
    shuffler.type("load")
    host.run_until(lambda: host.words == ["loaded"])
    host.permit()
    host.run_until(lambda: "interrupted" in host.words)
    assert shuffler.type("unload") == (
        "refused: shuffler: cannot unload: it is interrupted, and must be loaded or shuffled"
    )
    assert shuffler.type("clear") == "took 53 cards"
    host.run_until(lambda: host.words[-1] == "light")
    os.close(host.port)
    assert shuffler.end() == 0


@pytest.mark.long
def test_a_line_that_hangs_up_comes_back_under_the_same_link(running: Callable[..., Running]) -> None:
    shaker = running("shaker")
    host = Host(shaker.link, "shaker")
    assert shaker.type("shake") == "shaken"
    host.run_until(lambda: host.words == ["shaken"])
    shaker.type("fault line-hang-up=100")
    assert shaker.type("line").startswith("down: ")
    assert not shaker.link.is_symlink()
    os.close(host.port)
    end = time.monotonic() + DEADLINE_S
    while not shaker.type("line").startswith("up: "):
        assert time.monotonic() < end, "it did not come back"
    host = Host(shaker.link, "shaker")
    shaker.type("shake")
    host.run_until(lambda: "shaken" in host.words)
    os.close(host.port)


@pytest.mark.long
def test_an_idle_device_uses_no_processor_time(running: Callable[..., Running]) -> None:
    shoe = running("shoe")
    host = Host(shoe.link, "shoe")
    host.run_until(lambda: host.session.shown is not None)
    os.close(host.port)

    def used_s() -> float:
        stat = Path(f"/proc/{shoe.program.pid}/stat").read_text(encoding="ascii")
        numbers = stat.rpartition(")")[2].split()
        return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")

    before, end = used_s(), time.monotonic() + 1.0
    select.select([], [], [], end - time.monotonic())
    assert used_s() - before < 0.1


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)])
def test_a_signal_ends_it_cleanly(running: Callable[..., Running], number: signal.Signals) -> None:
    shaker = running("shaker")
    shaker.program.send_signal(number)
    assert shaker.program.wait(timeout=DEADLINE_S) == 0
    assert not shaker.link.is_symlink()


@pytest.mark.long
def test_commands_may_come_from_a_file(tmp_path: Path) -> None:
    typed = tmp_path / "typed"
    typed.write_text("shake\nshake\nshake\nuncover\ncover", encoding="utf-8")
    with typed.open(encoding="utf-8") as file:
        done = subprocess.run(  # noqa: S603 - our own program
            [*COMMAND, "shaker", "--seed", "7"], stdin=file, capture_output=True, text=True, check=True
        )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("shaker on ")
    assert lines[1:4] == ["shaken", "shaken", "shaken"]
    assert lines[4].startswith("the dice show ")
    assert lines[5] == "covered"


@pytest.mark.long
def test_the_same_seed_throws_the_same_dice() -> None:
    outputs = [
        subprocess.run(  # noqa: S603 - our own program
            [*COMMAND, "shaker", "--seed", seed],
            input="shake\nuncover\n",
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()[2]
        for seed in ("7", "7", "8")
    ]
    assert outputs[0] == outputs[1] != outputs[2]


def test_a_round_with_a_shoe_can_be_typed(running: Callable[..., Running]) -> None:
    shoe = running("shoe")
    assert shoe.type("take") == "refused: shoe: cannot take stack: nothing lies in its mouth"
    assert shoe.type("load") == "loaded 53 cards"
    assert shoe.type("deal") == "refused: shoe: cannot press deal: it is inhibited: power-up"
    assert shoe.type("draw") == "a card lies in the mouth"
    assert shoe.type("take") == "took 1 cards"
    assert shoe.type("rest") == "took 52 cards"
    assert shoe.type("door open") == "door open"
    assert shoe.type("door") == "refused: write door open or door close"
    assert shoe.type("power") == "switched off and on"
    assert shoe.type("line").startswith("up: ")


def test_the_decks_of_a_device_have_as_many_jokers_as_the_game(running: Callable[..., Running]) -> None:
    assert running("shoe", "--jokers", "0").type("load") == "loaded 52 cards"


def answered(panel: Running, typed: str) -> str:
    """Type a line at a panel; give what is answered and no part of its display, which changes by itself."""
    said = panel.type(typed)
    while said.startswith(("+", "|", "  call: ")):
        said = panel.answer()
    return said


def test_a_panel_is_pressed_by_typing_and_prints_what_it_shows(running: Callable[..., Running]) -> None:
    panel = running("dealers-panel", "--fault", "bounce,lasting")
    host = Host(panel.link, "dealers-panel")
    for typed, answer in (
        ("n", "pressed no-more-bets"),
        ("call-floor", "pressed call-floor"),
        ("report cards-exposed", "reported cards-exposed"),
    ):
        assert answered(panel, typed) == answer
    host.run_until(lambda: len(host.words) == 3)
    assert host.words == ["no_more_bets", "call_floor", "report"]
    host.show(("text", {"lines": ["Call the floor"]}), ("lamp", {"which": "call", "pattern": "fast"}))
    while panel.answer() != "| Call the floor                           |":
        pass
    assert [panel.answer(), panel.answer()] == [
        "+------------------------------------------+",
        "  call: fast  hold: off  deal: off",
    ]
    truth = json.loads(answered(panel, "truth"))
    assert [press["told"] for press in truth["presses"]] == [1, 1, 1]
    assert answered(panel, "report") == (
        "refused: dealers-panel: cannot press report: what is reported is one word, as cards-exposed"
    )
    assert answered(panel, "repair") == "refused: dealers-panel: cannot repair: nothing is broken"
    os.close(host.port)
    assert panel.end() == 0


@pytest.mark.long
def test_what_a_panel_shows_is_looked_at(running: Callable[..., Running]) -> None:
    panel = running("dealers-panel")
    frame = "+------------------------------------------+"
    lamps = "  call: off  hold: off  deal: off"
    shown = [panel.type("look")]
    while shown[-1] != lamps:
        shown.append(panel.answer())
    # Nothing yet, or after a while that nobody is there.
    assert shown in (
        [frame, frame, lamps],
        [frame, "| no connection to the table               |", frame, lamps],
    )
    assert panel.end() == 0


@pytest.mark.long
def test_faults_are_put_in_and_taken_out_by_typing(running: Callable[..., Running]) -> None:
    shuffler = running("shuffler")
    assert shuffler.type("fault jamm").startswith("refused: no fault is called jamm")
    assert shuffler.type("fault not-flat") == "refused: a shuffler cannot have the fault not-flat"
    assert shuffler.type("fault jam=3") == "fault jam: a card jams"
    assert shuffler.type("lift jam") == "without fault jam"
    assert shuffler.type("fault extra-card=2").startswith("fault extra-card: ")
    assert shuffler.type("load") == "loaded 53 cards"
    assert shuffler.type("unload") == "took 55 cards"
    assert shuffler.type("mode wash") == "refused: shuffler: cannot switch mode: there is no mode wash"
    assert shuffler.type("mode sort") == "mode sort"
    assert shuffler.type("fault line-hang-up=0").startswith("fault line-hang-up")
    assert shuffler.type("line").startswith("down: ")
    assert shuffler.type("reconnect") == "the line is up"
    assert shuffler.type("xyzzy").startswith("there is no command xyzzy; there are load unload clear")


def test_a_fault_that_does_not_exist_ends_it_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "shoe", "--link", str(tmp_path / "port"), "--fault", "jamm"]) == 2
    assert "no fault is called jamm" in capsys.readouterr().err
    assert not (tmp_path / "port").is_symlink()


def test_a_file_in_the_way_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "port").write_text("precious", encoding="utf-8")
    assert main(["run", "shoe", "--link", str(tmp_path / "port")]) == 1
    assert "is there and is no symlink" in capsys.readouterr().err
    assert (tmp_path / "port").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("seconds", ["0", "-1", "3601", "soon"])
def test_nonsense_for_seconds_is_refused(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "shoe", f"--work-s={seconds}"])
    assert ended.value.code == 2
    assert "--work-s" in capsys.readouterr().err


def test_the_help_has_examples_and_names_every_fault(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "felt-sim run shuffler --link /tmp/shuffler --seed 7" in told
    assert "cards-left: cards stay inside as the others are taken out (=how many; usually 1)" in told


@pytest.mark.long
def test_a_batch_is_drawn_from_by_typing(running: Callable[..., Running]) -> None:
    shoe = running("manual-shoe", "--game", "665a")
    host = Host(shoe.link, "shoe")
    assert shoe.type("load") == "loaded 313 cards, the cover card is one"
    assert shoe.type("hands 2") == "2 hands after 0 burnt cards"
    assert shoe.type("draw") == "refused: manual-shoe: cannot draw: it is inhibited: power-up"
    host.run_until(lambda: host.words == ["loaded"])
    os.close(host.port)
    assert shoe.end() == 0
    box = running("continuous-shuffler", "--game", "686a")
    assert box.type("load") == "put 312 cards in"
    assert box.type("hands 2 1") == "2 hands after 1 burnt cards"
    assert box.end() == 0
