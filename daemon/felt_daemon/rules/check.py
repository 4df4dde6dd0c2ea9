"""What a pack must keep beyond its format, each breach in words for whoever writes packs."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from felt_daemon.table.measures import MEASURES
from felt_protocols.events import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from felt_daemon.rules.condition import Condition
    from felt_daemon.rules.pack import On, Pack, Rule

DOUBTS = ("stale", "lost", "unverified")
# Facts that make a doubt, and the doubt that they make.
DOUBTFUL = {"device-stale", "device-lost", "device-restarted", "events-lost"}
# The phases that a pack does not name: no round is on, and the round is void.
OUTER_PHASES = ("none", "void")


def check(pack: Pack) -> list[str]:
    """Every breach; an empty list is a sound pack."""
    return [
        *_conditions(pack),
        *_names(pack),
        *_effects(pack),
        *_holds(pack),
        *_doubts(pack),
        *_unused(pack),
    ]


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), 1)
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


def _conditions(pack: Pack) -> Iterator[str]:
    for place, events, conditions in _uses(pack):
        yield from (
            f"{place}: no event is called {name}{_nearest(name, EVENTS)}"
            for name in events
            if name not in EVENTS
        )
        listened = [EVENTS[name].model_fields for name in events if name in EVENTS]
        shared = [name for name in (listened[0] if listened else ()) if all(name in one for one in listened)]
        known = {*MEASURES, *pack.constants, *shared}
        for condition in conditions:
            yield from (
                f"{place}: {condition.text!r} asks for {name}, which it cannot know{_nearest(name, known)}"
                for name in condition.names()
                if name not in known
            )


def _names(pack: Pack) -> Iterator[str]:
    phases = {*pack.phases, *OUTER_PHASES, "end"}
    gates = {gate.id for gate in pack.gates}
    for rule in pack.rules:
        yield from (
            f"rule {rule.id}: no directive is called {name}"
            for name in rule.do
            if name not in pack.directives
        )
        for hold in rule.holds:
            yield from (
                f"rule {rule.id}: no gate is called {name}"
                for name in (*hold.gates, *hold.while_cause)
                if name not in gates
            )
    for move in pack.moves:
        yield from (
            f"move: no phase is called {name}" for name in (*move.from_, move.to) if name not in phases
        )
    for clock in pack.clocks:
        if clock.on not in EVENTS:
            yield f"clock {clock.id}: no event is called {clock.on}{_nearest(clock.on, EVENTS)}"


def _effects(pack: Pack) -> Iterator[str]:
    for rule in pack.rules:
        closes = any(hold.gates or hold.while_cause for hold in rule.holds)
        stops = any(hold.stops for hold in rule.holds)
        if not (rule.holds or rule.void or rule.passing):
            yield f"rule {rule.id}: it neither holds, nor voids, nor passes; nobody would see it"
        if rule.passing and (rule.holds or rule.void):
            yield f"rule {rule.id}: what passes can neither hold nor void"
        if rule.effect == "advise" and (closes or stops or rule.void):
            yield f"rule {rule.id}: it only advises, and yet closes a gate, stops a device or voids the round"
        if rule.effect == "no-new-round" and not closes:
            yield f"rule {rule.id}: no-new-round, and no hold of it closes a gate"
        if _stops_an_honest_round(pack, rule):
            yield f"rule {rule.id}: it stops the shoe within a round that it does not void"


def _stops_an_honest_round(pack: Pack, rule: Rule) -> bool:
    """Stopping in mid-deal voids an honest round, so that only a row that voids it anyway may do it."""
    if rule.void or not any(hold.stops for hold in rule.holds):
        return False
    shoe = {"shoe-jammed", "shoe-stopped", "stack-dispensed", "card-drawn", "shoe-emptied", "shoe-unloaded"}
    if not shoe & set(rule.on):
        return False
    dealing = {phase for move in pack.moves if move.to == "dealing" for phase in (move.to,)}
    for condition in rule.when:
        if condition.left == "phase" and condition.op == "in" and isinstance(condition.right, tuple):
            return bool(dealing & set(condition.right))
        if condition.left == "phase" and condition.op == "==":
            return condition.right in dealing
    return True


def _holds(pack: Pack) -> Iterator[str]:
    for rule in pack.rules:
        for hold in rule.holds:
            if (hold.stops or hold.while_cause) and not hold.cause_gone:
                yield f"rule {rule.id}: a hold that stops a device must say when its cause is gone"
            yield from (
                f"rule {rule.id}: a device saying that all is well does not end a hold that closes a gate"
                for option in hold.ends
                if _only_says_so(option) and hold.gates
            )


def _only_says_so(option: On) -> bool:
    return bool({"device-cleared", "light-shown"} & set(option.on))


def _doubts(pack: Pack) -> Iterator[str]:
    for row in pack.doubts:
        if row.rule != "nothing" and row.rule not in pack.by_id:
            yield f"doubt {row.family} {row.doubt}: no rule is called {row.rule}"
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
        if rule.id not in doubtful and set(rule.on) <= DOUBTFUL:
            yield f"rule {rule.id}: it listens to silence and loss, and no doubt names it"
