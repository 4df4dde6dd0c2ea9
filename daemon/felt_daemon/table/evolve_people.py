"""How what people tell changes the state: decks, holds, devices set aside, and how the table is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from felt_daemon.table.changes import changed
from felt_daemon.table.deal import begun, single_cards
from felt_daemon.table.evolve_facts import is_held, shuffle_undone, with_device, with_round, withdrawn
from felt_daemon.table.state import FACE_UP, PASSED_OVER, SHUFFLER_JAM, TOO_SHORT
from felt_protocols.events import person

if TYPE_CHECKING:
    from felt_daemon.table.state import Round, State
    from felt_protocols.events import Row

Handler = Callable[["State", Any, "Row"], "State"]

# How a person is known who can be nobody else.
PROVEN = frozenset({"pin", "signed"})


def _opened(state: State, _event: person.TableOpened, _row: Row) -> State:
    return changed(state, closing=False)


def _close(state: State, _event: person.TableClosed, _row: Row) -> State:
    return changed(state, closing=True)


def _bets(state: State, _event: person.BetsClosed, _row: Row) -> State:
    return with_round(state, lambda now: changed(now, bets_closed=True))


def _deck_changed(state: State, event: person.DeckChanged, _row: Row) -> State:
    about = state.decks.get(event.deck)
    if about is None:
        return state
    places = dict.fromkeys(about.places, 0) | {"hand": about.total}
    fresh = changed(
        about,
        places=places,
        present=True,
        shuffled=event.preshuffled,
        count="not verified",
        composition="not verified",
        foreign=0,
        shuffle_counted=None,
        device_counted=False,
        proved=True,
        marks=(),
        preshuffled=event.preshuffled,
        reported_by={},
    )
    devices = {
        name: changed(one, deck="", batch=None) if one.deck == event.deck else one
        for name, one in state.devices.items()
    }
    last = "" if state.last_deck == event.deck else state.last_deck
    state = changed(state, decks={**state.decks, event.deck: fresh}, devices=devices, last_deck=last)
    dealt = begun(state)
    return with_round(state, lambda now: now if dealt else _without_strays(now, event.deck))


def _without_strays(now: Round, deck_id: str) -> Round:
    """Cards that came out of turn before the first stack left the table with their deck."""
    if now.deck != deck_id:
        return now
    return changed(now, single=0, cards=0, deck="")


def _deck_counted(state: State, event: person.DeckCounted, _row: Row) -> State:
    state = changed(state, rounds_uncounted=0)
    if event.part == "remaining":
        return with_round(state, lambda now: changed(now, counted=event.count))
    about = state.decks.get(event.deck)
    if about is None:
        return state
    found = changed(about, count="count verified" if event.count == about.total else "wrong")
    return changed(state, decks={**state.decks, about.id: found}, rounds_deck_uncounted=0)


def _acknowledged(state: State, event: person.HoldAcknowledged, _row: Row) -> State:
    hold = state.holds.get(event.hold)
    if hold is None:
        return state
    return changed(state, holds={**state.holds, hold.id: changed(hold, owner=event.by.name or event.by.role)})


def _seen(state: State, event: person.TroubleSeen, _row: Row) -> State:
    holds = {
        key: changed(hold, seen=True) if key in event.holds else hold for key, hold in state.holds.items()
    }
    return changed(state, holds=holds)


def _called(state: State, event: person.FloorCalled, row: Row) -> State:
    # Whoever acts for the floor need not be called.
    return state if event.by.role == "floor" else changed(state, called=row.at)


def _dealer(state: State, event: person.DealerCame, _row: Row) -> State:
    burns = state.burns + ("new-dealer" in state.setup.burns)
    return changed(state, dealer=event.dealer, burns=burns)


def _ordered(state: State, event: person.FloorOrdered, _row: Row) -> State:
    return changed(state, burns=state.burns + 1) if event.what_ordered == "burn" else state


def _inspected(state: State, event: person.Inspected, _row: Row) -> State:
    day = state.gaming_day if event.result == "in-order" else ""
    return with_device(state, event.device or "", lambda one: changed(one, inspected=day))


def _method(state: State, event: person.MethodChosen, _row: Row) -> State:
    before = state.method.get("deal", "")
    method = {"shuffle": event.shuffle, "deal": event.deal, "start": event.start}
    state = changed(state, method=method, deal_before=before)
    # What was opened for this round may not be what it is dealt from, or did without what is needed again.
    needed = any(one.sign and is_held(state, "device", one.id) for one in state.devices.values())
    return withdrawn(state) if needed or event.deal != before else state


def _reported(state: State, event: person.Reported, _row: Row) -> State:
    about = state.decks.get(event.deck or "")
    if about is not None:
        by = event.by.name if event.by.proof in PROVEN else ""
        about = changed(about, reported_by={**about.reported_by, event.report: by})
        state = changed(state, decks={**state.decks, about.id: about})
    if event.seats is not None:
        state = with_round(state, lambda now: changed(now, seats=event.seats))
    handler = _OF_REPORTS.get(event.report)
    return state if handler is None else handler(state, event)


def _jam_told(state: State, event: person.Reported) -> State:
    # A jam that the shuffler tells itself has undone its shuffle already, and one that is empty has none.
    shuffling = any(
        one.id == event.device and one.batch is not None and not one.jam for one in state.devices.values()
    )
    return shuffle_undone(state, event.device or "") if shuffling else state


def _short_told(state: State, _event: person.Reported) -> State:
    return with_round(state, lambda now: changed(now, short=True))


def _passed_over_told(state: State, _event: person.Reported) -> State:
    return with_round(state, lambda now: changed(now, passed_over=True))


def _face_up_told(state: State, _event: person.Reported) -> State:
    # A shoe that sees no faces does not tell of the card that went to the rack, and counted it into the deal,
    # where it was not burnt. Where people deal they report the hands, and no card in the rack is among those.
    in_the_deal, dealt = single_cards(state) and state.drawn != "burn", begun(state)

    def told(now: Round) -> Round:
        # A card that the shoe has shown is told once more by people; one more than it has shown is another.
        another = now.face_up_told >= now.face_up
        return changed(
            now,
            face_up=now.face_up + another,
            face_up_told=now.face_up_told + 1,
            cards=now.cards - (another and in_the_deal and not now.stacks and now.cards > 0),
        )

    state = with_round(state, told)
    # Where it was the only one, the deal has not begun: it needs a permit that what is held now allows.
    return withdrawn(state) if dealt else state


# What single reports change beside what the pack says of them.
_OF_REPORTS: dict[str, Callable[[State, person.Reported], State]] = {
    SHUFFLER_JAM: _jam_told,
    FACE_UP: _face_up_told,
    **dict.fromkeys(TOO_SHORT, _short_told),
    **dict.fromkeys(PASSED_OVER, _passed_over_told),
}


def _signed(state: State, event: person.SignMoved, _row: Row) -> State:
    sign = "" if event.sign == "removed" else event.sign
    state = with_device(state, event.device, lambda one: changed(one, sign=sign))
    # Nobody does without it any more: what was opened meanwhile waits for what it is held for.
    return withdrawn(state) if not sign and is_held(state, "device", event.device) else state


def _service_begun(state: State, event: person.ServiceBegun, _row: Row) -> State:
    # A permit of before is none for what is done in service.
    grants = {key: grant for key, grant in state.grants.items() if grant.device != event.device}
    state = changed(state, grants=grants)
    return with_device(state, event.device, lambda one: changed(one, service="on"))


def _service_ending(state: State, event: person.ServiceEnding, _row: Row) -> State:
    return with_device(state, event.device, lambda one: changed(one, service="ending"))


def _retired(state: State, event: person.DeviceRetired, _row: Row) -> State:
    return with_device(
        state,
        event.device,
        lambda one: changed(one, retired=True, service="", batch=None, deck="", working=False, jam=""),
    )


def _accepted(state: State, event: person.DeviceAccepted, _row: Row) -> State:
    return with_device(state, event.device, lambda one: changed(one, retired=False, sign="", inspected=""))


def _rejected(state: State, event: person.CommandRejected, _row: Row) -> State:
    return changed(state, panel_refusal=event.reason) if event.way == "panel" else state


HANDLERS: dict[type[Any], Handler] = {
    person.TableOpened: _opened,
    person.TableClosed: _close,
    person.BetsClosed: _bets,
    person.DeckChanged: _deck_changed,
    person.DeckCounted: _deck_counted,
    person.HoldAcknowledged: _acknowledged,
    person.TroubleSeen: _seen,
    person.FloorCalled: _called,
    person.DealerCame: _dealer,
    person.FloorOrdered: _ordered,
    person.Reported: _reported,
    person.Inspected: _inspected,
    person.MethodChosen: _method,
    person.SignMoved: _signed,
    person.ServiceBegun: _service_begun,
    person.ServiceEnding: _service_ending,
    person.DeviceRetired: _retired,
    person.DeviceAccepted: _accepted,
    person.CommandRejected: _rejected,
}
