"""Changes of rule packs, each made once where it is written: for a chapter, or for all that have a part.

What is changed is a row under `rules`, a hold that has a name, a citation under `cite.rules`, or what a
chapter says otherwise than a part under `change.rules`.
"""

from __future__ import annotations

import ast
import functools
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutants import ROOT, Change, Functions, Mutant
from typing_extensions import override

FOLDER = Path("daemon/felt_daemon/rules/packs")
# What holds every row of every pack, beside the tests that are marked with the row: tests with the chapter as
# their parameter.
OF_EVERY_ROW = (
    "tests/rules/test_pack_breaches.py::test_every_pack_that_comes_along_is_sound",
    "tests/walk/test_holds_let_go.py",
    "tests/table/test_rows_in_each_situation.py::test_rows_answer_what_they_are_there_for_and_nothing_else",
)
# The same, for some chapters: their holds are all the others', by the same parts.
OF_HOLDS = (
    "tests/table/test_rows_that_hold.py::test_holds_are_let_go_by_what_is_asked_for_and_by_nothing_else"
)
WITH_HOLDS = ("633a", "659a", "663a", "671a", "672a", "687a")
Document = dict[str, Any]
_Steps = tuple[str | int, ...]
_Make = Callable[[Any], None]
_OPERATORS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "in": "not in"}
_EFFECTS = {"advise": "no-new-round", "no-new-round": "advise", "stop": "advise"}


@dataclass(frozen=True)
class PackChange(Change):
    """One change of what a pack's file says: `make` makes it in what `find` finds.

    `text` is the file's, by which it is known when it is read.
    """

    text: str
    find: Callable[[Document], Any]
    make: _Make

    @override
    def in_place(self, functions: Functions) -> None:
        """Have the file read with the change in it; what has been read stays as it is."""
        from felt_daemon.rules import library  # noqa: PLC0415 - in the process that is changed

        read = library._toml  # noqa: SLF001 - the one place where a file's text becomes a document

        def changed(text: str) -> Document:
            document = read(text)
            if text == self.text:
                self.make(self.find(document))
            return document

        library._toml = changed  # noqa: SLF001

    @override
    def before_import(self) -> None:
        """The same: whoever imports a module that reads packs while it is imported finds the change."""
        self.in_place({})


@dataclass(frozen=True)
class _Source:
    """One file of a pack."""

    name: str
    text: str
    document: Document

    @classmethod
    def of(cls, name: str, text: str) -> _Source:
        return cls(name, text, tomllib.loads(text))

    @property
    def is_part(self) -> bool:
        return self.name.startswith("parts/")

    def rules(self) -> list[Document]:
        return list(self.document.get("rules", ()))

    def table(self, *names: str) -> Mapping[str, Any]:
        found: Any = self.document
        for name in names:
            found = found.get(name, {})
        return dict(found)


def sources() -> dict[str, _Source]:
    """Every file, by its name without the ending: `659a`, `parts/shuffler`."""
    folder = ROOT / FOLDER
    return {
        name: _Source.of(name, path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.toml"))
        for name in [path.relative_to(folder).with_suffix("").as_posix()]
    }


def chapters_of(known: Mapping[str, _Source], name: str) -> tuple[str, ...]:
    """The chapters that a file is a part of, or that it is."""
    if not known[name].is_part:
        return (name,)
    part = name.removeprefix("parts/")
    return tuple(one for one, source in known.items() if part in source.document.get("parts", ()))


def of_packs(names: Sequence[str], before: Callable[[str], str] | None = None) -> Iterator[Mutant]:
    """Every change of these chapters, with their parts, or of these files alone; `all` is every file.

    `before` gives the text that a file had: only what is not as it was is changed then.
    """
    known = sources()
    for name in _wanted(names, known):
        source = known[name]
        was = _Source.of(name, before(name)) if before else None
        for item in _items(source, known):
            if was is None or item.of(was.document) != item.of(source.document):
                yield from _of_item(source, known, item)


def _wanted(names: Sequence[str], known: Mapping[str, _Source]) -> list[str]:
    """The files that are meant; raises `SystemExit` for one that there is none of."""
    if "all" in names:
        return list(known)
    found: dict[str, None] = {}
    for name in names:
        if name not in known:
            raise SystemExit(
                f"script/mutate: no pack and no part is called {name}; there are {', '.join(known)}"
            )
        parts = known[name].document.get("parts", ())
        found |= dict.fromkeys([name, *(f"parts/{part}" for part in parts)])
    return list(found)


@dataclass(frozen=True)
class _Item:
    """A row, a hold, or a list of citations: its name, the way to it, and the rules that have it."""

    where: str
    steps: tuple[str, ...]
    rules: frozenset[str]

    def of(self, document: Document) -> Any:  # noqa: ANN401 - a row, or a list of citations
        """It in this document, or nothing that says anything."""
        found: Any = document
        for step in self.steps:
            if isinstance(found, list):
                found = next((one for one in found if one["id"] == step), {})
            else:
                found = found.get(step, {})
        return found


def _items(source: _Source, known: Mapping[str, _Source]) -> Iterator[_Item]:
    """What is changed of a file."""
    for rule in source.rules():
        yield _Item(rule["id"], ("rules", rule["id"]), frozenset({rule["id"]}))
    for name in source.table("holds"):
        rules = frozenset(_with_hold(name, known, chapters_of(known, source.name)))
        yield _Item(f"holds.{name}", ("holds", name), rules)
    for kind in ("cite", "change"):
        for name in source.table(kind, "rules"):
            yield _Item(f"{kind}.{name}", (kind, "rules", name), frozenset({name}))


def _with_hold(name: str, known: Mapping[str, _Source], chapters: Sequence[str]) -> Iterator[str]:
    """The rules of these chapters that have a hold by its name."""
    for chapter in chapters:
        files = [
            known[chapter],
            *(known[f"parts/{part}"] for part in known[chapter].document.get("parts", ())),
        ]
        for file in files:
            yield from (rule["id"] for rule in file.rules() if name in rule.get("holds", ()))
            changes = file.table("change", "rules").items()
            yield from (rule for rule, changed in changes if name in changed.get("holds", ()))


def _of_item(source: _Source, known: Mapping[str, _Source], item: _Item) -> Iterator[Mutant]:
    chapters = chapters_of(known, source.name)
    tests = tuple(_tests(chapters, item.rules))
    for what, make in _changes(item, source.document):
        yield Mutant(
            f"{source.name} {item.where}",
            what,
            f"{FOLDER.as_posix()}/{source.name}.toml",
            PackChange(source.text, item.of, make),
            tests=tests,
            chapters=chapters,
            read=what.startswith(("cite ", "do ")),
        )


def _tests(chapters: Sequence[str], rules: frozenset[str]) -> Iterator[str]:
    found: dict[str, None] = {}
    for chapter in chapters:
        held_by = _held_by(ROOT / FOLDER / f"{chapter}.tests.json")
        found |= dict.fromkeys(test for rule in sorted(rules) for test in held_by.get(rule, ()))
    for chapter in chapters:
        found |= dict.fromkeys(_of_every_row(chapter))
    yield from found


def _of_every_row(chapter: str) -> Iterator[str]:
    """The tests of every row of every pack, for this chapter alone."""
    if chapter in WITH_HOLDS:
        yield f"{OF_HOLDS}[{chapter}]"
    for place in OF_EVERY_ROW:
        file, _, name = place.partition("::")
        if name:
            yield f"{place}[{chapter}]"
            continue
        for test in _tests_in(ROOT / file):
            yield f"{file}::{test}[{chapter}]"


@functools.cache
def _held_by(index: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(index.read_text(encoding="utf-8"))
    return found


@functools.cache
def _tests_in(file: Path) -> tuple[str, ...]:
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return tuple(
        one.name for one in nodes if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")
    )


# ---- What can be wrong with a row ------------------------------------------------------------------------


def _changes(item: _Item, document: Document) -> Iterator[tuple[str, _Make]]:
    found = item.of(document)
    if isinstance(found, list):
        yield from ((f"cite {word} left out", _without(number)) for number, word in enumerate(found))
    elif item.steps[0] == "holds":
        yield from _hold_changes(found, "", ())
    else:
        yield from _rule_changes(found)


def _without(*steps: str | int) -> _Make:
    """Take out what is at the end of these steps."""

    def make(row: Any) -> None:  # noqa: ANN401 - a row, or a list of citations
        for step in steps[:-1]:
            row = row[step]
        row.pop(steps[-1])

    return make


def _with(value: object, *steps: str | int) -> _Make:
    """Put something at the end of these steps."""

    def make(row: Any) -> None:  # noqa: ANN401 - a row
        for step in steps[:-1]:
            row = row[step]
        row[steps[-1]] = value

    return make


def _rule_changes(rule: Document) -> Iterator[tuple[str, _Make]]:
    yield from _condition_changes("when", rule, ())
    for number, report in enumerate(rule.get("as_report", ())):
        yield from _condition_changes(f"as_report {number}", report, ("as_report", number))
        yield f"as_report {number} left out", _without("as_report", number)
    for key in ("void", "no_roll", "ends_dealing"):
        if rule.get(key):
            yield f"{key} left out", _without(key)
    for key in ("do", "cite", "on", "done_on"):
        for number, word in enumerate(rule.get(key, ())):
            yield f"{key} {word} left out", _without(key, number)
    if effect := _EFFECTS.get(rule.get("effect", "")):
        yield f"effect {effect}", _with(effect, "effect")
    for number, hold in enumerate(rule.get("holds", ())):
        if isinstance(hold, str):
            yield f"hold {hold} left out", _without("holds", number)
            continue
        yield from _hold_changes(hold, f"hold {number}: ", ("holds", number))
        yield f"hold {number} left out", _without("holds", number)


def _condition_changes(place: str, row: Document, steps: _Steps) -> Iterator[tuple[str, _Make]]:
    for number, text in enumerate(row.get("when", ())):
        here = (*steps, "when", number)
        yield f"{place} {text!r} left out", _without(*here)
        left, operator, right = _parts(text)
        if operator in _OPERATORS:
            yield f"{place} {text!r} turned", _with(f"{left} {_OPERATORS[operator]} {right}", *here)
        if right.isdigit():
            yield f"{place} {text!r} one more", _with(f"{left} {operator} {int(right) + 1}", *here)


def _parts(text: str) -> tuple[str, str, str]:
    left, _, rest = text.strip().partition(" ")
    for operator in ("not in", "in", "==", "!=", "<=", ">=", "<", ">"):
        if rest.startswith(operator):
            return left, operator, rest.removeprefix(operator).strip()
    return left, "", rest


def _hold_changes(hold: Document, place: str, steps: _Steps) -> Iterator[tuple[str, _Make]]:
    for key in ("gates", "while_cause"):
        for number, gate in enumerate(hold.get(key, ())):
            yield f"{place}{key} {gate} left out", _without(*steps, key, number)
    if hold.get("stops"):
        yield f"{place}stops nothing", _without(*steps, "stops")
    for key in ("ends", "cause_gone"):
        for number, way in enumerate(hold.get(key, ())):
            says = f"{place}{key} {number} ({', '.join(way['on'])})"
            yield f"{says} left out", _without(*steps, key, number)
            for condition, text in enumerate(way.get("when", ())):
                yield f"{says} without {text!r}", _without(*steps, key, number, "when", condition)
