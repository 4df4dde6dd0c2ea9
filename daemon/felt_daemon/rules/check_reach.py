"""Rows that can never fire, moves that can never happen, and whatever else waits for what cannot be so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.rules.check_cases import one_of, why_not
from felt_daemon.rules.check_people import METHOD_CHOSEN, ways
from felt_daemon.rules.pack import REPORTED
from felt_protocols.events import EVENTS, Decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from felt_daemon.rules.check_cases import Case, Cases, When
    from felt_daemon.rules.pack import Pack


def reach_breaches(cases: Cases) -> Iterator[str]:
    """Every breach."""
    yield from _rows(cases)
    yield from _moves(cases)
    yield from _needs(cases)
    yield from _phases(cases.pack)
    yield from _doubts(cases)


def _rows(cases: Cases) -> Iterator[str]:
    for rule in cases.pack.rules:
        place = f"rule {rule.id}"
        yield from _heard(cases, place, rule.on, rule.when)
        yield from (
            f"{place}: no device of this pack tells {name}"
            for name in rule.on
            if name in EVENTS and not cases.told(EVENTS[name])
        )
        for one in rule.as_report:
            for word in () if any(cases.names.slips((REPORTED,), one.when)) else one.reports:
                yield from _never(cases, place, cases.reported((word,), one.when))


def _moves(cases: Cases) -> Iterator[str]:
    """What else follows from facts."""
    for move in cases.pack.moves:
        yield from _heard(cases, f"move to {move.to}", move.on, (*move.when, one_of("phase", move.from_)))
    for note in cases.pack.sets:
        yield from _heard(cases, f"note {note.note}", note.on, note.when)
    for one in cases.pack.inferences:
        yield from _heard(cases, f"inference of {one.becomes}", one.on, one.when)


def _heard(cases: Cases, place: str, on: Iterable[str], when: When) -> Iterator[str]:
    """What is no fact, and facts that never come under these conditions."""
    for name in on:
        if name in EVENTS and issubclass(EVENTS[name], Decision):
            yield f"{place}: {name} is decided and never told; a rule looks at facts"
        elif not any(cases.names.slips(on, when)):
            yield from _never(cases, place, cases.of((name,), when))


def _never(cases: Cases, place: str, found: Iterable[Case]) -> Iterator[str]:
    told = [case for case in found if cases.told(case.event)]
    if told and (why := cases.why_never(told)):
        yield f"{place}: no fact can ever meet {why}"


def _needs(cases: Cases) -> Iterator[str]:
    """Permits that are never given, and reports and ways that are always refused."""
    pack = cases.pack
    for gate in pack.gates:
        when = (*(need.when for need in gate.needs), one_of("family", (gate.family,)))
        yield from _nothing(cases, f"gate {gate.id}", "", when)
    for word, kind in pack.reports.items():
        yield from _nothing(cases, f"report {word}", REPORTED, tuple(need.when for need in kind.needs))
    for word, way in ways(pack):
        yield from _nothing(cases, f"way {word}", METHOD_CHOSEN, tuple(need.when for need in way.needs))


def _nothing(cases: Cases, place: str, on: str, when: When) -> Iterator[str]:
    event = EVENTS.get(on)
    if not any(cases.names.slips((on,), when)) and not cases.meet(event, when):
        yield f"{place}: nothing can ever meet {why_not(when, cases.names.at(event))}"


def _phases(pack: Pack) -> Iterator[str]:
    entered = {pack.phases[0], *(move.to for move in pack.moves)} if pack.phases else set[str]()
    yield from (f"phase {phase}: no move leads to it" for phase in pack.phases if phase not in entered)


def _doubts(cases: Cases) -> Iterator[str]:
    rows = cases.pack.doubts
    for index, row in enumerate(rows):
        place, when = f"doubt {row.family} {row.doubt}", cases.of_doubt(row)
        yield from _nothing(cases, place, "", when)
        # A row that comes after one which takes every case of its family and kind.
        if any(
            (one.family, one.doubt) == (row.family, row.doubt)
            and not one.when
            and (not one.phases or (row.phases and {*row.phases} <= {*one.phases}))
            for one in rows[:index]
        ):
            yield f"{place}: a row before it takes every case of this one ({row.rule})"
