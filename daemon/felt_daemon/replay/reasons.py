"""Why rules did what they did: their conditions with the values that they had at that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.replay.origin_words import word
from felt_daemon.table import focus, interlock, lookup
from felt_protocols.events import device, draw, incident, person, ruling
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from felt_daemon.replay.origins import Origin
    from felt_daemon.rules import Pack
    from felt_daemon.rules.condition import Condition, Lookup, Value
    from felt_daemon.rules.pack import AsReport, Doubt, On, Rule
    from felt_daemon.table.state import State
    from felt_protocols.events import Event, Row

Document = dict[str, Any]

# What a row of a ruling is known by.
_NAME_A_RULE = (
    ruling.RulingMade,
    incident.IncidentOpened,
    incident.HoldOpened,
    rounds.RoundVoided,
    draw.StartPositionWithdrawn,
)
_OF_A_RULE = (*_NAME_A_RULE, incident.IncidentJoined)
# The first row that a rule makes; before it the state is the one that the rules looked at.
_FIRST_OF_A_RULE = (incident.IncidentOpened, incident.IncidentJoined)
# Rows that conditions of the pack led to.
ASKED = (*_OF_A_RULE, incident.HoldEnded, device.OrderIssued)


def looked_before(row: Row, other: Row) -> bool:
    """Whether what led to a row looked before this other row of its step; rows come in their order.

    All rules look at a fact in one state; a remedy and a gate look at what was decided just before them.
    """
    if isinstance(row.event, _OF_A_RULE) and isinstance(other.event, _FIRST_OF_A_RULE):
        return other.cause == row.cause
    return other.seq == row.seq


def rule_of(pack: Pack, state: State, event: Event) -> Rule | None:
    """The rule of the pack that made a row; `state` is the one in which it was looked at."""
    name = ""
    if isinstance(event, _NAME_A_RULE):
        name = event.row
    elif isinstance(event, incident.IncidentJoined):
        known = state.incidents.get(event.incident)
        name = known.row if known is not None else _noticed(state, event.incident)
    return pack.by_id.get(name)


def _noticed(state: State, number: int) -> str:
    notices = state.round.notices if state.round else ()
    return next((one.row for one in notices if one.incident == number), "")


def asked_for(pack: Pack, event: Event, fact: Event) -> Iterator[Condition]:
    """Every condition that can have led to a row, before the state says which rule or hold it is of."""
    if isinstance(event, device.OrderIssued):
        yield from (need.when for gate in pack.gates if gate.id == event.gate for need in gate.needs)
    elif isinstance(event, incident.HoldEnded):
        holds = (hold for rule in pack.rules for hold in rule.holds)
        yield from _all(one for hold in holds for one in hold.ends if fact.what() in one.on)
    elif isinstance(event, _OF_A_RULE):
        named = "" if isinstance(event, incident.IncidentJoined) else event.row
        for rule in pack.rules if named not in pack.by_id else (pack.by_id[named],):
            yield from (*rule.when, *_all(rule.as_report))
        yield from _all(one for one in pack.doubts if named in {"", one.rule})


def _all(ways: Iterable[On | AsReport | Doubt]) -> Iterator[Condition]:
    return (condition for one in ways for condition in one.when)


def conditions(asked: Iterable[Condition], values: Lookup, origin: Origin) -> list[Document]:
    """Each condition as the pack writes it, with its values and what gave them, and whether it was so."""
    return [
        {
            "text": one.text.strip(),
            "values": {name: _plain(values(name)) for name in one.names()},
            "shown": _shown(one, values),
            "holds": one.holds(values),
            "because": [origin(name, values(name)) for name in one.names()],
        }
        for one in asked
    ]


def _plain(value: Value) -> Any:  # noqa: ANN401 - as JSON has it
    return list(value) if isinstance(value, tuple) else value


def _shown(one: Condition, values: Lookup) -> str:
    """`size != hand_cards` as `size 6 != hand_cards 7`."""
    left = f"{one.left} {word(values(one.left))}"
    right = f"{one.right} {word(values(str(one.right)))}" if one.right_is_name else word(one.right)
    return f"{left} {one.op} {right}"


def fired(pack: Pack, state: State, rule: Rule, fact: Event, origin: Origin) -> Iterator[Document]:
    """The ways in which a rule can fire on this fact, each with its conditions."""
    values = lookup.lookup_for(pack, state, fact)
    name = fact.what()
    if name in rule.on:
        yield {"on": name, "conditions": conditions(rule.when, values, origin)}
    if isinstance(fact, person.Reported):
        for one in rule.as_report:
            if fact.report in one.reports:
                yield {"on": f"reported {fact.report}", "conditions": conditions(one.when, values, origin)}
    about = focus.focus_of(state, fact).device
    for doubt in pack.doubts:
        if doubt.rule == rule.id and about is not None and doubt.family == about.family:
            yield {
                "on": f"{doubt.family} {doubt.doubt}",
                "phases": list(doubt.phases),
                "phase": state.phase,
                "conditions": conditions(doubt.when, values, origin),
            }


def ended(pack: Pack, state: State, event: incident.HoldEnded, fact: Event, origin: Origin) -> list[Document]:
    """The remedies of a hold that this fact was one of, each with its conditions."""
    hold = state.holds.get(event.hold)
    rule = None if hold is None else interlock.rule_of(pack, hold)
    if rule is None:
        return []
    values = lookup.lookup_for(pack, state, fact)
    return [_way(one, fact, values, origin) for one in rule.ends if fact.what() in one.on]


def _way(one: On, fact: Event, values: Lookup, origin: Origin) -> Document:
    return {
        "on": fact.what(),
        "by": list(one.by),
        "once_gone": one.once_gone,
        "conditions": conditions(one.when, values, origin),
    }


def permitted(pack: Pack, state: State, event: device.OrderIssued, origin: Origin) -> list[Document]:
    """What the gate of an order waited for, and that it was so."""
    gate = next((one for one in pack.gates if one.id == event.gate), None)
    if gate is None:
        return []
    values = lookup.lookup_for(pack, state, focus.Asking(event.device))
    asked = conditions((need.when for need in gate.needs), values, origin)
    return [one | {"says": need.says} for one, need in zip(asked, gate.needs, strict=True)]
