"""Drivers against real pseudo-terminals: the far ends, a clock, and where the facts go."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import random
import tty
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest
import pytest_asyncio

from felt_drivers.catalogue import SCREENS, driver
from felt_drivers.contract import Device, Driver, Mark
from felt_drivers.felt_link import FeltLink
from felt_drivers.supervise import Supervisor
from felt_protocols.link.device import DeviceItem, DeviceSession, Permitted
from felt_protocols.link.items import Send
from felt_protocols.link.messages import Hello

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping
    from selectors import BaseSelector

    from felt_drivers.facts import Table
    from felt_protocols.events import Fact

AFact = TypeVar("AFact", bound="Fact")
SESSION = 0x0123_4567_89AB_CDEF
BOOT = 0x1000


class LinkClock:
    """Link time that passes `speed` times as fast as the loop's, and stands still while `leaping`."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self._start = asyncio.get_running_loop().time()
        self._stopped_s: float | None = None

    def link_now(self) -> float:
        """Seconds of link time."""
        if self._stopped_s is not None:
            return self._stopped_s
        return (asyncio.get_running_loop().time() - self._start) * self.speed

    def loop_time(self, link_t: float) -> float:
        """The loop's time at that link time, if it does not stand still."""
        return asyncio.get_running_loop().time() + (link_t - self.link_now()) / self.speed

    @contextlib.contextmanager
    def leaping(self) -> Generator[None]:
        """The loop's time goes on, and no link time passes."""
        self._stopped_s = self.link_now()
        yield
        stopped_s, self._stopped_s = self._stopped_s, None
        self._start += (self.link_now() - stopped_s) / self.speed


@dataclasses.dataclass(frozen=True)
class Told:
    """One fact as it was taken."""

    device: str
    fact: Fact
    age_s: float
    late: bool
    mark: Mark | None

    @property
    def name(self) -> str:
        """The fact's class."""
        return type(self.fact).__name__


class Ledger:
    """Takes facts, and commits them at once unless `committing` is off."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.drivers: dict[str, Driver] = {}
        self.committing = True
        self.when: Callable[[Told], None] | None = None

    def take(self, device: str, fact: Fact, age_s: float, late: bool, mark: Mark | None) -> None:  # noqa: FBT001 - as in `Take`
        """Take one fact."""
        told = Told(device, fact, age_s, late, mark)
        self.told.append(told)
        if self.when is not None:
            self.when(told)
        if mark is not None and self.committing:
            self.drivers[device].acknowledge(mark)

    def commit(self) -> None:
        """Acknowledge everything that was taken."""
        for told in self.told:
            if told.mark is not None:
                self.drivers[told.device].acknowledge(told.mark)

    def names(self, device: str | None = None) -> list[str]:
        """The facts' classes in order, of one device or of all."""
        return [told.name for told in self.told if device in {None, told.device}]

    def only(self, kind: type[AFact]) -> AFact:
        """The one fact of a class."""
        [fact] = [told.fact for told in self.told if isinstance(told.fact, kind)]
        return fact

    def facts(self, name: str) -> list[Fact]:
        """The facts of one class in order."""
        return [told.fact for told in self.told if told.name == name]


class FarEnd:
    """A device at the other end of a pseudo-terminal, which can be pulled and put back.

    `line` distorts what it sends: it gives the pieces that arrive, each written by itself.
    """

    def __init__(self, link: Path, family: str, clock: LinkClock) -> None:
        self.link = link
        self.clock = clock
        self.hello = Hello(
            family=family,
            model="test bench",
            serial=f"{family}-7",
            firmware="1.2.3",
            digest=bytes(32),
            boot=BOOT,
        )
        self.session = DeviceSession(self.hello, 64, clock.link_now())
        self.line: Callable[[bytes], Iterable[bytes]] = lambda data: [data]
        self.ears: Callable[[bytes], bytes] = lambda data: data
        self.items: list[DeviceItem] = []
        self.heard = b""
        self.dropped = 0
        self._fds: tuple[int, int] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def master(self) -> int:
        """The device's descriptor."""
        assert self._fds is not None
        return self._fds[0]

    def plug(self) -> None:
        """Appear under the link's name, on a new pseudo-terminal."""
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._fds = (master, slave)
        self.link.symlink_to(os.ttyname(slave))
        self.listen()
        self._rang()

    def pull(self) -> None:
        """Hang up and disappear."""
        if self._fds is None:
            return
        self.turn_deaf()
        if self._timer is not None:
            self._timer.cancel()
        for fd in self._fds:
            os.close(fd)
        self._fds = None
        self.link.unlink()

    def listen(self) -> None:
        """Read what the host sends."""
        asyncio.get_running_loop().add_reader(self.master, self._readable)

    def turn_deaf(self) -> None:
        """Read no more."""
        asyncio.get_running_loop().remove_reader(self.master)

    def boot(self, number: int) -> None:
        """Start again with another boot id and an empty memory."""
        self.hello = dataclasses.replace(self.hello, boot=number)
        self.session = DeviceSession(self.hello, 64, self.clock.link_now())
        if self._fds is not None:
            self._carry(self.session.opened(self.clock.link_now()))

    def happen(self, name: str, **fields: object) -> None:
        """An event of the device, whatever it says."""
        self._carry(self.session.happen(name, fields, self.clock.link_now(), unchecked=True))

    def say(self, data: bytes) -> None:
        """Write bytes as they are; what does not fit is lost, as on a line without flow control."""
        if self._fds is None:
            return
        try:
            self.dropped += len(data) - os.write(self.master, data)
        except BlockingIOError:
            self.dropped += len(data)

    def _readable(self) -> None:
        data = self.ears(os.read(self.master, 65_536))
        self.heard += data
        self._carry(self.session.receive(data, self.clock.link_now()))

    def _carry(self, items: Iterable[DeviceItem]) -> None:
        for item in items:
            self.items.append(item)
            if isinstance(item, Send):
                self._send(item.data)
            elif isinstance(item, Permitted):
                self._send(self.session.done(item.number))
        if self._fds is not None:
            self._arm()

    def _send(self, data: bytes) -> None:
        for piece in self.line(data):
            self.say(piece)

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        due = self.session.due()
        if due < float("inf"):
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(self.clock.loop_time(due), self._rang)

    def _rang(self) -> None:
        self._carry(self.session.elapsed(self.clock.link_now()))


class Bench:
    """Far ends, drivers and their supervisor; `speed` is how fast link time passes."""

    def __init__(self, folder: Path, speed: float) -> None:
        self.folder = folder
        self.clock = LinkClock(speed)
        self.ledger = Ledger()
        self.ends: list[FarEnd] = []
        self.running: list[asyncio.Task[None]] = []
        self.random = random.Random(7)  # noqa: S311 - jitter that a test can repeat

    def far(self, name: str, family: str = "shoe") -> FarEnd:
        """A far end that is not plugged in yet."""
        end = FarEnd(self.folder / name, family, self.clock)
        self.ends.append(end)
        return end

    def driver(
        self, name: str, family: str = "shoe", last: Mark | None = None, table: Table | None = None
    ) -> Driver:
        """The catalogue's driver for the far end of that name, or one with a table of the test's."""
        found = Device(name, family, str(self.folder / name))
        made = (
            driver(found, clock=self.clock, take=self.ledger.take, session=SESSION, last=last)
            if table is None
            else FeltLink(
                found,
                table=table,
                clock=self.clock,
                take=self.ledger.take,
                session=SESSION,
                last=last,
                screen=SCREENS.get((family, "felt-link")),
            )
        )
        self.ledger.drivers[name] = made
        return made

    def supervise(self, *drivers: Driver) -> Supervisor:
        """Start to attend to drivers."""
        supervisor = Supervisor(drivers, self.clock, self.random.random)
        self.running.append(asyncio.get_running_loop().create_task(supervisor.run()))
        return supervisor

    def table(self, **families: str) -> tuple[Supervisor, list[FarEnd]]:
        """Plugged devices by their names, driven."""
        ends = [self.far(name, family) for name, family in families.items()]
        for end in ends:
            end.plug()
        return self.supervise(*(self.driver(name, family) for name, family in families.items())), ends

    async def until(self, condition: Callable[[], object], within_s: float = 8.0) -> None:
        """Wait until the condition holds. `within_s`: seconds of real time."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within_s
        while not condition():
            assert loop.time() < deadline, f"not within {within_s} s; told: {self.ledger.names()}"
            await asyncio.sleep(0.002)

    async def pass_time(self, link_s: float) -> None:
        """Let link time pass: what is tested is what does not happen meanwhile."""
        end = self.clock.link_now() + link_s
        await self.until(lambda: self.clock.link_now() >= end, within_s=60)

    async def stop_drivers(self) -> None:
        """Stop what attends to the devices, which stay."""
        for task in self.running:
            task.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)
        self.running.clear()

    async def stop(self) -> None:
        """Stop everything."""
        await self.stop_drivers()
        for end in self.ends:
            end.pull()


@pytest.fixture
def speed(request: pytest.FixtureRequest) -> float:
    """How fast link time passes; `@pytest.mark.parametrize("speed", [20], indirect=True)` changes it."""
    return float(getattr(request, "param", 1.0))


@pytest_asyncio.fixture
async def bench(tmp_path: Path, speed: float) -> AsyncIterator[Bench]:
    """A bench whose drivers stop and whose ends are pulled when the test is over, leaving nothing behind."""
    found = Bench(tmp_path, speed)
    yield found
    await found.stop()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    assert not others, f"a task was left behind: {others}"
    selector: BaseSelector = vars(asyncio.get_running_loop())["_selector"]
    readers = list(selector.get_map())
    assert len(readers) == 1, f"a reader or writer was left behind: {readers}"


@pytest.fixture(autouse=True)
def _no_descriptor_is_left_behind() -> Iterator[None]:
    before = _descriptors()
    yield
    after = _descriptors()
    assert after.keys() <= before.keys(), {fd: after[fd] for fd in after.keys() - before.keys()}


def _descriptors() -> Mapping[int, str]:
    found: dict[int, str] = {}
    for entry in os.scandir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found[int(entry.name)] = str(Path(entry.path).readlink())
    # Listing the folder has a descriptor of its own.
    return {fd: target for fd, target in found.items() if not target.endswith("/fd")}
