"""How `felt` asks the running daemon, and what becomes of its answer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from felt_daemon.cli import exits
from felt_daemon.cli.terminal import tell
from felt_daemon.control import Answer, AnswerUnknown, NotReachable, call

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

DEFAULT_SOCKET = "/run/feltd/control"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what every question to the daemon may name."""
    parser.add_argument(
        "--control", default=DEFAULT_SOCKET, metavar="PATH", help="the daemon's control socket"
    )
    parser.add_argument(
        "--role", choices=("dealer", "floor", "tech", "finance", "floor-system"), help="in which role"
    )
    parser.add_argument("--person", metavar="NAME", help="who gives it: a name or badge")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def ask(args: argparse.Namespace, command: str, fields: Mapping[str, object]) -> Answer | int:
    """The daemon's answer, or the exit code after telling why there is none."""
    try:
        return call(args.control, command, fields, role=args.role, person=args.person)
    except NotReachable as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.NOT_REACHABLE
    except AnswerUnknown as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.UNKNOWN
