"""Every row of a chapter that has a citation is shown by a scenario, or the reason why not is here."""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from felt_daemon.rules import chapters, load
from felt_simulators.cli import main
from felt_simulators.cli.play import folders_kept, scenario_files
from felt_simulators.scenario_file import read

SCENARIOS = Path(__file__).resolve().parents[2] / "examples" / "scenarios"

# A reason, the row that no scenario can show for it, and the chapters in which it is so.
NOT_SHOWN = (
    (
        "the simulated automated shoe keeps to its permit: its button gives no stack before there is one",
        "dealt-before-bets-closed",
        "659a 663a 671a 687a",
    ),
    ("the same, and the permit waits for the start", "dealt-before-start-position", "659a"),
    (
        "three quarters of a batch would be dealt; it is the row of a part, which 686a shows",
        "cover-card-too-deep",
        "665a 672a 673a",
    ),
)


@cache
def game_at(config: Path) -> str:
    return str(tomllib.loads(config.read_text(encoding="utf-8"))["table"]["game"])


@cache
def expected() -> dict[str, frozenset[str]]:
    """By chapter, the rows and citations that its scenarios expect."""
    found: dict[str, set[str]] = {}
    for file in scenario_files([SCENARIOS]):
        scenario = read(file)
        names = found.setdefault(game_at(scenario.config.resolve()), set())
        for one in scenario.expectations:
            if not one.absent:
                names.add(str(one.having.get("row", "")) if one.by == "event" else one.name)
    return {chapter: frozenset(names) for chapter, names in found.items()}


@cache
def cited(chapter: str) -> dict[str, set[str]]:
    """The rows of a chapter that cite it, each with what names it alone: its id, and its own citations."""
    rules = [rule for rule in load(chapter).rules if rule.cite]
    often = Counter(cite for rule in rules for cite in rule.cite)
    return {rule.id: {rule.id, *(cite for cite in rule.cite if often[cite] == 1)} for rule in rules}


def without_reason(chapter: str) -> set[str]:
    """The rows for which no reason is given here."""
    return set(cited(chapter)) - {row for _, row, where in NOT_SHOWN if chapter in where.split()}


@pytest.mark.parametrize("chapter", chapters())
def test_every_row_that_has_a_citation_is_expected_by_a_scenario(chapter: str) -> None:
    names = cited(chapter)
    missing = sorted(row for row in without_reason(chapter) if not names[row] & expected()[chapter])
    assert missing == [], "write a scenario, or say in NOT_SHOWN why there can be none"


@pytest.mark.parametrize(("reason", "row", "where"), NOT_SHOWN)
def test_no_reason_is_given_for_a_row_that_a_scenario_shows(reason: str, row: str, where: str) -> None:
    assert reason
    for chapter in where.split():
        assert not cited(chapter)[row] & expected()[chapter], chapter


def test_a_folder_is_played_with_all_that_lies_below_it() -> None:
    files = scenario_files([SCENARIOS / "659a", SCENARIOS / "shoe-jam.toml"])
    assert files[-1] == SCENARIOS / "shoe-jam.toml"
    assert files[:-1] == sorted((SCENARIOS / "659a").glob("*.toml"))
    assert SCENARIOS / "686a" / "cover-card.toml" in scenario_files([SCENARIOS])


def test_each_of_several_runs_is_kept_where_its_file_lies() -> None:
    jam = "shuffler-jam"
    files = [SCENARIOS / f"{jam}.toml", SCENARIOS / "663a" / f"{jam}.toml"]
    assert folders_kept(files, Path("kept")) == [Path("kept", jam), Path("kept", "663a", jam)]
    assert folders_kept(files[1:], Path("kept")) == [Path("kept")]
    assert folders_kept(files, None) == [None, None]


def test_a_folder_without_scenarios_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"felt-sim: {tmp_path}: there is no scenario in this folder\n"
