"""`felt journal`: verify, show, tail and replay the journal, also while the daemon writes it."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.cli import exits
from felt_daemon.cli.terminal import tell
from felt_daemon.journal import Filter, JournalBusy, JournalCorrupt, JournalError, Reader
from felt_daemon.journal.instant import utc_text
from felt_daemon.journal.reader import MOST_ROWS
from felt_daemon.journal.text import row_document, row_line
from felt_daemon.journal.verify import Anchor, Report, verify
from felt_daemon.story.checking import Unreadable, is_bundle
from felt_daemon.story.checking import check as check_bundle
from felt_daemon.story.verdict import verdict_document, verdict_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from felt_daemon.journal.entry import Raw

DEFAULT_JOURNAL = Path("/var/lib/feltd/journal.db")

BROKEN = exits.REFUSED
CANNOT_READ = exits.NOT_REACHABLE

_POLL_S = 0.2
_PROGRESS_S = 2.0
_HASH_BYTES = 32
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

EXITS = f"""exit codes:
  {exits.OK}  done; for verify: everything fits together
  {BROKEN}  the journal is broken
  {exits.USAGE}  the command line is wrong
  {CANNOT_READ}  the journal cannot be read: not there, no permission, locked, newer schema
"""

_VERIFY = f"""examples:
  felt journal verify
  felt journal verify /media/usb/journal.db --json
  felt journal verify --anchor table-7:1042:9f86d0...   (the hash that the floor kept of that row)
  felt journal verify incident-table-7-12.zip           (a bundle that `felt incident export` made)

{EXITS}"""

_SHOW = f"""examples:
  felt journal show --stream table-7 --round 41
  felt journal show --type 'felt.ruling.*' --from 2026-03-01 --to 2026-03-02T06:00
  felt journal show --stream table-7 --from 100 --to 120 --json

A point in time is UTC unless it names a zone, and is compared with when the thing happened.
A plain number is a sequence number. Both ends are included.

Private bodies (identities of cards and people, composition of decks) are not shown, because what
is printed is soon in a file, a ticket or a chat. --private shows them: whoever uses it answers
for where they go. It needs no further right, as everyone who can read the file can read them.

{EXITS}"""

_TAIL = f"""examples:
  felt journal tail
  felt journal tail -n 50 --stream table-7
  felt journal tail --follow --type ruling

{EXITS}"""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `journal` to the commands of `felt`."""
    journal = subparsers.add_parser("journal", help="verify, show, follow or replay the journal")
    parts = journal.add_subparsers(metavar="COMMAND", required=True)
    add = partial(add_part, parts)

    checking = add(
        "verify", "check that no row of a journal or a bundle is missing, doubled or changed", _VERIFY
    )
    checking.add_argument("--json", action="store_true", help="print one JSON document")
    checking.add_argument(
        "--anchor",
        action="append",
        default=[],
        type=_anchor,
        metavar="STREAM:SEQ:HASH",
        help="a row's hash that was kept elsewhere; may be given again",
    )
    checking.set_defaults(run=run_verify)

    showing = add("show", "print rows", _SHOW)
    _add_filter(showing)
    showing.add_argument("--from", dest="start", type=_point, help="first sequence number or time")
    showing.add_argument("--to", dest="end", type=_last_point, help="last sequence number or time")
    showing.add_argument("--json", action="store_true", help="print one JSON document")
    showing.set_defaults(run=run_show)

    tailing = add("tail", "print the last rows, and go on with new ones", _TAIL)
    _add_filter(tailing)
    tailing.add_argument("-n", dest="count", type=_count, default=10, help=f"how many, 0 to {MOST_ROWS} (10)")
    tailing.add_argument("-f", "--follow", action="store_true", help="wait for further rows")
    tailing.add_argument("--json", action="store_true", help="print one JSON document per line")
    tailing.set_defaults(run=run_tail)

    # Here, since it takes of this module what all parts of the command have in common.
    from felt_daemon.cli import replay  # noqa: PLC0415 - see above

    replay.register(parts)


def run_verify(args: argparse.Namespace) -> int:
    """Verify a journal, or a bundle of an incident, and tell what was found."""
    path: Path = args.journal
    anchors: list[Anchor] = args.anchor
    as_json: bool = args.json

    if is_bundle(path):
        return _verify_bundle(path, anchors, as_json=as_json)

    def check() -> int:
        report = verify(path, anchors, Progress())
        tell(json.dumps(_report_document(report), indent=2) if as_json else _report_text(report))
        return exits.OK if report.sound else BROKEN

    return guarded(check)


def _verify_bundle(path: Path, anchors: list[Anchor], *, as_json: bool) -> int:
    try:
        report = check_bundle(path, anchors)
    except Unreadable as error:
        tell(f"{error}", sys.stderr)
        return CANNOT_READ
    text = json.dumps(verdict_document(report), indent=2) if as_json else "\n".join(verdict_lines(report))
    tell(text)
    return exits.OK if report.sound else BROKEN


def run_show(args: argparse.Namespace) -> int:
    """Print the rows that are asked for."""
    path: Path = args.journal
    private: bool = args.private
    as_json: bool = args.json
    wanted = _filter(args, getattr(args, "start", None), getattr(args, "end", None))

    def show() -> int:
        with Reader(path) as reader:
            if not as_json:
                for row in _rows(reader, 0, wanted):
                    tell(row_line(row, private=private))
                return exits.OK
            opening = json.dumps({"journal": str(path), "epoch": reader.epoch, "rows": []})
            tell(opening.removesuffix("]}"))
            comma = ""
            for row in _rows(reader, 0, wanted):
                tell(comma + json.dumps(row_document(row, private=private)))
                comma = ","
            tell("]}")
        return exits.OK

    return guarded(show)


def run_tail(args: argparse.Namespace) -> int:
    """Print the last rows and, if asked to, whatever is committed from then on."""
    path: Path = args.journal
    private: bool = args.private
    as_json: bool = args.json
    follow: bool = args.follow
    count: int = args.count
    wanted = _filter(args, None, None)

    def tail() -> int:
        with Reader(path) as reader:
            after = reader.last_id()
            rows: Iterator[Raw] = iter(reader.last(count, wanted) if count else [])
            while True:
                for row in rows:
                    after = max(after, row.id)
                    document = row_document(row, private=private)
                    tell(json.dumps(document) if as_json else row_line(row, private=private))
                sys.stdout.flush()
                if not follow:
                    return exits.OK
                time.sleep(_POLL_S)
                rows = _rows(reader, after, wanted)

    return guarded(tail)


def guarded(work: Callable[[], int]) -> int:
    """Do the work, and turn what hinders it into a sentence and an exit code."""
    try:
        return work()
    except JournalCorrupt as error:
        tell(f"{error}", sys.stderr)
        return BROKEN
    except JournalBusy as error:
        tell(f"{error}. Try again in a moment.", sys.stderr)
        return CANNOT_READ
    except JournalError as error:
        tell(f"{error}", sys.stderr)
        return CANNOT_READ
    except KeyboardInterrupt:
        return exits.OK
    except BrokenPipeError:
        # Whoever read the output has seen enough. Python would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.OK


def _rows(reader: Reader, after: int, wanted: Filter) -> Iterator[Raw]:
    while rows := reader.raw(after, MOST_ROWS, wanted):
        yield from rows
        after = rows[-1].id


class Progress:
    """Tells on stderr how far something long is."""

    def __init__(self) -> None:
        self._next_s = time.monotonic() + _PROGRESS_S

    def __call__(self, done: int, of: int) -> None:
        """So many of so many rows are done."""
        if time.monotonic() >= self._next_s:
            self._next_s = time.monotonic() + _PROGRESS_S
            tell(f"{done} of {of} rows", sys.stderr)


def _report_text(report: Report) -> str:
    lines = [f"{report.path}: epoch {report.epoch}, made {report.created}, schema {report.schema}"]
    for name, stream in sorted(report.streams.items()):
        if stream.problem is None:
            lines.append(f"{name}: rows 1 to {stream.last_seq} unbroken, head {stream.head.hex()}")
        else:
            lines.append(f"{name}: BROKEN after row {stream.last_seq}")
    lines += [f"FAULT ({problem.what}): {problem.text}" for problem in report.problems]
    lines.append(
        f"{report.rows} rows, streams: {len(report.streams)}, faults: {len(report.problems) or 'none'}"
    )
    return "\n".join(lines)


def _report_document(report: Report) -> dict[str, object]:
    problems = [
        {"what": problem.what, "stream": problem.stream, "seq": problem.seq, "text": problem.text}
        for problem in report.problems
    ]
    streams = {
        name: {
            "rows": stream.rows,
            "last_seq": stream.last_seq,
            "head": stream.head.hex(),
            "sound": stream.problem is None,
        }
        for name, stream in sorted(report.streams.items())
    }
    return {
        "journal": str(report.path),
        "epoch": report.epoch,
        "created": report.created,
        "schema": int(report.schema),
        "sound": report.sound,
        "rows": report.rows,
        "streams": streams,
        "problems": problems,
    }


def add_part(
    parts: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
    name: str,
    what: str,
    epilog: str,
) -> argparse.ArgumentParser:
    """Add one part of the command, which reads a journal."""
    parser = parts.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}. Works while feltd runs.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "journal",
        nargs="?",
        type=Path,
        default=DEFAULT_JOURNAL,
        metavar="JOURNAL",
        help=f"the journal's file ({DEFAULT_JOURNAL})",
    )
    return parser


def _add_filter(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stream", "--table", metavar="ID", help="only this table or meter")
    parser.add_argument("--type", help="only these types: part of the name, or a pattern with *")
    parser.add_argument("--round", type=int, help="only what belongs to this round")
    parser.add_argument("--private", action="store_true", help="show private bodies too: see below")


def _filter(args: argparse.Namespace, start: int | str | None, end: int | str | None) -> Filter:
    kind: str | None = args.type
    if kind is not None and not any(char in kind for char in "*?["):
        kind = f"*{kind}*"
    return Filter(
        stream=args.stream,
        type_glob=kind,
        from_seq=start if isinstance(start, int) else None,
        to_seq=end if isinstance(end, int) else None,
        from_utc=start if isinstance(start, str) else None,
        to_utc=end if isinstance(end, str) else None,
        round=args.round,
    )


def _count(text: str) -> int:
    count = int(text)
    if not 0 <= count <= MOST_ROWS:
        raise argparse.ArgumentTypeError(f"{text} is not in 0 to {MOST_ROWS}")
    return count


def _point(text: str) -> int | str:
    """Read a sequence number or a point in time; a date is its first moment."""
    if text.isdecimal():
        return int(text)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a sequence number nor a time such as 2026-03-01T18:30"
        ) from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return utc_text((moment - _EPOCH) // timedelta(microseconds=1))


def _last_point(text: str) -> int | str:
    """Read a sequence number or a point in time; a date is its last moment."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return _point(text)
    if text.isdecimal():
        return int(text)
    return _point(f"{day.isoformat()}T23:59:59.999999")


def _anchor(text: str) -> Anchor:
    try:
        stream, seq, digest = text.rsplit(":", 2)
        anchor = Anchor(stream, int(seq), bytes.fromhex(digest))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not STREAM:SEQ:HASH") from error
    if len(anchor.hash) != _HASH_BYTES:
        raise argparse.ArgumentTypeError(f"{digest!r} is not 64 hexadecimal digits")
    return anchor
