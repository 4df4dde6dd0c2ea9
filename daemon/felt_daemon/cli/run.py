"""`felt run`: the device process of one table."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from felt_daemon import clock
from felt_daemon.cli import exits
from felt_daemon.cli.terminal import tell
from felt_daemon.config import Config, ConfigError, UnreadableConfig, load, parse
from felt_daemon.control import SocketTaken
from felt_daemon.journal import JournalError
from felt_daemon.publisher.broker import NoBroker
from felt_daemon.rules.library import BadPack
from felt_daemon.shell.run import Places
from felt_daemon.shell.run import run as live

# The key that names a file of its own, which may be damaged while the configuration is sound.
REGISTER = "people.register"

_EPILOG = f"""\
examples:
  felt run /etc/feltd/table.toml
  felt run examples/asia-poker.toml --state-dir ./state --control ./state/control

A missing device, network or broker is no reason to end: the table is up, degraded, and heals by itself.

exit codes: {exits.OK} told to stop, {exits.BAD_CONFIG} the configuration is not valid,
{exits.NO_INPUT} a file cannot be read, {exits.NOT_REACHABLE} another feltd has the journal or the socket,
{exits.SOFTWARE} the program failed and should be started again
"""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `run` to the commands of `felt`."""
    parser = subparsers.add_parser(
        "run",
        help="run the table",
        description="Runs the table of a configuration until it is told to stop.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the configuration file (TOML)")
    parser.add_argument("--state-dir", type=Path, metavar="DIR", help="the journal's folder, if another")
    parser.add_argument("--control", type=Path, metavar="PATH", help="the control socket, if another")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the table; gives the exit code."""
    file: Path = args.config
    try:
        config = load(file)
    except UnreadableConfig as error:
        tell(str(error), sys.stderr)
        return exits.NO_INPUT
    except ConfigError as error:
        for problem in error.problems:
            tell(problem.shown(), sys.stderr)
        if any(problem.key != REGISTER for problem in error.problems):
            return exits.BAD_CONFIG
        # The table itself is as it should be: until its register can be read, nobody is in it.
        tell(
            "felt: the table runs all the same; no PIN and no signature counts until this is right",
            sys.stderr,
        )
        config = parse(file.read_bytes(), str(file))
    except BadPack as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.BAD_CONFIG
    # Every value that holds is shown at every start, so that a slip is seen in the log and not on the felt.
    for one in config.effective():
        tell(f"{one.key} = {one.value}  ({one.source})", sys.stderr)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="felt: %(message)s")
    return _live(config, _places(args, config))


def _places(args: argparse.Namespace, config: Config) -> Places:
    folder: Path = args.state_dir or config.journal.directory
    control: Path = args.control or config.control.socket
    return Places(config=args.config, journal=folder / "journal.db", control=control)


def _live(config: Config, places: Places) -> int:
    try:
        places.journal.parent.mkdir(parents=True, exist_ok=True)
        return clock.run(lambda time: live(config, places, time))
    except (SocketTaken, JournalError) as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.NOT_REACHABLE
    except NoBroker as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.BAD_CONFIG
    except OSError as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.NO_INPUT
