"""Why rules did what they did: their conditions with the values that they had at that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.table import focus, interlock, lookup
from felt_protocols.events import device, draw, incident, person, ruling
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from felt_daemon.rules import Pack
    from felt_daemon.rules.condition import Condition, Lookup, Value
    from felt_daemon.rules.pack import On, Rule
    from felt_daemon.table.state import State
    from felt_protocols.events import Event

Document = dict[str, Any]

# What a row of a ruling is known by.
_NAME_A_RULE = (
    ruling.RulingMade,
    incident.IncidentOpened,
    incident.HoldOpened,
    rounds.RoundVoided,
    draw.StartPositionWithdrawn,
)
# The first row that a rule makes; before it the state is the one that the rules looked at.
FIRST_OF_A_RULE = (incident.IncidentOpened, incident.IncidentJoined)


def rule_of(pack: Pack, state: State, event: Event) -> Rule | None:
    """The rule of the pack that made a row; `state` is the one after it."""
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


def conditions(asked: Iterable[Condition], values: Lookup) -> list[Document]:
    """Each condition as the pack writes it, with its values, and whether it was so."""
    return [
        {
            "text": one.text.strip(),
            "values": {name: _plain(values(name)) for name in one.names()},
            "shown": _shown(one, values),
            "holds": one.holds(values),
        }
        for one in asked
    ]


def _plain(value: Value) -> Any:  # noqa: ANN401 - as JSON has it
    return list(value) if isinstance(value, tuple) else value


def _shown(one: Condition, values: Lookup) -> str:
    """`size != hand_cards` as `size 6 != hand_cards 7`."""
    left = f"{one.left} {_word(values(one.left))}"
    right = f"{one.right} {_word(values(str(one.right)))}" if one.right_is_name else _word(one.right)
    return f"{left} {one.op} {right}"


def _word(value: Value) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_word(item) for item in value)})"
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return f"'{value}'" if isinstance(value, str) else str(value)


def fired(pack: Pack, state: State, rule: Rule, fact: Event) -> Iterator[Document]:
    """The ways in which a rule can fire on this fact, each with its conditions."""
    values = lookup.lookup_for(pack, state, fact)
    name = fact.what()
    if name in rule.on:
        yield {"on": name, "conditions": conditions(rule.when, values)}
    if isinstance(fact, person.Reported):
        for one in rule.as_report:
            if fact.report in one.reports:
                yield {"on": f"reported {fact.report}", "conditions": conditions(one.when, values)}
    about = focus.focus_of(state, fact).device
    for doubt in pack.doubts:
        if doubt.rule == rule.id and about is not None and doubt.family == about.family:
            yield {
                "on": f"{doubt.family} {doubt.doubt}",
                "phases": list(doubt.phases),
                "phase": state.phase,
                "conditions": conditions(doubt.when, values),
            }


def ended(pack: Pack, state: State, event: incident.HoldEnded, fact: Event) -> list[Document]:
    """The remedies of a hold that this fact was one of, each with its conditions."""
    hold = state.holds.get(event.hold)
    rule = None if hold is None else interlock.rule_of(pack, hold)
    if rule is None:
        return []
    values = lookup.lookup_for(pack, state, fact)
    return [_way(one, fact, values) for one in rule.ends if fact.what() in one.on]


def _way(one: On, fact: Event, values: Lookup) -> Document:
    return {
        "on": fact.what(),
        "by": list(one.by),
        "once_gone": one.once_gone,
        "conditions": conditions(one.when, values),
    }


def permitted(pack: Pack, state: State, event: device.OrderIssued) -> list[Document]:
    """What the gate of an order waited for, and that it was so."""
    gate = next((one for one in pack.gates if one.id == event.gate), None)
    if gate is None:
        return []
    values = lookup.lookup_for(pack, state, focus.Asking(event.device))
    asked = conditions((need.when for need in gate.needs), values)
    return [one | {"says": need.says} for one, need in zip(asked, gate.needs, strict=True)]
