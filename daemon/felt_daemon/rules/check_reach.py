"""Rows that can never fire, holds that can never end, and rows that contradict each other."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from felt_daemon.table.focus import concern_of
from felt_protocols.events import EVENTS, Decision, card, deck, draw, panel, person, reader, station

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from felt_daemon.rules.condition import Atom, Condition
    from felt_daemon.rules.pack import HoldRule, On, Pack, Rule
    from felt_protocols.events import Event

# Which devices tell what; the first that fits counts. What is not here, any device or person may tell.
TOLD_BY: tuple[tuple[type[Event], frozenset[str]], ...] = (
    (card.CardsReturned, frozenset({"continuous-shuffler"})),
    (card.StackDispensed, frozenset({"shoe"})),
    (card.ShoeFact, frozenset({"shoe", "continuous-shuffler"})),
    (deck.InsideCounted, frozenset({"continuous-shuffler", "shuffler"})),
    (deck.ShuffleInterrupted, frozenset({"continuous-shuffler", "shuffler"})),
    (deck.ShufflerFact, frozenset({"shuffler"})),
    (draw.ShakerFact, frozenset({"shaker"})),
    (draw.GeneratorFact, frozenset({"rng"})),
    (reader.ReaderFact, frozenset({"hole-card-reader"})),
    (station.StationFact, frozenset({"progressive-station"})),
    (panel.PanelPressed, frozenset({"dealers-panel"})),
)


def reach_breaches(pack: Pack) -> Iterator[str]:
    """Every breach."""
    yield from _unreachable(pack)
    yield from _phases(pack)
    yield from _shadowed(pack)
    yield from _endless(pack)
    yield from _contradictions(pack)


def _may_come(pack: Pack, name: str) -> bool:
    """Whether a device of the pack, or a person, may tell this."""
    event = EVENTS.get(name)
    if event is None:
        # Another check says that there is no such event.
        return True
    for kind, families in TOLD_BY:
        if issubclass(event, kind):
            return bool(families & {*pack.families})
    return True


def impossible(conditions: Iterable[Condition]) -> bool:
    """Whether no value of some name meets all the conditions that ask for it."""
    allowed: dict[str, set[Atom]] = {}
    for condition in conditions:
        values = _values(condition)
        if values is not None:
            before = allowed.get(condition.left)
            allowed[condition.left] = values if before is None else before & values
    return any(not left for left in allowed.values())


def _values(condition: Condition) -> set[Atom] | None:
    """The only values that meet the condition; none where they cannot be listed."""
    if condition.right_is_name or condition.op not in {"==", "in"}:
        return None
    right = condition.right
    return {*right} if isinstance(right, tuple) else {right}


def _unreachable(pack: Pack) -> Iterator[str]:
    for rule in pack.rules:
        ways = [(rule.on, rule.when), *(((person.Reported.what(),), one.when) for one in rule.as_report)]
        for on, when in ways:
            if on and impossible(when):
                yield f"rule {rule.id}: no fact can ever meet {', '.join(one.text for one in when)}"
        for name in rule.on:
            if name in EVENTS and issubclass(EVENTS[name], Decision):
                yield f"rule {rule.id}: {name} is decided and never told; a rule looks at facts"
            elif not _may_come(pack, name):
                yield f"rule {rule.id}: no device of this pack tells {name}"
    for move in pack.moves:
        if impossible(move.when):
            yield f"move to {move.to}: nothing can ever meet {', '.join(one.text for one in move.when)}"


def _phases(pack: Pack) -> Iterator[str]:
    entered = {pack.phases[0], *(move.to for move in pack.moves)} if pack.phases else set[str]()
    yield from (f"phase {phase}: no move leads to it" for phase in pack.phases if phase not in entered)


def _shadowed(pack: Pack) -> Iterator[str]:
    """A doubt's row that comes after one which takes every case of its family and kind."""
    for index, row in enumerate(pack.doubts):
        if any(
            (one.family, one.doubt) == (row.family, row.doubt)
            and not one.when
            and (not one.phases or (row.phases and {*row.phases} <= {*one.phases}))
            for one in pack.doubts[:index]
        ):
            yield f"doubt {row.family} {row.doubt}: a row before it takes every case of this one ({row.rule})"


def _endless(pack: Pack) -> Iterator[str]:
    for rule in pack.rules:
        for hold in rule.holds:
            if not any(_possible(pack, option) for option in hold.ends):
                yield f"rule {rule.id}: nobody and nothing can ever end its hold ({hold.until})"
            yield from _at_once(rule, hold)
            yield from _unheard(rule, hold)


def _unheard(rule: Rule, hold: HoldRule) -> Iterator[str]:
    """What would end a hold, or show its cause gone, and says nothing of what the hold binds."""
    subject = "deck" if hold.binds in {"other-decks", "aged-decks"} else hold.binds
    for option in (*hold.ends, *hold.cause_gone):
        for name in option.on:
            if name in EVENTS and concern_of(EVENTS[name], subject) == "none":
                yield f"rule {rule.id}: its hold binds a {subject}, and {name} says nothing of one"


def _possible(pack: Pack, option: On) -> bool:
    return any(_may_come(pack, name) for name in option.on) and not impossible(option.when)


def _at_once(rule: Rule, hold: HoldRule) -> Iterator[str]:
    """A hold that the very fact ends which opens it, so that nobody is ever held."""
    asked = {one.text for one in rule.when}
    for option in hold.ends:
        same = {*option.on} & {*rule.on}
        if same and not option.once_gone and {one.text for one in option.when} <= asked:
            yield f"rule {rule.id}: {min(same)} opens its hold and ends it at once"


def _contradictions(pack: Pack) -> Iterator[str]:
    """Two rows on one fact under the same conditions that make different things of it."""
    # Of the rows of doubts the first that fits is the only one.
    doubtful = {row.rule for row in pack.doubts}
    rules = [rule for rule in pack.rules if rule.id not in doubtful]
    for one, other in itertools.combinations(rules, 2):
        if one.effect == other.effect and one.void == other.void:
            continue
        if _same_case(one, other):
            yield f"rules {one.id} and {other.id}: one fact under the same conditions, and two rulings"


def _same_case(one: Rule, other: Rule) -> bool:
    if {*one.on} & {*other.on} and _texts(one.when) == _texts(other.when):
        return True
    return any(
        {*mine.reports} & {*theirs.reports} and _texts(mine.when) == _texts(theirs.when)
        for mine in one.as_report
        for theirs in other.as_report
    )


def _texts(when: Iterable[Condition]) -> set[str]:
    return {condition.text for condition in when}
