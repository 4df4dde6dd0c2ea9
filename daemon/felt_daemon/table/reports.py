"""What a report does beside firing rules: a deck's preparation goes on, the table idles, hands are out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.deal import cards_due, pattern_of
from felt_daemon.table.life import opened
from felt_protocols.events import deck, person
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack, ReportKind
    from felt_daemon.table.state import State
    from felt_protocols.events import Decision, Event


def reports(pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """What follows from a report, by what the pack says of its word."""
    if not isinstance(fact, person.Reported):
        return
    kind = pack.reports.get(fact.report)
    if kind is None:
        return
    if kind.marks is not None and fact.deck is not None:
        yield deck.DeckMarked(deck=fact.deck, mark=kind.marks)
    if kind.deals and fact.deck is not None and state.round is not None:
        cards = _cards_of_the_deal(state)
        yield rounds.CardsDealt(round=state.round.number, deck=fact.deck, cards=cards)
    if kind.table is not None and kind.table != state.table:
        yield from _table(pack, state, kind)


def _cards_of_the_deal(state: State) -> int:
    """Cards that all hands take; every position's where the pack has no pattern for this way to deal."""
    if pattern_of(state) is None:
        return state.setup.hand_cards * (state.setup.positions + 1)
    return cards_due(state) or 0


def _table(pack: Pack, state: State, kind: ReportKind) -> Iterator[Decision]:
    if kind.table == "idle":
        if state.round is not None:
            yield rounds.RoundClosed(round=state.round.number, outcome="completed", hands=0)
        yield rounds.TableStateChanged(state="idle")
    elif state.table == "idle":
        yield rounds.TableStateChanged(state="open")
        yield from opened(pack, state.rounds + 1)
