"""`felt` against a daemon that runs: what is asked, told and refused, and how it is said."""

from __future__ import annotations

import contextlib
import getpass
import json
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import exits, main
from felt_daemon.cli.commands import EXAMPLES
from felt_daemon.cli.state import lines
from felt_daemon.control import call
from felt_daemon.rules import load
from felt_protocols.commands import COMMANDS

from ..shell.felt_run import answering, table_text  # noqa: TID252 - tests are no package that could be named

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONFIG = """\
[journal]
directory = "{folder}/state"
[broker]
mode = "external"
host = "127.0.0.1"
port = 9
[control.roles.floor]
users = ["{user}"]
"""


@contextlib.contextmanager
def running(folder: Path, more: str = "") -> Iterator[Path]:
    """A daemon without devices or broker, which is no reason for it to end; gives its control socket."""
    file = folder / "table.toml"
    text = table_text(folder) + CONFIG.format(folder=folder, user=getpass.getuser()) + more
    file.write_text(text, encoding="utf-8")
    daemon = answering(folder, file)
    yield folder / "control"
    daemon.terminate()
    assert daemon.wait(30) == exits.OK


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The control socket of a table that many tests talk to."""
    folder = tmp_path_factory.mktemp("table")
    with running(folder) as socket:
        yield socket
    log_text = (folder / "log").read_text(encoding="utf-8")
    assert 'table.id = "t-1"' in log_text
    assert log_text.count("shoe-1: port absent") == 1


def felt(control: Path, *words: str) -> int:
    return main([*words, "--control", str(control)])


def test_the_state_is_told_line_by_line(control: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert felt(control, "state") == exits.OK
    told = capsys.readouterr().out.splitlines()
    # As other tests have left it: with cards or without.
    assert told[0] in {"t-1  game 659a  closed", "t-1  game 659a  opening"}
    assert told[1].startswith("gaming day 20")
    assert any(
        line.startswith(("deck red (red): 53 in ", "deck red (red): not at the table; ")) for line in told
    )
    assert felt(control, "state", "--json") == exits.OK
    assert json.loads(capsys.readouterr().out)["table"] == "t-1"


def test_the_health_shows_each_device_and_the_broker(
    control: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert felt(control, "health") == exits.OK
    health = json.loads(capsys.readouterr().out)
    assert set(health["devices"]) == {"shuffler-1", "shoe-1", "shaker-1"}
    assert health["journal"] == "written"
    assert health["broker"]["address"] == "127.0.0.1:9"


def test_a_command_is_done_recorded_and_refused_with_the_reason(
    control: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert felt(control, "open-table") == exits.REFUSED
    assert "open-table: no cards yet for red, blue" in capsys.readouterr().err
    assert felt(control, "change-deck", "red", "--person", "Ann") == exits.OK
    assert capsys.readouterr().out.startswith("change-deck: done, row ")
    assert felt(control, "change-deck", "green", "--json") == exits.REFUSED
    answer = json.loads(capsys.readouterr().out)
    assert (answer["ok"], answer["code"]) == (False, "refused")
    assert answer["why"] == "there is no deck green; there are: red, blue"
    assert felt(control, "no-more-bets", "--role", "dealer") == exits.REFUSED
    assert capsys.readouterr().err == (
        "no-more-bets: no-more-bets is for dealer, floor; this account has floor\n"
    )


def test_without_a_register_a_second_name_is_enough_and_a_pin_proves_nothing(
    control: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("override", "99", "--reason", "looked at it", "--person", "Ann")
    assert felt(control, *words, "--second", "Ben") == exits.REFUSED
    assert capsys.readouterr().err.startswith("override: there is no open hold 99")
    assert felt(control, *words, "--second", "ann") == exits.REFUSED
    assert capsys.readouterr().err == "override: both are ann; it takes two people\n"
    (control.with_name("pin")).write_text("481516\n", encoding="utf-8")
    assert felt(control, *words, "--pin-file", str(control.with_name("pin"))) == exits.REFUSED
    assert "this table keeps no register of people" in capsys.readouterr().err


def test_arguments_that_need_not_be_given_are_options_of_their_kind(
    control: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert felt(control, "change-deck", "green", "--preshuffled") == exits.REFUSED
    assert "there is no deck green" in capsys.readouterr().err
    assert felt(control, "report", "no-such-word", "--seat", "3", "--note", "x") == exits.REFUSED
    assert felt(control, "count", "red", "4", "--part", "remaining") == exits.REFUSED
    assert "count: " in capsys.readouterr().err
    capsys.readouterr()
    assert felt(control, "report", "shoe-jam", "--seats", "1,3") == exits.REFUSED
    assert "shoe-jam says nothing of the positions that play" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        felt(control, "sign", "shoe-1", "hidden")
    assert caught.value.code == exits.USAGE
    with pytest.raises(SystemExit) as caught:
        felt(control, "report", "shoe-jam", "--seats", "1,x")
    assert caught.value.code == exits.USAGE
    assert "'1,x' is no list of numbers; write them with commas, as 1,3,5" in capsys.readouterr().err


@pytest.mark.parametrize("example", [line for lines in EXAMPLES.values() for line in lines.splitlines()])
def test_every_example_of_a_command_is_one(
    tmp_path: Path, example: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(example)
    assert words[0] == "felt"
    if "--pin-file" in words:
        words[-1] = "/dev/null"
    assert felt(tmp_path / "nobody", *words[1:]) == exits.NOT_REACHABLE
    assert "feltd is not running" in capsys.readouterr().err


def test_every_command_has_an_example() -> None:
    assert EXAMPLES.keys() == COMMANDS.keys()


def test_a_request_that_is_no_command_is_refused_and_recorded(control: Path) -> None:
    answer = call(control, "open-tabel")
    assert (answer.ok, answer.code) == (False, "malformed")
    assert answer.why == "no command is called open-tabel; did you mean open-table?"
    answer = call(control, "count", {"deck": "red", "count": -1})
    assert (answer.ok, answer.code) == (False, "malformed")
    assert answer.why.startswith("count: ")


def test_nobody_at_the_socket_is_said_plainly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert felt(tmp_path / "control", "state") == exits.NOT_REACHABLE
    assert "feltd is not running" in capsys.readouterr().err


def test_a_second_daemon_on_the_same_journal_is_refused(control: Path) -> None:
    config = control.with_name("table.toml")
    program = [sys.executable, "-m", "felt_daemon", "run", str(config)]
    second = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603 - as above
    assert second.returncode == exits.NOT_REACHABLE
    assert "felt: " in second.stderr


@pytest.mark.long
def test_a_table_runs_although_its_register_is_broken_and_nobody_is_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "people.json").write_text('{"version": 1, "entr', encoding="utf-8")
    with running(tmp_path, f'[people]\nregister = "{tmp_path}/people.json"\n') as socket:
        assert felt(socket, "change-deck", "red", "--preshuffled") == exits.OK
        assert felt(socket, "inspect", "in-order", "--device", "shoe-1") == exits.REFUSED
        assert "with the PIN" in capsys.readouterr().err
    log_text = (tmp_path / "log").read_text(encoding="utf-8")
    assert "people.register" in log_text
    assert "no PIN and no signature counts" in log_text


@pytest.mark.parametrize(
    ("text", "code"),
    [("", exits.BAD_CONFIG), ("[table]\nid = 7\n", exits.BAD_CONFIG), (None, exits.NO_INPUT)],
)
def test_a_configuration_that_is_not_valid_starts_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, code: int
) -> None:
    file = tmp_path / "table.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert main(["run", str(file)]) == code
    assert "table.toml" in capsys.readouterr().err


def moment(hours: float, boot: str = "b1", *, trusted: bool = True) -> dict[str, object]:
    return {
        "utc_us": round(hours * 3600e6),
        "mono_ns": round(hours * 3600e9),
        "boot": boot,
        "trusted": trusted,
        "gaming_day": "2026-11-30",
        "time_zone": "America/New_York",
    }


HOLD = {
    "hold": 3,
    "locks": True,
    "subject": "deck",
    "subject_id": "red",
    "cite": ["659a.13(l)"],
    "says": "The shuffler jammed.",
    "owner": None,
    "asked": "",
    "rounds": 2,
    "hands": 12,
    "until": "the deck is shuffled again",
    "since": moment(1.0),
}
ROUND = {"number": 7, "phase": "void", "void": "shoe-jam", "stacks": 3, "cards": 21, "start_seat": 4}
PICTURE = {
    "table": "t-1",
    "game": "659a",
    "state": "open",
    "closing": True,
    "round": ROUND,
    "dealer": "",
    "floor_called": None,
    "method": {},
    "aside": {},
    "due": [],
    "decks": {},
    "devices": {"shoe-1": "ready"},
    "holds": [HOLD],
    "directives": [{"says": "Reshuffle the cards."}],
    "interlocks": [{"device": "shoe-1", "gate": "deal", "waits_for": ["no deck is in the shoe"]}],
    "now": moment(2.5, trusted=False),
}


def test_a_hold_that_nobody_owns_is_shouted_with_its_age_and_the_hands_since() -> None:
    told = list(lines(PICTURE))
    assert told == [
        "t-1  game 659a  open, closing",
        "gaming day 2026-11-30 (clock not trusted)",
        "round 7, void, VOID (shoe-jam): 3 stacks, 21 cards, start at seat 4",
        "devices: shoe-1 ready",
        (
            "HOLD 3 on deck red (659a.13(l)), NOBODY OWNS IT: The shuffler jammed. Open for 1 h 30 min, "
            "2 rounds and 12 hands since. Until the deck is shuffled again."
        ),
        "DO: Reshuffle the cards.",
        "shoe-1 may not deal: no deck is in the shoe",
    ]


def test_people_and_what_is_set_aside_are_told_where_there_is_something_to_tell() -> None:
    shown = {
        "dealer": "Robin",
        "floor_called": moment(2.49),
        "method": {"shuffle": "by-hand"},
        "aside": {"shuffler-1": "in service"},
        "due": [{"device": "shoe-1", "cite": ["659a.2(c)"], "says": "Inspect the shoe."}],
        "holds": [{**HOLD, "asked": "floor"}],
        "state": "opening",
        "decks": {
            "red": {
                "places": {"hand": 53},
                "shuffled": False,
                "back": "red",
                "count": "not verified",
                "prepared": ["deck-inspected"],
            }
        },
    }
    told = list(lines({**PICTURE, **shown}))
    assert told[2:5] == [
        "dealer Robin",
        "THE DEALER CALLS THE FLOOR, for 0 min 36 s",
        "way: shuffle by-hand",
    ]
    assert told[6:8] == [
        "deck red (red): 53 in hand; not shuffled, not verified",
        "  prepared: deck-inspected",
    ]
    assert told[9:11] == ["ASIDE shuffler-1: in service", "DUE shoe-1 (659a.2(c)): Inspect the shoe."]
    assert "NOBODY OWNS IT (floor is asked): " in told[11]


@pytest.mark.parametrize(
    ("now", "age"),
    [
        (moment(1.01), "0 min 36 s"),
        (moment(3.0, "b2"), "2 h 0 min"),
        (moment(3.0, "b2", trusted=False), "an unknown time"),
    ],
)
def test_the_age_of_a_hold(now: dict[str, object], age: str) -> None:
    owned = {**HOLD, "owner": "Ann", "cite": []}
    told = list(
        lines({**PICTURE, "holds": [owned], "round": {**ROUND, "void": None, "start_seat": 0}, "now": now})
    )
    assert told[-3].startswith(
        f"HOLD 3 on deck red (own rule), owned by Ann: The shuffler jammed. Open for {age}, "
    )
    assert "start at the dealer" in told[-5]


def test_cards_are_told_where_they_are_and_what_is_asked_twice_is_told_once() -> None:
    deck: dict[str, object] = {"back": "red", "shuffled": False, "count": "not verified", "prepared": []}
    shown: dict[str, object] = {
        "decks": {
            "red": {**deck, "places": {"hand": 52, "withdrawn": 1}},
            "blue": {**deck, "places": {"withdrawn": 53}},
        },
        "holds": [{**HOLD, "rounds": 1, "hands": 1}],
        "directives": [
            {"says": "Call a floorperson."},
            {"says": "Reshuffle."},
            {"says": "Call a floorperson."},
        ],
    }
    told = list(lines({**PICTURE, **shown}))
    assert "deck red (red): 52 in hand, 1 withdrawn; not shuffled, not verified" in told
    assert "deck blue (red): not at the table; not shuffled, not verified" in told
    assert told[-3:-1] == ["DO: Call a floorperson.", "DO: Reshuffle."]
    assert "1 round and 1 hand since." in told[-4]


def test_examples_say_words_that_a_game_knows() -> None:
    pack = load("659a")
    assert pack.methods is not None
    assert EXAMPLES["report"].split()[2] in pack.reports
    assert EXAMPLES["method"].split()[3] in pack.methods.shuffle
