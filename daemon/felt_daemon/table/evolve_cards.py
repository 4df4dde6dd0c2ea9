"""How facts of what cards are dealt from change the state: whose they are, burns, what is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from felt_daemon.table.changes import changed
from felt_daemon.table.deal import begun, cards_due, dealt_from_shoe, players, single_cards, wrong_stack
from felt_daemon.table.evolve_facts import is_held, with_device, with_round, withdrawn
from felt_daemon.table.state import CONTINUOUS, EACH_SHOE, uncut
from felt_daemon.table.whereabouts import (
    cards_believed_in,
    deck_in_shoe,
    deck_returned,
    emptied_unheard,
    same_rest,
)
from felt_protocols.events import card, deck

if TYPE_CHECKING:
    from felt_daemon.table.state import Device, Drawn, Round, State
    from felt_protocols.events import Row

Handler = Callable[["State", Any, "Row"], "State"]


def _stack(state: State, event: card.StackDispensed, _row: Row) -> State:
    now = state.round
    if now is None:
        return changed(state, drawn="")
    if not dealt_from_shoe(state):
        # What was next came out with it, out of turn, and is not used.
        stray = changed(now, single=0, singles_before=now.single)
        return changed(state, drawn="stray", round=stray)
    wrong = wrong_stack(state, now, event.size)
    # A card that came out of turn was used as the next one: the size of this stack counts it.
    state = changed(
        state,
        drawn="stack",
        round=changed(
            now,
            stacks=now.stacks + 1,
            cards=now.cards + max(0, event.size - now.single),
            single=0,
            singles_before=now.single,
            hand=event.size,
            wrong_hands=now.wrong_hands + wrong,
            last_wrong=wrong,
        ),
    )
    return state if now.cards else counted_round(state)


def _card(state: State, event: card.CardDrawn, _row: Row) -> State:
    drawn, now = _what_it_is(state, event), state.round
    # A card to be burnt that lies face up goes to the rack as well, and is the one that was due.
    if state.burns and single_cards(state) and drawn in {"burn", "face-up"}:
        state = changed(state, burns=state.burns - 1)
    if drawn == "burn":
        return changed(state, drawn=drawn)
    if now is None:
        return changed(state, drawn="")
    state = changed(state, drawn=drawn)
    if drawn == "stray":
        return state
    if drawn == "face-up":
        # It goes to the discard rack and is in no hand.
        return changed(state, round=changed(now, face_up=now.face_up + 1))
    single = now.single + (drawn == "out-of-turn")
    state = changed(state, round=changed(now, single=single, cards=now.cards + 1))
    return state if now.cards else counted_round(state)


def _what_it_is(state: State, event: card.CardDrawn) -> Drawn:
    """What the card is that comes out now, in the state before it."""
    if not dealt_from_shoe(state):
        return "stray"
    if event.face_up:
        return "face-up"
    if state.burns and single_cards(state):
        return "burn"
    now = state.round
    return "" if now is None else _in_the_round(state, now)


def _in_the_round(state: State, now: Round) -> Drawn:
    """What a card of the round is."""
    if not single_cards(state):
        return "out-of-turn"
    due = cards_due(state)
    if due is None:
        return "card"
    return "deal" if now.cards < due else "more"


def _shoe_loaded(state: State, event: card.ShoeLoaded, _row: Row) -> State:
    # Before the first card a permit is for the cards that were there when it was given.
    state = withdrawn(state)
    # The rest of a shoe that goes into another one within the round is no new batch.
    return state if same_rest(state, event.count) else _burn_of_new_shoe(state)


def _burn_of_new_shoe(state: State) -> State:
    """One more card goes to the rack, where the pack wants it of cards that are put in."""
    burns = "new-shoe" in state.setup.burns
    return changed(state, burns=state.burns + 1) if burns else state


def counted_round(state: State) -> State:
    """A round's first card counts one more round, and its hands, for whatever is held or open."""
    hands = players(state)
    holds = {
        key: changed(hold, rounds=hold.rounds + 1, hands=hold.hands + hands)
        for key, hold in state.holds.items()
    }
    incidents = {
        key: changed(one, rounds=one.rounds + 1, hands=one.hands + hands)
        for key, one in state.incidents.items()
    }
    return changed(state, holds=holds, incidents=incidents)


def _fed(one: Device, count: int) -> Device:
    """The box with so many cards put in; those of a feeder that was cleared are the first to go in again."""
    again = min(one.fed, count) if one.stuck else 0
    return changed(one, fed=count, stuck=False, fresh=count - again, emptied=False)


def _inside(state: State, event: deck.InsideCounted, _row: Row) -> State:
    # It counts when its feeder has become empty.
    empty = event.count == 0
    return with_device(state, event.device, lambda one: changed(one, fed=0, emptied=one.emptied and empty))


def _returned(state: State, event: card.CardsReturned, _row: Row) -> State:
    name, box = deck_returned(state), state.devices.get(event.device)
    about = state.decks.get(name)
    if about is None or box is None or event.count == 0:
        return state
    # What goes into an empty box is a full batch, and what goes in later is cards that were played.
    # So is the rack of a round for which too few were left.
    short = state.round is not None and state.round.short
    if short or not cards_believed_in(state, box):
        state = _burn_of_new_shoe(state)
    state = with_round(state, lambda now: changed(now, short=False) if short else now)
    state = with_device(state, event.device, lambda one: _fed(one, event.count or 0))
    # What was opened for the cards that were there before waits for what these are held for.
    state = withdrawn(state) if is_held(state, "deck", name) else state
    # What is in a shuffler without end is being shuffled.
    return changed(state, decks={**state.decks, name: changed(about, shuffled=True)})


def _jammed(state: State, event: card.ShoeJammed, _row: Row) -> State:
    return with_device(state, event.device, lambda one: changed(one, jam=event.where or "jam"))


def _stopped(state: State, event: card.ShoeStopped, _row: Row) -> State:
    return with_device(state, event.device, lambda one: changed(one, jam="stopped"))


def _shoe_unloaded(state: State, event: card.ShoeUnloaded, _row: Row) -> State:
    # Another deck may lie in the shoe for the next round already; it says nothing about this one.
    own, dealt = deck_in_shoe(state), begun(state)
    about = state.decks.get(own)
    if about is not None and state.setup.shuffles == EACH_SHOE and not _goes_on(state):
        # What comes out of a shoe in the middle of it wants its shuffle.
        state = changed(
            state, decks={**state.decks, own: changed(about, shuffled=False, marks=uncut(about.marks))}
        )
    state = changed(withdrawn(_emptied(state, event.device)), burns=0)
    # What people had taken out of its feeder is with all the other cards.
    state = with_device(state, event.device, _cleared_out)
    if _goes_on(state):
        state = with_round(state, lambda now: changed(now, taken_out=state.shoe_due or 0))
    return with_round(
        state, lambda now: changed(now, removed=event.count) if dealt and now.deck == own else now
    )


def _cleared_out(one: Device) -> Device:
    return changed(one, stuck=False, emptied=one.family == CONTINUOUS)


def _goes_on(state: State) -> bool:
    """Whether a round of many from one shoe is being played, which is finished with the same cards."""
    now = state.round
    return state.setup.shuffles == EACH_SHOE and begun(state) and now is not None and not now.void


def _shoe_emptied(state: State, event: card.ShoeEmptied, row: Row) -> State:
    if emptied_unheard(state, event.device):
        state = _shoe_unloaded(state, card.ShoeUnloaded(device=event.device), row)
    # Whatever goes into the shoe now comes from the rack.
    short = begun(state) and state.setup.rack_dealt
    return with_round(state, lambda now: changed(now, taken_out=0, short=short))


def _emptied(state: State, name: str) -> State:
    """Cards were taken out of this device: how many it must have been, and no permit for a round is left."""
    grants = {
        key: grant
        for key, grant in state.grants.items()
        if grant.device != name or grant.gate not in state.setup.whole_rounds
    }
    one = state.devices.get(name)
    held = cards_believed_in(state, one) if one is not None else {}
    due = sum(held.values()) or None
    return changed(state, grants=grants, shoe_due=due, shoe_was=next(iter(held), ""))


HANDLERS: dict[type[Any], Handler] = {
    card.StackDispensed: _stack,
    card.CardDrawn: _card,
    card.ShoeLoaded: _shoe_loaded,
    card.CardsReturned: _returned,
    deck.InsideCounted: _inside,
    card.ShoeJammed: _jammed,
    card.ShoeStopped: _stopped,
    card.ShoeUnloaded: _shoe_unloaded,
    card.ShoeEmptied: _shoe_emptied,
}
