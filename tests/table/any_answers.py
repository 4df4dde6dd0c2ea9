"""What rows answer, as the files of `answers/` have it, and as a table of any game gives it."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.table import Table, admit
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events.person import Person
from felt_protocols.events.ruling import RulingMade

from .any_facts import OF_A_BOX, OF_A_SHUFFLER, OF_PEOPLE, OF_SMALL_DEVICES, facts_of
from .any_game import AUTOMATED, BACCARAT, ENDLESS, HAND, MANUAL, POKER, AnyGame, opened
from .any_rare_story import RARE, apart_by_hand, called, fifth_counted_by_people
from .any_situation import phases_of, troubles_of, turns_of
from .any_story import stationless, stories_of
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
BY_ITSELF = "a device that reshuffles by itself"
# What houses have chosen otherwise.
CHOSEN: dict[str, tuple[tuple[str, str], ...]] = {
    "631a": ((MANUAL, "the call is told"),),
    "633a": ((MANUAL, "no optional wagers"),),
    "637a": ((MANUAL, "Super Seven"),),
    "659a": (
        (AUTOMATED, "a generator"),
        (AUTOMATED, BY_ITSELF),
        (AUTOMATED, "bets are advice"),
        (MANUAL, "bets are advice"),
    ),
    "663a": ((AUTOMATED, BY_ITSELF), (MANUAL, "a shoe that tells nothing")),
    "665a": ((MANUAL, "a reader that shows value"),),
    "671a": ((AUTOMATED, BY_ITSELF),),
    "672a": ((MANUAL, "no up card told"),),
    "687a": (
        (AUTOMATED, BY_ITSELF),
        (AUTOMATED, "no progressive"),
        (MANUAL, "no progressive"),
        (AUTOMATED, "bets are advice"),
        (MANUAL, "a shoe that tells nothing"),
    ),
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


def expected(felt: AnyGame, led: Mapping[str, AnyGame]) -> Fired:
    """What this table must answer."""
    said = _read(WAYS[felt.chapter][felt.deals])
    answers = _read("every-game")[""] | said[""]
    answers |= said.get(felt.chapter, {}) | said.get(f"{felt.chapter}, {felt.house}", {})
    found: dict[tuple[str, str], frozenset[str]] = {}
    for fact, names in tried(felt, led).items():
        for row, where in answers.get(fact, {}).items():
            found[row, fact] = frozenset(named(where, {name: led[name] for name in names}))
    return {key: names for key, names in found.items() if names}


def named(where: str, led: Mapping[str, AnyGame]) -> Iterator[str]:
    """The situations that are named: each by itself, all of a phase by `betting+`, or all but those."""
    words = where.split()
    every = words[0] == ALWAYS
    said = {
        name
        for name, felt in led.items()
        for word in words
        if name == word or (word.endswith("+") and felt.state.phase == word[:-1])
    }
    yield from (name for name in led if (name not in said) is every)


def tried(felt: AnyGame, led: Mapping[str, AnyGame]) -> dict[str, list[str]]:
    """Every fact and report, with the situations in which it is tried."""
    found: dict[str, list[str]] = {}
    for name in led:
        for fact in (*facts_of(felt, *_kinds(felt, name)), *(f"report {word}" for word in felt.pack.reports)):
            found.setdefault(fact, []).append(name)
    return found


def _kinds(felt: AnyGame, name: str) -> tuple[str, ...]:
    """Which facts are tried in a situation: all in the phases of a round, elsewhere what it may change."""
    if name in PHASES:
        return ()
    if name in troubles_of(felt):
        return (OF_A_SHUFFLER, OF_A_BOX, OF_PEOPLE)
    return (OF_A_BOX, OF_SMALL_DEVICES, OF_PEOPLE)


def led_into(felt: AnyGame) -> dict[str, AnyGame]:
    """A table of its own in each situation."""
    leads = phases_of(felt) | turns_of(felt)
    if felt.house == "no progressive":
        leads["stationless"] = stationless
    if felt.house == "the call is told":
        leads["called"] = called
    if felt.house == "a shoe that tells nothing":
        leads |= stories_of(felt) | {"apart-by-hand": apart_by_hand}
        if felt.chapter == "663a":
            leads["fifth-counted"] = fifth_counted_by_people
    if not felt.house:
        leads |= stories_of(felt) | RARE.get((felt.chapter, felt.deals), {})
        if (felt.chapter, felt.deals) not in AS_OTHERS:
            leads |= troubles_of(felt)
    found: dict[str, AnyGame] = {}
    for name, lead in leads.items():
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
    for label, tell in facts_of(there, *_kinds(there, name)).items():
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


@dataclass(frozen=True)
class Told:
    """A table that was told everything in each situation: what must answer, and what does."""

    must: Fired
    does: Fired

    @classmethod
    def of(cls, chapter: str, deal: str, house: str = "") -> Told:
        """Tell it."""
        felt = opened(chapter, deal, house)
        led = led_into(felt)
        return cls(expected(felt, led), answered(led))

    def differences(self) -> dict[tuple[str, str], tuple[list[str], list[str]]]:
        """Where what it answers is not what it must: the situations that are missing, and those too many."""
        none: frozenset[str] = frozenset()
        return {
            key: (
                sorted(self.must.get(key, none) - self.does.get(key, none)),
                sorted(self.does.get(key, none) - self.must.get(key, none)),
            )
            for key in self.must.keys() | self.does.keys()
            if self.must.get(key, none) != self.does.get(key, none)
        }
