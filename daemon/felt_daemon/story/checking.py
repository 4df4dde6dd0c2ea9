"""Checks a bundle: its rows by their hashes, and everything else by making it again out of them."""

from __future__ import annotations

import json
import zipfile
import zlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

from felt_daemon.rules.library import digest_of
from felt_daemon.story.belonging import belonging
from felt_daemon.story.bundle import FORMAT, FORMAT_V, JSON_NAME, NAMES, SUMS_NAME, Bundle, files_of, sums
from felt_daemon.story.record import BadRow, PublicRow, fault, row_from
from felt_daemon.story.telling import TELLING, Chapter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from felt_daemon.journal.verify import Anchor

# More than any incident needs, and less than what would fill the memory of a small computer.
LARGEST_BYTES = 256 * 1024 * 1024
# What may stand apart from the range, and of which type it is.
_APART = {"start": "started", "began": "gaming-day-began"}
_ZIP_MAGIC = b"PK\x03\x04"


class Flaw(StrEnum):
    """How a bundle can be broken."""

    FILE = "file"
    SUM = "sum-differs"
    FORMAT = "format"
    ROW = "row-changed"
    MISSING = "row-missing"
    PACK = "pack-changed"
    STORY = "story-changed"
    ANCHOR = "anchor-differs"


class Unreadable(Exception):  # noqa: N818 - it is what was met
    """The bundle cannot be checked here; the text says why."""


@dataclass(frozen=True, slots=True)
class BundleProblem:
    """Something wrong with a bundle."""

    what: Flaw
    text: str
    seq: int | None = None


@dataclass(slots=True)
class BundleReport:
    """What a check of a bundle found. `rows` are those of the range, as far as they could be read."""

    path: Path
    table: str = ""
    number: int = 0
    epoch: str = ""
    rows: list[PublicRow] = field(default_factory=list["PublicRow"])
    # Rows from further back that the bundle shows each by itself.
    apart: dict[str, PublicRow] = field(default_factory=dict[str, "PublicRow"])
    # Whether the page, the note and the digests came along, or only incident.json.
    whole: bool = True
    problems: list[BundleProblem] = field(default_factory=list["BundleProblem"])

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def is_bundle(path: Path) -> bool:
    """Whether a path looks like a bundle: a folder, a ZIP or a JSON document, and not a journal."""
    if path.is_dir():
        return True
    try:
        start = _begins(path)
    except OSError:
        return False
    return start == _ZIP_MAGIC or start[:1] == b"{"


def _begins(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(_ZIP_MAGIC))


def check(path: Path, anchors: Sequence[Anchor] = ()) -> BundleReport:
    """Check a ZIP, the folder that was in it, or its `incident.json` alone. Raises Unreadable."""
    report = BundleReport(path)
    files = _files(path, report)
    found = _document(files.get(JSON_NAME), report)
    if found is None:
        return report
    _read_head(found, report)
    if report.sound:
        report.problems += _rows_problems(report)
        report.problems += _pack_problems(found, report)
    if all(one.what in {Flaw.FILE, Flaw.SUM} for one in report.problems):
        report.problems += _told_otherwise(found, files, report)
    report.problems += _anchor_problems(report, anchors)
    return report


def _files(path: Path, report: BundleReport) -> dict[str, bytes]:
    """The bundle's files; whatever is missing, too many or not as the digests say is a problem."""
    try:
        if path.is_dir():
            there = [one.name for one in path.iterdir()]
            files = {name: _bounded(path / name) for name in NAMES if name in there}
        elif _begins(path) == _ZIP_MAGIC:
            there, files = _unzipped(path, report)
        else:
            report.whole = False
            return {JSON_NAME: _bounded(path)}
    except (OSError, zipfile.BadZipFile) as error:
        raise Unreadable(f"{path} cannot be read: {error}") from None
    if JSON_NAME not in there:
        raise Unreadable(f"{path} is no bundle of an incident: it holds no {JSON_NAME}")
    for name in sorted({*there} ^ {*NAMES}):
        text = f"{name} is missing" if name in NAMES else f"{name!r} does not belong in a bundle"
        report.problems.append(BundleProblem(Flaw.FILE, text))
    report.problems += _sum_problems(files)
    return files


def _sum_problems(files: Mapping[str, bytes]) -> Iterator[BundleProblem]:
    """Files that are not those whose digests came along."""
    due = sums({name: data for name, data in files.items() if name != SUMS_NAME})
    if SUMS_NAME not in files or files[SUMS_NAME] == due:
        return
    there = files[SUMS_NAME].decode(errors="replace").splitlines()
    wrong = [line.split()[1] for line in due.decode().splitlines() if line not in there]
    for name in wrong:
        yield BundleProblem(Flaw.SUM, f"{name} is not the file whose digest is in {SUMS_NAME}")
    if not wrong:
        yield BundleProblem(Flaw.SUM, f"{SUMS_NAME} is not as it was written")


def _bounded(path: Path) -> bytes:
    if path.stat().st_size > LARGEST_BYTES:
        raise Unreadable(f"{path} is larger than {LARGEST_BYTES} bytes")
    return path.read_bytes()


def _unzipped(path: Path, report: BundleReport) -> tuple[list[str], dict[str, bytes]]:
    """The names in a ZIP, and those of a bundle's files that can be read."""
    files: dict[str, bytes] = {}
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if sum(entry.file_size for entry in entries) > LARGEST_BYTES:
            raise Unreadable(f"{path} holds more than {LARGEST_BYTES} bytes")
        names = [entry.filename for entry in entries]
        for entry in entries:
            if names.count(entry.filename) > 1:
                text = f"{entry.filename} is in the ZIP more than once"
                report.problems.append(BundleProblem(Flaw.FILE, text))
            elif entry.filename in NAMES:
                try:
                    files[entry.filename] = archive.read(entry)
                except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
                    text = f"{entry.filename} cannot be taken out of the ZIP: {error}"
                    report.problems.append(BundleProblem(Flaw.FILE, text))
    return names, files


def _document(data: bytes | None, report: BundleReport) -> dict[str, Any] | None:
    if data is None:
        return None
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        report.problems.append(BundleProblem(Flaw.FORMAT, f"{JSON_NAME} is no JSON: {error}"))
        return None
    known = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    if known.get("format") != FORMAT:
        raise Unreadable(f"{report.path} is neither a journal nor a bundle of an incident")
    if (known.get("v"), known.get("telling")) != (FORMAT_V, TELLING):
        raise Unreadable(
            f"{report.path} was made by another release (format {known.get('v')}, telling"
            f" {known.get('telling')}); this one checks format {FORMAT_V}, telling {TELLING}"
        )
    return known


def _read_head(found: Mapping[str, Any], report: BundleReport) -> None:
    table, number, epoch, rows = (found.get(name) for name in ("table", "number", "epoch", "rows"))
    if not (
        isinstance(table, str)
        and isinstance(number, int)
        and isinstance(epoch, str)
        and isinstance(rows, list)
    ):
        report.problems.append(
            BundleProblem(Flaw.FORMAT, "table, number, epoch or rows are not as they should be")
        )
        return
    report.table, report.number, report.epoch = table, number, epoch
    try:
        report.rows = [row_from(row) for row in cast("list[object]", rows)]
        report.apart = {name: row_from(found[name]) for name in _APART if found.get(name) is not None}
    except BadRow as error:
        report.problems.append(BundleProblem(Flaw.FORMAT, str(error)))
        return
    if not report.rows:
        report.problems.append(BundleProblem(Flaw.FORMAT, "there is no row in it"))


def _rows_problems(report: BundleReport) -> Iterator[BundleProblem]:
    """The first row of the range that is not what was recorded, and each one apart that is not."""
    before: PublicRow | None = None
    for row in report.rows:
        problem = _row_problem(row, before, report)
        if problem is not None:
            yield problem
            break
        before = row
    for name, row in report.apart.items():
        wrong = fault(row, report.epoch) or _misplaced(name, row, report)
        if wrong is not None:
            yield BundleProblem(Flaw.ROW, f"row {row.seq} is not what was recorded: {wrong}", row.seq)


def _misplaced(name: str, row: PublicRow, report: BundleReport) -> str | None:
    """Why a row cannot be what stands apart under this name; none if it can."""
    if row.stream != report.table or row.type != _APART[name]:
        return f"it is {row.type} of {row.stream}"
    return None


def _row_problem(row: PublicRow, before: PublicRow | None, report: BundleReport) -> BundleProblem | None:
    if row.stream != report.table:
        return BundleProblem(Flaw.ROW, f"row {row.seq} is of {row.stream}, not of {report.table}", row.seq)
    if before is not None and row.seq != before.seq + 1:
        text = f"row {row.seq} stands where row {before.seq + 1} belongs"
        return BundleProblem(Flaw.MISSING, text, before.seq + 1)
    wrong = fault(row, report.epoch)
    if wrong is None and before is not None and row.previous != before.hash:
        wrong = f"it does not follow row {before.seq}"
    if wrong is None:
        return None
    return BundleProblem(Flaw.ROW, f"row {row.seq} is not what was recorded: {wrong}", row.seq)


def _pack_problems(found: Mapping[str, Any], report: BundleReport) -> Iterator[BundleProblem]:
    pack, start = found.get("pack"), report.apart.get("start")
    if pack is None:
        return
    text: object = cast("dict[str, Any]", pack).get("text") if isinstance(pack, dict) else None
    digest = None if start is None else start.get("pack_digest")
    if not isinstance(text, str) or digest_of(text) != digest:
        yield BundleProblem(Flaw.PACK, "the text of the pack is not the one whose digest the start recorded")


def _told_otherwise(
    found: Mapping[str, Any], files: Mapping[str, bytes], report: BundleReport
) -> Iterator[BundleProblem]:
    """Make the bundle again out of its rows, and compare every file, byte for byte."""
    try:
        again = files_of(_bundle(found, report))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        # Rows that no table made, however well their hashes fit.
        yield BundleProblem(Flaw.STORY, f"the rows of the bundle tell no incident: {error}")
        return
    for name, data in again.items():
        if name in files and name != SUMS_NAME and files[name] != data:
            yield BundleProblem(Flaw.STORY, f"{name} is not what the rows of the bundle tell")


def _bundle(found: Mapping[str, Any], report: BundleReport) -> Bundle:
    kept = belonging(report.rows, report.number)
    if not kept:
        raise LookupError(f"no row opens incident {report.number}")
    if kept[-1].row.seq != report.rows[-1].seq or report.rows[0].seq != max(1, kept[0].row.seq - 1):
        raise LookupError("other rows are at its ends than belong there")
    start = report.apart.get("start")
    # Every row names the run of the daemon that recorded it.
    if start is not None and start.start != kept[0].row.start:
        raise LookupError(f"row {start.seq} started another run than that of these rows")
    pack: Mapping[str, Any] | None = found.get("pack")
    chapter = Chapter(
        epoch=report.epoch,
        number=report.number,
        kept=kept,
        first=report.rows[0],
        last=report.rows[-1],
        start=start,
        began=report.apart.get("began"),
        pack=None if pack is None else str(pack["text"]),
    )
    return Bundle(chapter, report.rows)


def _anchor_problems(report: BundleReport, anchors: Sequence[Anchor]) -> Iterator[BundleProblem]:
    rows = {row.seq: row for row in (*report.apart.values(), *report.rows)}
    for anchor in anchors:
        row = rows.get(anchor.seq) if anchor.stream == report.table else None
        if row is None or row.hash != anchor.hash:
            there = "is not in the bundle" if row is None else f"has the hash {row.hash.hex()}"
            text = f"row {anchor.seq} of {anchor.stream} {there}; outside, {anchor.hash.hex()} was kept"
            yield BundleProblem(Flaw.ANCHOR, text, anchor.seq)
