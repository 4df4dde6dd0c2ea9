"""What a pack must keep of people's part: reports, panels, openings, and ways to shuffle and deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.rules.pack import REPORTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.condition import Condition
    from felt_daemon.rules.pack import Pack, Way

METHOD_CHOSEN = "method-chosen"
# What people tell, and what a house may let follow from something else or do without.
TOLD = ("no-more-bets", "round-end")


def people_breaches(pack: Pack) -> Iterator[str]:
    """Every breach."""
    yield from _reports(pack)
    yield from _briefs(pack)
    yield from _opening(pack)
    yield from _names(pack)


def uses(pack: Pack) -> Iterator[tuple[str, tuple[str, ...], tuple[Condition, ...]]]:
    """Every place of people's part with conditions: where, the events it listens to, the conditions."""
    for rule in pack.rules:
        for one in rule.as_report:
            yield f"rule {rule.id}, as a report", (REPORTED,), one.when
    for word, kind in pack.reports.items():
        yield f"report {word}", (REPORTED,), tuple(need.when for need in kind.needs)
    for inference in pack.inferences:
        yield f"inference of {inference.becomes}", inference.on, inference.when
    for word, way in ways(pack):
        yield f"way {word}", (METHOD_CHOSEN,), tuple(need.when for need in way.needs)


def ways(pack: Pack) -> Iterator[tuple[str, Way]]:
    """Every way to shuffle, to deal and to find the start, by its word."""
    if pack.methods is not None:
        for kind in (pack.methods.shuffle, pack.methods.deal, pack.methods.start):
            yield from kind.items()


def method_words(pack: Pack) -> dict[str, tuple[str, ...]]:
    """The words that each measure of how the house plays can be."""
    methods = pack.methods
    return {
        "shuffle_method": tuple(methods.shuffle if methods else ()),
        "deal_method": tuple(methods.deal if methods else ()),
        "deal_before": tuple(methods.deal if methods else ()),
        "start_method": tuple(methods.start if methods else ()),
    }


def _reports(pack: Pack) -> Iterator[str]:
    fired = {word for rule in pack.rules for one in rule.as_report for word in one.reports}
    yield from (
        f"report {word}: a rule listens to it, and nobody can report it"
        for word in sorted(fired - {*pack.reports})
    )
    for word, kind in pack.reports.items():
        does = kind.marks or kind.table or kind.deals or kind.sets or "seats" in kind.asks
        if word not in fired and not does:
            yield f"report {word}: no rule listens to it and it changes nothing"
        if (kind.marks or kind.deals) and "deck" not in kind.asks:
            yield f"report {word}: it is about a deck, and does not ask which"
        if kind.checks is not None and kind.checks not in pack.reports:
            yield f"report {word}: it checks {kind.checks}, which nobody can report"
        if kind.family is not None and kind.family not in pack.families:
            yield f"report {word}: the pack has no family {kind.family}"
    for rule in pack.rules:
        if not (rule.on or rule.as_report):
            yield f"rule {rule.id}: no event and no report can fire it"


def _briefs(pack: Pack) -> Iterator[str]:
    for name in pack.brief:
        if name not in pack.directives:
            yield f"brief {name}: no directive is called so"
    lasting = {name for rule in pack.rules if not rule.passing for name in rule.do}
    for name in pack.done:
        if name not in pack.directives:
            yield f"done {name}: no directive is called so"
        elif name not in lasting:
            yield f"done {name}: only passing rows give it, whose directives end by done_on or with the round"
    if "dealers-panel" in pack.families:
        yield from (
            f"directive {name}: a panel has no room for it; give it in few words under [brief]"
            for name in pack.directives
            if name not in pack.brief
        )


def _opening(pack: Pack) -> Iterator[str]:
    if pack.opening is None:
        return
    marked = {kind.marks for kind in pack.reports.values()}
    yield from (f"opening: nobody can report {mark}" for mark in pack.opening.marks if mark not in marked)


def _names(pack: Pack) -> Iterator[str]:
    for word, way in ways(pack):
        if way.family is not None and way.family not in pack.families:
            yield f"way {word}: the pack has no family {way.family}"
    for kind, name in (pack.methods.by_default if pack.methods else {}).items():
        if name not in getattr(pack.methods, kind):
            yield f"methods: {kind} is {name} by default, and there is no such way"
    told = {one.told for one in pack.inferences} | {need.told for gate in pack.gates for need in gate.needs}
    for word in sorted(word for word in told if word is not None and word not in TOLD):
        yield f"told {word}: a house chooses about {' and '.join(TOLD)} alone"
    for inspection in pack.inspections:
        if inspection.family not in pack.families:
            yield f"inspection: the pack has no family {inspection.family}"
