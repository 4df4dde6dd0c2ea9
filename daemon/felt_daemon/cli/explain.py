"""`felt explain`: why a row says what it says."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.cli import exits
from felt_daemon.cli.journal import DEFAULT_JOURNAL, Progress
from felt_daemon.cli.replay import add_config, config_of, under_its_law, width
from felt_daemon.cli.terminal import tell
from felt_daemon.journal import Reader
from felt_daemon.replay import Laws
from felt_daemon.replay.explaining import explain, last_ruling
from felt_daemon.replay.explanation import explanation_lines
from felt_daemon.shell.software import packages, software_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXPLAIN = f"""examples:
  felt explain --last                           the last ruling
  felt explain 1042                             a row by its number, as `felt journal show` has it
  felt explain 9f86d081884c7d65-1042            the same by the event's id
  felt explain 1042 --journal copy.db --json

Shown are the facts that led to the row, the rule with its citation and with each condition as it was at that
moment, the rows, elections or constants that its values came from, the incident with its holds and what
ended them, and what else was decided. Of a row that is no ruling: what caused it, and what it caused. Private
bodies are not shown.

exit codes:
  {exits.OK}  done
  {exits.REFUSED}  there is no such row, or the journal is broken
  {exits.USAGE}  the command line is wrong
  {exits.NOT_REACHABLE}  the journal cannot be read: not there, no permission, locked, newer schema
"""
_ID = re.compile(r"(?:(?P<epoch>[0-9a-f]+)-)?(?P<seq>[1-9][0-9]{0,18})")


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `explain` to the commands of `felt`."""
    parser = subparsers.add_parser(
        "explain",
        help="why a ruling was made, from the facts to what ended it",
        description="Explains a row of the journal. Reads its file, also while feltd runs.",
        epilog=_EXPLAIN,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("event", nargs="?", metavar="EVENT", help="a row's number, or an event's id")
    parser.add_argument("--last", action="store_true", help="the last ruling")
    parser.add_argument(
        "--journal", type=Path, default=DEFAULT_JOURNAL, metavar="PATH", help=f"the file ({DEFAULT_JOURNAL})"
    )
    parser.add_argument("--table", metavar="ID", help="of this table, where the journal has several")
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run_explain)


def run_explain(args: argparse.Namespace) -> int:
    """Explain one row."""
    event: str | None = args.event
    path: Path = args.journal
    as_json: bool = args.json
    asked = None if event is None else _ID.fullmatch(event)
    if (event is None) != args.last or (event is not None and asked is None):
        tell("felt: give a row's number, an event's id, or --last; see felt explain --help", sys.stderr)
        return exits.USAGE

    def work() -> int:
        with Reader(path) as reader:
            table = _table(reader.streams(), args.table)
            if table is None:
                return exits.REFUSED
            if asked is not None and asked["epoch"] not in (None, reader.epoch):
                tell(f"felt: {path} is another journal: its epoch is {reader.epoch}", sys.stderr)
                return exits.REFUSED
            seq = last_ruling(reader, table) if asked is None else int(asked["seq"])
            if seq is None or reader.find(table, seq) is None:
                what = "no ruling" if seq is None else f"no row {seq}"
                tell(f"felt: there is {what} of {table} in {path}", sys.stderr)
                return exits.REFUSED
            laws = Laws(reader, software_digest(packages()), config=config_of(args))
            found = explain(laws, table, seq, Progress())
        for line in [json.dumps(found, indent=2)] if as_json else explanation_lines(found, width()):
            tell(line)
        return exits.OK

    return under_its_law(work)


def _table(streams: Sequence[str], named: str | None) -> str | None:
    """The table that is meant; none, and said so, where there is none or several."""
    if named is not None or len(streams) == 1:
        return named or streams[0]
    words = f"several tables: {', '.join(streams)}; say --table" if streams else "no rows"
    tell(f"felt: the journal has {words}", sys.stderr)
    return None
