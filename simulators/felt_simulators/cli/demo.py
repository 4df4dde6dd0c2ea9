"""`felt-sim demo`, which `script/demo` calls: a table with three troubles, told as the floor hears of it."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt_simulators.cli.lines import wrapped
from felt_simulators.demo import LEAST_ROUNDS, document, scenario
from felt_simulators.felt import NoTable, read_plan
from felt_simulators.house import House
from felt_simulators.overhearing import Overhearing, free_port
from felt_simulators.play import Player
from felt_simulators.screen import NoScreen
from felt_simulators.seat import RunFailed
from felt_simulators.stuck import Stuck

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.scenario import Scenario
    from felt_simulators.view import View

OK, NOT_AS_EXPECTED, USAGE, RUN_FAILED, INTERRUPTED = 0, 1, 2, 3, 130
# Real time between two lines of the story, for a reader.
PACE_S = 0.35
# How long the subscriber may take, in real time, to have everything that was published.
CATCH_UP_S = 30.0
FAREWELL_S = 2.0

EPILOG = """\
examples:
  script/demo                                 watch twelve rounds
  script/demo --rounds 20 --seed 7 --json     as fast as it goes, one JSON document

exit codes: 0 done, and the record is the truth; 1 it is not, or events are missing; 2 the command line makes
no sense; 3 the run failed
"""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "demo",
        help="play rounds with one jam, one wrong count and one misdeal",
        description="Play a whole table, with one jam, one wrong count and one misdeal among its rounds.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=_rounds, default=12, help=f"{LEAST_ROUNDS} or more (default: 12)")
    parser.add_argument("--seed", type=int, default=7, help="of cards, dice and troubles (default: 7)")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON document at the end, nothing else"
    )
    parser.add_argument("--fast", action="store_true", help="do not slow the story down for a reader")
    parser.add_argument(
        "--config", type=Path, default=Path("examples/asia-poker.toml"), help="the table's configuration"
    )
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Play, tell, and hold everything against the truth."""
    config: Path = arguments.config
    try:
        with tempfile.TemporaryDirectory(prefix="felt-demo-") as folder:
            what = scenario(read_plan(config), config, arguments.rounds, arguments.seed)
            return _play(arguments, what, Path(folder))
    except NoTable as error:
        print(f"felt-sim: {error}", file=sys.stderr)
        return USAGE
    except (RunFailed, Stuck, NoScreen) as failure:
        print(f"felt-sim: {failure}", file=sys.stderr)
        return RUN_FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _rounds(text: str) -> int:
    number = int(text)
    if number < LEAST_ROUNDS:
        raise argparse.ArgumentTypeError(f"three troubles need {LEAST_ROUNDS} rounds or more")
    return number


def _play(chosen: argparse.Namespace, what: Scenario, folder: Path) -> int:
    port = free_port()
    pace_s = 0.0 if chosen.json or chosen.fast or not sys.stdout.isatty() else PACE_S
    tell = _silent if chosen.json else _teller(pace_s)
    with (
        House(what.config, folder, chosen.seed, port=port) as house,
        Overhearing(port, house.plan.table) as floor,
    ):

        def begun() -> None:
            floor.wait_for_connection(CATCH_UP_S)

        def done(view: View) -> None:
            floor.wait_for(int(view.shown["sequence"]), CATCH_UP_S)

        outcome = Player(what, house, tell, begun=begun, done=done).play(chosen.seed)
        floor.wait_for(outcome.rows, FAREWELL_S)
        found = document(outcome, floor)
    if chosen.json:
        print(json.dumps(found, indent=2))
    else:
        _sum_up(found)
    complete = found["events_received"] == found["events_published"] and not found["events_unproved"]
    return OK if found["agrees_with_truth"] and complete else NOT_AS_EXPECTED


def _sum_up(found: dict[str, Any]) -> None:
    rulings = ", ".join(f"{cite} {times}x" for cite, times in found["rulings"].items())
    agrees = "the record is the truth" if found["agrees_with_truth"] else "THE RECORD IS NOT THE TRUTH"
    print()
    print(f"{found['rounds']} rounds in {found['simulated_seconds'] // 60} minutes at the table.")
    print(f"Rulings: {rulings or 'none'}.")
    print(
        f"The floor received {found['events_received']} of {found['events_published']} events "
        f"over MQTT; {found['events_doubled']} came twice, {found['events_unproved']} had a wrong hash."
    )
    print(f"Held against what the devices and the dealer know: {agrees}.")
    for check in found["checks"]:
        if not check["agrees"]:
            print(f"    {check['name']}: told {check['told']}, true {check['true']}")


def _teller(pace_s: float) -> Callable[[str], None]:
    def tell(line: str) -> None:
        print(wrapped(line), flush=True)
        if pace_s:
            time.sleep(pace_s)

    return tell


def _silent(_line: str) -> None:
    return
