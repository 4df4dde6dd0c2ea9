"""Where the values in a condition came from, as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from felt_daemon.rules.condition import Value

Document = dict[str, Any]
# Of fewer steps nobody can say whether they are a count, or two numbers that happen to be neighbours.
FEWEST_STEPS = 3
# Its indent, its label and its words.
Line = tuple[int, str, str]


def origin_lines(indent: int, because: Sequence[Document], told: Collection[int]) -> Iterator[Line]:
    """Lines for the values of one condition; `told` are the facts that stand above them already."""
    short = [words for one in because if (words := _short(one, told))]
    if short:
        yield indent, "", "; ".join(short)
    for one in because:
        if not _short(one, told):
            yield from _rows(indent, one, told)


def word(value: Value) -> str:
    """A value as a condition of a pack writes it."""
    if isinstance(value, tuple):
        return f"({', '.join(word(item) for item in value)})"
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return f"'{value}'" if isinstance(value, str) else str(value)


def who(body: Document) -> str:
    """Who or what told a fact."""
    by: Document | None = body.get("by")
    if by is not None:
        return f"  [{by.get('role')} {by.get('name') or '(nobody named)'}, {by.get('proof', 'account')}]"
    if body.get("device") and body.get("n"):
        return f"  [{body['device']}, its event {body['n']}]"
    return ""


def _short(one: Document, told: Collection[int]) -> str:
    """What needs no line of its own; empty where rows are to be named that nobody has read yet."""
    name, kind = one["name"], one["from"]
    if kind == "pack":
        return f"{name} is a constant of the pack"
    if kind == "election":
        return f"{name} goes by the election {one['election']} = {one['answer']}"
    if kind == "before":
        return f"{name} {word(one['value'])} {_unseen(one['began'])}"
    if kind == "fact":
        return f"{name} as row {one['rows'][0]['seq']} itself says"
    [first, *others] = one["rows"]
    if not others and one["began"] is None and _fact(first)["seq"] in told:
        return f"{name} {word(one['value'])} since row {_fact(first)['seq']} itself{_decided(first)}"
    return ""


def _rows(indent: int, one: Document, told: Collection[int]) -> Iterator[Line]:
    """The rows that gave a value: one, or each of those by which it was counted."""
    name, rows, began = one["name"], one["rows"], one["began"]
    if len(rows) == 1 and began is None:
        yield from _row(indent, f"{name} {word(one['value'])} since", rows[0], told)
        return
    values = ([] if began is None else [began["value"]]) + [row["value"] for row in rows]
    counted = len(values) + one["left_out"] > FEWEST_STEPS
    yield indent, "", f"{name}, " + ("one by one" if counted else f"from {values[0]} to {values[-1]}")
    if began is not None:
        yield indent + 1, "", f"{began['value']} {_unseen(began)}"
    for index, row in enumerate(rows):
        yield from _row(indent + 1, f"{row['value']} since", row, told)
        if index == 0 and one["left_out"]:
            yield indent + 1, "", f"and so on, {one['left_out']} rows"


def _row(indent: int, lead: str, row: Document, told: Collection[int]) -> Iterator[Line]:
    """The fact that gave a value, and the row that was decided from it."""
    fact = _fact(row)
    if fact["seq"] in told:
        yield indent, "", f"{lead} row {fact['seq']} itself{_decided(row)}"
        return
    yield indent, "", f"{lead} row {fact['seq']}: {fact['says']}{who(fact['public'])}"
    if fact is not row:
        yield indent + 1, f"{row['seq']}  ", row["says"]


def _fact(row: Document) -> Document:
    """What led to a row directly, or the row where nothing did."""
    causes: list[Document] = row["causes"]
    return causes[-1] if causes else row


def _decided(row: Document) -> str:
    return f", by row {row['seq']}" if row["causes"] else ""


def _unseen(began: Document) -> str:
    """Since when a value stands that no row which was looked at gave."""
    before: int | None = began["before"]
    return "since the journal begins" if before is None else f"since before row {before}"
