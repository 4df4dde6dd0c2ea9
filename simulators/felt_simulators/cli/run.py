"""`felt-sim run DEVICE`: one simulated device alone, in real time, on a pseudo-terminal."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from typing_extensions import override

from felt_simulators.cards import Content
from felt_simulators.chance import seeded
from felt_simulators.cli.console import Console, face
from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.continuous_build import ContinuousBuild
from felt_simulators.devices.deal_keys import SETTINGS
from felt_simulators.devices.dealers_panel import DealersPanel, PanelBuild
from felt_simulators.devices.generator import Generator, GeneratorBuild
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.hole_card_reader import HoleCardReader, ReaderBuild
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.progressive_station import ProgressiveStation
from felt_simulators.devices.shaker import Shaker, ShakerBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild
from felt_simulators.devices.station_build import StationBuild
from felt_simulators.faults import (
    CONTINUOUS,
    GENERATOR,
    KINDS,
    LINE,
    MANUAL_SHOE,
    PANEL,
    READER,
    SHAKER,
    SHOE,
    SHUFFLER,
    STATION,
    UnknownFault,
)
from felt_simulators.line import Line
from felt_simulators.pump import Pump
from felt_simulators.station import Station

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

    from felt_simulators.cli.console import Machine

EXAMPLES = """\
examples:
  felt-sim run shuffler --link /tmp/shuffler --seed 7
  felt-sim run shuffler --fault jam=20 --fault miscount=-1
  felt-sim run shoe --fault stack-size=6,lasting
  felt-sim run shoe --jokers 0
  felt-sim run manual-shoe --game 665a --fault two-cards
  felt-sim run continuous-shuffler --fault unsteady-count,lasting
  felt-sim run shaker --fault not-flat --fault line-noise=20,lasting
  felt-sim run dealers-panel --link /tmp/panel --fault bounce,lasting
  felt-sim run hole-card-reader --fault unreadable=upside-down
  felt-sim run progressive-station --fault sensor-stuck-on=3

Type a command a line: help lists them. The device ends with its input, or with Ctrl-C.

faults:
"""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "run",
        help="run one simulated device alone on a pseudo-terminal",
        description="Run one simulated device alone, in real time, on a pseudo-terminal.",
        epilog=EXAMPLES + _faults(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("device", choices=tuple(_MAKERS))
    parser.add_argument("--link", type=Path, help="symlink to the pseudo-terminal (default: in a new folder)")
    parser.add_argument("--seed", type=int, default=0, help="of all chance in the device (default: 0)")
    parser.add_argument("--fault", action="append", default=[], metavar="NAME[=ARG][,lasting][,chance=%]")
    parser.add_argument("--work-s", type=_seconds, help="seconds that a shuffle or a stack takes")
    parser.add_argument(
        "--jokers",
        type=int,
        choices=(0, 1, 2),
        default=1,
        help="jokers in each deck that is put into a shuffler or an automated shoe (default: 1)",
    )
    parser.add_argument(
        "--game", choices=tuple(SETTINGS), help="set a manual shoe or a continuous shuffler to this chapter"
    )
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the device until its input ends. 2 when an argument makes no sense, 1 without a terminal."""
    with contextlib.ExitStack() as stack:
        if arguments.link is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="felt-sim-"))
            arguments.link = Path(folder) / arguments.device
        return _run(arguments, arguments.link, stack)


def _run(arguments: argparse.Namespace, link: Path, stack: contextlib.ExitStack) -> int:
    rng = seeded(arguments.seed)
    line = Line(link, rng)
    machine = _MAKERS[arguments.device](arguments, rng, time.monotonic())
    station = _Panel(machine, line) if isinstance(machine, DealersPanel) else Station(machine, line)
    console = Console(machine, station, Content(jokers=arguments.jokers))
    try:
        line.open()
    except OSError as error:
        print(f"felt-sim: no pseudo-terminal at {link}: {error}", file=sys.stderr)
        return 1
    stack.callback(line.close)
    try:
        for fault in arguments.fault:
            console.set_fault(fault, time.monotonic())
    except (UnknownFault, Refused) as refusal:
        print(f"felt-sim: {refusal}", file=sys.stderr)
        return 2
    asyncio.run(_serve(Pump(station, time.monotonic), console, f"{arguments.device} on {link}"))
    return 0


async def _serve(pump: Pump, console: Console, greeting: str) -> None:
    """Keep the device going and act on what is typed, until the input ends or a signal comes."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    typed = _Typed(pump, console, ended)
    async with pump:
        _tell(greeting)
        try:
            loop.add_reader(typed.descriptor, typed.read)
        except PermissionError:
            # A file, which no selector waits for: all of it is there already.
            while not ended.is_set():
                typed.read()
        await ended.wait()
        loop.remove_reader(typed.descriptor)


class _Panel(Station):
    """A panel on its line, which prints what it shows whenever that is something else."""

    def __init__(self, panel: DealersPanel, line: Line) -> None:
        super().__init__(panel, line)
        self._panel = panel
        self._seen = face(panel)

    @override
    def turn(self, now: float) -> None:
        """Read, let the time pass, write, and show."""
        super().turn(now)
        seen = face(self._panel)
        if seen != self._seen:
            self._seen = seen
            _tell(seen)


class _Typed:
    """Lines that are typed, or come through a pipe."""

    def __init__(self, pump: Pump, console: Console, ended: asyncio.Event) -> None:
        self.descriptor = sys.stdin.fileno()
        self._pump = pump
        self._console = console
        self._ended = ended
        self._half = b""

    def read(self) -> None:
        """Act on the lines that are there; the end of the input ends the device."""
        data = os.read(self.descriptor, 65536)
        *lines, self._half = (self._half + data).split(b"\n")
        if not data:
            lines.append(self._half)
            self._ended.set()
        for line in lines:
            _tell(self._console.act(line.decode(errors="replace"), time.monotonic()))
            self._pump.turn()


def _shuffler(arguments: argparse.Namespace, rng: random.Random, now: float) -> Machine:
    work_s: float | None = arguments.work_s
    return Shuffler(ShufflerBuild() if work_s is None else ShufflerBuild(shuffle_s=work_s), rng, now)


def _shoe(arguments: argparse.Namespace, rng: random.Random, now: float) -> Machine:
    work_s: float | None = arguments.work_s
    return Shoe(ShoeBuild() if work_s is None else ShoeBuild(stack_s=work_s), rng, now)


def _manual_shoe(arguments: argparse.Namespace, rng: random.Random, now: float) -> Machine:
    return ManualShoe(ManualShoeBuild(set_to=SETTINGS.get(arguments.game), double=True), rng, now)


def _continuous(arguments: argparse.Namespace, rng: random.Random, now: float) -> Machine:
    return ContinuousShuffler(ContinuousBuild(set_to=SETTINGS.get(arguments.game)), rng, now)


# How each device is made: of what was asked for, with chance, and the time.
_MAKERS: Mapping[str, Callable[[argparse.Namespace, random.Random, float], Machine]] = MappingProxyType(
    {
        SHUFFLER: _shuffler,
        SHOE: _shoe,
        MANUAL_SHOE: _manual_shoe,
        CONTINUOUS: _continuous,
        SHAKER: lambda _, rng, now: Shaker(ShakerBuild(), rng, now),
        PANEL: lambda _, rng, now: DealersPanel(PanelBuild(), rng, now),
        READER: lambda _, rng, now: HoleCardReader(ReaderBuild(), rng, now),
        STATION: lambda _, rng, now: ProgressiveStation(StationBuild(), rng, now),
        GENERATOR: lambda _, rng, now: Generator(GeneratorBuild(), rng, now),
    }
)


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value <= 3600:  # noqa: PLR2004 - an hour
        raise argparse.ArgumentTypeError("more than 0 and at most 3600 seconds")
    return value


def _faults() -> str:
    lines: list[str] = []
    for name, kind in KINDS.items():
        whose = "line" if kind.families == (LINE,) else ", ".join(kind.families)
        argument = f" (={kind.argument}; usually {kind.usual})" if kind.argument else ""
        lines.append(f"  {name}: {kind.what}{argument} [{whose}]")
    return "\n".join(lines).replace("%", "%%")


def _tell(text: str) -> None:
    if text:
        print(text, flush=True)
