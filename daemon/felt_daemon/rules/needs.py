"""What a part needs of other parts: gates, reports, constants and whatever else its rows take for granted.

A part says it at its head, each need as a kind and a name: `needs = ["gate deal", "part remedies"]`. Any part
that has the thing will do, or the chapter itself. A need of one row alone names the row, as in
`"directive offer-cut for cover-card-came"`, and lapses where a chapter leaves the row out or changes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from felt_daemon.rules.items import items_of, list_of, rows_of, table_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

# What can be needed, and where a chapter writes one of its own.
KINDS = {
    "part": "parts",
    "gate": "[[gates]]",
    "rule": "[[rules]]",
    "report": "[reports]",
    "directive": "[directives]",
    "way": "[methods]",
    "phase": "phases",
    "family": "families",
    "constant": "[constants]",
    "word": "[words]",
    "doubts": "[[doubts]]",
}
# What chapters have of their own as often as not.
_CHAPTERS_OWN = ("constant", "word")
# Kinds of items that are things by their names.
_ITEMS = {
    "gates": "gate",
    "rules": "rule",
    "reports": "report",
    "directives": "directive",
    "ways": "way",
}
_NEED = re.compile(rf"^({'|'.join(KINDS)}) (\S+?)(?: for (\S+))?$")


@dataclass(frozen=True, slots=True)
class Need:
    """A thing that a part takes for granted; `rule` is the row of the part that does, empty where all may."""

    kind: str
    name: str
    rule: str = ""

    @property
    def thing(self) -> str:
        """What it is about, as `things` gives it."""
        return f"{self.kind} {self.name}"


def needed_by(part: Mapping[str, Any]) -> Iterator[Need]:
    """What a part says that it needs; what is no need is left out, and `ill_said` has it."""
    for text in list_of(part, "needs"):
        said = _NEED.match(str(text))
        if said is not None:
            yield Need(said[1], said[2], said[3] or "")


def ill_said(parts: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Every need that is none."""
    for name, part in parts.items():
        said = part.get("needs", [])
        if not isinstance(said, list):
            yield f"part {name}: needs: {said!r} is no list; write needs = ['gate deal']"
        yield from (
            f"part {name}: needs: {text!r} is no need; write a kind and a name, as 'gate deal'; "
            f"kinds: {', '.join(KINDS)}"
            for text in list_of(part, "needs")
            if _NEED.match(str(text)) is None
        )


def things(document: Mapping[str, Any]) -> Iterator[str]:
    """What a chapter or a part has that another may need, as needs have it: `gate deal`, `way deal/hand`."""
    for item in items_of(dict(document), ""):
        if item.kind in _ITEMS:
            yield f"{_ITEMS[item.kind]} {item.name}"
    yield from (f"phase {name}" for name in list_of(document, "phases"))
    yield from (f"family {name}" for name in list_of(document, "families"))
    yield from (f"doubts {row.get('family')}" for row in rows_of(document, "doubts"))
    elections = table_of(document, "elections")
    for table in (
        table_of(document, "constants"),
        *(table_of(table_of(elections, one), "sets") for one in elections),
    ):
        for name in table:
            yield f"constant {name}"
            yield f"word {name}"
    yield from (f"word {name}" for name in table_of(document, "words"))


def unmet(
    chapter: Mapping[str, Any],
    parts: Mapping[str, Mapping[str, Any]],
    changed: Collection[str],
    left: Collection[str],
) -> dict[Need, list[str]]:
    """What the parts of a chapter need and nothing has, each with the parts that need it.

    `changed`: rules of parts that the chapter changes; `left`: keys of items that it leaves out. What these
    rows alone need is the chapter's own affair.
    """
    there = {f"part {name}" for name in parts}
    for document in (chapter, *parts.values()):
        there.update(things(document))
    found: dict[Need, list[str]] = {}
    for name, part in parts.items():
        for need in needed_by(part):
            if need.thing not in there and need.rule not in changed and f"rules/{need.rule}" not in left:
                found.setdefault(need, []).append(name)
    return found


def told_unmet(
    found: Mapping[Need, Sequence[str]],
    shelf: Mapping[str, Mapping[str, Any]],
    left: Collection[str],
) -> Iterator[str]:
    """What is needed and nothing has, one a line."""
    for need, names in found.items():
        who = f"part {names[0]} needs" if len(names) == 1 else f"parts {_joined(names, 'and')} need"
        yield f"{who} {shown(need, shelf, left)}"


def shown(need: Need, shelf: Mapping[str, Mapping[str, Any]], left: Collection[str] = ()) -> str:
    """A need in plain words and who meets it, as `the gate shuffle: shuffler has it`.

    `shelf`: every part that there is; `left`: keys of items that a chapter leaves out.
    """
    what = f"the {need.thing}"
    if need.kind == "doubts":
        what = f"the doubts of {need.name}, what its silence means"
    if need.rule:
        what = f"{what} for its rule {need.rule}, unless that is left out or changed"
    if need.kind == "part":
        return what
    if any(f"{many}/{need.name}" in left for many, one in _ITEMS.items() if one == need.kind):
        return f"{what}: it is left out under without"
    having = [part for part, document in shelf.items() if need.thing in set(things(document))]
    own = f"write it in the chapter, under {KINDS[need.kind]}"
    if not having:
        return f"{what}: {own}"
    met = f"{what}: {_joined(having, 'or')} has it"
    return f"{met}; or {own}" if need.kind in _CHAPTERS_OWN else met


def _joined(names: Sequence[str], word: str) -> str:
    """Names as a sentence has them: `a, b or c`."""
    *first, last = names
    return f"{', '.join(first)} {word} {last}" if first else last
