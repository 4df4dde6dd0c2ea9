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


def election_problems(document: Document, schema: ElectionSchema) -> list[Problem]:
    """Every mistake in the answers: unknown, missing, not valid, or without the device that they need."""
    given = as_table(document.value("elections"))
    if given is None:
        return []
    problems = [
        _problem(document, name, f"no election of this game; {_nearest(name, schema)}")
        for name in given
        if name not in schema
    ]
    for name, one in schema.items():
        answer = given.get(name, one.default)
        if answer is None:
            if not document.lost(("elections", name)):
                problems.append(_problem(document, name, f"missing; must be {one.words()}. {one.about}"))
        elif not _valid(answer, one):
            problems.append(_problem(document, name, f"must be {one.words()}"))
        else:
            told = "" if name in given else f"its default, {json.dumps(answer)}, "
            problems += _missing_devices(document, name, told, one.needs.get(_choice(answer), ()))
    return problems


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


def _missing_devices(document: Document, name: str, told: str, families: tuple[str, ...]) -> list[Problem]:
    if document.lost(("devices",)):
        return []
    devices = as_table(document.value("devices")) or {}
    present = {document.value("devices", device, "family") for device in devices}
    return [
        _problem(
            document,
            name,
            f'{told}needs a device with family = "{family}", and there is none under [devices]',
        )
        for family in families
        if family not in present
    ]


def _problem(document: Document, name: str, text: str) -> Problem:
    key = ("elections", name)
    return Problem(document.file, document.line(key), f"elections.{name}", document.written(key), text)
