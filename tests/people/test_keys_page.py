"""docs/keys.md says what the programs do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from felt_protocols.events.person import Role
from felt_protocols.signed.claims import CommandBody, SecondBody, Wanted, Why
from felt_protocols.signed.reading import read, verifying_key

PAGE = (Path(__file__).parents[2] / "docs" / "keys.md").read_text(encoding="utf-8")


def first_column(heading: str) -> set[str]:
    """Every word in code in the first column of the tables under a heading."""
    part = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\|([^|]*)\|", part, flags=re.MULTILINE)
    return {word for cell in cells for word in re.findall(r"`([^`]+)`", cell)}


def test_the_page_has_every_role_and_no_other() -> None:
    assert first_column("Roles") == set(get_args(Role))


def test_the_page_has_every_code_of_a_refusal_and_no_other() -> None:
    assert first_column("What is refused") == set(get_args(Why))


def test_the_page_has_every_claim_and_no_other() -> None:
    assert first_column("A signed command") == set(CommandBody.model_fields)
    for claim in SecondBody.model_fields:
        assert f"`{claim}`" in PAGE


def test_the_token_of_the_page_is_one() -> None:
    [block] = [block for block in re.findall(r"```\n(.*?)```", PAGE, flags=re.DOTALL) if block[:2] == "ey"]
    wanted = Wanted(table="asia-1", start="0f3a9c52", command="acknowledge", now_s=1764547199.0)
    keys = {"EH7DDX5BKSRGCYTL": verifying_key("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")}
    assert read(block.replace("\n", ""), keys, wanted).args == {"hold": 7}


@pytest.mark.parametrize("command", ["add", "pin", "make", "trust", "rotate", "revoke", "off", "list"])
def test_the_page_shows_every_command(command: str) -> None:
    assert f"felt keys {command}" in PAGE
