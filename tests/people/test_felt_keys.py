"""`felt keys`, as a person or a script runs it."""

from __future__ import annotations

import argparse
import io
import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import keys
from felt_daemon.people import Register
from felt_daemon.people.argon import hashed
from felt_daemon.people.changes import with_pin
from felt_daemon.people.store import change
from felt_protocols.signed.making import key_from_pem, public_of
from felt_protocols.signed.public import public_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

PROGRAM = (
    "import argparse, sys\n"
    "from felt_daemon.cli import keys\n"
    "parser = argparse.ArgumentParser(prog='felt')\n"
    "keys.register(parser.add_subparsers())\n"
    "args = parser.parse_args()\n"
    "sys.exit(args.run(args))\n"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the register is, or will be."""
    return tmp_path / "people.json"


@pytest.fixture
def run(file: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `felt keys` with these words: exit code, output, errors."""

    def felt(*words: str | Path) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser(prog="felt")
        keys.register(parser.add_subparsers())
        args = parser.parse_args(["keys", *map(str, words), "--register", str(file)])
        code: int = args.run(args)
        told = capsys.readouterr()
        return code, told.out, told.err

    return felt


@pytest.fixture
def house(run: Run) -> Run:
    """The same with Ann of the floor, and a system."""
    assert run("add", "ann", "--name", "Ann Bell", "--roles", "floor,dealer")[0] == 0
    assert run("add", "pit-3", "--name", "Pit 3", "--roles", "floor-system", "--system")[0] == 0
    return run


def test_a_first_person_makes_the_register(run: Run, file: Path) -> None:
    code, out, err = run("add", "ann", "--name", "Ann Bell", "--roles", "floor, dealer,floor")
    assert (code, out) == (0, "ann (Ann Bell) is added: dealer, floor. Next: felt keys pin ann\n")
    assert err == f"{file} is new. feltd must be able to read it: sudo chown feltd: {file}\n"
    [ann] = Register.load(file).entries
    assert (ann.id, ann.name, ann.kind, ann.roles) == ("ann", "Ann Bell", "person", ("dealer", "floor"))


def test_a_system_is_told_to_make_a_key(house: Run) -> None:
    code, out, err = house("add", "pit-4", "--name", "Pit 4", "--roles", "floor-system", "--system")
    assert (code, err) == (0, "")
    assert out.endswith("Next: felt keys make pit-4 --out FILE\n")


def test_an_id_is_given_once(house: Run) -> None:
    assert house("add", "ann", "--name", "Another", "--roles", "tech") == (
        1,
        "",
        "ann is in the register; an id is never given to somebody else\n",
    )


@pytest.mark.parametrize(
    "words",
    [
        ("add", "Ann", "--name", "A", "--roles", "floor"),
        ("add", "floor", "--name", "A", "--roles", "floor"),
        ("add", "ann", "--name", " A", "--roles", "floor"),
        ("add", "ann", "--name", "", "--roles", "floor"),
        ("add", "ann", "--name", "A" * 65, "--roles", "floor"),
        ("add", "ann", "--name", "A", "--roles", "boss"),
        ("add", "ann", "--name", "A", "--roles", ""),
        ("add", "ann", "--name", "A"),
        ("rotate", "ann", "--out", "x", "--overlap", "0"),
        ("rotate", "ann", "--out", "x", "--overlap", "nan"),
        ("rotate", "ann", "--out", "x", "--overlap", "a day"),
        ("rotate", "ann", "--out", "x", "--overlap", "8785"),
        ("make", "ann"),
        ("fly", "ann"),
    ],
)
def test_a_wrong_command_line_ends_with_2(words: tuple[str, ...], run: Run, file: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        run(*words)
    assert ended.value.code == 2
    assert not file.exists()


def test_a_pin_from_a_script_is_kept_as_a_hash(
    house: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("274951\n"))
    assert house("pin", "ann", "--stdin") == (0, "ann has a new PIN\n", "")
    ann = Register.load(file).entry("ann")
    assert ann is not None
    assert ann.pin is not None
    assert ann.pin.startswith("$argon2id$")
    assert "274951" not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("pin", "who", "says"),
    [
        ("123456", "ann", "a PIN that counts up or down is guessed first; choose another\n"),
        ("", "ann", "a PIN is 6 to 12 figures, 0 to 9; choose another\n"),
        ("274951", "pit-3", "pit-3 is a system, which signs and has no PIN\n"),
        ("274951", "cal", "cal is not in the register; `felt keys add` adds, `felt keys list` shows all\n"),
    ],
)
def test_a_pin_that_is_refused_says_why(
    pin: str, who: str, says: str, house: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(pin))
    assert house("pin", who, "--stdin") == (1, "", says)


def test_nobody_is_asked_for_a_pin_where_nobody_is(house: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("274951\n274951\n"))
    assert house("pin", "ann")[::2] == (
        1,
        "there is no terminal to ask at; a script gives the PIN with --stdin\n",
    )


def at_a_terminal(file: Path, *typed: str) -> tuple[int, str]:
    """Run `felt keys pin ann` at a terminal, and type a line at each question: exit code, what is seen."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM, "keys", "pin", "ann", "--register", file],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    seen, answered = b"", 0
    while True:
        try:
            seen += os.read(ours, 1024)
        except OSError:  # Linux says so when the last one has left
            break
        if seen.count(b": ") > answered < len(typed):
            os.write(ours, f"{typed[answered]}\n".encode())
            answered += 1
    os.close(ours)
    return child.wait(), seen.decode()


def test_a_pin_is_typed_twice_and_never_seen(house: Run, file: Path) -> None:
    assert house is not None
    code, seen = at_a_terminal(file, "274951", "274951")
    assert (code, seen.split("\r\n")) == (0, ["PIN for ann: ", "Once more: ", "ann has a new PIN", ""])
    code, seen = at_a_terminal(file, "274951", "274915")
    assert code == 1
    assert "the two are not the same; nothing was changed" in seen
    assert "2749" not in seen


def test_a_key_pair_is_made_for_its_owner_alone(house: Run, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "pit-3.pem"
    code, told, err = house("make", "pit-3", "--out", out, "--json")
    assert (code, err) == (0, "")
    made = json.loads(told)
    assert made["id"] == "pit-3"
    assert made["private_file"] == str(out)
    assert out.stat().st_mode & 0o777 == 0o600
    assert public_text(public_of(key_from_pem(out.read_bytes()))) == made["public"]
    holder = Register.load(file).holder(made["kid"])
    assert holder is not None
    assert (holder.entry.id, holder.key.public) == ("pit-3", made["public"])


def test_a_private_key_is_never_written_over(house: Run, tmp_path: Path) -> None:
    out = tmp_path / "pit-3.pem"
    out.write_text("precious", encoding="utf-8")
    assert house("make", "pit-3", "--out", out) == (66, "", f"{out}: File exists\n")
    assert out.read_text(encoding="utf-8") == "precious"


@pytest.mark.usefixtures("house", "full_disk")
def test_half_a_private_key_is_not_left_behind(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "pit-3.pem"
    assert run("make", "pit-3", "--out", out) == (66, "", f"{out}: File too large\n")
    assert not out.exists()


def test_a_key_that_is_not_registered_is_not_left_behind(house: Run, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "cal.pem"
    assert house("make", "cal", "--out", out)[0] == 1
    assert not out.exists()
    file.write_text("{", encoding="utf-8")
    assert house("make", "ann", "--out", out)[0] == 78
    assert not out.exists()


def test_the_public_half_of_a_key_made_elsewhere_is_taken(house: Run, file: Path) -> None:
    public = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    assert house("trust", "pit-3", "--public", public) == (0, "pit-3 has the key EH7DDX5BKSRGCYTL\n", "")
    assert Register.load(file).holder("EH7DDX5BKSRGCYTL") is not None
    assert house("trust", "ann", "--public", public)[0] == 1
    assert house("trust", "ann", "--public", "A" * 43) == (
        1,
        "",
        "anybody could sign for this key (its point has a small order)\n",
    )


def test_keys_are_rotated_with_and_without_an_overlap(house: Run, tmp_path: Path) -> None:
    house("make", "pit-3", "--out", tmp_path / "1.pem")
    assert house("rotate", "pit-3", "--out", tmp_path / "2.pem", "--overlap", "24")[0] == 0
    _, out, _ = house("list")
    states = [line.split(maxsplit=1)[1] for line in out.splitlines() if line.startswith("  ")]
    assert [state.split()[:2] for state in states] == [["valid", "until"], ["valid,", "since"]]
    assert house("rotate", "pit-3", "--out", tmp_path / "3.pem")[0] == 0
    listed = json.loads(house("list", "--json")[1])
    assert [key["valid"] for key in listed["entries"][1]["keys"]] == [False, False, True]
    assert house("rotate", "ann", "--out", tmp_path / "4.pem")[0] == 1
    assert not (tmp_path / "4.pem").exists()


def test_a_key_or_all_that_one_has_is_revoked(house: Run, file: Path, tmp_path: Path) -> None:
    kid = json.loads(house("make", "ann", "--out", tmp_path / "1.pem", "--json")[1])["kid"]
    assert house("revoke", kid) == (0, f"key {kid} is revoked\n", "")
    assert f"  {kid}  revoked 20" in house("list")[1]
    change(file, lambda found: with_pin(found, "ann", hashed("274951")))
    assert "Ann Bell: dealer, floor; PIN" in house("list")[1]
    assert house("revoke", "ann") == (0, "all keys of ann are revoked, and the PIN is gone\n", "")
    assert "PIN" not in house("list")[1]
    assert house("revoke", "A" * 16)[0] == 1
    assert house("revoke", "cal")[0] == 1


def test_who_left_is_off_and_may_come_back(house: Run) -> None:
    assert house("off", "ann") == (0, "ann is off: no role, no key, no PIN\n", "")
    assert house("list")[1].splitlines()[0] == "ann               person  Ann Bell: off"
    assert house("off", "ann")[0] == 1
    assert json.loads(house("on", "ann", "--json")[1]) == {"id": "ann", "off": False}


def test_names_and_roles_change(house: Run) -> None:
    assert house("change", "ann", "--name", "Ann Cole") == (0, "ann is Ann Cole: dealer, floor\n", "")
    assert house("change", "ann", "--roles", "tech")[1] == "ann is Ann Cole: tech\n"
    assert house("change", "ann") == (1, "", "nothing to change: give --name or --roles\n")


def test_the_list_has_no_secret(house: Run, file: Path, tmp_path: Path) -> None:
    change(file, lambda found: with_pin(found, "ann", hashed("274951")))
    house("make", "ann", "--out", tmp_path / "1.pem")
    for words in (("list",), ("list", "--json")):
        assert "argon2" not in house(*words)[1]
    listed = json.loads(house("list", "--json")[1])
    assert listed["register"] == str(file)
    assert listed["entries"][0]["pin"] is True
    assert listed["entries"][1]["pin"] is False


def test_an_ended_key_is_listed_as_that(house: Run, file: Path) -> None:
    house("trust", "ann", "--public", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
    content = json.loads(file.read_text(encoding="utf-8"))
    content["entries"][0]["keys"][0]["until"] = "2020-02-29T12:00:00Z"
    file.write_text(json.dumps(content), encoding="utf-8")
    assert "EH7DDX5BKSRGCYTL  ended 2020-02-29 12:00 UTC, since 20" in house("list")[1]


def test_an_empty_register_says_so(run: Run, file: Path) -> None:
    file.write_text('{"version": 1, "entries": []}', encoding="utf-8")
    assert run("list") == (0, "nobody is in the register\n", "")


def test_a_missing_and_a_broken_register_end_differently(run: Run, file: Path) -> None:
    assert run("list") == (
        66,
        "",
        f"{file}: the register of people cannot be read: No such file or directory\n",
    )
    file.write_text('{"version": 1, "entries": [{"id": "ann"}]}', encoding="utf-8")
    code, out, err = run("off", "ann")
    assert (code, out) == (78, "")
    assert err.splitlines() == [
        f"{file}: entries[0] (ann).name: Field required",
        f"{file}: entries[0] (ann).kind: Field required",
        f"{file}: entries[0] (ann).roles: Field required",
        "The register has mistakes; nothing was changed.",
    ]


def test_the_program_itself_keeps_a_register(file: Path) -> None:
    def felt(*words: str, told: str = "") -> tuple[int, str]:
        child = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", PROGRAM, "keys", *words, "--register", file],
            input=told,
            capture_output=True,
            text=True,
            check=False,
        )
        return child.returncode, child.stdout

    assert felt("add", "ann", "--name", "Ann Bell", "--roles", "floor")[0] == 0
    assert felt("pin", "ann", "--stdin", told="274951\n") == (0, "ann has a new PIN\n")
    ann = Register.load(file).entry("ann")
    assert ann is not None
    assert ann.pin is not None


def test_help_has_examples_and_every_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser(prog="felt")
    keys.register(parser.add_subparsers())
    with pytest.raises(SystemExit):
        parser.parse_args(["keys", "--help"])
    told = capsys.readouterr().out
    assert 'felt keys add ann --name "Ann Bell" --roles floor' in told
    assert "exit codes: 0 done, 1 not possible, 2 the command line is wrong,\n66 a file" in told
