"""Whether what a test is marked with had a part in it: a mark of what never came up would be a lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.rules.text import called, citations, is_row
from felt_protocols.events import card, deck, device, person
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .spoken_table import SpokenTable

_CARDS = (card.CardDrawn, card.StackDispensed, rounds.CardsDealt)


def untrue(
    names: Iterable[str], marks: Iterable[Mapping[str, tuple[str, ...]]], tables: list[SpokenTable]
) -> Iterator[str]:
    """What of these names never came up at these tables, and chapters played that a mark does not say."""
    ruled = {one.row for table in tables for one in table.rulings()}
    for name in names:
        if name not in ruled if is_row(name) else not any(came_up(table, name) for table in tables):
            yield name
    chapters = {table.pack.source.chapter for table in tables}
    for mark in marks:
        yield from chapters - set(mark.get("chapters", chapters))


def came_up(table: SpokenTable, name: str) -> bool:
    """Whether the table's pack has such a thing, and it was reported, given, dealt by or judged there."""
    if name not in {called(kind, thing) for _cite, kind, thing in citations(table.pack)}:
        return False
    kind, _, word = name.partition("/")
    if kind == "report":
        return word in {one.report for one in table.rows_of(person.Reported)}
    if kind == "permit":
        return word in {one.gate for one in table.rows_of(device.OrderIssued)}
    if kind == "deal":
        ways = next(one.deal for one in table.pack.patterns if one.deal[0] == word)
        return table.state.method["deal"] in ways and any(table.rows_of(one) for one in _CARDS)
    if kind == "composition":
        return bool(table.rows_of(deck.CompositionJudged))
    return True
