"""`felt incident`: the incidents in a journal, the story of one, and a bundle that anybody can check."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.cli import exits
from felt_daemon.cli.journal import DEFAULT_JOURNAL, guarded
from felt_daemon.cli.terminal import tell
from felt_daemon.journal import Reader
from felt_daemon.story import document, find, summaries
from felt_daemon.story import tell as told
from felt_daemon.story.bundle import Bundle, files_of, stem, zipped
from felt_daemon.story.finding import rows_of
from felt_daemon.story.show import story_lines, summary_lines
from felt_daemon.story.span import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_daemon.story import Found, Summary

# What fits a page, a mail and most terminals.
_WIDTH = 100
_NARROWEST = 60

_EXITS = f"""exit codes:
  {exits.OK}  done
  {exits.REFUSED}  no such incident, the journal is broken there, or the bundle is there already
  {exits.USAGE}  the command line is wrong
  {exits.NOT_REACHABLE}  the journal cannot be read: not there, no permission, locked, newer schema
"""

_LIST = f"""examples:
  felt incident list
  felt incident list --open
  felt incident list --since 2026-03-01 --device shoe-1 --json

Times are UTC: the zone of the table is not in the journal.

{_EXITS}"""

_SHOW = f"""examples:
  felt incident show 12
  felt incident show 12 --journal /media/usb/journal.db --json

{_EXITS}"""

_EXPORT = f"""examples:
  felt incident export 12 --to /media/usb             makes /media/usb/incident-table-7-12.zip
  felt incident export 12 --to case-4711.zip
  felt incident export 12 --to /media/usb --folder    makes /media/usb/incident-table-7-12/

Whoever gets the bundle checks it with `felt journal verify`, or by hand as its README.txt says.

{_EXITS}"""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `incident` to the commands of `felt`."""
    incident = subparsers.add_parser("incident", help="what happened: list, show or export incidents")
    parts = incident.add_subparsers(metavar="COMMAND", required=True)
    add = partial(_add, parts)

    listing = add("list", "every incident of the journal", _LIST)
    listing.add_argument("--open", action="store_true", help="only those that are not over")
    listing.add_argument(
        "--since", type=date.fromisoformat, metavar="DATE", help="only those opened since then"
    )
    listing.add_argument("--row", help="only those of this rule or citation")
    listing.add_argument("--deck", help="only those about this deck")
    listing.add_argument("--device", help="only those about this device")
    listing.add_argument("--json", action="store_true", help="print one JSON document")
    listing.set_defaults(run=run_list)

    showing = add("show", "the story of one incident", _SHOW)
    showing.add_argument("number", type=int, metavar="NUMBER", help="the incident's number")
    showing.add_argument("--json", action="store_true", help="print one JSON document")
    showing.set_defaults(run=run_show)

    exporting = add("export", "one incident as a bundle that anybody can check", _EXPORT)
    exporting.add_argument("number", type=int, metavar="NUMBER", help="the incident's number")
    exporting.add_argument(
        "--to", type=Path, default=Path(), metavar="PATH", help="a folder, made if need be, or FILE.zip (.)"
    )
    exporting.add_argument("--folder", action="store_true", help="make a folder, not a ZIP")
    exporting.add_argument("--force", action="store_true", help="replace what is there")
    exporting.set_defaults(run=run_export)


def run_list(args: argparse.Namespace) -> int:
    """List incidents."""

    def show() -> int:
        with Reader(args.journal) as reader:
            found = [one for table in _tables(reader, args.table) for one in summaries(reader, table)]
        wanted = [one for one in found if _wanted(one, args)]
        if args.json:
            tell(json.dumps({"incidents": [one.document() for one in wanted]}, indent=2))
            return exits.OK
        for line in summary_lines(wanted, _width()):
            tell(line)
        overridden = sum(bool(one.overrides) for one in wanted)
        tell(
            f"{plural(len(wanted), 'incident')}, open: {sum(one.closed is None for one in wanted)},"
            f" overridden: {overridden or 'none'}"
        )
        return exits.OK

    return guarded(show)


def run_show(args: argparse.Namespace) -> int:
    """Show one incident."""

    def show(_reader: Reader, found: Found) -> int:
        story = told(found.chapter)
        if args.json:
            broken = None if found.broken is None else found.broken.text
            tell(json.dumps(document(story) | {"broken": broken}, indent=2))
        else:
            for line in story_lines(story, _width()):
                tell(line)
        return exits.OK if found.broken is None else exits.REFUSED

    return _with_incident(args, show)


def run_export(args: argparse.Namespace) -> int:
    """Write the bundle of one incident."""

    def export(reader: Reader, found: Found) -> int:
        if found.broken is not None:
            tell("felt: nothing is exported from a journal that is broken there", sys.stderr)
            return exits.REFUSED
        chapter = found.chapter
        rows = list(rows_of(reader, chapter.last.stream, chapter.first.seq, chapter.last.seq))
        files = files_of(Bundle(chapter, rows))
        target = _target(args.to, stem(told(chapter)), folder=args.folder)
        if target.exists() and not args.force:
            tell(f"felt: {target} is there already; --force replaces it", sys.stderr)
            return exits.REFUSED
        try:
            _write(target, files, folder=args.folder)
        except OSError as error:
            tell(f"felt: {target} cannot be written: {error.strerror}", sys.stderr)
            return exits.REFUSED
        tell(
            f"{target}: {len(rows)} rows, {chapter.first.seq} to {chapter.last.seq} of {chapter.last.stream},"
            f" last hash {chapter.last.hash.hex()}"
        )
        return exits.OK

    return _with_incident(args, export)


def _with_incident(args: argparse.Namespace, work: Callable[[Reader, Found], int]) -> int:
    """Find the incident that is asked for, say what is wrong with its rows, and do the work with it."""

    def look() -> int:
        with Reader(args.journal) as reader:
            tables = _tables(reader, args.table)
            found = {table: one for table in tables if (one := find(reader, table, args.number)) is not None}
            if len(found) > 1:
                tell(f"felt: several tables have it: {', '.join(found)}; say --table", sys.stderr)
                return exits.REFUSED
            for one in found.values():
                if one.broken is not None:
                    tell(f"THE JOURNAL IS BROKEN HERE: {one.broken.text}", sys.stderr)
                return work(reader, one)
            tell(f"felt: there is no incident {args.number} in {args.journal}", sys.stderr)
            return exits.REFUSED

    return guarded(look)


def _tables(reader: Reader, table: str | None) -> list[str]:
    return reader.streams() if table is None else [table]


def _wanted(one: Summary, args: argparse.Namespace) -> bool:
    since: date | None = args.since
    return (
        (not args.open or one.closed is None)
        and (since is None or one.opened.utc >= since.isoformat())
        and (args.row is None or args.row in {one.row, *one.cite})
        and all(
            name is None or f"{kind}/{name}" in one.things
            for kind, name in (("deck", args.deck), ("device", args.device))
        )
    )


def _target(to: Path, name: str, *, folder: bool) -> Path:
    """Where the bundle goes: under its own name into a folder, or to the ZIP that is named."""
    if to.suffix == ".zip" and not folder and not to.is_dir():
        return to
    return to / (name if folder else f"{name}.zip")


def _write(target: Path, files: Mapping[str, bytes], *, folder: bool) -> None:
    """Write the bundle whole or, as a ZIP, not at all."""
    (target if folder else target.parent).mkdir(parents=True, exist_ok=True)
    if folder:
        for name, data in files.items():
            (target / name).write_bytes(data)
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(zipped(files))
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _width() -> int:
    """As wide as the terminal, within what can be read well; as wide as a page where there is none."""
    return max(_NARROWEST, min(_WIDTH, shutil.get_terminal_size((_WIDTH, 0)).columns))


def _add(
    parts: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
    name: str,
    what: str,
    epilog: str,
) -> argparse.ArgumentParser:
    parser = parts.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}. Reads the journal's file, also while feltd runs.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--journal", type=Path, default=DEFAULT_JOURNAL, metavar="PATH", help=f"the file ({DEFAULT_JOURNAL})"
    )
    parser.add_argument("--table", metavar="ID", help="only this table, where the journal has several")
    return parser
