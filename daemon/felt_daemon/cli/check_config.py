"""`felt check-config`: every mistake of a configuration file, or every value that holds."""

from __future__ import annotations

import grp
import json
import pwd
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from felt_daemon.cli import exits
from felt_daemon.cli.terminal import tell
from felt_daemon.config import ConfigError, UnreadableConfig, load

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from felt_daemon.config import Config


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `check-config` to the commands of `felt`."""
    parser = subparsers.add_parser(
        "check-config",
        help="list every mistake of a configuration file, or every value that holds",
        description="Checks a configuration file without opening a port or starting anything.",
        epilog=f"Exit code: {exits.OK} valid, {exits.BAD_CONFIG} not valid, {exits.NO_INPUT} cannot be read.",
    )
    parser.add_argument("file", metavar="FILE", help="the configuration file (TOML)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check the file and tell; gives the exit code."""
    file: str = args.file
    as_json: bool = args.json
    try:
        config = load(file)
    except UnreadableConfig as error:
        tell(str(error), sys.stderr)
        return exits.NO_INPUT
    except ConfigError as error:
        _tell_mistakes(file, error, as_json=as_json)
        return exits.BAD_CONFIG
    _tell_values(file, config, as_json=as_json)
    return exits.OK


def _tell_mistakes(file: str, error: ConfigError, *, as_json: bool) -> None:
    if as_json:
        problems = [asdict(problem) for problem in error.problems]
        tell(json.dumps({"file": file, "valid": False, "problems": problems}, indent=2))
        return
    for problem in error.problems:
        tell(problem.shown())
    count = len(error.problems)
    tell(f"{count} mistake{'s' if count > 1 else ''}; feltd does not start with this file", sys.stderr)


def _tell_values(file: str, config: Config, *, as_json: bool) -> None:
    notes = accounts_unknown_here(config)
    if as_json:
        values = [asdict(value) for value in config.effective()]
        found = {"file": file, "valid": True, "digest": config.digest, "values": values, "notes": notes}
        tell(json.dumps(found, indent=2))
        return
    for value in config.effective():
        tell(f"{value.key} = {value.value}  ({value.source})")
    tell(f"digest {config.digest}")
    for note in notes:
        tell(f"note: {note}")


def accounts_unknown_here(config: Config) -> list[str]:
    """Users and groups of the roles that this machine does not have.

    No mistakes: the file may be checked on another machine than the one it is for.
    """
    return [
        f"control.roles.{role}: this machine has no {kind} {name}"
        for role, grant in config.control.roles.items()
        for kind, names, lookup in (
            ("user", grant.users, pwd.getpwnam),
            ("group", grant.groups, grp.getgrnam),
        )
        for name in names
        if not _exists(lookup, name)
    ]


def _exists(lookup: Callable[[str], object], name: str) -> bool:
    try:
        lookup(name)
    except KeyError:
        return False
    return True
