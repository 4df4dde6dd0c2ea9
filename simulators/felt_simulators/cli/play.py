"""`felt-sim play FILE…`: plays scenarios with the real daemon and judges what it recorded."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from felt_simulators.cli.lines import wrapped
from felt_simulators.felt import NoTable
from felt_simulators.play import play
from felt_simulators.scenario import BadScenario
from felt_simulators.scenario_file import read
from felt_simulators.seat import RunFailed
from felt_simulators.stuck import Stuck

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from felt_simulators.play import Outcome
    from felt_simulators.scenario import Scenario

AS_EXPECTED, NOT_AS_EXPECTED, USAGE, RUN_FAILED = 0, 1, 2, 3

JOURNAL = "journal.db"

EPILOG = """\
examples:
  felt-sim play examples/scenarios/shoe-jam.toml
  felt-sim play examples/scenarios --quiet                        all in this folder and below
  felt-sim play examples/scenarios/kill-in-mid-round.toml --seed 7 --json
  felt-sim play examples/evening/evening.toml --keep evening      leaves evening/journal.db and its log

How scenarios are written: docs/scenarios.md.

exit codes: 0 all is as the scenarios say, 1 it is not, 2 a file cannot be played or the command line is
wrong, 3 a run failed: the daemon froze or ended, or people did not know how to go on
"""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "play",
        help="play a whole table from scenario files",
        description="Play a whole table from scenario files, in simulated time, with the real daemon.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="a scenario, or a folder: all scenarios in it and below",
    )
    parser.add_argument("--seed", type=int, help="of all chance in the run (default: the file's own)")
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    parser.add_argument("--quiet", action="store_true", help="tell only how each scenario came out")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep configuration, journal and log in this new folder"
    )
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Play every file; the exit code is the worst that came up."""
    try:
        scenarios = [read(file) for file in scenario_files(arguments.files)]
    except BadScenario as bad:
        print(f"felt-sim: {bad}", file=sys.stderr)
        return USAGE
    folders = folders_kept([scenario.path for scenario in scenarios], arguments.keep)
    silent = arguments.json or arguments.quiet
    code, documents = AS_EXPECTED, list[object]()
    for scenario, keep in zip(scenarios, folders, strict=True):
        try:
            outcome = _played(scenario, arguments.seed, keep, _tell if not silent else _silent)
        except NoTable as error:
            print(f"felt-sim: {error}", file=sys.stderr)
            return USAGE
        except (RunFailed, Stuck) as failure:
            print(f"felt-sim: {scenario.path}: {failure}", file=sys.stderr)
            documents.append({"file": str(scenario.path), "failed": str(failure)})
            code = RUN_FAILED
            continue
        documents.append(outcome.document())
        if not outcome.as_expected:
            code = max(code, NOT_AS_EXPECTED)
        if not arguments.json:
            _judge(outcome)
    if arguments.json:
        print(json.dumps(documents[0] if len(documents) == 1 else {"scenarios": documents}, indent=2))
    return code


def scenario_files(named: Sequence[Path]) -> list[Path]:
    """The files that were named, and all of the folders that were. Raises `BadScenario`."""
    found: list[Path] = []
    for path in named:
        inside = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        if not inside:
            raise BadScenario(f"{path}: there is no scenario in this folder")
        found += inside
    return found


def folders_kept(files: Sequence[Path], keep: Path | None) -> list[Path | None]:
    """Where each run is kept: a single one in the folder itself, each of several in its own below it."""
    if keep is None or len(files) == 1:
        return [keep] * len(files)
    ground = os.path.commonpath([file.resolve().parent for file in files])
    return [keep / file.resolve().relative_to(ground).with_suffix("") for file in files]


def _played(scenario: Scenario, seed: int | None, keep: Path | None, tell: Callable[[str], None]) -> Outcome:
    tell(f"{scenario.name} ({scenario.path})")
    if keep is not None and (keep / JOURNAL).exists():
        raise NoTable(f"{keep} holds a run already; name another folder")
    # Sockets have short paths, which a folder of somebody's own may not have.
    with tempfile.TemporaryDirectory(prefix="felt-sim-") as temporary:
        folder = Path(temporary)
        try:
            return play(scenario, folder, seed, tell)
        finally:
            if keep is not None:
                _keep(folder, keep)


def _keep(folder: Path, keep: Path) -> None:
    """Copy what a run leaves: the configuration, the log, the journal."""
    keep.mkdir(parents=True, exist_ok=True)
    for file in (folder / "table.toml", folder / "felt.log", *(folder / "state").glob(f"{JOURNAL}*")):
        if file.exists():
            shutil.copy(file, keep)


def _judge(outcome: Outcome) -> None:
    word = "as expected" if outcome.as_expected else "NOT AS EXPECTED"
    rounds = "1 round" if outcome.rounds == 1 else f"{outcome.rounds} rounds"
    print(
        f"{word}: {outcome.scenario.name}; {rounds}, {outcome.rows} rows, seed {outcome.seed}",
        flush=True,
    )
    for one in outcome.expectations:
        if not one.met:
            print(f"    expected {one.expectation}; found {one.found}")
    for check in outcome.disagreements:
        told, true = check.apart()
        print(f"    {check.name}: the daemon says {told}; the truth is {true}")


def _tell(line: str) -> None:
    print(wrapped(line), flush=True)


def _silent(_line: str) -> None:
    return
