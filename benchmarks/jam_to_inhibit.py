"""From the last byte of a shoe's jam to the first byte of the inhibit that answers it.

A process that is nothing but a shoe sends a jam over a pseudo-terminal and waits for the inhibit. At
the other end is, in alternating blocks, what is under test and an echo: a process that waits for bytes
in the same way, takes the frame apart, and answers with an inhibit that it has ready. What the echo
needs is the price of the machine, of two processes and of the codec; the rest is ours.

    python benchmarks/jam_to_inhibit.py              the whole of felt run: rules, journal, publisher, broker
    python benchmarks/jam_to_inhibit.py --driver     the driver alone, with a sink that inhibits

Between two jams the shoe says that its cards were taken out, which ends the hold and lets the next jam be
a new one; then it waits until every process has gone to sleep.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import select
import subprocess
import sys
import tempfile
import time
import tty
from pathlib import Path
from typing import TYPE_CHECKING

from configured import configuration_of

from felt_drivers.catalogue import driver
from felt_drivers.contract import Device, Driver, Mark
from felt_drivers.felt_link import FeltLink
from felt_drivers.port.terminal import open_terminal
from felt_drivers.shoe import FACTS
from felt_drivers.supervise import Supervisor
from felt_protocols.events.card import ShoeJammed
from felt_protocols.link.device import DeviceSession, Welcomed
from felt_protocols.link.frame import Frame, FrameDecoder, Garbled
from felt_protocols.link.items import Send
from felt_protocols.link.messages import Ack, Event, Hello, Order, Welcome, encode, parse

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from felt_protocols.events import Fact

SESSION = 1
# Between two jams: long enough for every row of the last one to be on disk and every process asleep.
PAUSE_S = 0.02
ANSWER_S = 10.0
PERCENTS = (50, 95, 99)
READ_SIZE = 65_536


class LinkTime:
    """Link time of a process that is not simulated."""

    def link_now(self) -> float:
        """Seconds."""
        return time.monotonic()

    def loop_time(self, link_t: float) -> float:
        """The same."""
        return link_t


# What can be at the other end.


async def serve_driver(path: str) -> None:
    """The real driver, and a sink that inhibits on a jam and acknowledges afterwards."""
    served: list[Driver] = []

    def take(_device: str, fact: Fact, _age_s: float, _late: bool, mark: Mark | None) -> None:  # noqa: FBT001 - as in `Take`
        shoe = served[0]
        if isinstance(fact, ShoeJammed):
            shoe.inhibit("shoe-jammed")
        if mark is not None:
            shoe.acknowledge(mark)

    clock = LinkTime()
    served.append(driver(Device("shoe-1", "shoe", path), clock=clock, take=take, session=SESSION))
    await Supervisor(served, clock, lambda: 0.0).run()


async def serve_echo(path: str) -> None:
    """Answers every event with an inhibit and an acknowledgement that lie ready."""
    fd = open_terminal(path, 115_200)
    decoder = FrameDecoder()
    inhibit = encode(Order("inhibit", {"why": "shoe-jammed", "when": "now"}, SESSION))

    def readable() -> None:
        for frame in decoder.receive(os.read(fd, 4096)):
            message = None if isinstance(frame, Garbled) else parse(frame)
            if isinstance(message, Event):
                os.write(fd, inhibit)
                os.write(fd, encode(Ack(message.n)))

    os.write(fd, encode(Welcome(SESSION)))
    asyncio.get_running_loop().add_reader(fd, readable)
    await asyncio.Event().wait()


def daemon(folder: Path) -> list[str]:
    """The command that runs a table whose shoe is the one in `folder`; its other devices are not there."""
    (folder / "table.toml").write_text(configuration_of("659a", folder), encoding="utf-8")
    felt = Path(sys.executable).with_name("felt")
    return [str(felt), "run", str(folder / "table.toml")]


SIDES = {"driver": serve_driver, "echo": serve_echo}


class Shoe:
    """A shoe that jams again and again, in a process of its own."""

    def __init__(self, path: Path) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        path.unlink(missing_ok=True)
        path.symlink_to(os.ttyname(self._slave))
        hello = Hello("shoe", "bench", "shoe-7", "1", bytes(32), time.monotonic_ns())
        self._session = DeviceSession(hello, 64, time.monotonic())
        self._decoder = FrameDecoder()

    def connect(self) -> None:
        """Serve the link until the other end has welcomed this shoe. Raises `TimeoutError`."""
        deadline = time.monotonic() + ANSWER_S
        while time.monotonic() < deadline:
            items = self._session.receive(self._read(0.1), time.monotonic())
            self._send(items)
            if any(isinstance(item, Welcomed) for item in items):
                return
        raise TimeoutError("nobody welcomed the shoe")

    def jam(self) -> int:
        """Jam once; nanoseconds from handing over the jam to the inhibit's first byte."""
        self._send(self._session.happen("removed", {"count": 0}, time.monotonic()))
        self.idle(PAUSE_S)
        [jam] = self._session.happen("jam", {"where": "gate"}, time.monotonic())
        if not isinstance(jam, Send):
            raise TypeError("a jam is sent at once")
        # Before the write, which hands the bytes over and may not return before they were answered.
        sent_ns = time.perf_counter_ns()
        os.write(self.master, jam.data)
        while True:
            data = self._read(ANSWER_S)
            read_ns = time.perf_counter_ns()
            if not data:
                raise TimeoutError("no inhibit came")
            self._send(self._session.receive(data, time.monotonic()))
            if any(is_inhibit(frame) for frame in self._decoder.receive(data)):
                return read_ns - sent_ns

    def tick(self) -> None:
        """Take what has come, and jam; for a shoe in the process of its driver, which must not wait."""
        if data := self._read(0.0):
            self._send(self._session.receive(data, time.monotonic()))
        self._send(self._session.happen("jam", {"where": "gate"}, time.monotonic()))

    def idle(self, for_s: float) -> None:
        """Serve the link for a while."""
        end = time.monotonic() + for_s
        while (left_s := end - time.monotonic()) > 0:
            self._send(self._session.receive(self._read(left_s), time.monotonic()))

    def _read(self, within_s: float) -> bytes:
        ready, _, _ = select.select([self.master], [], [], within_s)
        return os.read(self.master, READ_SIZE) if ready else b""

    def _send(self, items: Sequence[object]) -> None:
        for item in items:
            if isinstance(item, Send):
                os.write(self.master, item.data)


def is_inhibit(frame: object) -> bool:
    """Whether this is an inhibit."""
    message = parse(frame) if isinstance(frame, Frame) else None
    return isinstance(message, Order) and message.name == "inhibit"


@contextlib.contextmanager
def served(command: Sequence[str], path: Path) -> Generator[Shoe]:
    """A shoe whose other end is a process of that command."""
    shoe = Shoe(path)
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)  # noqa: S603 - the command is the caller's own
    try:
        shoe.connect()
        shoe.idle(1.0)
        yield shoe
    finally:
        process.terminate()
        process.wait()


def measured(side: Shoe, jams: int) -> list[float]:
    """Microseconds of so many jams, sorted."""
    return sorted(side.jam() / 1000 for _ in range(jams))


def percentile(ordered: Sequence[float], percent: int) -> float:
    """The value that so many percent do not exceed."""
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def alternating(sides: Mapping[str, Shoe], blocks: int, jams: int) -> dict[str, list[list[float]]]:
    """The blocks of each side, taken in turn, so that whatever the machine does meanwhile hits all."""
    found: dict[str, list[list[float]]] = {name: [] for name in sides}
    for _ in range(blocks):
        for name, side in sides.items():
            found[name].append(measured(side, jams))
            # The other sides' devices have to be heard as well.
            for other in sides.values():
                other.idle(0.05)
    return found


def table(found: Mapping[str, list[list[float]]]) -> str:
    """The result in Markdown: percentiles over all jams, and the spread of the blocks' percentiles."""
    lines = [
        "| | p50 µs (blocks from-to) | p95 µs (blocks from-to) | p99 µs (blocks from-to) |",
        "|---|---|---|---|",
    ]
    totals: dict[str, list[float]] = {}
    for name, blocks in found.items():
        whole = sorted(value for block in blocks for value in block)
        totals[name] = [percentile(whole, percent) for percent in PERCENTS]
        cells = [
            f"{total:.0f} ({min(spread):.0f}-{max(spread):.0f})"
            for total, percent in zip(totals[name], PERCENTS, strict=True)
            for spread in [[percentile(block, percent) for block in blocks]]
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    tested, echo = totals.values()
    ratios = " | ".join(f"{ours / theirs:.2f}" for ours, theirs in zip(tested, echo, strict=True))
    return "\n".join([*lines, f"| ratio | {ratios} |"])


def in_process(jams: int) -> list[float]:
    """Microseconds from having read a jam to having written its inhibit, with nothing but the driver."""
    return asyncio.run(_in_process(jams))


async def _in_process(jams: int) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        shoe = Shoe(Path(folder) / "shoe")
        clock = LinkTime()
        served: list[Driver] = []
        read_ns, took = 0, list[float]()

        def take(_device: str, fact: Fact, _age_s: float, _late: bool, mark: Mark | None) -> None:  # noqa: FBT001 - as in `Take`
            if isinstance(fact, ShoeJammed):
                served[0].inhibit("shoe-jammed")
                took.append((time.perf_counter_ns() - read_ns) / 1000)
            if mark is not None:
                served[0].acknowledge(mark)

        device = Device("shoe-1", "shoe", str(Path(folder) / "shoe"))
        made = FeltLink(device, table=FACTS, clock=clock, take=take, session=SESSION)
        receive = made._receive  # noqa: SLF001 - the moment is nowhere else to be had

        def stamped(data: bytes) -> None:
            nonlocal read_ns
            read_ns = time.perf_counter_ns()
            receive(data)

        made._receive = stamped  # noqa: SLF001 - as above
        served.append(made)
        task = asyncio.get_running_loop().create_task(Supervisor(served, clock, lambda: 0.0).run())
        while len(took) < jams:
            await asyncio.sleep(PAUSE_S)
            shoe.tick()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return sorted(took)


def arguments() -> argparse.Namespace:
    """What the caller wants."""
    parser = argparse.ArgumentParser(description="From a jam's last byte to its inhibit's first.")
    parser.add_argument("--blocks", type=int, default=20, help="blocks for each side (%(default)s)")
    parser.add_argument("--jams", type=int, default=200, help="jams in a block (%(default)s)")
    parser.add_argument("--driver", action="store_true", help="measure the driver alone")
    parser.add_argument("--serve", nargs=2, metavar=("SIDE", "PATH"), help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Measure and print a table in Markdown."""
    wanted = arguments()
    if wanted.serve:
        side, path = wanted.serve
        asyncio.run(SIDES[side](path))
        return
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as open_ends:
        serve = [sys.executable, __file__, "--serve"]
        port, echo = Path(folder) / "shoe", Path(folder) / "echo"
        command = [*serve, "driver", str(port)] if wanted.driver else daemon(Path(folder))
        sides = {
            "driver" if wanted.driver else "felt run": open_ends.enter_context(served(command, port)),
            "echo that decodes": open_ends.enter_context(served([*serve, "echo", str(echo)], echo)),
        }
        found = alternating(sides, wanted.blocks, wanted.jams)
    print(f"{wanted.blocks} alternating blocks of {wanted.jams} jams, {os.cpu_count()} processors")
    print()
    print(table(found))
    if wanted.driver:
        alone = in_process(wanted.jams)
        said = ", ".join(f"p{percent} {percentile(alone, percent):.0f} µs" for percent in PERCENTS)
        print(f"\nThe driver alone, from bytes read to inhibit written: {said}.")


if __name__ == "__main__":
    main()
