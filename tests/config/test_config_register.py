"""The register of people that a configuration names is looked at with it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import main
from felt_daemon.config import ConfigError, load, parse

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Refused = Callable[[str], list[tuple[int, str, str]]]

ANN = '{"id": "ann", "name": "Ann", "kind": "person", "roles": ["dealer"]}'
# What only the program that checks a PIN and the one that checks a signature may load.
HEAVY = """\
import sys
from felt_daemon.cli import run
from felt_daemon.config import load
print(load(sys.argv[1]).people.register)
print(sorted({"argon2", "cryptography", "jwt"} & sys.modules.keys()))
"""


@pytest.fixture
def register(tmp_path: Path) -> Path:
    """Where the configuration says that the register is; nothing is there."""
    return tmp_path / "people.json"


@pytest.fixture
def config(tmp_path: Path, valid: str, register: Path) -> Path:
    """A valid configuration that names the register on line 40."""
    file = tmp_path / "table.toml"
    file.write_text(f'{valid}[people]\nregister = "{register}"\n', encoding="utf-8")
    return file


@pytest.fixture
def refused(config: Path, register: Path) -> Refused:
    """Line, key and text of each mistake that the configuration has with this text in its register."""

    def found(text: str) -> list[tuple[int, str, str]]:
        register.write_text(text, encoding="utf-8")
        with pytest.raises(ConfigError) as caught:
            load(config)
        return [(one.line, one.key, one.text) for one in caught.value.problems]

    return found


@pytest.mark.parametrize("entries", ["", ANN])
def test_a_register_that_can_be_read_is_no_mistake(config: Path, register: Path, entries: str) -> None:
    register.write_text(f'{{"version": 1, "entries": [{entries}]}}', encoding="utf-8")
    assert load(config).people.register == register


def test_a_register_that_is_not_there_is_a_mistake_on_the_line_that_names_it(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check-config", str(config)]) == 78
    told = capsys.readouterr()
    assert told.out.startswith(f'{config}:40: people.register = "/')
    assert told.out.endswith(": the register of people cannot be read: No such file or directory\n")
    assert told.err == "1 mistake; feltd does not start with this file\n"


def test_a_folder_is_no_register(config: Path, register: Path) -> None:
    register.mkdir()
    with pytest.raises(ConfigError, match="the register of people cannot be read: Is a directory"):
        load(config)


def test_a_register_that_is_no_json_is_told_in_json_too(
    config: Path, register: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    register.write_text("{", encoding="utf-8")
    assert main(["check-config", "--json", str(config)]) == 78
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert (problem["line"], problem["key"]) == (40, "people.register")
    assert problem["text"].startswith("no valid register: no valid JSON: ")


def test_each_mistake_of_a_register_is_told_with_its_place(refused: Refused) -> None:
    ben = ANN.replace("ann", "ben").replace('"person"', '"persona"')
    found = refused(f'{{"version": 1, "entries": [{ANN}, {ben}, {ANN}]}}')
    assert [(line, key) for line, key, _ in found] == [(40, "people.register")] * 2
    assert found[0][2].startswith("no valid register: entries[1] (ben).kind: ")
    assert found[1][2].startswith("no valid register: entries: ")
    assert "'ann'" in found[1][2]


@pytest.mark.parametrize(
    ("wrong", "told", "last"),
    [(20, 20, "entries[19]"), (21, 21, "1 more mistake in it"), (1000, 21, "980 more mistakes in it")],
)
def test_of_a_register_full_of_mistakes_twenty_are_told_and_the_rest_counted(
    refused: Refused, wrong: int, told: int, last: str
) -> None:
    found = refused(f'{{"version": 1, "entries": [{", ".join(["0"] * wrong)}]}}')
    assert len(found) == told
    assert found[-1][2].startswith(f"no valid register: {last}")


def test_a_register_is_told_of_together_with_every_other_mistake(config: Path) -> None:
    text = config.read_text(encoding="utf-8").replace("baud = 57600", "baud = 96000")
    config.write_text(f"{text}[escalation]\nfloor_after_s = true\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(config)
    assert [(one.line, one.key) for one in caught.value.problems] == [
        (24, "devices.shoe-1.baud"),
        (40, "people.register"),
        (42, "escalation.floor_after_s"),
    ]


def test_a_path_that_is_not_valid_is_one_mistake_and_is_not_opened(tmp_path: Path, valid: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f'{valid}[people]\nregister = "people.json"\n', encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(file)
    assert [(one.line, one.text) for one in caught.value.problems] == [
        (40, 'must be an absolute path in quotes (it begins with "/")')
    ]


def test_the_bytes_of_a_configuration_alone_are_judged_without_the_register(
    config: Path, register: Path
) -> None:
    assert parse(config.read_bytes(), "table.toml").people.register == register


@pytest.mark.long
def test_a_configuration_with_a_register_loads_nothing_that_proofs_need(config: Path, register: Path) -> None:
    register.write_text(f'{{"version": 1, "entries": [{ANN}]}}', encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", HEAVY, str(config)], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout.splitlines()) == (0, [str(register), "[]"]), done.stderr
