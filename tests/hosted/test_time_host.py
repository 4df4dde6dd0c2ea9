"""Simulated time: a real program on hosted time, real pseudo-terminals, and a host that rules both."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from felt_protocols.link.items import Send
from felt_simulators.cable import Cable
from felt_simulators.faults import SHAKER, Fault, Faults
from felt_simulators.host import Host
from felt_simulators.line import Line
from felt_simulators.seat import RunFailed, Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STAND_IN = Path(__file__).with_name("stand_in.py")
UTC_US = 1_767_636_000_000_000


@dataclass
class Answerer:
    """A device that answers each `ping N` with `pong N`, and says `tick N` every `every_s` seconds."""

    every_s: float = 0.0
    faults: Faults = field(default_factory=lambda: Faults(SHAKER, random.Random(1)))  # noqa: S311 - a seed makes a run repeatable
    heard: list[str] = field(default_factory=list[str])
    ticks: int = 0
    next_tick: float = 1_000.0

    @property
    def truth(self) -> dict[str, object]:
        """What it heard."""
        return {"heard": list(self.heard)}

    def receive(self, data: bytes, now: float) -> list[Send]:
        """Answer every line."""
        lines = data.decode().splitlines()
        self.heard += [f"{now:.3f} {line}" for line in lines]
        return [Send(line.replace("ping", "pong").encode() + b"\n") for line in lines]

    def due(self) -> float | None:
        """The next tick."""
        return self.next_tick if self.every_s else None

    def elapsed(self, now: float) -> list[Send]:
        """Say the ticks that are due."""
        out: list[Send] = []
        while self.every_s and self.next_tick <= now:
            self.ticks += 1
            self.next_tick += self.every_s
            out.append(Send(b"tick %d\n" % self.ticks))
        return out

    def set_fault(self, fault: Fault, now: float) -> None:
        """It has none."""

    def lift_fault(self, name: str, now: float) -> None:
        """It has none."""

    def power_cycle(self, now: float) -> None:
        """Nothing starts anew."""


@dataclass
class Run:
    """One run: its host and where the stand-in wrote what it heard."""

    host: Host
    devices: dict[str, Answerer]
    cables: dict[str, Cable]
    said: Path

    def lines(self) -> list[str]:
        """What the stand-in heard."""
        return self.said.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def make_run(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    """Make runs; whatever they opened is closed afterwards."""
    opened: list[Run] = []

    def make(*arguments: str, every_s: float = 0.0, limit_s: float = 10.0, seed: int = 1) -> Run:
        folder = tmp_path / f"run-{len(opened)}"
        folder.mkdir()
        said = folder / "said"
        rng = random.Random(seed)  # noqa: S311 - a seed makes a run repeatable
        devices = {"a": Answerer(every_s), "b": Answerer(every_s)}
        cables: dict[str, Cable] = {}
        for name, device in devices.items():
            line = Line(folder / name, rng)
            line.open()
            cables[name] = Cable(name, device, line)
        command = [sys.executable, str(STAND_IN), str(said), *arguments]
        seat = Seat(folder / "time", command, folder / "log")
        host = Host(seat, list(cables.values()), boot="b0" * 16, utc_us=UTC_US, limit_s=limit_s)
        opened.append(Run(host, devices, cables, said))
        return opened[-1]

    yield make
    for run in opened:
        run.host.seat.close()
        for cable in run.cables.values():
            cable.line.close()


@pytest.mark.long
def test_ten_minutes_of_pings_pass_in_seconds_and_every_ping_is_answered(
    make_run: Callable[..., Run],
) -> None:
    run = make_run()

    async def play() -> int:
        run.host.start()
        await asyncio.sleep(600)
        return await run.host.stop()

    began = time.monotonic()
    assert run.host.run(play) == 0
    assert time.monotonic() - began < 20
    lines = run.lines()
    assert lines[0] == "1000000000000 a 'pong 1\\n'"
    assert lines[1] == "1000000000000 b 'pong 1\\n'"
    assert [line for line in lines if " a 'pong" in line][-1].endswith("'pong 1201\\n'")
    assert run.devices["a"].heard[2] == "1001.000 ping 3"


@pytest.mark.long
def test_the_same_seed_gives_the_same_run_to_the_byte(make_run: Callable[..., Run]) -> None:
    said: list[list[str]] = []
    for _ in range(2):
        run = make_run(every_s=0.137)

        async def play(run: Run = run) -> int:
            run.host.start()
            run.host.fault(run.cables["a"], Fault("line-noise", 8, lasting=True, chance=40))
            await asyncio.sleep(60)
            return await run.host.stop()

        assert run.host.run(play) == 0
        said.append(run.lines()[:-1])
    assert said[0] == said[1]
    assert len(said[0]) > 900


def test_a_leap_moves_table_timers_and_no_link_timer(make_run: Callable[..., Run]) -> None:
    run = make_run()

    async def play() -> int:
        run.host.start()
        await asyncio.sleep(2)
        await run.host.leap(86_400)
        await asyncio.sleep(2)
        return await run.host.stop()

    assert run.host.run(play) == 0
    lines = run.lines()
    assert [line for line in lines if "a day" in line] == ["87402000000000 a day"]
    # Eight or nine pings in four seconds: the leap brought none.
    assert 8 <= len([line for line in lines if " a 'pong" in line]) <= 9
    assert run.host.link_now() < 1_010


def test_time_stands_still_while_a_thread_works(make_run: Callable[..., Run]) -> None:
    run = make_run("--thread")

    async def play() -> int:
        run.host.start()
        await asyncio.sleep(5)
        return await run.host.stop()

    assert run.host.run(play) == 0
    assert "1000000000000 thread done" in run.lines()


def test_pauses_end_while_another_process_is_waited_for_and_simulated_time_stands_still(
    make_run: Callable[..., Run],
) -> None:
    run = make_run("--outside")

    async def play() -> int:
        run.host.start()
        await asyncio.sleep(5)
        return await run.host.stop()

    assert run.host.run(play) == 0
    lines = run.lines()
    assert "1000000000000 waited outside" in lines
    # The pings went on as if nothing had been.
    assert len([line for line in lines if " a 'pong" in line]) == 11


@pytest.mark.long
def test_a_killed_program_can_be_started_again_and_time_goes_on(make_run: Callable[..., Run]) -> None:
    run = make_run()

    async def play() -> int:
        run.host.start()
        await asyncio.sleep(3)
        await run.host.kill()
        await asyncio.sleep(10)
        run.host.start()
        await asyncio.sleep(3)
        return await run.host.stop()

    assert run.host.run(play) == 0
    stamps = [int(line.split()[0]) // 1_000_000_000 for line in run.lines() if " a 'pong" in line]
    assert stamps[0] == 1_000
    assert 1_003 not in stamps[10:]
    assert stamps[-1] in {1_015, 1_016}
    assert not [stamp for stamp in stamps if 1_004 <= stamp <= 1_012]


def test_a_line_that_hangs_up_is_a_hang_up_and_the_run_goes_on(make_run: Callable[..., Run]) -> None:
    run = make_run()

    async def play() -> int:
        run.host.start()
        await asyncio.sleep(3)
        run.host.fault(run.cables["a"], Fault("line-hang-up", 1_000))
        await asyncio.sleep(3)
        return await run.host.stop()

    assert run.host.run(play) == 0
    lines = run.lines()
    assert "a hung up" in lines
    assert lines[-2].split()[1] == "b"


@pytest.mark.long
def test_a_line_that_is_not_read_does_not_hold_time_up(make_run: Callable[..., Run]) -> None:
    run = make_run()

    async def play() -> int:
        run.host.start()
        await asyncio.sleep(1.2)
        run.host.fault(run.cables["a"], Fault("line-unread", lasting=True))
        await asyncio.sleep(2)
        heard = len(run.devices["a"].heard)
        run.host.lift_fault(run.cables["a"], "line-unread")
        await asyncio.sleep(2)
        assert len(run.devices["a"].heard) > heard + 4
        return await run.host.stop()

    assert run.host.run(play) == 0


def test_a_frozen_program_ends_the_run_with_a_clear_error(make_run: Callable[..., Run]) -> None:
    run = make_run(limit_s=0.5)

    async def play() -> None:
        run.host.start()
        await asyncio.sleep(1)
        run.host.seat.freeze()
        await asyncio.sleep(3_600)

    with pytest.raises(
        RunFailed, match=r"waited 0\.5 s of real time for the daemon to come to rest"
    ) as failure:
        run.host.run(play)
    assert "came to rest in turn" in str(failure.value)


def test_a_program_that_ends_by_itself_ends_the_run_with_its_code(make_run: Callable[..., Run]) -> None:
    run = make_run("--die")

    async def play() -> None:
        run.host.start()
        await asyncio.sleep(3_600)

    with pytest.raises(RunFailed, match="ended by itself with code 3"):
        run.host.run(play)


def test_an_error_of_the_people_ends_the_run_with_that_error(make_run: Callable[..., Run]) -> None:
    run = make_run()

    async def play() -> None:
        run.host.start()
        await asyncio.sleep(1)
        raise LookupError("the dealer is lost")

    with pytest.raises(LookupError, match="the dealer is lost"):
        run.host.run(play)
