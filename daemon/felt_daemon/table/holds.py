"""How holds let go: their cause is seen gone, their remedy is observed or reported, or somebody overrides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.focus import concern_of, focus_of
from felt_daemon.table.interlock import rule_of
from felt_daemon.table.lookup import happens, lookup_for
from felt_protocols.events import device, incident, person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.focus import Focus
    from felt_daemon.table.state import Hold, Incident, State
    from felt_protocols.events import Decision, Event


def remedies(pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """Causes gone and holds ended by this fact, and the incidents that are over with them."""
    lookup = lookup_for(pack, state, fact)
    focus = focus_of(state, fact)
    ended: set[int] = set()
    for hold in state.holds.values():
        if isinstance(fact, person.HoldOverridden):
            if fact.hold == hold.id:
                ended.add(hold.id)
                yield _end(hold, fact)
            continue
        rule = rule_of(pack, hold)
        if rule is None or not _concerns(hold, fact, focus):
            continue
        gone = happens(rule.cause_gone, fact, lookup)
        if hold.cause and gone:
            yield incident.HoldCauseGone(incident=hold.incident, hold=hold.id)
        ends = [option for option in rule.ends if gone or not (hold.cause and option.once_gone)]
        if happens(ends, fact, lookup) or _left_the_table(hold, fact):
            ended.add(hold.id)
            yield _end(hold, fact)
    left = [hold for hold in state.holds.values() if hold.id not in ended]
    for one in state.incidents.values():
        if _over(pack, state, one, left, fact):
            yield incident.IncidentClosed(incident=one.id, rounds=one.rounds, hands=one.hands)


def remedies_of_device(pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """The same for what a device in service tells of itself; cards that it counts are a test."""
    if isinstance(fact, device.DeviceFact):
        yield from remedies(pack, state, fact)


def _left_the_table(hold: Hold, fact: Event) -> bool:
    """Whether what is held is the device that leaves the table with this."""
    return (
        isinstance(fact, person.DeviceRetired) and hold.subject == "device" and hold.subject_id == fact.device
    )


def _concerns(hold: Hold, fact: Event, focus: Focus) -> bool:
    """Whether what a fact is about is what the hold binds, or is nothing in particular."""
    concern = concern_of(type(fact), hold.subject)
    if concern == "own":
        about = focus.deck if hold.subject == "deck" else focus.device
        return about is not None and about.id == hold.subject_id
    return concern == "any"


def _end(hold: Hold, fact: Event) -> Decision:
    by = fact.by if isinstance(fact, person.PersonFact) else None
    overridden = isinstance(fact, person.HoldOverridden)
    return incident.HoldEnded(
        incident=hold.incident,
        hold=hold.id,
        how="override" if overridden else "reported" if by is not None else "observed",
        by=by,
        reason=fact.reason if isinstance(fact, person.HoldOverridden) else "",
        rounds=hold.rounds,
        hands=hold.hands,
    )


def _over(pack: Pack, state: State, one: Incident, left: list[Hold], fact: Event) -> bool:
    """An incident is over when nothing of it is held and, if it voided the round, the round was released."""
    if any(hold.incident == one.id for hold in left):
        return False
    rule = pack.by_id.get(one.row)
    if rule is None or not rule.void or state.round is None or state.round.number != one.round:
        return True
    return isinstance(fact, person.RoundReleased)
