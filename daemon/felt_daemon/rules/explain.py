"""Rules, reports and what else keeps a text, in plain words: what they demand, which tests hold them."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import TYPE_CHECKING, Any

from felt_daemon.rules.library import chapters, load
from felt_daemon.rules.text import called, citations
from felt_daemon.rules.trace import says

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from felt_daemon.rules.pack import HoldRule, Pack, ReportKind, Rule

_DOTTED = re.compile(r"^(\d{3}a\.\d{1,2})((?:\.[a-z0-9]+)+)$")


def citation(text: str) -> str:
    """A citation as packs write it: `659a.13.m` and `659A.13(M)` are both `659a.13(m)`."""
    plain = text.strip().lower().removeprefix("§").strip()
    dotted = _DOTTED.match(plain)
    if dotted is None:
        return plain
    return dotted[1] + "".join(f"({part})" for part in dotted[2].strip(".").split("."))


def tests_of(chapter: str) -> dict[str, list[str]]:
    """The tests that hold each row and each other thing that keeps a subsection, by what marks call it.

    They are in the index that is kept with the packs.
    """
    index = resources.files("felt_daemon.rules") / "packs" / f"{chapter}.tests.json"
    if not index.is_file():
        return {}
    found: dict[str, list[str]] = json.loads(index.read_text(encoding="utf-8"))
    return found


def explain(
    asked: str, chapter: str | None = None, packs: Mapping[str, Pack] | None = None
) -> list[dict[str, Any]]:
    """Every rule of this citation or id; one entry, too, for a subsection that only people can report.

    Of one chapter or, without, of all: chapters have rules of one name where they say the same. `packs`: all
    that there are, by name; those that come along where it is left out.
    """
    found: list[dict[str, Any]] = []
    for name, pack in _among(chapter, packs):
        found += explained(pack, tests_of(name), asked)
    return found


def _among(chapter: str | None, packs: Mapping[str, Pack] | None) -> Iterator[tuple[str, Pack]]:
    for name in [chapter] if chapter else packs or chapters():
        yield name, packs[name] if packs else load(name)


def explained(pack: Pack, tests: dict[str, list[str]], asked: str) -> list[dict[str, Any]]:
    """The same of one pack, whose rules are held by these tests."""
    wanted = citation(asked)
    rules = [
        _rule(pack, rule, tests.get(rule.id, []))
        for rule in pack.rules
        if wanted in {rule.id, *rule.cite} or any(cite.startswith(f"{wanted}(") for cite in rule.cite)
    ]
    unseen = [
        {
            "cite": [one.cite],
            "game": pack.source.game,
            "says": one.says,
            "why": one.why,
            "directives": [pack.directives[name] for name in one.do],
            "tests": [],
        }
        for one in pack.unseen
        if wanted == one.cite
    ]
    return [*rules, *unseen, *_left_to_people(pack, wanted)]


def _left_to_people(pack: Pack, wanted: str) -> Iterator[dict[str, Any]]:
    """The subsection, or the one that has it, where no row keeps it and the pack says why."""
    for section, about in pack.text.items():
        for letter, reason in about.aside.items():
            name = f"{section}({letter})"
            if wanted == name or wanted.startswith(f"{name}("):
                yield {
                    "cite": [name],
                    "game": pack.source.game,
                    "says": f"{about.title}: no row keeps this subsection.",
                    "why": reason,
                    "directives": [],
                    "tests": [],
                }


def _rule(pack: Pack, rule: Rule, tests: list[str]) -> dict[str, Any]:
    return {
        "id": rule.id,
        "cite": list(rule.cite),
        "basis": rule.basis,
        "game": pack.source.game,
        "source": pack.source.bulletin,
        "standing": pack.source.standing,
        "since": rule.since.isoformat(),
        "text": pack.text_of(rule),
        "says": rule.says,
        "on": list(rule.on),
        "when": [condition.text for condition in rule.when],
        "reported_as": [
            {"report": word, "when": [one.text for one in way.when], "says": pack.reports[word].says}
            for way in rule.as_report
            for word in way.reports
        ],
        "effect": rule.effect,
        "void": rule.void,
        "directives": [pack.directives[name] for name in rule.do],
        "holds": [_hold(hold) for hold in rule.holds],
        "note": rule.note,
        "tests": tests,
    }


def _words(rule: Rule) -> list[str]:
    """The reports that fire the rule, each once."""
    return list(dict.fromkeys(word for one in rule.as_report for word in one.reports))


def reports_of(pack: Pack, tests: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    """Everything that people can report in this game: by whom, what must be said with it, what it makes."""
    return [
        _report(pack, word, kind, tests.get(called("report", word), []))
        for word, kind in pack.reports.items()
    ]


def explain_reports(
    asked: str, chapter: str | None = None, packs: Mapping[str, Pack] | None = None
) -> list[dict[str, Any]]:
    """Every report of this word or citation, of one chapter or of all; `packs` as for `explain`."""
    wanted = citation(asked)
    return [
        one
        for name, pack in _among(chapter, packs)
        for one in reports_of(pack, tests_of(name))
        if _is_meant(wanted, one["report"], one["cite"])
    ]


def explain_others(
    asked: str, chapter: str | None = None, packs: Mapping[str, Pack] | None = None
) -> list[dict[str, Any]]:
    """Everything else that keeps this citation, as permits, elections and patterns of the deal.

    Each may be asked for by what the marks of tests call it, as `deal/manual-shoe`; `packs` as for `explain`.
    """
    wanted = citation(asked)
    return [
        one
        for name, pack in _among(chapter, packs)
        for one in _others(pack, tests_of(name))
        if _is_meant(wanted, called(one["kind"], one["name"]), one["cite"])
    ]


def _is_meant(wanted: str, name: str, cites: list[str]) -> bool:
    return wanted in {name, *cites} or any(cite.startswith(f"{wanted}(") for cite in cites)


def _others(pack: Pack, tests: Mapping[str, list[str]]) -> Iterator[dict[str, Any]]:
    cites: dict[tuple[str, str], list[str]] = {}
    for cite, kind, name in citations(pack):
        if kind not in ("rule", "report", "unseen"):
            cites.setdefault((kind, name), []).append(cite)
    for (kind, name), cited in cites.items():
        yield {
            "kind": kind,
            "name": name,
            "cite": cited,
            "game": pack.source.game,
            "says": says(pack, kind, name),
            "tests": tests.get(called(kind, name), []),
        }


def _report(pack: Pack, word: str, kind: ReportKind, tests: list[str]) -> dict[str, Any]:
    return {
        "report": word,
        "cite": list(kind.cite),
        "game": pack.source.game,
        "says": kind.says,
        "by": list(kind.by),
        "asks": list(kind.asks),
        "family": kind.family,
        "needs": [{"when": need.when.text, "says": need.says} for need in kind.needs],
        "rulings": [rule.id for rule in pack.rules if word in _words(rule)],
        "tests": tests,
    }


def _hold(hold: HoldRule) -> dict[str, Any]:
    return {
        "binds": hold.binds,
        "gates": list(hold.gates),
        "stops": hold.stops,
        "until": hold.until,
        "override": hold.override,
        "note": hold.note,
    }
