"""`felt run`: the device process of a table, or of several."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon import clock
from felt_daemon.cli import exits
from felt_daemon.cli.terminal import tell
from felt_daemon.clock.kernel import synchronized
from felt_daemon.config import ConfigError, UnreadableConfig, load_all
from felt_daemon.config.certificates import FILES as CERTIFICATES
from felt_daemon.control import SocketTaken
from felt_daemon.journal import JournalError
from felt_daemon.publisher.broker import NoBroker
from felt_daemon.rules.library import BadPack
from felt_daemon.shell.log import log_to_stderr
from felt_daemon.shell.run import run as live
from felt_daemon.shell.table_run import Planned

if TYPE_CHECKING:
    from felt_daemon.config import Config

# The key that names a file of its own, which may be damaged while the configuration is sound.
REGISTER = "people.register"

_EPILOG = f"""\
examples:
  felt run /etc/feltd/table.toml
  felt run examples/asia-poker.toml --state-dir ./state --control ./state/control
  felt run /etc/feltd/asia-1.toml /etc/feltd/dj-1.toml     two tables of one box, in one journal

Each table has its own devices, people, broker and roles. Tables whose files name the same control socket
share it: `felt state --table ID`.

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
        help="run the table, or several",
        description="Runs the table of a configuration, or the tables of several, until it is told to stop.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "configs", metavar="CONFIG", nargs="+", type=Path, help="the configuration file (TOML) of each table"
    )
    parser.add_argument("--state-dir", type=Path, metavar="DIR", help="the journal's folder, if another")
    parser.add_argument("--control", type=Path, metavar="PATH", help="the control socket, if another")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the tables; gives the exit code."""
    files: list[Path] = args.configs
    try:
        configs = _loaded(files)
    except UnreadableConfig as error:
        tell(str(error), sys.stderr)
        return exits.NO_INPUT
    except ConfigError as error:
        for problem in error.problems:
            tell(problem.shown(), sys.stderr)
        return exits.BAD_CONFIG
    # Every value that holds is shown at every start, so that a slip is seen in the log and not on the felt.
    for file, config in zip(files, configs, strict=True):
        if len(configs) > 1:
            tell(f"{config.table.id}: {file}", sys.stderr)
        for one in config.effective():
            tell(f"{one.key} = {one.value}  ({one.source})", sys.stderr)
    log_to_stderr()
    planned = [Planned(config=config, control=args.control or config.control.socket) for config in configs]
    # All name the same folder, or they would not have passed.
    folder: Path = args.state_dir or planned[0].config.journal.directory
    return _live(planned, folder / "journal.db")


def _loaded(files: list[Path]) -> tuple[Config, ...]:
    """The configurations; files that they name may be wrong, and then what needs them waits for them."""
    try:
        return load_all(files, clock_set=synchronized())
    except ConfigError as error:
        wrong = {problem.key for problem in error.problems}
        if not wrong <= {REGISTER, *CERTIFICATES}:
            raise
        # Raises where it is no named file that is wrong, but its name.
        configs = load_all(files, named_files=False)
        for problem in error.problems:
            tell(problem.shown(), sys.stderr)
    # The table itself is as it should be: until its register can be read, nobody is in it.
    if REGISTER in wrong:
        told = "no PIN and no signature counts until this is right"
        tell(f"felt: the table runs all the same; {told}", sys.stderr)
    if wrong & {*CERTIFICATES}:
        told = "the floor may get nothing from it until this is right"
        tell(f"felt: the table runs all the same; {told}", sys.stderr)
    return configs


def _live(tables: list[Planned], journal: Path) -> int:
    try:
        journal.parent.mkdir(parents=True, exist_ok=True)
        return clock.run(lambda time: live(tables, journal, time))
    except (SocketTaken, JournalError) as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.NOT_REACHABLE
    except (NoBroker, BadPack) as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.BAD_CONFIG
    except OSError as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.NO_INPUT
