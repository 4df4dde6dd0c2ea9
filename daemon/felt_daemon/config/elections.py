"""What the regulation lets a casino choose: a game's questions, and whether the answers hold together."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from felt_daemon.config.document import as_table
from felt_daemon.config.problems import Problem

if TYPE_CHECKING:
    from felt_daemon.config.document import Document

Choice = str | int | bool
_NO_FAMILIES: Mapping[Choice, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Election:
    """One question: its valid answers, what it is about, and the device families that an answer needs.

    `default` is the answer where none is given; None makes the question one that must be answered.
    """

    choices: tuple[Choice, ...]
    about: str
    needs: Mapping[Choice, tuple[str, ...]] = field(default_factory=lambda: _NO_FAMILIES)
    default: Choice | None = None

    def words(self) -> str:
        """What an answer must be, in words that follow "must be"."""
        shown = ", ".join(json.dumps(choice, ensure_ascii=False) for choice in self.choices)
        return f"one of {shown}" if len(self.choices) > 1 else shown


ElectionSchema = Mapping[str, Election]

# The methods of 659a that this release deals; the regulation knows more.
ASIA_POKER: ElectionSchema = {
    "decks": Election(
        choices=(2,),
        about="Decks in use: two that alternate, one in the shuffler while the other is in play (659a.3(b)).",
        needs={2: ("shuffler",)},
    ),
    "deal": Election(
        choices=("automated-shoe",),
        about="How the cards are dealt (659a.10).",
        needs={"automated-shoe": ("shoe",)},
    ),
    "start": Election(
        choices=("shaker",),
        about="What chooses the starting position (659a.2(c), 659a.5(g)).",
        needs={"shaker": ("shaker",)},
    ),
}


def shipped_elections(game: str) -> ElectionSchema | None:
    """The questions of a game; None for a game that this release does not deal."""
    return ASIA_POKER if game == "659a" else None


def election_problems(document: Document, schema: ElectionSchema) -> list[Problem]:
    """Every mistake in the answers: unknown, missing, not valid, or without the device that they need."""
    given = as_table(document.value("elections"))
    if given is None:
        return []
    problems: list[Problem] = []
    for name, answer in given.items():
        if name not in schema:
            problems.append(_problem(document, name, f"no election of this game; {_nearest(name, schema)}"))
        elif not _valid(answer, schema[name]):
            problems.append(_problem(document, name, f"must be {schema[name].words()}"))
        else:
            problems += _missing_devices(document, name, schema[name].needs.get(_choice(answer), ()))
    unanswered = [
        name
        for name, one in schema.items()
        if name not in given and one.default is None and not document.lost(("elections", name))
    ]
    return problems + [
        _problem(document, name, f"missing; must be {schema[name].words()}. {schema[name].about}")
        for name in unanswered
    ]


def answers(given: Mapping[str, Choice], schema: ElectionSchema) -> dict[str, Choice]:
    """The answers that hold: those given, and the defaults of the questions left open."""
    defaults = {name: one.default for name, one in schema.items() if one.default is not None}
    return {**defaults, **given}


def _choice(answer: object) -> Choice:
    return answer if isinstance(answer, (str, int)) else str(answer)


def _valid(answer: object, election: Election) -> bool:
    # By type as well: True and 1.0 would pass for 1.
    return any(type(answer) is type(choice) and answer == choice for choice in election.choices)


def _nearest(name: str, schema: ElectionSchema) -> str:
    near = difflib.get_close_matches(name, schema, n=1)
    return f'nearest valid key: "{near[0]}"' if near else "valid keys: " + ", ".join(schema)


def _missing_devices(document: Document, name: str, families: tuple[str, ...]) -> list[Problem]:
    if document.lost(("devices",)):
        return []
    devices = as_table(document.value("devices")) or {}
    present = {document.value("devices", device, "family") for device in devices}
    return [
        _problem(
            document,
            name,
            f'needs a device with family = "{family}", and there is none under [devices]',
        )
        for family in families
        if family not in present
    ]


def _problem(document: Document, name: str, text: str) -> Problem:
    key = ("elections", name)
    return Problem(document.file, document.line(key), f"elections.{name}", document.written(key), text)
