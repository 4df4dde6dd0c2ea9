"""What a check of a bundle found, in words and for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.story.checking import BundleReport

_PROVES = """\
This proves that none of these rows was changed, left out, put in or moved, and that the story is
theirs. It does not prove by itself that all of it was not forged together, or that nothing came
after the last row: compare these hashes with the floor's copy of the same rows, or with the
journal (--anchor does it)."""
_ALONE = "Only incident.json was checked: the page, the note and the digests of the bundle were not at hand."


def verdict_lines(report: BundleReport) -> Iterator[str]:
    """What was found, what it proves, and the hashes to compare with what others kept."""
    yield f"{report.path}: incident {report.number} of {report.table}, epoch {report.epoch}"
    if report.sound:
        first, last = report.rows[0], report.rows[-1]
        yield f"{report.table}: rows {first.seq} to {last.seq} unbroken, {len(report.rows)} rows"
        if not report.whole:
            yield _ALONE
        yield _PROVES
        for row in sorted(
            {row.seq: row for row in (*report.apart.values(), first, last)}.values(), key=lambda row: row.seq
        ):
            yield f"  {report.table}:{row.seq}:{row.hash.hex()}"
    for problem in report.problems:
        yield f"FAULT ({problem.what}): {problem.text}"
    yield f"faults: {len(report.problems) or 'none'}"


def verdict_document(report: BundleReport) -> dict[str, object]:
    """The same for JSON."""
    return {
        "bundle": str(report.path),
        "table": report.table,
        "incident": report.number,
        "epoch": report.epoch,
        "sound": report.sound,
        "whole": report.whole,
        "rows": len(report.rows),
        "anchors": [
            {"seq": row.seq, "hash": row.hash.hex()}
            for row in (*report.apart.values(), *report.rows[:1], *report.rows[-1:])
        ],
        "problems": [
            {"what": problem.what, "seq": problem.seq, "text": problem.text} for problem in report.problems
        ],
    }
