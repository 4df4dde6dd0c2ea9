"""Where the names of a condition get their values: the fact, the table's measures, the pack's constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.focus import focus_of
from felt_daemon.table.measures import MEASURES
from felt_protocols.events.person import PersonFact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from felt_daemon.rules.condition import Condition, Lookup, Value
    from felt_daemon.rules.pack import On, Pack
    from felt_daemon.table.state import State
    from felt_protocols.events import Event


def lookup_for(pack: Pack, state: State, fact: object) -> Lookup:
    """A look-up over one fact; the names were checked when the pack was, so an unknown one is a bug."""
    focus = focus_of(state, fact)

    def lookup(name: str) -> Value:
        measure = MEASURES.get(name)
        if measure is not None:
            return measure(state, focus)
        if name in pack.constants:
            return pack.constants[name]
        if name in pack.notes:
            return state.round.notes.get(name) if state.round else None
        value: Value = getattr(fact, name)
        return value

    return lookup


def all_hold(conditions: Iterable[Condition], lookup: Lookup) -> bool:
    """Whether every condition is true."""
    return all(condition.holds(lookup) for condition in conditions)


def happens(options: Iterable[On], fact: Event, lookup: Lookup) -> bool:
    """Whether the event is one of the options, under its conditions and told by whom it takes."""
    name = fact.what()
    return any(
        name in option.on and _counts(option, fact) and all_hold(option.when, lookup) for option in options
    )


def _counts(option: On, fact: Event) -> bool:
    """Whether the word of whoever tells it counts; devices are asked for no role."""
    return not option.by or not isinstance(fact, PersonFact) or fact.by.role in option.by
