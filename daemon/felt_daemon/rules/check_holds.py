"""Holds that can never end, that end with what opens them, and ends that no hold can hear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.focus import concern_of
from felt_protocols.events import EVENTS, Decision, person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.check_cases import Case, Cases
    from felt_daemon.rules.pack import HoldRule, On, Rule

# What is no fact, and what ends the hold that it names, whatever the pack says.
_DEAF_TO = (Decision, person.HoldOverridden)


def hold_breaches(cases: Cases) -> Iterator[str]:
    """Every breach."""
    for rule in cases.pack.rules:
        for hold in rule.holds:
            gone = any(_heard(cases, option) for option in hold.cause_gone)
            if not any(_heard(cases, option) and (gone or not option.once_gone) for option in hold.ends):
                yield f"rule {rule.id}: nobody and nothing can ever end its hold ({hold.until})"
            for option in (*hold.ends, *hold.cause_gone):
                yield from (f"rule {rule.id}: {words}" for words in _unheard(cases, hold, option))
            yield from _at_once(cases, rule, hold)


def _heard(cases: Cases, option: On) -> bool:
    """Whether a hold can ever hear this end, or this cause gone."""
    # Another check says that there is no such event.
    return any(name not in EVENTS for name in option.on) or any(
        cases.told(case.event)
        and cases.meet(case.event, case.when, remedy=True)
        and _counts(cases, option, case)
        for case in _facts(cases, option)
    )


def _facts(cases: Cases, option: On) -> list[Case]:
    """The cases of an end that are facts which a hold hears."""
    return [case for case in cases.of(option.on, option.when) if not issubclass(case.event, _DEAF_TO)]


def _counts(cases: Cases, option: On, case: Case) -> bool:
    """Whether whoever may report it is somebody whose word counts."""
    return not (case.report and option.by) or bool({*option.by} & {*cases.pack.reports[case.report].by})


def _unheard(cases: Cases, hold: HoldRule, option: On) -> Iterator[str]:
    """Why an end, or a cause gone, is never heard, in words."""
    subject = "deck" if hold.binds in {"other-decks", "aged-decks"} else hold.binds
    for name in option.on:
        if name in EVENTS and issubclass(EVENTS[name], _DEAF_TO):
            yield f"its hold never hears {name}; write a fact, what people do or a device tells"
        elif name in EVENTS and concern_of(EVENTS[name], subject) == "none":
            yield f"its hold binds a {subject}, and {name} says nothing of one"
    facts = _facts(cases, option)
    if not facts or any(cases.names.slips(option.on, option.when)):
        return
    if why := cases.why_never(facts, remedy=True):
        yield f"an end of its hold: no fact can ever meet {why}"
    elif not _heard(cases, option) and all(cases.told(case.event) for case in facts):
        yield f"an end of its hold: {', '.join(option.by)} cannot report it; write under by who can"


def _at_once(cases: Cases, rule: Rule, hold: HoldRule) -> Iterator[str]:
    """A hold that the very fact ends which opens it, so that nobody is ever held."""
    opened = list(cases.of_rule(rule))
    for option in hold.ends:
        for end in () if option.once_gone else _facts(cases, option):
            for case in opened:
                if case.same_fact(end) and cases.implies(case.event, case.when, end.when):
                    yield f"rule {rule.id}: {case.name} opens its hold and ends it at once"
