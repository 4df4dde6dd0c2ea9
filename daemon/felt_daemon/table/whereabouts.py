"""Where cards are believed to be: which deck is in play, and which cards a device has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.deal import begun
from felt_daemon.table.state import CONTINUOUS, HAND_DEAL

if TYPE_CHECKING:
    from felt_daemon.table.state import Deck, Device, State
    from felt_protocols.events.deck import Place

# Where the cards of a deck are when they are in a device of this family.
PLACES_IN: dict[str, Place] = {"shuffler": "shuffler", "shoe": "shoe", CONTINUOUS: "shuffler"}


# What a pack calls a shoe; the box that shuffles without end is dealt from as one is.
SHOE = "shoe"


def is_of(about: Device, family: str) -> bool:
    """Whether a device is what a pack means by this family."""
    return about.family == family or (family == SHOE and about.family == CONTINUOUS)


def deck_in_shoe(state: State) -> str:
    """The deck whose cards are in the shoe or, once it is empty, the deck of the round; empty if none."""
    for one in state.decks.values():
        if one.places["shoe"]:
            return one.id
    if any(one.family == CONTINUOUS for one in state.devices.values()):
        for one in state.decks.values():
            if one.places["shuffler"]:
                return one.id
    return state.round.deck if state.round else ""


def deck_in_play(state: State) -> str:
    """The deck that the round's cards are of; before its first card, the one in the shoe or in the hand."""
    now = state.round
    if now is not None and now.cards:
        return now.deck
    return _deck_in_hand(state) if state.phase == HAND_DEAL else deck_in_shoe(state)


def _deck_in_hand(state: State) -> str:
    """The deck that people deal before they have told of it; empty where it may be one of several.

    Where nobody is known to have one in the hand, it came out of the shoe.
    """
    held = [one for one in state.decks.values() if one.present and one.places["hand"]]
    if not held:
        return deck_in_shoe(state)
    held = [one for one in held if one.shuffled] or held
    return held[0].id if len(held) == 1 else ""


def deck_returned(state: State) -> str:
    """The deck whose cards are put into a continuous shuffler: the one in play, at the opening the first."""
    return deck_in_play(state) or next((one.id for one in state.decks.values() if one.present), "")


def cards_believed_in(state: State, about: Device) -> dict[str, int]:
    """Cards of each deck that are believed to be in a device, none of them zero."""
    place = PLACES_IN.get(about.family)
    if place is None:
        return {}
    alone = sum(one.family == about.family for one in state.devices.values()) == 1
    return {
        one.id: one.places[place]
        for one in state.decks.values()
        if one.places[place] and (alone or about.deck == one.id)
    }


def same_rest(state: State, count: int | None) -> bool:
    """Whether what goes into a shoe is the rest that was taken out of another one in this round.

    It is not where the round has too few cards: then it is the rest and the rack together, as it is where the
    shoe counts so many.
    """
    now = state.round
    if now is None or not now.taken_out or now.short:
        return False
    together = sum(
        one.places["discard"] + one.places["hand"] for one in state.decks.values() if one.id == now.deck
    )
    return not now.taken_out < (count or 0) == together


def emptied_unheard(state: State, name: str) -> bool:
    """Whether cards are believed in a shoe that tells of being empty, and no deal came to its last card.

    A shoe that starts again and finds no card in it says so; what was in it was taken out before.
    """
    one = state.devices.get(name)
    if one is None or not cards_believed_in(state, one):
        return False
    return not begun(state) or (state.round is not None and state.round.unseen)


def in_play(state: State, one: Deck) -> bool:
    """Whether cards of a deck lie on the layout and belong there; a stray one before the deal is at hand."""
    return bool(one.places["table"]) and begun(state)


def aged(state: State) -> list[str]:
    """Decks at the table of which a clock has run out since they came; one that nobody can tell runs on."""
    return [
        one.id
        for one in state.decks.values()
        if one.present and any(f"{clock}/{one.id}" not in state.timers for clock in state.setup.deck_clocks)
    ]


def surely_in(state: State, deck: str) -> str:
    """The device that has cards of a deck, as it says itself; empty where none does.

    Of a device that is not heard, jammed, faulty or set aside, people know better.
    """
    for one in state.devices.values():
        # A box that counted fewer cards out than were believed inside still says that it was emptied.
        there = one.batch is not None if one.family == "shuffler" else not one.emptied
        sound = one.link == "ready" and not (one.jam or one.faults or one.aside)
        if there and sound and deck in cards_believed_in(state, one):
            return one.id
    return ""
