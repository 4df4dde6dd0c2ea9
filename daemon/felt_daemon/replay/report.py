"""What came of a replay, for people and for programs."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from felt_daemon.replay.told import document_of, words_of
from felt_daemon.story.markup import visible
from felt_daemon.story.span import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from felt_daemon.replay.replaying import Difference, Report
    from felt_daemon.rules import Pack
    from felt_protocols.events import Row

# So many letters of a digest tell packs and releases apart for people.
_SHORT = 12
# Facts that are listed beside the first.
_MOST_LISTED = 10


def report_lines(report: Report, software: str, width: int) -> Iterator[str]:
    """The report as text, at most `width` columns wide."""
    for line in _lines(report, software):
        indent = " " * (len(line) - len(line.lstrip()))
        yield from textwrap.wrap(
            visible(line), width, subsequent_indent=indent + "    ", break_long_words=False
        )


def _lines(report: Report, software: str) -> Iterator[str]:
    facts, decisions = plural(report.facts, "fact"), plural(report.decisions, "decision")
    yield f"{report.table}: rows {report.first} to {report.last}, {facts}, {decisions}"
    for run in report.runs:
        started = run.started
        other = "" if started.software_digest == software else ", other programs than these"
        yield (
            f"  row {run.seq}: feltd {started.version} with pack {started.pack}"
            f" {started.pack_digest[:_SHORT] or 'without a digest'}{other}"
        )
    for one in report.undecided:
        today = f"they fail today as well ({one.failed})" if one.failed else "today they do not"
        yield f"  row {one.row.seq}: the rules failed on it; {today}"
    for seq in report.lies:
        yield f"  the SNAPSHOT after row {seq} is not the state that the rows make: do not trust it"
    if report.same:
        yield "every decision comes out as it was recorded"
        return
    if not report.differing:
        yield "every decision comes out as it was recorded, but not every snapshot"
        return
    yield f"DIFFERENT: {plural(report.differing, 'fact')} of {report.facts}"
    yield from _first(report.differences[0])
    more = [str(one.recorded[0].seq) for one in report.differences[1 : _MOST_LISTED + 1]]
    if more:
        rest = report.differing - 1 - len(more)
        yield f"further facts: rows {', '.join(more)}{f' and {rest} more' if rest else ''}"
    for rule in sorted(report.recorded.keys() | report.decided.keys()):
        made, due = report.recorded[rule], report.decided[rule]
        if made != due:
            yield f"ruling {rule}: recorded {plural(made, 'time')}, decided {plural(due, 'time')}"


def _first(one: Difference) -> Iterator[str]:
    fact = one.recorded[0]
    yield f"the first: row {fact.seq}, {fact.event.what()}: {words_of(fact, one.pack)}"
    if one.failed:
        yield f"  the rules FAIL on it today: {one.failed}"
    yield from _side("recorded", one.recorded[one.index :], one.pack)
    yield from _side("decided", one.decided[one.index :], one.pack)


def _side(name: str, rows: Sequence[Row], pack: Pack) -> Iterator[str]:
    yield f"  {name}{'' if rows else ': nothing more'}"
    for row in rows[:_MOST_LISTED]:
        yield f"    {row.seq}  {row.event.what()}: {words_of(row, pack)}"
    if len(rows) > _MOST_LISTED:
        yield f"    and {plural(len(rows) - _MOST_LISTED, 'row')} more"


def report_document(report: Report, software: str) -> dict[str, Any]:
    """The report as one JSON document."""
    return {
        "table": report.table,
        "from": report.first,
        "to": report.last,
        "facts": report.facts,
        "decisions": report.decisions,
        "same": report.same,
        "differing": report.differing,
        "differences": [_difference(one) for one in report.differences],
        "undecided": [{"seq": one.row.seq, "fails": one.failed or None} for one in report.undecided],
        "snapshots_that_lie": report.lies,
        "runs": [
            {
                "seq": run.seq,
                "version": run.started.version,
                "pack": run.started.pack,
                "pack_digest": run.started.pack_digest,
                "software_digest": run.started.software_digest,
                "these_programs": run.started.software_digest == software,
            }
            for run in report.runs
        ],
        "rulings": {
            rule: {"recorded": report.recorded[rule], "decided": report.decided[rule]}
            for rule in sorted(report.recorded.keys() | report.decided.keys())
            if report.recorded[rule] != report.decided[rule]
        },
    }


def _difference(one: Difference) -> dict[str, Any]:
    return {
        "fact": document_of(one.recorded[0], one.pack),
        "fails": one.failed or None,
        "recorded": [document_of(row, one.pack) for row in one.recorded[one.index :]],
        "decided": [document_of(row, one.pack) for row in one.decided[one.index :]],
    }
