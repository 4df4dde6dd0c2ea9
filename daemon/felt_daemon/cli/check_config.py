"""`felt check-config`: every mistake of configuration files, or every value that holds."""

from __future__ import annotations

import datetime as dt
import grp
import json
import pwd
import sys
from argparse import RawDescriptionHelpFormatter
from dataclasses import asdict
from typing import TYPE_CHECKING

from felt_daemon.cli import exits
from felt_daemon.cli.terminal import tell
from felt_daemon.config import ConfigError, UnreadableConfig, load_all
from felt_daemon.config.certificates import certificate_notes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from felt_daemon.config import Config


_EPILOG = f"""\
examples:
  felt check-config /etc/feltd/table.toml
  felt check-config /etc/feltd/asia-1.toml /etc/feltd/dj-1.toml     two tables of one process

Several files are held against each other as well: each table has its own id, ports and serial numbers, and
all have one journal.

exit codes: {exits.OK} valid, {exits.BAD_CONFIG} not valid, {exits.NO_INPUT} a file cannot be read
"""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `check-config` to the commands of `felt`."""
    parser = subparsers.add_parser(
        "check-config",
        help="list every mistake of a configuration file, or every value that holds",
        description="Checks configuration files without opening a port or starting anything.",
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="the configuration file (TOML) of each table"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check the files and tell; gives the exit code."""
    files: list[str] = args.files
    as_json: bool = args.json
    try:
        configs = load_all(files)
    except UnreadableConfig as error:
        tell(str(error), sys.stderr)
        return exits.NO_INPUT
    except ConfigError as error:
        _tell_mistakes(files, error, as_json=as_json)
        return exits.BAD_CONFIG
    _tell_values(dict(zip(files, configs, strict=True)), as_json=as_json)
    return exits.OK


def _tell_mistakes(files: list[str], error: ConfigError, *, as_json: bool) -> None:
    if as_json:
        problems = [asdict(problem) for problem in error.problems]
        _tell_document(files, {"valid": False, "problems": problems})
        return
    for problem in error.problems:
        tell(problem.shown())
    count = len(error.problems)
    which = "this file" if len(files) == 1 else "these files"
    tell(f"{count} mistake{'s' if count > 1 else ''}; feltd does not start with {which}", sys.stderr)


def _tell_values(configs: Mapping[str, Config], *, as_json: bool) -> None:
    if as_json:
        found = [_document(config) for config in configs.values()]
        if len(found) == 1:
            _tell_document(list(configs), {"valid": True, **found[0]})
        else:
            tables = [{"file": file, **one} for file, one in zip(configs, found, strict=True)]
            _tell_document(list(configs), {"valid": True, "tables": tables})
        return
    for file, config in configs.items():
        if len(configs) > 1:
            tell(f"{file}: table {config.table.id}")
        for value in config.effective():
            tell(f"{value.key} = {value.value}  ({value.source})")
        tell(f"digest {config.digest}")
        for note in notes(config):
            tell(f"note: {note}")


def _document(config: Config) -> dict[str, object]:
    values = [asdict(value) for value in config.effective()]
    return {"digest": config.digest, "values": values, "notes": notes(config)}


def _tell_document(files: list[str], found: Mapping[str, object]) -> None:
    about = {"file": files[0]} if len(files) == 1 else {"files": files}
    tell(json.dumps({**about, **found}, indent=2))


def notes(config: Config) -> list[str]:
    """What is no mistake and worth a look."""
    return [*accounts_unknown_here(config), *certificate_notes(config, dt.datetime.now(dt.UTC))]


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
