"""Rows of the pack that a fact fires: rulings, their incidents, their holds, and void rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from felt_daemon.table.evolve import supposed
from felt_daemon.table.focus import Focus, focus_of, set_aside
from felt_daemon.table.lookup import all_hold, lookup_for
from felt_daemon.table.whereabouts import aged, is_of
from felt_protocols.events import card, device, draw, incident, person, reader, ruling
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.condition import Lookup
    from felt_daemon.rules.pack import HoldRule, Pack, Rule
    from felt_daemon.table.state import Incident, Notice, Round, State
    from felt_protocols.events import Decision, Event
    from felt_protocols.events.ruling import Subject

_DOUBTS: dict[type[Event], str] = {
    device.DeviceStale: "stale",
    device.DeviceLost: "lost",
    device.DeviceRestarted: "unverified",
    device.EventsLost: "unverified",
}
# What ends a round, and what takes away the advice that was told then: the bets or the cards of the next one.
_LAST = (person.RoundEnded, person.RoundReleased)
_ROUND_OVER = (rounds.RoundClosed.what(),)
_NEXT_DEAL = tuple(
    event.what()
    for event in (person.BetsClosed, card.CardDrawn, card.StackDispensed, *_LAST, person.TableClosed)
)
_OF_A_GAME = (card.ShoeFact, draw.ShakerFact, draw.GeneratorFact, reader.ReaderFact)


class _Told(NamedTuple):
    """Whether people told a fact, and what takes away advice that is given on it."""

    reported: bool
    shown_until: tuple[str, ...]


def rulings(pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """Everything that the fact's rows decide, row by row in the order of the pack."""
    lookup = lookup_for(pack, state, fact)
    focus = focus_of(state, fact)
    numbers = _Numbers(state.last_incident, state.last_hold)
    voided = state.round is None or bool(state.round.void)
    told = _Told(isinstance(fact, person.Reported), _NEXT_DEAL if isinstance(fact, _LAST) else _ROUND_OVER)
    for rule in _fired(pack, fact, lookup):
        yield from _ruled(state, rule, focus, numbers, told)
        if rule.void and not voided and state.round is not None:
            voided = True
            yield rounds.RoundVoided(round=state.round.number, row=rule.id)
        now = state.round
        if rule.no_roll and isinstance(fact, person.Reported) and now is not None and _found(now):
            yield draw.StartPositionWithdrawn(
                round=now.number, row=rule.id, permits=_of_the_round(pack, state, now)
            )


def _found(now: Round) -> bool:
    """Whether a starting position is known that nobody has dealt by yet."""
    return now.start_seat is not None and not now.stacks


def stops(pack: Pack, state: State, fact: Event) -> Iterator[tuple[str, str]]:
    """Device and row of every stop that the fact asks for, in the state before the fact.

    The hold that says so is decided afterwards: a stop does not wait for the rows that explain it.
    """
    rules = pack.stopping.get(fact.what())
    if rules and not set_aside(state, fact):
        # A row looks at what the fact itself shows, such as the stack that is one too many.
        state = supposed(state, fact)
        lookup = lookup_for(pack, state, fact)
        about = focus_of(state, fact).device
        for rule in rules:
            if about is not None and _fires(rule, fact, lookup):
                yield about.id, rule.id


def _of_the_round(pack: Pack, state: State, now: Round) -> tuple[str, ...]:
    """The permits that were given for this round."""
    gates = {gate.id for gate in pack.gates if gate.per == "round"}
    return tuple(
        name for name, grant in state.grants.items() if grant.gate in gates and grant.key == str(now.number)
    )


class _Numbers:
    """The next numbers of incidents and holds within one step."""

    def __init__(self, last_incident: int, last_hold: int) -> None:
        self._incident = last_incident
        self._hold = last_hold

    def incident(self) -> int:
        self._incident += 1
        return self._incident

    def hold(self) -> int:
        self._hold += 1
        return self._hold


def _fires(rule: Rule, fact: Event, lookup: Lookup) -> bool:
    # Where the cards lie spread for want of players, whatever is done with them and with the dice is no
    # irregularity of any game. A machine that fails is one all the same, and so are dice that are too old, or
    # that nobody is with.
    done = isinstance(fact, _OF_A_GAME) and not isinstance(fact, draw.ShakerLeftUnattended)
    if done and lookup("table") == "idle" and rule.basis == "regulation":
        return False
    if isinstance(fact, person.Reported):
        return any(fact.report in one.reports and all_hold(one.when, lookup) for one in rule.as_report) or (
            fact.what() in rule.on and all_hold(rule.when, lookup)
        )
    return all_hold(rule.when, lookup)


def _fired(pack: Pack, fact: Event, lookup: Lookup) -> Iterator[Rule]:
    for rule in pack.by_event.get(fact.what(), ()):
        if _fires(rule, fact, lookup):
            yield rule
    doubt = _DOUBTS.get(type(fact))
    if doubt is None or lookup("device_refused"):
        return
    for row in pack.doubts:
        fits = row.doubt == doubt and row.family == lookup("family")
        if fits and (not row.phases or lookup("phase") in row.phases) and all_hold(row.when, lookup):
            if row.rule != "nothing":
                yield pack.by_id[row.rule]
            return


def _subject_id(state: State, subject: Subject, focus: Focus) -> str:
    if subject == "deck":
        return focus.deck.id if focus.deck else "unknown"
    if subject == "device":
        return focus.device.id if focus.device else "unknown"
    if subject == "round":
        return str(state.round.number if state.round else state.rounds)
    return state.setup.table


def _standing(state: State, rule: Rule, subject_id: str, focus: Focus) -> Incident | None:
    """The open incident that this firing belongs to: the same row and subject, its cause still there.

    Where no hold of the row has a cause to watch, it must hold all that this firing would: the same fault
    with another deck is a trouble of its own.
    """
    watched = any(hold.cause_gone for hold in rule.holds)
    for one in state.incidents.values():
        if one.row != rule.id or one.subject_id != subject_id:
            continue
        held = {
            (hold.index, hold.subject_id)
            for hold in state.holds.values()
            if hold.incident == one.id and hold.cause is watched
        }
        wanted = {
            (index, name)
            for index, hold in enumerate(rule.holds)
            if bool(hold.cause_gone) is watched
            for _kind, name in _bound(state, hold, focus)
        }
        if wanted <= held:
            return one
    return None


def _told_by_the_other(state: State, rule: Rule, *, reported: bool) -> Notice | None:
    """The notice of what a device has shown and people report, or the other way round; each joins once."""
    for notice in state.round.notices if state.round else ():
        if notice.row == rule.id and notice.reported is not reported and notice.times == 1:
            return notice
    return None


def _joined(
    state: State, rule: Rule, subject_id: str, focus: Focus, *, reported: bool
) -> incident.IncidentJoined | None:
    """The firing as one more of a trouble that is known already; none where it is a new one."""
    if rule.passing:
        notice = _told_by_the_other(state, rule, reported=reported)
        return None if notice is None else incident.IncidentJoined(incident=notice.incident, times=2)
    standing = _standing(state, rule, subject_id, focus)
    if standing is None:
        return None
    return incident.IncidentJoined(incident=standing.id, times=standing.times + 1)


def _ruled(state: State, rule: Rule, focus: Focus, numbers: _Numbers, told: _Told) -> Iterator[Decision]:
    subject_id = _subject_id(state, rule.subject, focus)
    joined = _joined(state, rule, subject_id, focus, reported=told.reported)
    if joined is not None:
        yield joined
        return
    number = numbers.incident()
    earlier = max(
        (
            one.id
            for one in state.incidents.values()
            if one.subject == rule.subject and one.subject_id == subject_id
        ),
        default=None,
    )
    yield incident.IncidentOpened(
        incident=number, row=rule.id, subject=rule.subject, subject_id=subject_id, refers_to=earlier
    )
    yield ruling.RulingMade(
        row=rule.id,
        cite=rule.cite,
        basis=rule.basis,
        effect=rule.effect,
        subject=rule.subject,
        subject_id=subject_id,
        says=rule.says,
        directives=rule.do,
        incident=number,
        shown_until=(*rule.done_on, *told.shown_until) if rule.passing else (),
        reported=told.reported,
    )
    yield from _held(state, rule, focus, number, numbers)
    if rule.passing:
        yield incident.IncidentClosed(incident=number, rounds=0, hands=0)


def _held(
    state: State, rule: Rule, focus: Focus, number: int, numbers: _Numbers
) -> Iterator[incident.HoldOpened]:
    for index, hold in enumerate(rule.holds):
        stops = _stopped(state, hold, focus)
        for bound, name in _bound(state, hold, focus):
            yield incident.HoldOpened(
                incident=number,
                hold=numbers.hold(),
                row=rule.id,
                index=index,
                cause=bool(hold.cause_gone),
                subject=bound,
                subject_id=name,
                gates=hold.gates,
                stops=stops,
                until=hold.until,
            )


def _stopped(state: State, hold: HoldRule, focus: Focus) -> str:
    """The device that the hold inhibits, empty if none."""
    if hold.stops_family is not None:
        found = (one.id for one in state.devices.values() if is_of(one, hold.stops_family) and not one.aside)
        return next(found, "")
    return focus.device.id if hold.stops and focus.device is not None else ""


def _bound(state: State, hold: HoldRule, focus: Focus) -> Iterator[tuple[Subject, str]]:
    if hold.binds == "table":
        yield "table", state.setup.table
    elif hold.binds == "device":
        if focus.device is not None:
            yield "device", focus.device.id
    else:
        for name in _decks_bound(state, hold, focus):
            yield "deck", name


def _decks_bound(state: State, hold: HoldRule, focus: Focus) -> list[str]:
    if hold.binds == "aged-decks":
        return aged(state)
    if focus.deck is None:
        # Which deck it is, nobody knows: then both are in doubt.
        return list(state.decks)
    if hold.binds == "deck":
        return [focus.deck.id]
    return [one.id for one in state.decks.values() if one.present and one.id != focus.deck.id]
