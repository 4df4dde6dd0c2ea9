"""`felt`: the daemon, and everything that people ask or tell it."""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import TYPE_CHECKING, cast

from felt_daemon import __version__
from felt_daemon.cli import exits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_EPILOG = """\
examples:
  felt check-config /etc/feltd/table.toml     every mistake of a configuration in one run
  felt run /etc/feltd/table.toml              run the table
  felt state                                  the table now: round, holds, what to do
  felt no-more-bets                           tell the table that no more bets are taken
  felt report dealers-card-exposed            tell the table what no device shows
  felt rules explain "659a.13(m)"             a rule in plain words
  felt incident show 7                        who did what when
  felt explain --last                         why the last ruling was made
  felt keys list                              who may give commands, and by which keys
  felt journal verify /var/lib/feltd/journal.db
  felt broker                                 an MQTT broker for a trial, on a free port
"""


# The module of each command. Only what is asked for is loaded: `felt run` stays small for months.
_MODULES = {
    "run": "run",
    "state": "state",
    "health": "state",
    "rules": "rules",
    "incident": "incident",
    "explain": "explain",
    "journal": "journal",
    "keys": "keys",
    "broker": "broker",
    "check-config": "check_config",
}
# In the order of the help; `commands` are all the others.
_ORDER = (
    "run",
    "state",
    "commands",
    "rules",
    "incident",
    "explain",
    "journal",
    "keys",
    "broker",
    "check_config",
)


def _asked_for(arguments: Sequence[str]) -> tuple[str, ...]:
    """The modules that are needed to understand these arguments: one, or all where help may be wanted."""
    if not arguments or arguments[0].startswith("-"):
        return _ORDER
    module = _MODULES.get(arguments[0])
    if module is not None:
        return (module,)
    from felt_protocols.commands import COMMANDS  # noqa: PLC0415 - as above

    return ("commands",) if arguments[0] in COMMANDS else _ORDER


def _parser(modules: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="felt",
        description="The table-side controller of a casino card table.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"felt {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in modules:
        importlib.import_module(f"felt_daemon.cli.{name}").register(subparsers)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    args = _parser(_asked_for(given)).parse_args(given)
    command = cast("Callable[[argparse.Namespace], int]", args.run)
    try:
        return command(args)
    except BrokenPipeError:
        # Whoever read us has seen enough, as `head` does.
        sys.stderr.close()
        return exits.OK
    except KeyboardInterrupt:
        return exits.INTERRUPTED
