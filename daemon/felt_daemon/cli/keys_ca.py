"""`felt keys ca`: a certificate authority for a small site, which has no other."""

from __future__ import annotations

import argparse
import getpass
import ipaddress
import json
import re
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from felt_daemon.cli import exits
from felt_daemon.cli.terminal import tell
from felt_protocols.errors import FeltError
from felt_protocols.topics import checked

if TYPE_CHECKING:
    from collections.abc import Callable

    # Only who makes certificates loads the library for it.
    from felt_daemon.certificates.authority import Kind
    from felt_daemon.certificates.folder import Entry, Folder

DEFAULT_FOLDER = Path("ca")
DEFAULT_NAME = "felt authority"
AUTHORITY_DAYS = 3650
ISSUED_DAYS = 397
_MOST_DAYS = 36500
_SHORTEST_PASSPHRASE = 8
_LONGEST_NAME = 64
# One label after the other, as DNS has them; wildcards are nobody's name. Source: RFC 1123, 2.1.
_HOST = re.compile(
    r"(?=.{1,253}\Z)(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\Z", re.IGNORECASE
)

_EPILOG = f"""\
examples:
  felt keys ca init ca --name "Rivers authority"           the authority: ca/authority.pem and its key
  felt keys ca issue-broker broker.floor.example 10.3.0.1  the broker, by each name that tables call it
  felt keys ca issue-table asia-1                          a table, by its id
  felt keys ca issue-consumer pit                          a program of the floor, by its id
  felt keys ca issue-table asia-1 --renew                  a new pair in the place of the old one
  felt keys ca list                                        everything, and how long it is still valid
  felt keys ca show asia-1
  felt keys ca init ca --renew                             more time for the authority; its key stays

The folder is "{DEFAULT_FOLDER}" here unless --ca names another. Keep it away from the floor, on a disk that
is locked away: whoever has authority.key can be any table. `init --passphrase` keeps that key under a
passphrase, which is asked for, or read with --passphrase-file.

exit codes: {exits.OK} done, {exits.REFUSED} not possible, {exits.USAGE} the command line is wrong,
{exits.NO_INPUT} a file cannot be read or written, {exits.BAD_CONFIG} a file of the folder is damaged.
Nothing is made unless the code is {exits.OK}, and nothing is written over without --renew.
"""


class _Told(NamedTuple):
    """What to say about what was done, to people and to programs."""

    text: str
    document: dict[str, Any]


class Refused(FeltError):  # noqa: N818 - a refusal is an answer
    """What was asked for is not possible; the text says what would be right."""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `ca` to the commands of `felt keys`."""
    ca = subparsers.add_parser(
        "ca",
        help="certificates for a small site: tables, the broker, consumers",
        description="Keeps a certificate authority in a folder, for mutual TLS with the broker.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = ca.add_subparsers(metavar="COMMAND", required=True)
    begin = _part(parts, "init", _init, "make the authority")
    begin.add_argument(
        "ca", nargs="?", type=Path, default=DEFAULT_FOLDER, metavar="DIR", help="its folder (ca)"
    )
    begin.add_argument(
        "--name", type=_name, default=DEFAULT_NAME, help=f"what it calls itself ({DEFAULT_NAME})"
    )
    begin.add_argument("--passphrase", action="store_true", help="ask for a passphrase for its key, twice")
    _making(begin, AUTHORITY_DAYS)
    clients: tuple[tuple[Kind, str], ...] = (("table", "a table"), ("consumer", "a program of the floor"))
    for kind, whom in clients:
        issue = _part(
            parts, f"issue-{kind}", partial(_issue, kind), f"make a key and a certificate for {whom}"
        )
        issue.add_argument("name", type=_id, metavar="ID", help="its id, which becomes the common name")
        _making(issue, ISSUED_DAYS)
        _where(issue)
    broker = _part(
        parts, "issue-broker", partial(_issue, "broker"), "make a key and a certificate for a broker"
    )
    broker.add_argument("hosts", nargs="+", type=_host, metavar="HOST", help="each name or address it has")
    _making(broker, ISSUED_DAYS)
    _where(broker)
    _where(_part(parts, "list", _list, "show the authority and all that it has issued"))
    show = _part(parts, "show", _show, "show one certificate")
    show.add_argument("name", metavar="NAME", help='an id, a host, or "authority"')
    _where(show)


def _part(
    parts: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
    name: str,
    work: Callable[[argparse.Namespace], _Told],
    what: str,
) -> argparse.ArgumentParser:
    parser = parts.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=partial(_run, work))
    return parser


def _where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ca", type=Path, default=DEFAULT_FOLDER, metavar="DIR", help="the authority's folder (ca)"
    )


def _making(parser: argparse.ArgumentParser, days: int) -> None:
    parser.add_argument(
        "--days", type=_days, default=days, metavar="N", help=f"how long it is valid ({days})"
    )
    parser.add_argument("--renew", action="store_true", help="take the place of the one that is there")
    parser.add_argument(
        "--passphrase-file",
        type=Path,
        metavar="FILE",
        help="the first line is the passphrase of authority.key",
    )


def _run(work: Callable[[argparse.Namespace], _Told], args: argparse.Namespace) -> int:
    """Do the work, and turn what hinders it into a sentence and an exit code."""
    from felt_daemon.certificates.folder import Damaged, NotPossible  # noqa: PLC0415 - its library has 6 MB

    as_json: bool = args.json
    try:
        told = work(args)
    except (Refused, NotPossible) as error:
        tell(str(error), sys.stderr)
        return exits.REFUSED
    except Damaged as error:
        tell(f"{error}\nNothing was made.", sys.stderr)
        return exits.BAD_CONFIG
    except OSError as error:
        tell(f"{error.filename}: {error.strerror}", sys.stderr)
        return exits.NO_INPUT
    tell(json.dumps(told.document, indent=2) if as_json else told.text)
    return exits.OK


def _init(args: argparse.Namespace) -> _Told:
    folder = _folder(args)
    if args.renew:
        entry = folder.renew(args.days, _now(), _passphrase(folder, args))
        return _made(
            entry, "the authority has more time; give authority.pem to tables, consumers and the broker"
        )
    passphrase = _read_passphrase(args.passphrase_file) if args.passphrase_file else None
    if passphrase is None and args.passphrase:
        passphrase = _asked_twice()
    entry = folder.begin(args.name, args.days, _now(), passphrase)
    kept = "under its passphrase" if passphrase else "without a passphrase: whoever reads it can be any table"
    return _made(
        entry, f"{entry.key} is kept {kept}.\nNext: felt keys ca issue-broker HOST --ca {folder.path}"
    )


def _issue(kind: Kind, args: argparse.Namespace) -> _Told:
    from felt_daemon.certificates.authority import BACKDATED, LONGEST_NAME, Wish  # noqa: PLC0415 - as above

    folder = _folder(args)
    hosts: list[str] = args.hosts if kind == "broker" else []
    name = hosts[0] if hosts else args.name
    if len(name) > LONGEST_NAME:
        raise Refused(f"the first name has more than {LONGEST_NAME} characters; give a shorter one first")
    now = _now()
    wish = Wish(
        kind=kind,
        name=name,
        begins=now - BACKDATED,
        until=now + timedelta(days=args.days),
        hosts=hosts,
    )
    entry = folder.issue(wish, _passphrase(folder, args), renew=args.renew)
    short = "" if entry.days(now) >= args.days else "\nIt ends with the authority: felt keys ca init --renew"
    return _made(entry, f"its key is {entry.key}: whoever reads that file can be {name}.{short}")


def _made(entry: Entry, more: str) -> _Told:
    document = {**_document(entry, _now()), "key": str(entry.key)}
    text = f"{entry.file} is valid until {entry.certificate.until:%Y-%m-%d %H:%M} UTC;\n{more}"
    return _Told(text, document)


def _list(args: argparse.Namespace) -> _Told:
    folder, now = _folder(args), _now()
    found = list(folder.entries())
    return _Told(
        "\n".join(_line(entry, now) for entry in found),
        {"ca": str(folder.path), "certificates": [_document(entry, now) for entry in found]},
    )


def _show(args: argparse.Namespace) -> _Told:
    folder, now = _folder(args), _now()
    for entry in folder.entries():
        if args.name == ("authority" if entry.kind == "authority" else entry.name):
            one = entry.certificate
            text = (
                f"{entry.kind} {entry.name}\n"
                f"  valid from  {one.begins:%Y-%m-%d %H:%M} UTC\n"
                f"  until       {one.until:%Y-%m-%d %H:%M} UTC ({_left(entry, now)})\n"
                f"  SHA-256     {one.fingerprint}\n"
                f"  file        {entry.file}"
            )
            if hosts := entry.hosts:
                text += f"\n  names       {' '.join(hosts)}"
            return _Told(text, _document(entry, now))
    raise Refused(f"{folder.path} has nothing of the name {args.name}; felt keys ca list shows what it has")


def _line(entry: Entry, now: datetime) -> str:
    return f"{entry.kind:<9}  {entry.name:<32}  {entry.certificate.until:%Y-%m-%d}  {_left(entry, now)}"


def _left(entry: Entry, now: datetime) -> str:
    days = entry.days(now)
    return "EXPIRED" if days == 0 else f"{days} day{'' if days == 1 else 's'} left"


def _document(entry: Entry, now: datetime) -> dict[str, Any]:
    one = entry.certificate
    return {
        "kind": entry.kind,
        "name": entry.name,
        "hosts": entry.hosts,
        "file": str(entry.file),
        "begins": f"{one.begins:%Y-%m-%dT%H:%M:%SZ}",
        "until": f"{one.until:%Y-%m-%dT%H:%M:%SZ}",
        "days": entry.days(now),
        "expired": entry.days(now) == 0,
        "sha256": one.fingerprint,
    }


def _folder(args: argparse.Namespace) -> Folder:
    from felt_daemon.certificates.folder import Folder  # noqa: PLC0415 - as above

    return Folder(args.ca)


def _passphrase(folder: Folder, args: argparse.Namespace) -> bytes | None:
    """What opens the authority's key; None where it needs nothing."""
    if args.passphrase_file:
        return _read_passphrase(args.passphrase_file)
    if not folder.has_passphrase():
        return None
    if not sys.stdin.isatty():
        raise Refused(
            "authority.key has a passphrase and there is no terminal to ask at: --passphrase-file FILE"
        )
    return getpass.getpass("Passphrase of the authority: ").encode()


def _read_passphrase(file: Path) -> bytes:
    first = file.read_text(encoding="utf-8").partition("\n")[0].encode()
    return _long_enough(first, str(file))


def _asked_twice() -> bytes:
    if not sys.stdin.isatty():
        raise Refused("there is no terminal to ask for a passphrase at: --passphrase-file FILE")
    given = getpass.getpass("Passphrase for the authority: ").encode()
    if getpass.getpass("Once more: ").encode() != given:
        raise Refused("the two are not the same; nothing was made")
    return _long_enough(given, "the passphrase")


def _long_enough(passphrase: bytes, where: str) -> bytes:
    if len(passphrase) < _SHORTEST_PASSPHRASE:
        raise Refused(f"{where}: a passphrase has {_SHORTEST_PASSPHRASE} characters at least")
    return passphrase


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def _id(text: str) -> str:
    try:
        return checked(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _host(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        if _HOST.match(text):
            return text.lower()
    raise argparse.ArgumentTypeError(f"{text!r} is no host name and no IP address")


def _name(text: str) -> str:
    if not 1 <= len(text) <= _LONGEST_NAME or not text.isprintable():
        raise argparse.ArgumentTypeError(f"a name has 1 to {_LONGEST_NAME} characters that can be seen")
    return text


def _days(text: str) -> int:
    days = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= days <= _MOST_DAYS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days from 1 to {_MOST_DAYS}")
    return days
