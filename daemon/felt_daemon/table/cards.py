"""Which deck it is, and where its cards go: conservation per deck, never per device.

A shuffler knows only its own batch counter and a shoe only that cards were put in; the table maps both to
decks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.table.deal import begun, single_cards
from felt_daemon.table.interlock import deck_held
from felt_daemon.table.state import EACH_SHOE, FACE_UP
from felt_daemon.table.whereabouts import (
    PLACES_IN,
    cards_believed_in,
    deck_in_shoe,
    deck_returned,
    emptied_unheard,
    in_play,
    same_rest,
)
from felt_protocols.events import card, deck, device, person
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


def _gathered(state: State, about: Deck, sources: tuple[Place, ...], target: Place) -> Iterator[Decision]:
    """The cards from these places are put together, with a stray one that lies on the felt before a deal."""
    for place in sources if begun(state) else (*sources, "table"):
        yield from _move(about, place, target)


def _loaded(state: State, event: deck.DeckLoaded) -> Iterator[Decision]:
    # Cards that were believed to be in this shuffler were taken out, or nothing could have been put in: of
    # its new batch no deck is known so far.
    elsewhere = {one.deck for one in state.devices.values() if one.batch is not None}
    candidates = [
        one
        for one in state.decks.values()
        if one.present and one.id not in elsewhere and not (in_play(state, one) or one.places["shoe"])
    ]
    if run_out := _run_out(state):
        # In a round whose shoe ran dry it is the rack, unless another deck wants its shuffle.
        candidates = [one for one in candidates if not one.shuffled] or run_out
    if not candidates:
        return
    chosen = min(candidates, key=lambda one: _rank(state, one))
    proved = len(candidates) == 1
    how = "the only deck not in use" if proved else "one of several decks that it could be"
    yield deck.BatchMapped(device=event.device, batch=event.batch, deck=chosen.id, proved=proved, how=how)
    yield from _gathered(state, chosen, ("discard", "hand"), "shuffler")


def _run_out(state: State) -> list[Deck]:
    """The deck of a round whose shoe ran out before it was over, with cards in the rack to go on with.

    So did one of which people say that it has too few cards, whatever is left in it.
    """
    now = state.round
    about = state.decks.get(now.deck) if now is not None and begun(state) else None
    if about is None or now is None:
        return []
    if not now.short and (state.setup.shuffles != EACH_SHOE or about.places["shoe"]):
        return []
    return [about] if about.places["discard"] or about.places["hand"] else []


def _dealt_on(state: State) -> list[Deck]:
    """The deck of a round that is dealt on from what players gave back, and nobody told that they did.

    Where many rounds are dealt from one shoe it is the rack alone, and an empty one has nothing to deal.
    """
    now = state.round
    about = state.decks.get(now.deck) if now is not None and now.short else None
    return [about] if about is not None and state.setup.shuffles != EACH_SHOE else []


def _rank(state: State, one: Deck) -> tuple[bool, ...]:
    """Which deck is put into the shuffler: one broken off in a shuffle, then one that is not shuffled.

    Of several, one that is held and in people's hands for that, and then the one that was dealt last.
    """
    wanted = one.places["hand"] and deck_held(state, one.id)
    return not one.places["shuffler"], one.shuffled, not wanted, one.id != state.last_deck


def _cleared(state: State, event: device.DeviceCleared) -> Iterator[Decision]:
    # Whoever clears a jam takes every card out of the works.
    shuffler = state.devices.get(event.device)
    if shuffler is not None and shuffler.family == "shuffler" and not event.code:
        about = state.decks.get(shuffler.deck)
        if about is not None:
            yield from _move(about, "shuffler", "hand")


def _started(state: State, event: deck.ShuffleStarted) -> Iterator[Decision]:
    # A shuffler that goes on by itself after a jam has the cards again.
    shuffler = state.devices.get(event.device)
    about = state.decks.get(shuffler.deck) if shuffler else None
    if about is not None:
        yield from _move(about, "hand", "shuffler")


def _unloaded(state: State, event: deck.DeckUnloaded) -> Iterator[Decision]:
    shuffler = state.devices.get(event.device)
    about = state.decks.get(shuffler.deck) if shuffler else None
    if about is not None:
        # What the shuffler counted out is out; the rest is believed to be still inside.
        yield from _move(about, "shuffler", "hand", event.count)


def _shoe_loaded(state: State, event: card.ShoeLoaded) -> Iterator[Decision]:
    free = [one for one in state.decks.values() if not (one.places["shoe"] or in_play(state, one))]
    at_hand = [one for one in free if one.places["hand"]]
    # Cards in the rack are nobody's to deal, but who has nothing else in the hand took them from there.
    candidates = (
        _run_out(state) or _dealt_on(state) or at_hand or [one for one in free if one.places["discard"]]
    )
    if not candidates:
        return
    chosen = min(candidates, key=lambda one: _likeness(state, one))
    proved = len(candidates) == 1
    how = "the only deck at hand" if proved else "one of several decks that it could be"
    yield deck.ShoeMapped(device=event.device, deck=chosen.id, proved=proved and chosen.proved, how=how)
    # In the middle of a round what was taken out of one shoe goes into another, and the rack stays the rack.
    if state.round is not None and same_rest(state, event.count):
        yield from _move(chosen, "discard", "shoe", state.round.taken_out)
        return
    known = sum(chosen.places[place] for place in ("shoe", "hand", "discard"))
    yield from _gathered(state, chosen, ("hand", "discard"), "shoe")
    if state.round is not None and state.round.short:
        # Cards of hands that are over, or discarded, are believed on the table until the round ends.
        yield from _move(chosen, "table", "shoe", max(0, (event.count or 0) - known))


def _likeness(state: State, one: Deck) -> tuple[bool, ...]:
    """Which deck is put into the shoe: a shuffled one, and of these the one that left the shuffler last.

    Of two that people shuffled, the one that nothing holds.
    """
    from_people = all(machine.deck != one.id for machine in state.devices.values())
    return not one.shuffled, from_people, deck_held(state, one.id)


def _stack(state: State, event: card.StackDispensed) -> Iterator[Decision]:
    # The single cards that came before it are counted in its size, and were moved when they came.
    before = state.round.singles_before if state.round else 0
    yield from _from_shoe(state, event.device, max(0, event.size - before))


def _drawn(state: State, event: card.CardDrawn) -> Iterator[Decision]:
    target: Place = "discard" if event.face_up or state.drawn == "burn" else "table"
    yield from _from_shoe(state, event.device, 1, target)


def _from_shoe(state: State, name: str, count: int, target: Place = "table") -> Iterator[Decision]:
    about = state.decks.get(deck_in_shoe(state))
    if about is not None:
        yield from _move(about, _place_of(state, name), target, count)


def _place_of(state: State, name: str) -> Place:
    """Where the cards are that come out of this device."""
    one = state.devices.get(name)
    return PLACES_IN.get(one.family, "shoe") if one is not None else "shoe"


def _returned(state: State, event: card.CardsReturned) -> Iterator[Decision]:
    # Played cards are put back, and at the opening the whole deck from the hand.
    about, box = state.decks.get(deck_returned(state)), state.devices.get(event.device)
    # Those that people took out of a feeder to clear it are believed inside all the time.
    left = event.count if box is None or not event.count else box.fresh
    for place in ("discard", "table", "hand"):
        if about is not None:
            moved = about.places[place] if left is None else min(left, about.places[place])
            # Uncounted, what lies on the layout is still played with.
            if left is None and place == "table":
                continue
            left = None if left is None else left - moved
            yield from _move(about, place, "shuffler", moved)


def _shoe_unloaded(state: State, event: card.ShoeUnloaded) -> Iterator[Decision]:
    about = state.decks.get(deck_in_shoe(state))
    if about is not None and _place_of(state, event.device) == "shuffler":
        # All cards of a shuffler without end are with people; what it did not count out may be inside still.
        yield from _move(about, "shuffler", "hand", event.count)
    elif about is not None:
        # After a deal, and at the end of a shoe of many rounds, what is left goes to the discard rack;
        # otherwise people hold it.
        dealt = begun(state) or state.setup.shuffles == EACH_SHOE
        yield from _move(about, "shoe", "discard" if dealt else "hand")
        # Where another deck was put in, and nobody heard that one had been taken out, it is empty of both.
        for other in state.decks.values():
            if other is not about:
                yield from _move(other, "shoe", "hand")


def _shoe_emptied(state: State, event: card.ShoeEmptied) -> Iterator[Decision]:
    if emptied_unheard(state, event.device):
        yield from _shoe_unloaded(state, card.ShoeUnloaded(device=event.device))


def _counted(state: State, event: person.DeckCounted) -> Iterator[Decision]:
    # Whoever counted every card of the deck has them all in the hand, wherever they were believed to be.
    about = state.decks.get(event.deck)
    if about is not None and event.part == "deck" and event.count == about.total:
        yield from _to_hand(state, about)


def _to_hand(state: State, about: Deck) -> Iterator[Decision]:
    yield from _gathered(state, about, ("shuffler", "shoe", "discard"), "hand")


def _reported(state: State, event: deck.DeckMarked) -> Iterator[Decision]:
    # Whoever inspected, washed or shuffled a deck had it in the hand.
    about = state.decks.get(event.deck)
    if about is not None:
        yield from _to_hand(state, about)


def _served(state: State, event: device.ServiceEnded) -> Iterator[Decision]:
    # It was shown empty: what was believed inside is with people, as many of the cards as there are.
    one = state.devices.get(event.device)
    if one is not None:
        for name in cards_believed_in(state, one):
            yield from _move(state.decks[name], PLACES_IN[one.family], "hand")


def _round_ended(state: State, _event: person.RoundEnded) -> Iterator[Decision]:
    # What is left of a deck that was dealt from the hand goes to the discard rack with its round.
    about = state.decks.get(state.round.deck) if state.round is not None else None
    if about is not None and about.places["table"]:
        yield from _move(about, "hand", "discard")


def _face_up_reported(state: State, event: person.Reported) -> Iterator[Decision]:
    # The card that people found face up was counted onto the table, and went to the rack.
    now = state.round
    about = state.decks.get(now.deck) if now is not None and event.report == FACE_UP else None
    if about is not None and now is not None and single_cards(state) and about.places["table"] > now.cards:
        yield from _move(about, "table", "discard", 1)


def _round_closed(state: State, _event: rounds.RoundClosed) -> Iterator[Decision]:
    for about in state.decks.values():
        yield from _move(about, "table", "discard")


def _dealt(state: State, event: rounds.CardsDealt) -> Iterator[Decision]:
    about = state.decks.get(event.deck)
    left = event.cards
    for place in ("shoe", "hand", "discard"):
        if about is not None and left:
            there = min(left, about.places[place])
            left -= there
            yield from _move(about, place, "table", there)


def _table_changed(state: State, event: rounds.TableStateChanged) -> Iterator[Decision]:
    # Where nobody plays, what is in the shoe and in the rack is spread on the table.
    if event.state == "idle":
        for about in state.decks.values():
            for place in ("shoe", "discard"):
                yield from _move(about, place, "hand")


def _withdrawn(state: State, event: person.CardWithdrawn) -> Iterator[Decision]:
    about = state.decks.get(event.deck)
    if about is not None:
        yield from _move(about, event.place, "withdrawn", 1)


def _replaced(state: State, event: person.CardReplaced) -> Iterator[Decision]:
    about = state.decks.get(event.deck)
    if about is not None:
        yield from _move(about, "withdrawn", "hand", 1)


_HANDLERS: dict[type[Any], Callable[[State, Any], Iterator[Decision]]] = {
    deck.DeckLoaded: _loaded,
    device.DeviceCleared: _cleared,
    deck.ShuffleStarted: _started,
    deck.DeckUnloaded: _unloaded,
    deck.DeckMarked: _reported,
    device.ServiceEnded: _served,
    card.ShoeLoaded: _shoe_loaded,
    card.StackDispensed: _stack,
    card.CardDrawn: _drawn,
    card.ShoeUnloaded: _shoe_unloaded,
    card.ShoeEmptied: _shoe_emptied,
    card.CardsReturned: _returned,
    person.DeckCounted: _counted,
    person.Reported: _face_up_reported,
    person.RoundEnded: _round_ended,
    person.CardWithdrawn: _withdrawn,
    person.CardReplaced: _replaced,
    rounds.CardsDealt: _dealt,
    rounds.TableStateChanged: _table_changed,
    rounds.RoundClosed: _round_closed,
}
