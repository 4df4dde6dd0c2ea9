"""What a part needs of other parts: gates, reports, constants and whatever else its rows take for granted.

A part says it at its head, each need as a kind and a name: `needs = ["gate deal", "part remedies"]`. Any part
that has the thing will do, or the chapter itself. A need of one row alone names the row, as in
`"directive offer-cut for cover-card-came"`, and lapses where a chapter leaves the row out or changes it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from felt_daemon.rules.items import items_of, list_of, rows_of, table_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

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
# Kinds of items that are things by their names.
_ITEMS = {
    "gates": "gate",
    "rules": "rule",
    "reports": "report",
    "directives": "directive",
    "ways": "way",
}
_NEED = re.compile(rf"^(?P<thing>(?P<kind>{'|'.join(KINDS)}) (?P<name>\S+))(?: for (?P<rule>\S+))?$")


def needed_by(part: Mapping[str, Any]) -> list[str]:
    """What a part says that it needs."""
    return [str(one) for one in list_of(part, "needs")]


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


def ill_said(parts: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Needs that are none."""
    for name, part in parts.items():
        yield from (
            f"part {name}: needs: {need!r} is no need; write a kind and a name, as 'gate deal'; "
            f"kinds: {', '.join(KINDS)}"
            for need in needed_by(part)
            if _NEED.match(need) is None
        )


def unmet(
    chapter: Mapping[str, Any],
    parts: Mapping[str, Mapping[str, Any]],
    changed: Collection[str],
    left: Collection[str],
) -> dict[str, list[str]]:
    """What the parts of a chapter need and nothing has, each with the parts that need it.

    `changed`: rules of parts that the chapter changes; `left`: keys of items that it leaves out, for which it
    answers itself where the need is one row's.
    """
    there = {f"part {name}" for name in parts}
    for document in (chapter, *parts.values()):
        there.update(things(document))
    found: dict[str, list[str]] = {}
    for name, part in parts.items():
        for need in needed_by(part):
            said = _NEED.match(need)
            if said is None or said["thing"] in there:
                continue
            if said["rule"] is None or not (said["rule"] in changed or f"rules/{said['rule']}" in left):
                found.setdefault(need, []).append(name)
    return found


def shown(need: str, shelf: Mapping[str, Mapping[str, Any]], left: Collection[str] = ()) -> str:
    """A need in plain words and who meets it, as `the gate deal: automated-shoe or hand-drawn-shoe has it`.

    `shelf`: every part that there is.
    """
    said = _NEED.match(need)
    if said is None:
        return need
    kind, name, rule = said["kind"], said["name"], said["rule"]
    what = f"the doubts of {name}, what its silence means" if kind == "doubts" else f"the {kind} {name}"
    if rule is not None:
        what = f"{what} for its rule {rule}, unless that is left out or changed"
    plurals = {one: many for many, one in _ITEMS.items()}
    if f"{plurals.get(kind)}/{name}" in left:
        return f"{what}: it is left out under without"
    if kind == "part":
        return what
    having = [part for part, document in shelf.items() if said["thing"] in set(things(document))]
    if not having:
        return f"{what}: write it in the chapter, under {KINDS[kind]}"
    return f"{what}: {joined(having, 'or')} has it"


def joined(names: Sequence[str], word: str) -> str:
    """Names as a sentence has them: `a, b or c`."""
    *first, last = names
    return f"{', '.join(first)} {word} {last}" if first else last


def told_unmet(
    found: Mapping[str, Sequence[str]],
    shelf: Mapping[str, Mapping[str, Any]],
    left: Collection[str],
) -> Iterable[str]:
    """What is needed and nothing has, one a line."""
    for need, names in found.items():
        who = f"part {names[0]} needs" if len(names) == 1 else f"parts {joined(names, 'and')} need"
        yield f"{who} {shown(need, shelf, left)}"
