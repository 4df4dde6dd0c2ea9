"""The page about commands: what it shows is so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon import control
from felt_daemon.control.messages import Request, Second, parse_answer, parse_request
from felt_daemon.publisher import intake, request
from felt_daemon.shell import decided, refusals
from felt_protocols.commands import COMMANDS

if TYPE_CHECKING:
    from felt_protocols.commands import Command

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())


def told(model: type[Command]) -> list[str]:
    """What the table must say of a command, cell by cell."""
    fields = {name: about for name, about in model.model_fields.items() if name != "second"}
    arguments = [f"`{name}`" if about.is_required() else f"[`{name}`]" for name, about in fields.items()]
    return [
        f"`{model.name}`",
        " ".join(arguments) or "-",
        ", ".join(sorted(model.roles)),
        "yes" if model.proven else "-",
        (model.__doc__ or "").splitlines()[0],
    ]


def test_the_table_has_every_command_as_it_is_and_says_when_it_is_refused() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in PAGE.partition("## Every command")[2].partition("\n## ")[0].splitlines()
        if line.startswith("| `")
    ]
    assert [row[:5] for row in rows] == [told(model) for model in COMMANDS.values()]
    assert all(len(row) == 6 and row[5] for row in rows)


def blocks() -> list[dict[str, Any]]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def test_the_requests_and_answers_on_the_page_are_some() -> None:
    asked, done, refused, signed_done, signed_refused = blocks()
    assert parse_request(json.dumps(asked).encode()) == Request(
        "7",
        "override",
        {"hold": 7, "reason": "counted by hand: 53"},
        person="ann",
        pin="481516",
        second=Second("ben", "902713"),
    )
    assert parse_answer(json.dumps(done).encode()).data == {"sequence": 1042}
    assert parse_answer(json.dumps(refused).encode()).code == control.REFUSED
    assert signed_done.keys() == {"id", "ok", "sequence"}
    assert signed_refused.keys() == {"id", "ok", "code", "why"}
    assert signed_refused["code"] == request.LATE


def test_every_key_of_a_request_and_every_word_of_an_answer_is_explained() -> None:
    keys = PAGE.partition("| key | |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)`", keys, re.MULTILINE) == [
        "id",
        "table",
        "command",
        "args",
        "person",
        "pin",
        "second",
        "role",
    ]
    words = PAGE.partition("| `code` | |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)`", words, re.MULTILINE) == [
        control.REFUSED,
        control.FORBIDDEN,
        control.MALFORMED,
        control.BUSY,
        request.LATE,
        request.REPLAYED,
    ]


@pytest.mark.parametrize(
    "words",
    [
        f"at most {decided.MOST_PER_CLIENT:,} for each client",
        f"Of one client {intake.CLIENT_BURST} at once and {1 / intake.CLIENT_EVERY_S:.0f} a second",
        f"of all together {intake.CHECKS_BURST} at once and {1 / intake.CHECKS_EVERY_S:.0f} a second",
        f"{refusals.BURST} at once and one every {refusals.EVERY_S:.0f} seconds have a row",
    ],
)
def test_a_number_on_the_page_is_the_programs(words: str) -> None:
    assert words in TEXT


def test_the_times_on_the_page_are_the_programs() -> None:
    assert "With `exp`, for an hour after it" in TEXT
    assert decided.KEPT_AFTER_END_US == 3_600_000_000
    assert "the same bytes within half a second count as one" in TEXT
    assert intake.REPEATED_S == 0.5
