"""`felt rules`: what people read of the rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import exits, main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("asked", ["659a.13(m)", "659a.13.m", "§ 659a.13(M)", "shoe-jam"])
def test_a_subsection_is_found_however_it_is_written(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", asked]) == exits.OK
    told = capsys.readouterr().out
    assert "659a.13(m)  (Asia Poker)" in told
    assert "The automated shoe jammed during the round: the round is void." in told
    assert "do        All hands are void: return every wager." in told
    assert "hold      on the device: inhibits the device and keeps deal closed" in told
    assert "held by   tests/regulations/test_659a_13_machines.py::" in told


def test_a_rule_of_our_own_says_that_the_text_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "device-silent"]) == exits.OK
    told = capsys.readouterr().out
    assert told.startswith("A rule of our own; the text is silent  (Asia Poker)")
    assert "advises until the device is heard again" in told


def test_what_no_device_shows_says_who_sees_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "659a.13(i)"]) == exits.OK
    assert "No device shows it: Only people see how hands are set." in capsys.readouterr().out


def test_an_explanation_is_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "659a.13(l)", "--json"]) == exits.OK
    [rule] = json.loads(capsys.readouterr().out)
    assert (rule["id"], rule["cite"], rule["effect"], rule["void"]) == (
        "shuffler-jam",
        ["659a.13(l)"],
        "stop",
        False,
    )
    assert [hold["binds"] for hold in rule["holds"]] == ["deck", "other-decks"]


def test_a_citation_that_is_nowhere_names_its_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "659a.13(z)"]) == exits.REFUSED
    assert "no pack has 659a.13(z); near it: 659a.13(" in capsys.readouterr().err
    assert main(["rules", "explain", "elephants"]) == exits.REFUSED
    assert "`felt rules list` shows all" in capsys.readouterr().err


def test_the_list_names_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list"]) == exits.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "659a  Asia Poker  (44 Pa.B. 619, final)"
    assert any(line.split()[:2] == ["659a.13(m)", "shoe-jam"] for line in lines)
    assert main(["rules", "list", "--json"]) == exits.OK
    rules = json.loads(capsys.readouterr().out)
    assert len(rules) == len(lines) - 1


def test_a_pack_of_ones_own_is_checked_and_every_mistake_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "check"]) == exits.OK
    assert capsys.readouterr().out == "659a: sound\n"
    bad = tmp_path / "bad.toml"
    bad.write_text("phases = 7\n", encoding="utf-8")
    assert main(["rules", "check", str(bad)]) == exits.REFUSED
    told = capsys.readouterr().err
    assert "phases" in told
    assert "source" in told
