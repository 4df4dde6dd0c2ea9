"""Which deck it is, and where its cards go: conservation per deck, never per device.

A shuffler knows only its own batch counter and a shoe only that cards were put in; the table maps both to
decks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.table.focus import deck_in_shoe
from felt_protocols.events import card, deck
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from felt_daemon.table.state import Deck, State
    from felt_protocols.events import Decision, Event
    from felt_protocols.events.deck import Place


def movements(state: State, event: Event) -> Iterator[Decision]:
    """The mappings and movements that follow from an event, in order."""
    handler = _HANDLERS.get(type(event))
    if handler is not None:
        yield from handler(state, event)


def _move(about: Deck, source: Place, target: Place, count: int | None = None) -> Iterator[Decision]:
    there = about.places[source]
    moved = there if count is None else min(count, there)
    if moved:
        yield deck.CardsMoved(deck=about.id, count=moved, source=source, target=target)


def _at_hand(state: State) -> list[Deck]:
    """Decks that people can hold: at the table, none of their cards in a device or dealt."""
    return [
        one
        for one in state.decks.values()
        if one.present
        and one.places["hand"] + one.places["discard"]
        and not one.places["table"] + one.places["shoe"] + one.places["shuffler"]
    ]


def _loaded(state: State, event: deck.DeckLoaded) -> Iterator[Decision]:
    candidates = _at_hand(state)
    if not candidates:
        return
    # With alternation the deck that was dealt last is the one to be shuffled next; among new decks the first.
    chosen = next((one for one in candidates if one.id == state.last_deck), candidates[0])
    proved = len(candidates) == 1
    how = "the only deck not in use" if proved else "one of several decks that it could be"
    yield deck.BatchMapped(device=event.device, batch=event.batch, deck=chosen.id, proved=proved, how=how)
    yield from _move(chosen, "discard", "shuffler")
    yield from _move(chosen, "hand", "shuffler")


def _unloaded(state: State, event: deck.DeckUnloaded) -> Iterator[Decision]:
    device = state.devices.get(event.device)
    about = state.decks.get(device.deck) if device else None
    if about is not None:
        # What the shuffler counted out is out; the rest is believed to be still inside.
        yield from _move(about, "shuffler", "hand", event.count)


def _shoe_loaded(state: State, event: card.ShoeLoaded) -> Iterator[Decision]:
    candidates = [one for one in state.decks.values() if one.places["hand"] and not one.places["shoe"]]
    if not candidates:
        return
    # A shuffled deck in the hand was shuffled to be dealt.
    chosen = next((one for one in candidates if one.shuffled), candidates[0])
    proved = len(candidates) == 1
    how = "the only deck in the dealer's hand" if proved else "the shuffled one of several decks at hand"
    yield deck.ShoeMapped(device=event.device, deck=chosen.id, proved=proved and chosen.proved, how=how)
    yield from _move(chosen, "hand", "shoe")


def _stack(state: State, event: card.StackDispensed) -> Iterator[Decision]:
    yield from _from_shoe(state, event.size)


def _drawn(state: State, event: card.CardDrawn) -> Iterator[Decision]:
    yield from _from_shoe(state, 1, "discard" if event.face_up else "table")


def _from_shoe(state: State, count: int, target: Place = "table") -> Iterator[Decision]:
    about = state.decks.get(deck_in_shoe(state))
    if about is not None:
        yield from _move(about, "shoe", target, count)


def _shoe_unloaded(state: State, _event: card.ShoeUnloaded) -> Iterator[Decision]:
    about = state.decks.get(deck_in_shoe(state))
    if about is not None:
        # After a deal what is left goes to the discard rack; otherwise people hold it.
        dealt = state.round is not None and state.round.cards > 0
        yield from _move(about, "shoe", "discard" if dealt else "hand")


def _round_closed(state: State, _event: rounds.RoundClosed) -> Iterator[Decision]:
    for about in state.decks.values():
        yield from _move(about, "table", "discard")


_HANDLERS: dict[type[Any], Callable[[State, Any], Iterator[Decision]]] = {
    deck.DeckLoaded: _loaded,
    deck.DeckUnloaded: _unloaded,
    card.ShoeLoaded: _shoe_loaded,
    card.StackDispensed: _stack,
    card.CardDrawn: _drawn,
    card.ShoeUnloaded: _shoe_unloaded,
    rounds.RoundClosed: _round_closed,
}
