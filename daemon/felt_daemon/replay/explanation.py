"""An explanation as lines of text for a terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from felt_daemon.replay.origin_words import origin_lines, who
from felt_daemon.story.markup import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.replay.origin_words import Line

Document = dict[str, Any]

_SHORT = 12
_INDENT = "  "
# Facts and decisions that stand beside the row are told up to this number.
_MOST = 12


def explanation_lines(found: Document, width: int) -> Iterator[str]:
    """The document of `explain`, at most `width` columns wide."""
    for indent, label, words in _parts(found):
        head = _INDENT * indent + label
        lead = _INDENT * (indent + 1) if label else _INDENT * indent
        yield from textwrap.wrap(
            visible(words),
            width,
            initial_indent=head,
            subsequent_indent=lead + _INDENT if label else lead,
            break_long_words=False,
            break_on_hyphens=False,
        )


def _parts(found: Document) -> Iterator[Line]:
    """Each line with its indent, its label and its words."""
    row = found["row"]
    context = "".join(f", {name} {value}" for name, value in row["context"].items())
    yield 0, "", f"row {row['seq']} of {found['table']}, {row['type']}, {_when(row)}{context}"
    yield 1, "", row["says"]
    yield from _causes(found)
    if found["rule"] is not None:
        yield from _rule(found["rule"], _told(found))
    for one in found["remedies"]:
        yield from _way("ends it", one, _told(found))
    if found["needs"]:
        yield 0, "", "the gate waited for"
        for one in found["needs"]:
            yield 1, _mark(one), f"{one['shown']}   ({one['says']})"
            yield from origin_lines(2, one["because"], _told(found))
    if found["incident"] is not None:
        yield from _incident(found["incident"])
    yield from _others("what it caused", found["caused"])
    yield from _others("decided with it", found["beside"])
    if found["unknown"] is not None:
        yield 0, "", f"Conditions are not shown: {found['unknown']}."


def _when(row: Document) -> str:
    marks = [
        word
        for word, so in (
            ("told late", row["late"]),
            ("simulated", row["simulated"]),
            ("clock not trusted", row["clock"] != "trusted"),
        )
        if so
    ]
    return ", ".join([str(row["utc"]), *marks])


def _told(found: Document) -> set[int]:
    """The facts that led to the row, which are told above everything else."""
    return {one["seq"] for one in found["causes"]}


def _causes(found: Document) -> Iterator[Line]:
    if not found["causes"]:
        yield 0, "", "It was told; nothing led to it."
        return
    yield 0, "", "because"
    for one in found["causes"]:
        yield 1, f"{one['seq']}  ", f"{one['says']}{who(one['public'])}"


def _rule(rule: Document, told: set[int]) -> Iterator[Line]:
    cite = ", ".join(rule["cite"]) or "a rule of our own; the text is silent"
    yield 0, "", f"rule {rule['id']}: {cite}"
    text = f"{rule['game']}, {rule['text']}"
    yield 1, "", f"{text}; pack {rule['chapter']} {rule['pack_digest'][:_SHORT]}"
    for one in rule["fired"]:
        yield from _way("fires", one, told)
    yield 1, "effect  ", rule["effect"] + ("; the round is void" if rule["void"] else "")
    for words in rule["directives"]:
        yield 1, "do  ", words
    if rule["note"]:
        yield 1, "note  ", rule["note"]


def _way(verb: str, one: Document, told: set[int]) -> Iterator[Line]:
    by = f", told by {' or '.join(one['by'])}" if one.get("by") else ""
    gone = ", once the cause was seen gone" if one.get("once_gone") else ""
    phases = f", in phase {' or '.join(one['phases'])} (it is {one['phase']})" if one.get("phases") else ""
    bare = "" if one["conditions"] else ", always"
    yield 1, "", f"{verb} on {one['on']}{by}{gone}{phases}{bare}"
    for asked in one["conditions"]:
        yield 2, _mark(asked), asked["shown"]
        yield from origin_lines(3, asked["because"], told)


def _mark(asked: Document) -> str:
    return "yes  " if asked["holds"] else "NO   "


def _incident(about: Document) -> Iterator[Line]:
    closed = about["closed"]
    over = "still open" if closed is None else f"over with row {closed['seq']}, {closed['utc']}"
    yield 0, "", f"incident {about['number']}: {over}"
    for hold in about["holds"]:
        yield 1, f"{hold['seq']}  ", hold["says"]
        for name in ("cause_gone", "ended"):
            if (later := hold[name]) is not None:
                yield 2, f"{later['seq']}  ", _by_its_fact(later)
        if hold["ended"] is None:
            yield 2, "", "It has not ended."


def _by_its_fact(later: Document) -> str:
    fact: Document | None = later["fact"]
    says: str = later["says"]
    return says if fact is None else f"{says.rstrip('.')}, by row {fact['seq']}: {fact['says']}"


def _others(title: str, rows: list[Document]) -> Iterator[Line]:
    if not rows:
        return
    yield 0, "", title
    for one in rows[:_MOST]:
        yield 1, f"{one['seq']}  ", one["says"]
    if len(rows) > _MOST:
        yield 1, "", f"and {len(rows) - _MOST} rows more"
