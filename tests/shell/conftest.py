"""The device process's heart in one event loop with simulated devices: real terminals, journal and clock."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any

import pytest_asyncio

from felt_daemon.clock import RealClock
from felt_daemon.journal import Journal
from felt_daemon.rules import load
from felt_daemon.shell.core import Core
from felt_daemon.shell.rows import row_of
from felt_daemon.shell.timers import Timers
from felt_daemon.table import Table, admit, blank, set_up
from felt_drivers.catalogue import driver
from felt_drivers.contract import Device, Mark
from felt_drivers.supervise import Supervisor
from felt_protocols import commands
from felt_protocols.events import person, system
from felt_simulators.cards import new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.shaker import Shaker, ShakerBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild
from felt_simulators.line import Line
from felt_simulators.pump import Pump
from felt_simulators.station import Station

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
    from pathlib import Path

    from felt_protocols.events import Row

FAMILIES = {"shuffler-1": "shuffler", "shoe-1": "shoe", "shaker-1": "shaker"}
TABLE = "t-1"


class Felt:
    """The devices on the felt and the people at it; they outlive any run of the daemon."""

    def __init__(self, folder: Path) -> None:
        rng = seeded(7)
        now = time.monotonic()
        self.folder = folder
        # Machines that work at once: what is tested here is the daemon.
        self.shuffler = Shuffler(ShufflerBuild(shuffle_s=0.05, boot_s=0.05), rng, now)
        self.shoe = Shoe(ShoeBuild(stack_s=0.02, boot_s=0.05), rng, now)
        self.shaker = Shaker(ShakerBuild(read_s=0.01, boot_s=0.05), rng, now)
        self.pumps: dict[str, Pump] = {}
        for name, machine in (
            ("shuffler-1", self.shuffler),
            ("shoe-1", self.shoe),
            ("shaker-1", self.shaker),
        ):
            line = Line(folder / name, rng)
            line.open()
            self.pumps[name] = Pump(Station(machine, line), time.monotonic)

    def hand(self, name: str, act: Callable[..., Any], *args: object) -> Any:  # noqa: ANN401 - as the hand gives
        """Let a hand act on a device, and let what it says go out."""
        result = act(*args, time.monotonic())
        self.pumps[name].turn()
        return result


class Run:
    """One run of the device process's heart; `kill` ends it as kill -9 would, from the journal's view."""

    def __init__(self, felt: Felt, **options: Any) -> None:  # noqa: ANN401 - a core's own
        self.felt = felt
        self.loop = asyncio.get_running_loop()
        self.clock = RealClock()
        self.told: list[Mapping[str, int]] = []
        # Cores of other tables with the same journal.
        self.beside: list[Core] = []
        self.failed = False
        self.troubles: list[Any] = []
        self.journal = Journal.open(
            felt.folder / "journal.db",
            now=lambda: time.time_ns() // 1000,
            on_commit=lambda heads: self._soon(lambda: self._committed(heads)),
            on_trouble=lambda trouble: self._soon(lambda: self.troubles.append(trouble)),
        )
        pack = options.get("pack") or load("659a")
        setup = set_up(pack, table=TABLE, devices=FAMILIES, decks={"red": "red", "blue": "blue"})
        table = Table(pack, blank(setup))
        for stored in self.journal.read(TABLE):
            table.told(row_of(stored))
        self.core = Core(
            table=table,
            journal=self.journal,
            clock=self.clock,
            loop=self.loop,
            tell=self.told.append,
            watch=lambda rows: self.timers.watch(rows, table.state.timers),
            fail=self._fail,
        )
        self.timers = Timers(self.loop, self.clock.moment, self.core.take)
        self._task: asyncio.Task[None] | None = None

    def _soon(self, call: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(call)

    def _committed(self, heads: Mapping[str, int]) -> None:
        for core in (self.core, *self.beside):
            core.committed(heads)

    def _fail(self) -> None:
        self.failed = True

    async def start(self) -> None:
        """Begin this run: its first fact, its drivers, its timers."""
        self.core.take(
            system.Started(
                version="test",
                epoch=self.journal.epoch,
                pack="659a",
                pack_digest="00",
                config_digest="00",
                elections={},
                reference="RS-1",
                reference_date="2026-01-01",
            )
        )
        self.timers.sync(self.state.timers)
        for name, family in FAMILIES.items():
            one = self.state.devices[name]
            self.core.drivers[name] = driver(
                Device(name, family, str(self.felt.folder / name)),
                clock=self.clock,
                take=self.core.heard,
                session=time.monotonic_ns(),
                last=Mark(int(one.boot, 16), one.last_n) if one.boot else None,
            )
        self.core.started()
        self._task = asyncio.create_task(
            Supervisor(self.core.drivers.values(), self.clock, lambda: 0.0).run()
        )

    @property
    def state(self) -> Any:  # noqa: ANN401 - tests look at many of its parts
        """The table's state."""
        return self.core.table.state

    async def until(self, condition: Callable[[], bool], limit_s: float = 10.0) -> None:
        """Wait for something to be so."""
        async with asyncio.timeout(limit_s):
            while not condition():  # noqa: ASYNC110 - devices and disk wake nobody here
                await asyncio.sleep(0.005)

    async def command(self, command: commands.Command, role: str = "floor") -> None:
        """A person gives a command."""
        by = person.Person.model_validate({"role": role, "name": "Ann"})
        self.core.take(admit(self.core.table.pack, self.state, command, by))
        await self.until(lambda: self.core.waiting == 0)

    def rows(self) -> list[Row]:
        """Every row in the journal."""
        return [row_of(stored) for stored in self.journal.read(TABLE)]

    async def stop(self, timeout_s: float = 5.0) -> None:
        """End this run; what waits is written unless `timeout_s` is 0."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
            self.timers.close()
            self.journal.close(timeout_s)

    # ---- what people do --------------------------------------------------------------------------------

    async def ready_table(self) -> None:
        """Open the table with the red deck in the shoe, shuffled."""
        felt = self.felt
        await self.until(lambda: all(one.link == "ready" for one in self.state.devices.values()))
        await self.command(commands.ChangeDice(device="shaker-1"))
        await self.command(commands.ChangeDeck(deck="red", preshuffled=True))
        felt.hand("shuffler-1", felt.shuffler.load, new_deck("red", "red", "table").stack())
        await self.until(lambda: self.state.devices["shuffler-1"].done)
        cards = felt.hand("shuffler-1", felt.shuffler.unload)
        await self.until(lambda: self.state.decks["red"].places["hand"] == 53)
        felt.hand("shoe-1", felt.shoe.load, cards)
        await self.until(lambda: self.state.decks["red"].places["shoe"] == 53)
        await self.command(commands.ChangeDeck(deck="blue", preshuffled=True))
        await self.command(commands.OpenTable())

    async def ready_to_deal(self) -> None:
        """Bets closed, start position known, permit given."""
        felt = self.felt
        await self.command(commands.NoMoreBets(), "dealer")
        for _ in range(3):
            felt.hand("shaker-1", felt.shaker.shake)
        felt.hand("shaker-1", felt.shaker.uncover)
        await self.until(lambda: "deal/shoe-1" in self.state.grants)
        await self.until(lambda: self.state.grants["deal/shoe-1"].result == "done")

    async def deal(self, stacks: int) -> None:
        """So many more stacks."""
        felt = self.felt
        for _ in range(stacks):
            before = self.state.round.stacks
            felt.hand("shoe-1", felt.shoe.press_deal)
            await self.until(lambda wanted=before + 1: self.state.round.stacks == wanted)
            felt.hand("shoe-1", felt.shoe.take_stack)


@pytest_asyncio.fixture
async def felt_in() -> AsyncIterator[Callable[[Path], Awaitable[Felt]]]:
    """Lay a table's devices on their lines in a folder."""
    async with contextlib.AsyncExitStack() as stack:

        async def laid(folder: Path) -> Felt:
            made = Felt(folder)
            for pump in made.pumps.values():
                stack.callback(pump.station.line.close)
                await stack.enter_async_context(pump)
            return made

        yield laid


@pytest_asyncio.fixture
async def felt(tmp_path: Path, felt_in: Callable[[Path], Awaitable[Felt]]) -> Felt:
    """Devices on their lines."""
    return await felt_in(tmp_path)


@pytest_asyncio.fixture
async def started(felt: Felt) -> AsyncIterator[Callable[..., Any]]:
    """Begin runs of the daemon's heart on the same felt and the same journal."""
    runs: list[Run] = []

    async def start(**options: Any) -> Run:  # noqa: ANN401 - a run's own options
        run = Run(felt, **options)
        runs.append(run)
        await run.start()
        return run

    yield start
    for run in runs:
        await run.stop()
