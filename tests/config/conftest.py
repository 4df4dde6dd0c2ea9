"""A valid configuration to spoil, and the mistakes that a text has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.config import ConfigError, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.config import Problem

VALID = """\
[table]
id = "asia-1"
name = "Tisch 7 \u2013 Müller"
game = "659a"
time_zone = "America/New_York"
gaming_day_start = 06:00:00

[rules_submission]
reference = "RS-2026-0117"
date = 2026-01-17

[elections]
decks = 2
deal = "automated-shoe"
start = "shaker"

[devices.shuffler-1]
family = "shuffler"
port = "/dev/ttyS0"

[devices.shoe-1]
family = "shoe"
port = "/dev/ttyS1"
baud = 57600

[devices.shaker-1]
family = "shaker"
port = "/dev/ttyS2"

[decks.red]
back = "red"

[decks.blue]
back = "blue"

[broker]
mode = "external"
host = "broker.floor.example"
"""


@pytest.fixture
def valid() -> str:
    """A valid configuration in 37 lines."""
    return VALID


@pytest.fixture
def mistakes() -> Callable[[str], list[Problem]]:
    """The mistakes that a configuration text has, none for a valid one."""

    def found(text: str) -> list[Problem]:
        try:
            parse(text.encode(), "table.toml")
        except ConfigError as error:
            return list(error.problems)
        return []

    return found


@pytest.fixture
def only_mistake(valid: str, mistakes: Callable[[str], list[Problem]]) -> Callable[[str, str], Problem]:
    """The single mistake that the valid configuration has once one text in it is replaced."""

    def found(old: str, new: str) -> Problem:
        assert valid.count(old) == 1
        (problem,) = mistakes(valid.replace(old, new))
        assert problem.file == "table.toml"
        return problem

    return found


@pytest.fixture
def with_value(valid: str) -> Callable[[str, str], tuple[int, str]]:
    """The valid configuration with one key set to a value at the head of its table, and the key's line."""

    def spoiled(key: str, value: str) -> tuple[int, str]:
        table, _, name = key.rpartition(".")
        lines: list[str] = []
        here = ""
        for line in valid.splitlines():
            here = line.strip("[]") if line.startswith("[") else here
            if here != table or not line.startswith(f"{name} = "):
                lines.append(line)
        if f"[{table}]" not in lines:
            lines.append(f"[{table}]")
        at = lines.index(f"[{table}]") + 1
        lines.insert(at, f"{name} = {value}")
        return at + 1, "\n".join(lines)

    return spoiled
