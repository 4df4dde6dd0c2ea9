"""What rows answer, as the files of `answers/` have it, and as a table of any game gives it."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.table import Table, admit
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events.person import Person
from felt_protocols.events.ruling import RulingMade

from .any_facts import facts_of
from .any_game import AUTOMATED, BACCARAT, ENDLESS, HAND, MANUAL, POKER, AnyGame, opened
from .any_situation import phases_of, troubles_of, turns_of
from .felt import moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from felt_daemon.rules.pack import ReportKind
    from felt_protocols.events import Fact, Moment

ANSWERS = Path(__file__).parent / "answers"
# How each chapter's tables are dealt, and which file has what they answer.
_POKER = {AUTOMATED: "poker-automated-shoe", MANUAL: "poker-manual-shoe", HAND: "poker-hand"}
_SHOE_GAMES = {MANUAL: "shoe-games", ENDLESS: "continuous-shuffler"}
_IN_PART = {MANUAL: "in-part"}
WAYS: dict[str, dict[str, str]] = {
    **dict.fromkeys(POKER, _POKER),
    **dict.fromkeys((*BACCARAT, "633a", "635a", "637a"), _IN_PART),
    **dict.fromkeys(("665a", "672a", "673a", "686a"), _SHOE_GAMES),
}
PHASES = ("none", "betting", "closed", "hand-deal", "dealing", "dealt", "playing", "void")
# Their rows are other tables' too, in the same parts: troubles of decks and devices are not tried again.
AS_OTHERS = {
    *(
        ("629a", MANUAL),
        ("631a", MANUAL),
        ("635a", MANUAL),
        ("663a", MANUAL),
        ("671a", MANUAL),
        ("687a", MANUAL),
    ),
    *(("673a", MANUAL), ("673a", ENDLESS), ("665a", ENDLESS), ("671a", HAND), ("687a", HAND)),
}
ALWAYS, NOTHING = "always", "nothing"

Answers = dict[str, dict[str, str]]
# A row, a fact, and the situations in which the one answers the other.
Fired = dict[tuple[str, str], frozenset[str]]


@functools.cache
def _read(name: str) -> dict[str, Answers]:
    """A file's sections: for every chapter under the empty name, and for one chapter each."""
    found: dict[str, Answers] = {"": {}}
    section, fact = "", ""
    for line in (ANSWERS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            section = line.removeprefix("== ")
            found[section] = {}
        elif line.startswith("    "):
            row, _, where = line.strip().partition(": ")
            if row != NOTHING:
                found[section][fact][row] = where
        elif line and not line.startswith("#"):
            fact = line
            found[section][fact] = {}
    return found


def expected(felt: AnyGame, start: str, led: Mapping[str, AnyGame]) -> Fired:
    """What this table must answer."""
    said = _read(WAYS[felt.chapter][felt.deals])
    answers = _read("every-game")[""] | said[""] | said.get(f"{felt.chapter} {start}".strip(), {})
    return {
        (row, fact): frozenset(_named(where, _tried(felt, fact, led)))
        for fact in (*facts_of(felt), *(f"report {word}" for word in felt.pack.reports))
        for row, where in answers.get(fact, {}).items()
    }


def _named(where: str, led: Mapping[str, AnyGame]) -> Iterator[str]:
    """The situations that are named: each by itself, all of a phase by `betting+`, or all but those."""
    words = where.split()
    every = words[0] == ALWAYS
    named = {
        name
        for name, felt in led.items()
        for word in words
        if name == word or (word.endswith("+") and felt.state.phase == word[:-1])
    }
    yield from (name for name in led if (name not in named) is every)


def _tried(felt: AnyGame, fact: str, led: Mapping[str, AnyGame]) -> Mapping[str, AnyGame]:
    """The situations in which a fact is tried: what any device may tell, in the phases of a round alone."""
    if not any(fact.startswith(f"{family} ") for family in felt.setup.devices.values()):
        return led
    return {name: one for name, one in led.items() if name in PHASES}


def led_into(felt: AnyGame) -> dict[str, AnyGame]:
    """A table of its own in each situation."""
    found: dict[str, AnyGame] = {}
    troubles = {} if (felt.chapter, felt.deals) in AS_OTHERS else troubles_of(felt)
    for name, lead in (phases_of(felt) | troubles | turns_of(felt)).items():
        found[name] = felt.another()
        lead(found[name])
    return found


def answered(led: Mapping[str, AnyGame]) -> Fired:
    """What tables answer, to every fact and report in every situation."""
    found: dict[tuple[str, str], set[str]] = {}
    for name, there in led.items():
        for fact, rows in _answers_in(there, name):
            for row in rows:
                found.setdefault((row, fact), set()).add(name)
    return {key: frozenset(names) for key, names in found.items()}


def _answers_in(there: AnyGame, name: str) -> Iterator[tuple[str, list[str]]]:
    at = moment(len(there.rows) + 1)
    for label, tell in facts_of(there).items():
        if name in _tried(there, label, {name: there}):
            yield label, _rows(there, tell(there), at)
    for word, kind in there.pack.reports.items():
        said = commands.Report.model_validate({"what": word, **_about(kind)})
        try:
            fact = admit(there.pack, there.state, said, Person(role=kind.by[0], name="Dan"))
        except CommandRefused:
            continue
        yield f"report {word}", _rows(there, fact, at)


def _rows(there: AnyGame, fact: Fact, at: Moment) -> list[str]:
    """The rows that a fact fires; the table stays as it is."""
    rows = Table(there.pack, there.state).take(fact, at)
    return [row.event.row for row in rows if isinstance(row.event, RulingMade)]


def _about(kind: ReportKind) -> dict[str, object]:
    asked: dict[str, object] = {"deck": "red", "seats": (1, 2), "seat": 1}
    return {name: asked[name] for name in kind.asks if name in asked}


def differences(
    chapter: str, deal: str, start: str = ""
) -> dict[tuple[str, str], tuple[list[str], list[str]]]:
    """Where what a table answers is not what it must: the situations that are missing, and those too many."""
    felt = opened(chapter, deal, start)
    led = led_into(felt)
    must, does = expected(felt, start, led), answered(led)
    none: frozenset[str] = frozenset()
    return {
        key: (
            sorted(must.get(key, none) - does.get(key, none)),
            sorted(does.get(key, none) - must.get(key, none)),
        )
        for key in must.keys() | does.keys()
        if must.get(key, none) != does.get(key, none)
    }
