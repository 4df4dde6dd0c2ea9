"""How `felt` asks the running daemon, who is said to ask, and what becomes of the answer."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.cli import exits
from felt_daemon.cli.terminal import tell
from felt_daemon.control import Answer, AnswerUnknown, NotReachable, Second, call

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

DEFAULT_SOCKET = "/run/feltd/control"
# Two PINs are checked one after the other, on a slow box.
_WITH_PIN_S = 45.0


class _NoPin(Exception):  # noqa: N818 - the name says what is missing
    """The file that has the PIN cannot be read; the text says why."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what every question to the daemon may name."""
    parser.add_argument(
        "--control", default=DEFAULT_SOCKET, metavar="PATH", help="the daemon's control socket"
    )
    parser.add_argument("--table", metavar="ID", help="which table, where several are at that socket")
    parser.add_argument(
        "--role", choices=("dealer", "floor", "tech", "finance", "floor-system"), help="in which role"
    )
    parser.add_argument(
        "--person",
        metavar="NAME",
        help="who gives it; where there is a register of people, the id there, and the PIN is asked for",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def add_proof(parser: argparse.ArgumentParser) -> None:
    """Add what a command may need beside a name. A PIN is never an argument: others could read it there."""
    parser.add_argument(
        "--second", metavar="NAME", help="the other person, for what takes two; gives a PIN, too"
    )
    parser.add_argument(
        "--pin-file",
        metavar="PATH",
        help="read the PIN from the first line of this file, - for stdin; that of --second from the next",
    )


def ask(args: argparse.Namespace, command: str, fields: Mapping[str, object]) -> Answer | int:
    """The daemon's answer, or the exit code after telling why there is none."""
    name: str | None = getattr(args, "second", None)
    try:
        pin, other = _pins(args, name)
        second = None if name is None else Second(name, other)
        timeout_s = 10.0 if pin is None and other is None else _WITH_PIN_S
        return call(
            args.control,
            command,
            fields,
            role=args.role,
            person=args.person,
            pin=pin,
            second=second,
            table=args.table,
            timeout_s=timeout_s,
        )
    except _NoPin as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.NO_INPUT
    except NotReachable as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.NOT_REACHABLE
    except AnswerUnknown as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.UNKNOWN
    except ValueError as error:
        tell(f"felt: not asked: {error}", sys.stderr)
        return exits.USAGE


def _pins(args: argparse.Namespace, second: str | None) -> tuple[str | None, str | None]:
    """The PIN of each person who is named: out of the file, or asked for where there is a terminal."""
    if not hasattr(args, "pin_file") or (args.person is None and second is None):
        return None, None
    if args.pin_file is not None:
        lines = _lines(args.pin_file)
        pin = None if args.person is None else lines.pop(0) if lines else ""
        return pin, None if second is None else lines.pop(0) if lines else ""
    if not sys.stdin.isatty() or not call(args.control, "ping", table=args.table).data.get("pins"):
        return None, None
    return _typed(args.person), _typed(second)


def _typed(name: str | None) -> str | None:
    """What was typed unseen; none where nothing was, and the name alone may be enough."""
    return None if name is None else getpass.getpass(f"PIN of {name}: ") or None


def _lines(path: str) -> list[str]:
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _NoPin(f"{path}: the PIN cannot be read: {getattr(error, 'strerror', 'no text')}") from None
    return text.splitlines()
