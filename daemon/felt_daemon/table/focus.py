"""What a fact is about: its device and its deck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from felt_daemon.table.deal import dealt_from_shoe, next_share, single_cards
from felt_daemon.table.whereabouts import cards_believed_in, deck_in_play, deck_in_shoe
from felt_protocols.events import EVENTS, card, deck, device, draw, panel, person, reader, station, system

if TYPE_CHECKING:
    from felt_daemon.table.state import Deck, Device, State
    from felt_protocols.events import Event


Concern = Literal["own", "any", "none"]


@dataclass(frozen=True, slots=True)
class Focus:
    """The device and the deck that a fact concerns, as far as they are known, and the clock that tells it."""

    device: Device | None
    deck: Deck | None
    clock: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """Stands in for a fact when a gate asks about its device."""

    device: str


def focus_of(state: State, fact: object) -> Focus:
    """The device and deck of a fact, in the state that already has the fact."""
    timer = fact.timer if isinstance(fact, _OF_A_CLOCK) else ""
    clock, _, wound_for = timer.partition("/")
    about = state.devices.get(wound_for or _device_id(fact))
    name: str | None = fact.deck if isinstance(fact, _NAME_A_DECK) else None
    if wound_for in state.decks:
        name = wound_for
    elif name is None and isinstance(fact, _LEFT_BY) and about is not None:
        name = next(iter(cards_believed_in(state, about)), None)
    elif name is None and about is not None and about.family == "shuffler":
        name = about.deck
    elif name is None and isinstance(fact, _OF_THE_ROUND):
        # Whoever names no deck speaks of the one in play, even where the next one lies in the shoe already.
        name = deck_in_play(state)
    elif name is None and about is not None:
        name = deck_in_shoe(state)
        if not name and isinstance(fact, card.ShoeUnloaded):
            # Between rounds nothing else says whose cards were taken out.
            name = state.shoe_was
    return Focus(about, state.decks.get(name or ""), clock)


def concern_of(kind: type[Event], subject: str) -> Concern:
    """Which facts of this kind a hold hears that binds a device, a deck or the table.

    `own`: those about what it binds; `any`: all of them, where it binds the table or they are about no device
    and no deck; `none`: they are about a deck and say nothing of any device.
    """
    if subject not in {"device", "deck"}:
        return "any"
    if issubclass(kind, _NAME_A_DEVICE) or issubclass(kind, _OF_A_CLOCK):
        return "own"
    if subject == "device":
        return "none" if issubclass(kind, _NAME_A_DECK) else "any"
    return "own" if issubclass(kind, (*_NAME_A_DECK, *_OF_THE_ROUND)) else "any"


def _device_id(fact: object) -> str:
    return (fact.device or "") if isinstance(fact, _NAME_A_DEVICE) else ""


def set_aside(state: State, fact: object) -> bool:
    """Whether it was told by a device that is in service or out of use, which is no part of any game."""
    if isinstance(fact, (person.PersonFact, system.SystemFact)):
        return False
    about = state.devices.get(_device_id(fact))
    return about is not None and about.aside


def context_of(state: State, event: Event) -> dict[str, int | str]:
    """Round, deck, seat and incident of a row, as they apply, in the state before the row."""
    if set_aside(state, event):
        # A test, and of which device: it belongs to no round and no deck.
        return {"test": _device_id(event)}
    found: dict[str, int | str] = {}
    if state.round is not None:
        found["round"] = state.round.number
    # Which deck was put in is decided by a row of its own.
    if isinstance(event, _HAVE_A_DECK) and not isinstance(event, _PUT_IN):
        about = focus_of(state, event).deck
        if about is not None:
            found["deck"] = about.id
    if isinstance(event, _DEALT):
        found |= _whose(state, event)
    for name in _FIELDS[type(event)]:
        value: int | str | None = getattr(event, name)
        if value is not None:
            found[name] = value
    return found


def _whose(state: State, event: Event) -> dict[str, int]:
    """The position whose cards these are, by the pattern of the deal."""
    one = isinstance(event, card.CardDrawn)
    in_turn = not (isinstance(event, card.CardDrawn) and (event.face_up or state.burns))
    if not in_turn or not dealt_from_shoe(state) or one is not single_cards(state):
        return {}
    share = next_share(state)
    return {} if share is None or share.seat is None else {"seat": share.seat}


_DEALT = (card.CardDrawn, card.StackDispensed)
_HAVE_A_DECK = (deck.ShufflerFact, card.ShoeFact)
_PUT_IN = (deck.DeckLoaded, card.ShoeLoaded)
_NAME_A_DEVICE = (
    device.DeviceFact,
    deck.ShufflerFact,
    deck.InsideCounted,
    card.ShoeFact,
    draw.ShakerFact,
    draw.GeneratorFact,
    reader.ReaderFact,
    station.StationFact,
    panel.PanelPressed,
    person.DiceChanged,
    person.Reported,
    person.Inspected,
    person.SignMoved,
    person.ServiceBegun,
    person.ServiceEnding,
    person.DeviceRetired,
    person.DeviceAccepted,
    Asking,
)
_NAME_A_DECK = (
    person.DeckChanged,
    person.DeckCounted,
    person.FloorOrdered,
    person.Reported,
    person.Inspected,
    person.CardWithdrawn,
    person.CardReplaced,
)
# What people say without a deck's name is about the deck of the round.
_OF_THE_ROUND = (person.FloorOrdered, person.Reported, person.RoundEnded, person.RoundReleased)
# What a timer tells is about the deck or the device that it was wound for.
_OF_A_CLOCK = (system.TimerDue, system.TimerUnknown)
# After these a device is shown empty; cards that are believed inside are those of this deck.
_LEFT_BY = (person.ServiceEnding,)
# Which of the context's names each event has as fields of its own.
_FIELDS = {
    event: tuple(name for name in ("round", "deck", "seat", "incident") if name in event.model_fields)
    for event in EVENTS.values()
}
