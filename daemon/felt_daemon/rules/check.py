"""What a pack must keep beyond its format, each breach in words for whoever writes packs."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from felt_daemon.rules import check_deal
from felt_daemon.rules.check_cases import Cases
from felt_daemon.rules.check_cites import citation_breaches
from felt_daemon.rules.check_holds import hold_breaches
from felt_daemon.rules.check_people import people_breaches, uses
from felt_daemon.rules.check_reach import reach_breaches
from felt_daemon.rules.check_rulings import contradictions, stops_in_a_deal
from felt_daemon.rules.check_values import NUMBERS, OUTER_PHASES, Names
from felt_daemon.rules.text import text_breaches
from felt_daemon.table.measures import MEASURES
from felt_protocols.events import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from felt_daemon.rules.condition import Condition
    from felt_daemon.rules.pack import On, Pack

DOUBTS = ("stale", "lost", "unverified")
# Facts that make a doubt, and the doubt that they make.
DOUBTFUL = {"device-stale", "device-lost", "device-restarted", "events-lost"}
# What a device tells only after its gate was opened.
WORK = {
    "shuffler": {"shuffle-started", "shuffle-completed"},
    "shoe": {"stack-dispensed", "card-drawn", "shoe-emptied"},
}


def check(pack: Pack) -> list[str]:
    """Every breach; an empty list is a sound pack."""
    names = Names(pack)
    cases = Cases(pack, names)
    return [
        *_conditions(pack),
        *_words(pack, names),
        *_names(pack),
        *_numbers(pack),
        *_elections(pack),
        *_effects(cases),
        *_holds(pack),
        *_doubts(pack),
        *_unused(pack),
        *people_breaches(pack),
        *check_deal.deal_breaches(pack),
        *reach_breaches(cases),
        *hold_breaches(cases),
        *contradictions(cases),
        *citation_breaches(pack),
        *text_breaches(pack),
    ]


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known))
    return f"; did you mean {near[0]}?" if near else ""


def _uses(pack: Pack) -> Iterator[tuple[str, tuple[str, ...], tuple[Condition, ...]]]:
    """Every place with conditions: where it is, the events it listens to, and the conditions."""
    for rule in pack.rules:
        yield f"rule {rule.id}", rule.on, rule.when
        for hold in rule.holds:
            for option in (*hold.ends, *hold.cause_gone):
                yield f"rule {rule.id}, a hold", option.on, option.when
    for move in pack.moves:
        yield f"move to {move.to}", move.on, move.when
    for gate in pack.gates:
        yield f"gate {gate.id}", (), tuple(need.when for need in gate.needs)
    for doubt in pack.doubts:
        yield f"doubt {doubt.family} {doubt.doubt}", (), doubt.when
    yield from uses(pack)
    yield from check_deal.uses(pack)


def _conditions(pack: Pack) -> Iterator[str]:
    for place, events, conditions in _uses(pack):
        yield from _strangers(place, "event", events, EVENTS)
        listened = [EVENTS[name].model_fields for name in events if name in EVENTS]
        shared = [name for name in (listened[0] if listened else ()) if all(name in one for one in listened)]
        known = {*MEASURES, *pack.constants, *pack.notes, *shared}
        for condition in conditions:
            yield from (
                f"{place}: {condition.text!r} asks for {name}, which it cannot know{_nearest(name, known)}"
                for name in condition.names()
                if name not in known
            )


def _words(pack: Pack, names: Names) -> Iterator[str]:
    """Values that can never come: a slip there would switch a row off."""
    for place, events, conditions in _uses(pack):
        for condition, value, can_be in names.slips(events, conditions):
            said = repr(value) if isinstance(value, str) else str(value).lower()
            near = _nearest(value, can_be.words or ()) if isinstance(value, str) else ""
            told = near or f"; it is {can_be.described()}"
            yield f"{place}: {condition.text!r}: {condition.left} is never {said}{told}"


def _names(pack: Pack) -> Iterator[str]:
    """Names that nothing has."""
    phases = (*pack.phases, *OUTER_PHASES, "end")
    gates = tuple(gate.id for gate in pack.gates)
    for rule in pack.rules:
        place = f"rule {rule.id}"
        yield from _strangers(place, "directive", rule.do, pack.directives)
        yield from _strangers(place, "event", rule.done_on, EVENTS)
        for hold in rule.holds:
            yield from _strangers(place, "gate", (*hold.gates, *hold.while_cause), gates)
            if hold.stops_family is not None:
                yield from _strangers(place, "family", (hold.stops_family,), pack.families)
    for one in pack.unseen:
        yield from _strangers(f"unseen {one.cite}", "directive", one.do, pack.directives)
    yield from _strangers("deals_in", "phase", pack.deals_in if pack.moves else (), pack.phases)
    for move in pack.moves:
        yield from _strangers(f"move to {move.to}", "phase", (*move.from_, move.to), phases)
    for clock in pack.clocks:
        yield from _strangers(f"clock {clock.id}", "event", (clock.on,), EVENTS)
    for gate in pack.gates:
        yield from _strangers(f"gate {gate.id}", "family", (gate.family,), pack.families)
    for row in pack.doubts:
        place = f"doubt {row.family} {row.doubt}"
        yield from _strangers(place, "family", (row.family,), pack.families)
        yield from _strangers(place, "phase", row.phases, phases)
        yield from _strangers(place, "rule", (row.rule,), ("nothing", *pack.by_id))


def _strangers(place: str, kind: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    all_known = list(known)
    yield from (
        f"{place}: no {kind} is called {name}{_nearest(name, all_known)}"
        for name in names
        if name not in all_known
    )


def _numbers(pack: Pack) -> Iterator[str]:
    for name in NUMBERS:
        if not isinstance(pack.constants.get(name), int):
            yield f"constant {name}: every pack has it, a whole number"


def _elections(pack: Pack) -> Iterator[str]:
    for name, election in pack.elections.items():
        place = f"election {name}"
        if election.by_default is not None and election.by_default not in election.choices:
            yield f"{place}: {election.by_default!r} is none of its choices"
        yield from _strangers(place, "choice", election.needs, [str(one) for one in election.choices])
        yield from _strangers(place, "family", election.needs.values(), pack.families)
        if election.in_use and not all(isinstance(one, int) and one > 0 for one in election.choices):
            yield f"{place}: how many decks are in use is a whole number from 1 up"
    counting = [name for name, election in pack.elections.items() if election.in_use]
    if len(counting) > 1:
        yield f"elections {' and '.join(counting)}: one alone says how many decks are in use"


def _effects(cases: Cases) -> Iterator[str]:
    for rule in cases.pack.rules:
        closes = any(hold.gates or hold.while_cause for hold in rule.holds)
        stops = any(hold.stops or hold.stops_family for hold in rule.holds)
        if not (rule.holds or rule.void or rule.passing):
            yield f"rule {rule.id}: it neither holds, nor voids, nor passes; nobody would see it"
        if rule.passing and (rule.holds or rule.void):
            yield f"rule {rule.id}: what passes can neither hold nor void"
        if rule.done_on and not rule.passing:
            yield f"rule {rule.id}: only what passes is shown until something is done"
        if rule.effect == "advise" and (closes or stops or rule.void):
            yield f"rule {rule.id}: it only advises, and yet closes a gate, stops a device or voids the round"
        if rule.effect == "no-new-round" and not closes:
            yield f"rule {rule.id}: no-new-round, and no hold of it closes a gate"
        if rule.effect == "stop" and not (stops or rule.void):
            yield f"rule {rule.id}: stop, and it neither stops a device nor voids the round"
        if rule.ends_dealing and rule.basis == "own":
            yield f"rule {rule.id}: only a subsection ends the dealing of a round, and this rule is our own"
        if not (rule.void or rule.ends_dealing) and stops_in_a_deal(cases, rule):
            yield f"rule {rule.id}: it stops the shoe within a round that it does not void"


def _holds(pack: Pack) -> Iterator[str]:
    for rule in pack.rules:
        for hold in rule.holds:
            if (hold.stops or hold.stops_family or hold.while_cause) and not hold.cause_gone:
                yield f"rule {rule.id}: a hold that stops a device must say when its cause is gone"
            if any(option.once_gone for option in hold.ends) and not hold.cause_gone:
                yield f"rule {rule.id}: a hold ends once its cause is gone, and nothing says when that is"
            yield from (
                f"rule {rule.id}: a device saying that all is well does not end a hold that closes a gate"
                for option in hold.ends
                if _only_says_so(option) and hold.gates
            )
            yield from (
                f"rule {rule.id}: a hold keeps gate {gate.id} closed, and nothing else than its work ends it"
                for gate in pack.gates
                if gate.id in hold.gates
                and all(name in WORK.get(gate.family, ()) for option in hold.ends for name in option.on)
            )


def _only_says_so(option: On) -> bool:
    return bool({"device-cleared", "light-shown"} & set(option.on))


def _doubts(pack: Pack) -> Iterator[str]:
    for family in pack.families:
        for doubt in DOUBTS:
            for phase in (*pack.phases, *OUTER_PHASES):
                covered = any(
                    row.family == family
                    and row.doubt == doubt
                    and not row.when
                    and (not row.phases or phase in row.phases)
                    for row in pack.doubts
                )
                if not covered:
                    yield f"doubt {family} {doubt} in phase {phase}: no row says what it does"


def _unused(pack: Pack) -> Iterator[str]:
    used = {name for rule in pack.rules for name in rule.do} | {
        name for one in pack.unseen for name in one.do
    }
    yield from (f"directive {name}: no rule gives it" for name in pack.directives if name not in used)
    doubtful = {row.rule for row in pack.doubts}
    for rule in pack.rules:
        if rule.id not in doubtful and rule.on and set(rule.on) <= DOUBTFUL:
            yield f"rule {rule.id}: it listens to silence and loss, and no doubt names it"
