"""`felt-sim host -- felt run CONFIG`: gives a daemon simulated time, its devices, and people at the table."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from felt_simulators.cli.lines import wrapped
from felt_simulators.crew import Crew
from felt_simulators.felt import NoTable
from felt_simulators.house import House
from felt_simulators.screen import NoScreen
from felt_simulators.seat import RunFailed
from felt_simulators.story import Story
from felt_simulators.stuck import Stuck

OK, USAGE, RUN_FAILED = 0, 2, 3

EPILOG = """\
examples:
  felt-sim host --rounds 20 -- felt run examples/asia-poker.toml --state-dir ./state --control ./control
  felt-sim host --seed 7 --rounds 3 -- python -X dev -m felt_daemon run table.toml

The devices are those of CONFIG, whatever ports it names. Every row that the daemon records is marked
simulated. A configuration that names no reachable broker is no hindrance.

exit codes: 0 done, 2 the command line or CONFIG makes no sense, 3 the daemon froze or ended, or people
did not know how to go on; otherwise the daemon's own
"""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "host",
        help="give a daemon simulated time, devices and people",
        description="Start a daemon in simulated time, with simulated devices and people at its table.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, default=1, help="of all chance in the run (default: 1)")
    parser.add_argument("--rounds", type=int, default=1, help="how many rounds are played (default: 1)")
    parser.add_argument("daemon", nargs="+", metavar="-- COMMAND", help="what starts the daemon")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the rounds; the exit code is the daemon's when it stopped as it was told."""
    command: list[str] = arguments.daemon
    try:
        with tempfile.TemporaryDirectory(prefix="felt-sim-") as folder:
            house = House(_config(command), Path(folder), arguments.seed, command=command)
            with house:
                return _play(house, command, arguments.rounds)
    except NoTable as error:
        print(f"felt-sim: {error}", file=sys.stderr)
        return USAGE
    except (RunFailed, Stuck, NoScreen) as failure:
        print(f"felt-sim: {failure}", file=sys.stderr)
        return RUN_FAILED


def _config(command: list[str]) -> Path:
    """The configuration that the command names: what follows `run`. Raises `NoTable`."""
    if "run" not in command[:-1]:
        raise NoTable("the command must be one that runs the daemon: -- felt run CONFIG")
    return Path(command[command.index("run") + 1])


def _control(command: list[str], house: House) -> Path:
    for position, word in enumerate(command):
        if word == "--control" and position + 1 < len(command):
            return Path(command[position + 1])
        if word.startswith("--control="):
            return Path(word.partition("=")[2])
    return house.control


def _play(house: House, command: list[str], rounds: int) -> int:
    crew = Crew(house.plan, house.machines, house.host, _control(command, house))
    zone = str(house.plan.document["table"].get("time_zone", ""))
    crew.screen.watch(Story(house.host, zone, _tell, crew.game.phrases))

    async def people() -> int:
        house.host.start()
        await house.host.settled()
        async with crew.patrolled():
            await crew.tasks.do("open")
            for _ in range(rounds):
                await crew.dealer.play_round()
        return await house.host.stop()

    return house.host.run(people)


def _tell(line: str) -> None:
    print(wrapped(line), flush=True)
