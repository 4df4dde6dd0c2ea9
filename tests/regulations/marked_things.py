"""Whether what a test is marked with had a part in it: a mark of what never came up would be a lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rule_marks import chapters_in, claimed, is_row

from felt_daemon.rules.text import called, citations
from felt_protocols.events import card, deck, device, draw, person
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pytest

    from .spoken_table import SpokenTable

_CARDS = (card.CardDrawn, card.StackDispensed, rounds.CardsDealt)


def claims_of(item: pytest.Function) -> Iterator[tuple[str, str]]:
    """What a test with its parameters is marked with: chapters, and names of what came up in each.

    As `script/rules-index` reads it; of a mark for several chapters, one whose parameters name a chapter
    stands for that one.
    """
    case = getattr(item, "callspec", None)
    parameters = f"{case.id} {case.params}" if case else ""
    own = chapters_in(parameters)
    for mark in item.iter_markers("rule"):
        chapters = claimed(mark.kwargs.get("chapters", ()), item.originalname, parameters, item.path.name)
        for chapter in sorted(chapters & own if own else chapters):
            yield from ((chapter, name) for name in mark.args)


def untrue(claims: Iterable[tuple[str, str]], tables: list[SpokenTable]) -> Iterator[str]:
    """What of these claims never came up at a table of its chapter."""
    for chapter, name in claims:
        played = [table for table in tables if table.pack.source.chapter == chapter]
        came = _ruled if is_row(name) else came_up
        if not any(came(table, name) for table in played):
            yield f"{name} of {chapter}"


def _ruled(table: SpokenTable, row: str) -> bool:
    return row in {one.row for one in table.rulings()}


def came_up(table: SpokenTable, name: str) -> bool:
    """Whether the table's pack has such a thing, and it was reported, given, dealt by or judged there."""
    if name not in {called(kind, thing) for _cite, kind, thing in citations(table.pack)}:
        return False
    kind, _, word = name.partition("/")
    return _CAME_UP[kind](table, word)


def _dealt_by(table: SpokenTable, word: str) -> bool:
    ways = next(one.deal for one in table.pack.patterns if one.deal[0] == word)
    return table.state.method["deal"] in ways and any(table.rows_of(one) for one in _CARDS)


def _burnt(table: SpokenTable, _word: str) -> bool:
    """Whether a card that came face down out of the shoe went to the rack."""
    drawn = {row.seq for row in table.rows if isinstance(row.event, card.CardDrawn) and not row.event.face_up}
    return any(
        row.cause in drawn and isinstance(row.event, deck.CardsMoved) and row.event.target == "discard"
        for row in table.rows
    )


def _inspected(table: SpokenTable, word: str) -> bool:
    told = [*table.rows_of(person.Inspected), *table.rows_of(device.InspectionDue)]
    return word in {table.families.get(one.device or "") for one in told}


_CAME_UP: dict[str, Callable[[SpokenTable, str], bool]] = {
    "burns": _burnt,
    "composition": lambda table, _word: bool(table.rows_of(deck.CompositionJudged)),
    "deal": _dealt_by,
    "election": lambda table, word: word in table.elections,
    "inspection": _inspected,
    "method": lambda table, _word: bool(table.rows_of(person.MethodChosen)),
    "note": lambda table, word: word in {one.name for one in table.rows_of(rounds.RoundNoted)},
    "opening": lambda table, _word: bool(table.rows_of(deck.DeckMarked)),
    "permit": lambda table, word: word in {one.gate for one in table.rows_of(device.OrderIssued)},
    "report": lambda table, word: word in {one.report for one in table.rows_of(person.Reported)},
    "start": lambda table, _word: bool(table.rows_of(draw.StartPositionSet)),
}
