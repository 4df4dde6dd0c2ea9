"""Reads scenario files."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from felt_simulators.scenario import (
    BEGINS,
    CHECKS,
    MOMENTS,
    MOST_ROUNDS,
    BadScenario,
    During,
    Expectation,
    Scenario,
    Step,
)
from felt_simulators.scenario_table import Source, Table

if TYPE_CHECKING:
    from pathlib import Path


def read(path: Path) -> Scenario:
    """The scenario in a file. Raises `BadScenario`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        document = tomllib.loads(text)
    except OSError as error:
        raise BadScenario(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadScenario(f"{path}: not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise BadScenario(f"{path}: {error}") from error
    return _Reader(path, text, document).scenario()


class _Reader:
    """Takes a document apart and knows where each key stands."""

    def __init__(self, path: Path, text: str, document: dict[str, Any]) -> None:
        self._path = path
        self._source = Source(path, text)
        self._document = document

    def scenario(self) -> Scenario:
        top = Table(self._source, (), self._document)
        table = top.table("table", {})
        truth = top.table("truth", {})
        steps = tuple(self._step(each) for each in top.tables("steps"))
        if not steps:
            top.bad("steps", "a scenario has at least one [[steps]]")
        expectations = tuple(self._expectation(each, len(steps)) for each in top.tables("expect"))
        found = Scenario(
            path=self._path,
            name=top.text("name", self._path.stem),
            about=top.text("about", ""),
            config=self._path.parent / table.text("config"),
            seed=top.whole("seed", 1, 0, 2**63 - 1),
            steps=steps,
            expectations=expectations,
            differs=frozenset(truth.words("differs", CHECKS)),
            changes=table.given("changes"),
            builds=table.given("builds"),
            seats=tuple(table.numbers("seats")),
            cover_after=table.whole("cover_after", 0, 10, 500) or None,
            first_cards=tuple(table.cards("first_cards")),
            preshuffled=frozenset(table.texts("preshuffled")),
            opens=table.flag("opens", otherwise=True),
            begins=top.moment("begins", BEGINS),
        )
        for each in (top, table, truth):
            each.finish()
        return found

    def _step(self, table: Table) -> Step:
        rounds = table.whole("rounds", 0, 0, MOST_ROUNDS)
        if rounds:
            during = tuple(self._during(each, rounds) for each in table.tables("during"))
            found = Step(rounds, during, says=table.text("says", ""))
        else:
            found = Step(action=table.action(), says=table.text("says", ""))
        table.finish()
        return found

    def _during(self, table: Table, rounds: int) -> During:
        found = During(
            round=table.whole("round", 1, 1, rounds),
            at=table.moment_of_round("at", MOMENTS),
            action=table.action(),
            says=table.text("says", ""),
        )
        table.finish()
        return found

    def _expectation(self, table: Table, steps: int) -> Expectation:
        by = table.one_of("cite", "row", "event")
        after = table.whole("after", 0, 1, steps)
        absent = table.flag("absent")
        times = table.whole("times", 0, 1, MOST_ROUNDS)
        having = table.given("having")
        if having and by != "event":
            table.bad("having", "goes with an event")
        if absent and times:
            table.bad("times", "what is absent has no times")
        found = Expectation(
            by, table.text(by), after or None, table.text("subject", ""), times or None, absent, having
        )
        table.finish()
        return found
