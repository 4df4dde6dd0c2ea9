"""What a recognising device read of a deck, held against what the game wants: counts, never an order."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from felt_protocols.events import deck

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from felt_daemon.table.state import State
    from felt_protocols.events import Decision, Event


def composition(state: State, fact: Event) -> Iterator[Decision]:
    """The judgement on a deck whose cards a shuffler has recognised."""
    if not isinstance(fact, deck.ShuffleCompleted) or fact.composition is None:
        return
    machine = state.devices.get(fact.device)
    about = state.decks.get(machine.deck) if machine else None
    wanted = Counter(state.setup.composition)
    if about is None or not wanted:
        return
    foreign = sum(sum(cards.values()) for back, cards in fact.composition.items() if back != about.back)
    found = _all_backs(fact.composition)
    missing, extra = (wanted - found).total(), (found - wanted).total()
    yield deck.CompositionJudged(
        deck=about.id,
        right=not (foreign or missing or extra),
        foreign=foreign,
        missing=missing,
        extra=extra,
    )


def _all_backs(read: Mapping[str, Mapping[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for cards in read.values():
        found.update(cards)
    return found
