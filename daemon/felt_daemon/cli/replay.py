"""`felt journal replay`: every fact decided again, and compared with what was recorded."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.cli import exits
from felt_daemon.cli.journal import EXITS, Progress, add_part, guarded
from felt_daemon.cli.terminal import tell
from felt_daemon.config import ConfigError, UnreadableConfig
from felt_daemon.config import parse as parse_config
from felt_daemon.journal import Reader
from felt_daemon.replay import Laws, NoLaw, replay
from felt_daemon.replay.report import report_document, report_lines
from felt_daemon.shell.software import packages, software_digest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from felt_daemon.config import Config

# What fits a page, a mail and most terminals.
_WIDTH = 100
_NARROWEST = 60

_REPLAY = f"""examples:
  felt journal replay
  felt journal replay --since 1042
  felt journal replay --pack new/659a.toml              what would a changed pack have decided?
  felt journal replay /media/usb/journal.db --json

Each fact is decided again in the state that it met, under the rule pack and the configuration that the
journal keeps for its run. Then the state goes on with the rows as they were recorded, so that every
difference stands alone. What the rules failed on, and what people were refused, stays as it is.

Nothing is written. Whether rows were changed afterwards, `felt journal verify` says.

{EXITS}  {exits.DIFFERENT}  something is decided otherwise than it was recorded
"""


def register(
    parts: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `replay` to the commands of `felt journal`."""
    parser = add_part(parts, "replay", "decide every fact again, and compare with what was recorded", _REPLAY)
    parser.add_argument("--since", type=int, default=1, metavar="SEQ", help="from the fact of this row on")
    parser.add_argument("--pack", type=Path, metavar="FILE", help="this rule pack instead of those of then")
    parser.add_argument("--table", metavar="ID", help="only this table, where the journal has several")
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run_replay)


def add_config(parser: argparse.ArgumentParser) -> None:
    """The option for journals of before the daemon kept what configurations say."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the configuration, where the journal does not hold it"
    )


def run_replay(args: argparse.Namespace) -> int:
    """Replay every table that is asked for, and tell what came of it."""
    path: Path = args.journal
    since: int = args.since
    as_json: bool = args.json

    def work() -> int:
        with Reader(path) as reader:
            laws = Laws(reader, software_digest(packages()), args.pack, config_of(args))
            tables = reader.streams() if args.table is None else [args.table]
            reports = [replay(laws, table, since, Progress()) for table in tables]
        same = all(report.same for report in reports)
        if as_json:
            told = [report_document(report, laws.software) for report in reports]
            tell(json.dumps({"journal": str(path), "same": same, "tables": told}, indent=2))
        else:
            for report in reports:
                tell("\n".join(report_lines(report, laws.software, width())))
        return exits.OK if same else exits.DIFFERENT

    return under_its_law(work)


def under_its_law(work: Callable[[], int]) -> int:
    """Do the work; say why what was in force cannot be had, or what hinders reading."""
    try:
        return guarded(work)
    except NoLaw as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.NOT_REACHABLE
    except ConfigError as error:
        for problem in error.problems:
            tell(problem.shown(), sys.stderr)
        return exits.BAD_CONFIG
    except (OSError, UnreadableConfig) as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.NO_INPUT


def width() -> int:
    """As wide as the terminal, within what can be read well; as wide as a page where there is none."""
    return max(_NARROWEST, min(_WIDTH, shutil.get_terminal_size((_WIDTH, 0)).columns))


def config_of(args: argparse.Namespace) -> Config | None:
    """The configuration that is named, if one is; raises `ConfigError` and `OSError`."""
    file: Path | None = args.config
    return None if file is None else parse_config(file.read_bytes(), str(file))
