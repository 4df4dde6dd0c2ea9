"""Rows that contradict each other, and rows that stop a shoe within a round that they do not void."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from felt_daemon.rules.check_cases import one_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.check_cases import Case, Cases, When
    from felt_daemon.rules.pack import HoldRule, Rule
    from felt_protocols.events import Event

# What cards are dealt from.
SHOES = ("continuous-shuffler", "shoe")


def contradictions(cases: Cases) -> Iterator[str]:
    """Rows that make different things of one case.

    What a fact shows may be two troubles; then two rows fire, and whatever either holds is held. It is one
    trouble where one of the rows never fires without the other, or where both ask for the same things.
    """
    # Of the rows of doubts the first that fits is the only one.
    doubtful = {row.rule for row in cases.pack.doubts}
    rows = [(rule, list(cases.of_rule(rule))) for rule in cases.pack.rules if rule.id not in doubtful]
    for (one, its), (other, others) in itertools.combinations(rows, 2):
        if (one.effect, one.void) == (other.effect, other.void):
            continue
        pairs = itertools.product(its, others)
        case = next(
            (mine for mine, theirs in pairs if _contradict(cases, (one, mine), (other, theirs))), None
        )
        if case is not None:
            yield (
                f"rules {one.id} and {other.id}: one {case.name} fires both, and {one.id} {_does(one)} where"
                f" {other.id} {_does(other)}; make one row of them, or let each exclude the other"
            )


def _does(rule: Rule) -> str:
    return "voids the round" if rule.void else f"says {rule.effect}"


def _contradict(cases: Cases, one: tuple[Rule, Case], other: tuple[Rule, Case]) -> bool:
    (rule, mine), (another, theirs) = one, other
    if not mine.same_fact(theirs):
        return False
    asked, also = _names(mine), _names(theirs)
    if asked - also and also - asked:
        return False
    if not cases.meet(mine.event, (*mine.when, *theirs.when)):
        return False
    within = cases.implies(mine.event, mine.when, theirs.when)
    around = cases.implies(mine.event, theirs.when, mine.when)
    if rule.void == another.void and within is not around:
        # Where another subsection, or our own row, says more of some of the cases, both are kept.
        return bool({*rule.cite} & {*another.cite})
    return within or around or asked == also


def _names(case: Case) -> set[str]:
    return {name for one in case.when for name in one.names()}


def stops_in_a_deal(cases: Cases, rule: Rule) -> bool:
    """Whether the row may stop a shoe while it deals.

    That spoils an honest round, so that only a row that voids it anyway may do it.
    """
    rows = [row for row in cases.pack.doubts if row.rule == rule.id]
    fired: list[tuple[type[Event] | None, When]] = [(None, cases.of_doubt(row)) for row in rows]
    if not rows:
        fired += [(case.event, case.when) for case in cases.of_rule(rule)]
    dealing = one_of("phase", cases.pack.deals_in)
    stopped = [(*about, dealing) for about in map(_stopped_shoe, rule.holds) if about is not None]
    return any(cases.meet(event, (*when, *more)) for more in stopped for event, when in fired)


def _stopped_shoe(hold: HoldRule) -> When | None:
    """What must be so for the hold to stop a shoe; none where it stops no shoe at all."""
    if hold.stops_family is None:
        return (one_of("family", SHOES),) if hold.stops else None
    # It is stopped whatever device the fact is about.
    return () if hold.stops_family in SHOES else None
