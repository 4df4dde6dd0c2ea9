"""How decisions change the state: cards' places, the round, incidents, holds, timers and permits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from felt_daemon.table.changes import changed
from felt_daemon.table.deal import begun, hands_due
from felt_daemon.table.evolve_cards import counted_round
from felt_daemon.table.evolve_facts import with_round, withdrawn
from felt_daemon.table.state import (
    BUTTON,
    CUT,
    EACH_SHOE,
    NOT_NOTED,
    PREINSPECTED,
    SPREAD,
    Grant,
    Hold,
    Incident,
    Notice,
    Round,
    Timer,
    uncut,
)
from felt_daemon.table.whereabouts import SHOE, cards_believed_in, deck_in_shoe
from felt_protocols.events import deck, device, draw, incident, ruling, system
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from felt_daemon.table.state import Deck, State
    from felt_protocols.events import Row

Handler = Callable[["State", Any, "Row"], "State"]

# The steps of a deck's preparation that say how its cards lie; every pack calls them so.
WASHED = "washed"
SHUFFLED = "shuffled"
# What a deck that lies spread has not had since.
_UNDONE_BY_SPREADING = frozenset({SPREAD, "looked", WASHED, SHUFFLED, CUT})


def _batch(state: State, event: deck.BatchMapped, _row: Row) -> State:
    one = state.devices.get(event.device)
    if one is None or event.deck not in state.decks:
        return state
    state = changed(state, devices={**state.devices, one.id: changed(one, deck=event.deck)})
    about = state.decks[event.deck]
    whole = one.counted == about.total
    state = changed(state, decks={**state.decks, about.id: changed(about, device_counted=whole)})
    return _proved(state, event.deck, proved=event.proved)


def _proved(state: State, name: str, *, proved: bool) -> State:
    """A proof is one deck's; where there is none, every deck may be the other."""
    names = [name] if proved else list(state.decks)
    known = {one: changed(state.decks[one], proved=proved) for one in names}
    return changed(state, decks={**state.decks, **known})


def _shoe(state: State, event: deck.ShoeMapped, _row: Row) -> State:
    if event.deck not in state.decks:
        return state
    if not event.proved:
        state = _proved(state, event.deck, proved=False)
    # What the round had too few cards for is in the shoe with this.
    state = with_round(state, lambda now: changed(now, short=False))
    return with_round(state, lambda now: now if now.cards else changed(now, deck=event.deck))


def _moved(state: State, event: deck.CardsMoved, _row: Row) -> State:
    about = state.decks.get(event.deck)
    if about is None:
        return state
    places = dict(about.places)
    places[event.source] -= event.count
    places[event.target] += event.count
    # Cards that come back from the felt are in no order that anybody may rely on: the deck wants its shuffle.
    # Where many rounds are dealt from one shoe, what is left in it stays shuffled.
    stays = event.source != "table" or state.setup.shuffles == EACH_SHOE
    # What a device counted before cards were dealt says nothing of what is there after it.
    known = about.device_counted and event.target != "table"
    about = changed(about, places=places, shuffled=about.shuffled and stays, device_counted=known)
    state = changed(state, decks={**state.decks, about.id: about})
    if event.target == "shoe":
        # A shoe is filled by one movement after the other, from wherever its cards were.
        state = changed(state, shoe_stack=places["shoe"])
    # The deck of a round is the one that its first card is of; a stray card is none of the round.
    now = state.round
    if event.target == "table" and now is not None and now.cards and not now.deck:
        state = changed(state, round=changed(now, deck=about.id))
    return state


def _table(state: State, event: rounds.TableStateChanged, _row: Row) -> State:
    if event.state == "idle":
        state = changed(state, decks={name: _spread(one) for name, one in state.decks.items()})
    if event.state in {"idle", "closed"}:
        state = withdrawn(state)
    return changed(state, table=event.state, closing=state.closing and event.state != "closed")


def _spread(one: Deck) -> Deck:
    """A deck that lies spread wants its wash and its shuffle; one that is in a shuffler stays as it is."""
    if one.places["shuffler"]:
        return one
    kept = tuple(mark for mark in _inspected(one) if mark not in _UNDONE_BY_SPREADING)
    return changed(one, shuffled=False, preshuffled=False, marks=(*kept, SPREAD))


def _inspected(one: Deck) -> tuple[str, ...]:
    """A deck's marks as it is spread: one that came preinspected stays so."""
    return (*one.marks, PREINSPECTED) if one.preshuffled else one.marks


def _marked(state: State, event: deck.DeckMarked, _row: Row) -> State:
    one = state.decks.get(event.deck)
    if one is None:
        return state
    marks = _inspected(one) if event.mark == SPREAD else one.marks
    marks = marks if event.mark in marks else (*marks, event.mark)
    # What is spread or washed is shuffled no more, whoever had shuffled it; what people shuffled is.
    if event.mark in {SPREAD, WASHED}:
        one = changed(one, shuffled=False, preshuffled=False)
    shuffled = one.shuffled or event.mark == SHUFFLED
    if event.mark == SHUFFLED:
        one = changed(one, shuffle_counted=False)
    if event.mark in {SPREAD, WASHED, SHUFFLED}:
        marks = uncut(marks)
    return changed(state, decks={**state.decks, one.id: changed(one, marks=marks, shuffled=shuffled)})


def _dealt(state: State, event: rounds.CardsDealt, _row: Row) -> State:
    if state.round is None:
        return state
    hands = hands_due(state) or state.setup.positions + 1
    now = changed(state.round, stacks=hands, cards=event.cards, deck=event.deck)
    return counted_round(changed(state, round=now))


def _withdrawn(state: State, event: draw.StartPositionWithdrawn, _row: Row) -> State:
    grants = {name: grant for name, grant in state.grants.items() if name not in event.permits}
    state = changed(state, grants=grants)
    if state.round is None:
        return state
    return changed(state, round=changed(state.round, start_seat=None, total=None, shakes=0))


def _escalated(state: State, event: incident.HoldEscalated, _row: Row) -> State:
    hold = state.holds.get(event.hold)
    if hold is None:
        return state
    return changed(state, holds={**state.holds, hold.id: changed(hold, step=event.step)})


def _service_ended(state: State, event: device.ServiceEnded, _row: Row) -> State:
    one = state.devices.get(event.device)
    if one is None:
        return state
    # Nothing is inside, so that nothing is jammed; cards that people took out are in no order to rely on.
    ready = changed(one, service="", batch=None, working=False, done=False, counted=None, jam="")
    decks = {
        name: changed(state.decks[name], shuffled=False, count="not verified", device_counted=False)
        for name in cards_believed_in(state, one)
    }
    return changed(state, devices={**state.devices, one.id: ready}, decks={**state.decks, **decks})


def _inspection_due(state: State, event: device.InspectionDue, _row: Row) -> State:
    one = state.devices.get(event.device)
    if one is None:
        return state
    return changed(state, devices={**state.devices, one.id: changed(one, inspection_due=event.day)})


def _opened(state: State, event: rounds.RoundOpened, _row: Row) -> State:
    # A station that is unlocked for the round tells anew which wagers lie there.
    devices = {name: changed(one, wagers=()) for name, one in state.devices.items()}
    now = Round(event.round, phase="", notices=state.carried)
    return changed(state, round=now, rounds=event.round, devices=devices, carried=())


def _phase(state: State, event: rounds.PhaseChanged, _row: Row) -> State:
    if state.round is None:
        return state
    return changed(state, round=changed(state.round, phase=event.phase))


def _voided(state: State, event: rounds.RoundVoided, _row: Row) -> State:
    if state.round is None:
        return state
    return changed(state, round=changed(state.round, void=event.row))


_CLOSED = rounds.RoundClosed.what()


def _closed(state: State, _event: rounds.RoundClosed, _row: Row) -> State:
    over = state.round
    if over is None:
        return state
    decks = state.decks
    # A void round counts for alternation as any other; one without a card does not.
    if over.deck and over.cards:
        dealt = decks[over.deck]
        # What was taken out of the shoe in the round and not put into another one wants its shuffle.
        stays = not over.taken_out or dealt.places["shoe"] > 0
        decks = {
            **decks,
            over.deck: changed(dealt, last_round=over.number, shuffled=dealt.shuffled and stays),
        }
    last = over.deck if over.deck and over.cards else state.last_deck
    # A round whose rest was counted is none of those since the count, and no count of people is wanted where
    # a shuffler counts.
    by_device = bool(over.cards) and over.deck in decks and decks[over.deck].shuffle_counted is True
    uncounted = state.rounds_uncounted + bool(over.cards and over.counted is None)
    deck_uncounted = state.rounds_deck_uncounted + bool(over.cards)
    button = state.button
    if over.cards and state.method.get("start") == BUTTON:
        # Clockwise by one position; the dealer's is one of them.
        button = (button + 1) % (state.setup.positions + 1)
    # A table that closes has no next round, and tomorrow's dealer has nothing to do about this one.
    left = () if state.closing else over.notices
    return changed(
        state,
        round=None,
        carried=tuple(one for one in left if _CLOSED not in one.done_on),
        decks=decks,
        last_deck=last,
        rounds_uncounted=0 if by_device else uncounted,
        rounds_deck_uncounted=0 if by_device else deck_uncounted,
        button=button,
    )


def _start(state: State, event: draw.StartPositionSet, _row: Row) -> State:
    if state.round is None:
        return state
    return changed(state, round=changed(state.round, start_seat=event.seat))


def _noted(state: State, event: rounds.RoundNoted, _row: Row) -> State:
    if state.round is None:
        return state
    notes = {name: value for name, value in state.round.notes.items() if name != event.name}
    if event.value != NOT_NOTED:
        notes[event.name] = event.value
    return changed(state, round=changed(state.round, notes=notes))


def _composed(state: State, event: deck.CompositionJudged, _row: Row) -> State:
    about = state.decks.get(event.deck)
    if about is None:
        return state
    found = changed(about, composition="verified" if event.right else "wrong", foreign=event.foreign)
    return changed(state, decks={**state.decks, about.id: found})


def _incident(state: State, event: incident.IncidentOpened, row: Row) -> State:
    one = Incident(
        event.incident,
        event.row,
        event.subject,
        event.subject_id,
        row.at,
        state.round.number if state.round else state.rounds,
    )
    return changed(
        state, incidents={**state.incidents, one.id: one}, last_incident=max(state.last_incident, one.id)
    )


def _joined(state: State, event: incident.IncidentJoined, _row: Row) -> State:
    one = state.incidents.get(event.incident)
    if one is not None:
        return changed(state, incidents={**state.incidents, one.id: changed(one, times=event.times)})
    if state.round is None:
        return state
    # What only tells is over at once, and stands as a notice.
    notices = tuple(
        changed(notice, times=event.times) if notice.incident == event.incident else notice
        for notice in state.round.notices
    )
    return changed(state, round=changed(state.round, notices=notices))


def _incident_closed(state: State, event: incident.IncidentClosed, _row: Row) -> State:
    left = {key: one for key, one in state.incidents.items() if key != event.incident}
    return changed(state, incidents=left)


def _ruled(state: State, event: ruling.RulingMade, _row: Row) -> State:
    one = state.incidents.get(event.incident)
    if one is None:
        return state
    told = changed(one, cite=event.cite, effect=event.effect, directives=event.directives)
    state = changed(state, incidents={**state.incidents, one.id: told})
    if not event.shown_until or state.round is None:
        return state
    notice = Notice(
        event.row, event.cite, event.directives, event.incident, event.shown_until, event.reported
    )
    return changed(state, round=changed(state.round, notices=(*state.round.notices, notice)))


def _hold(state: State, event: incident.HoldOpened, row: Row) -> State:
    hold = Hold(
        id=event.hold,
        incident=event.incident,
        row=event.row,
        index=event.index,
        subject=event.subject,
        subject_id=event.subject_id,
        gates=event.gates,
        stops=event.stops,
        until=event.until,
        since=row.at,
        cause=event.cause,
    )
    one = state.devices.get(event.stops)
    if one is not None:
        state = changed(state, devices={**state.devices, one.id: changed(one, stopped=row.seq)})
    if not begun(state) and (event.subject != "deck" or event.subject_id == deck_in_shoe(state)):
        state = _taken_back(state, event.gates)
    return changed(state, holds={**state.holds, hold.id: hold}, last_hold=max(state.last_hold, hold.id))


def _taken_back(state: State, gates: tuple[str, ...]) -> State:
    """Without the permits of these gates for a round that nobody has begun, and that must not begin."""
    closed = {*gates} & state.setup.whole_rounds.keys()
    grants = {key: grant for key, grant in state.grants.items() if grant.gate not in closed}
    if state.round is not None and any(state.setup.whole_rounds[gate] == SHOE for gate in closed):
        state = changed(state, round=changed(state.round, permitted=False))
    return changed(state, grants=grants)


def _cause_gone(state: State, event: incident.HoldCauseGone, _row: Row) -> State:
    hold = state.holds.get(event.hold)
    if hold is None:
        return state
    return changed(state, holds={**state.holds, hold.id: changed(hold, cause=False)})


def _hold_ended(state: State, event: incident.HoldEnded, _row: Row) -> State:
    return changed(state, holds={key: one for key, one in state.holds.items() if key != event.hold})


def _timer(state: State, event: system.TimerSet, row: Row) -> State:
    return changed(state, timers={**state.timers, event.timer: Timer(event.timer, event.after_s, row.at)})


def _timer_gone(state: State, event: system.TimerCancelled, _row: Row) -> State:
    return changed(state, timers={key: one for key, one in state.timers.items() if key != event.timer})


def _issued(state: State, event: device.OrderIssued, row: Row) -> State:
    one = state.devices.get(event.device)
    if one is None:
        return state
    grant = Grant(event.gate, event.device, event.key, row.seq, event.order, event.args, one.boot)
    if state.round is not None and state.setup.whole_rounds.get(event.gate) == SHOE:
        state = changed(state, round=changed(state.round, permitted=True))
    return changed(state, grants={**state.grants, f"{event.gate}/{event.device}": grant})


HANDLERS: dict[type[Any], Handler] = {
    deck.BatchMapped: _batch,
    deck.ShoeMapped: _shoe,
    deck.CardsMoved: _moved,
    deck.DeckMarked: _marked,
    rounds.CardsDealt: _dealt,
    draw.StartPositionWithdrawn: _withdrawn,
    incident.HoldEscalated: _escalated,
    device.ServiceEnded: _service_ended,
    device.InspectionDue: _inspection_due,
    rounds.TableStateChanged: _table,
    rounds.RoundOpened: _opened,
    rounds.PhaseChanged: _phase,
    rounds.RoundVoided: _voided,
    rounds.RoundClosed: _closed,
    draw.StartPositionSet: _start,
    rounds.RoundNoted: _noted,
    deck.CompositionJudged: _composed,
    incident.IncidentOpened: _incident,
    incident.IncidentJoined: _joined,
    incident.IncidentClosed: _incident_closed,
    incident.HoldOpened: _hold,
    incident.HoldCauseGone: _cause_gone,
    incident.HoldEnded: _hold_ended,
    ruling.RulingMade: _ruled,
    system.TimerSet: _timer,
    system.TimerCancelled: _timer_gone,
    device.OrderIssued: _issued,
}
