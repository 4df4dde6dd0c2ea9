"""`felt`: the daemon, and everything that people ask or tell it."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, cast

from felt_daemon import __version__
from felt_daemon.cli import check_config, commands, exits, incident, journal, keys, rules, run, state

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
  felt keys list                              who may give commands, and by which keys
  felt journal verify /var/lib/feltd/journal.db
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="felt",
        description="The table-side controller of a casino card table.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"felt {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    run.register(subparsers)
    state.register(subparsers)
    commands.register(subparsers)
    rules.register(subparsers)
    incident.register(subparsers)
    journal.register(subparsers)
    keys.register(subparsers)
    check_config.register(subparsers)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives its exit code."""
    args = _parser().parse_args(arguments)
    command = cast("Callable[[argparse.Namespace], int]", args.run)
    try:
        return command(args)
    except BrokenPipeError:
        # Whoever read us has seen enough, as `head` does.
        sys.stderr.close()
        return exits.OK
    except KeyboardInterrupt:
        return exits.INTERRUPTED
