"""`evolve(state, row)`: what was told and what was decided, applied. No rule is looked at here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from felt_daemon.table import evolve_aside, evolve_cards, evolve_decisions, evolve_facts, evolve_people
from felt_daemon.table.changes import changed
from felt_daemon.table.focus import set_aside
from felt_protocols.events import Fact, Moment, Row
from felt_protocols.events.person import PersonFact

if TYPE_CHECKING:
    from felt_daemon.table.state import Round, State
    from felt_protocols.events import Event

Handler = Callable[["State", Any, "Row"], "State"]

HANDLERS: dict[type[Any], Handler] = {
    **evolve_facts.HANDLERS,
    **evolve_cards.HANDLERS,
    **evolve_people.HANDLERS,
    **evolve_decisions.HANDLERS,
}


def _is_a_test(state: State, event: Event) -> bool:
    """Whether a device in service tells of cards or dice, which are no game's."""
    return isinstance(event, evolve_aside.GAME_FACTS) and set_aside(state, event)


def _shown(now: Round, name: str) -> Round:
    """The round with those notices that this event does not take away."""
    left = tuple(one for one in now.notices if name not in one.done_on)
    return now if len(left) == len(now.notices) else changed(now, notices=left)


# The moment of a row that is only supposed; no state comes of it.
_NEVER = Moment(boot="", start="", mono_ns=0, utc_us=0, trusted=False)


def supposed(state: State, fact: Event) -> State:
    """What a fact shows, as if it were a row already; for whoever must act before there is one."""
    handler = None if _is_a_test(state, fact) else HANDLERS.get(type(fact))
    return state if handler is None else handler(state, fact, Row("", state.seq, fact, _NEVER))


def evolve(state: State, row: Row) -> State:
    """The state after `row`. A row that no state depends on only moves `seq`."""
    event = row.event
    test = _is_a_test(state, event)
    handler = (evolve_aside.HANDLERS if test else HANDLERS).get(type(event))
    if handler is not None:
        state = handler(state, event, row)
    if state.panel_refusal and isinstance(event, PersonFact):
        state = changed(state, panel_refusal="")
    if state.called is not None and isinstance(event, PersonFact) and event.by.role == "floor":
        # Whoever acts for the floor is at the table.
        state = changed(state, called=None)
    if state.round is not None and state.round.notices and not test:
        state = changed(state, round=_shown(state.round, event.what()))
    devices = state.devices
    if isinstance(event, Fact) and event.n is not None:
        # Only a device's own events have a number.
        name: str = getattr(event, "device", "")
        if name in devices:
            devices = {**devices, name: changed(devices[name], last_n=event.n)}
    return changed(state, seq=row.seq, devices=devices)
