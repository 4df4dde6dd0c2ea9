"""One run of the device process, from the opened journal to the last commit."""

from __future__ import annotations

import asyncio
import datetime as dt
import gc
import logging
import random
import secrets
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from felt_daemon import __version__
from felt_daemon.cli import exits
from felt_daemon.config.day import gaming_day
from felt_daemon.control import ControlServer, Listener, RoleBook, Served
from felt_daemon.journal import Journal
from felt_daemon.publisher.process import Callbacks, Identity, PublisherProcess
from felt_daemon.rules.library import digest_of
from felt_daemon.setup import pack_of, pack_text_of, setup_of
from felt_daemon.shell.commands import Commands
from felt_daemon.shell.core import Core
from felt_daemon.shell.gaming_days import GamingDays
from felt_daemon.shell.givers import Givers
from felt_daemon.shell.handler import Handler
from felt_daemon.shell.remote import Remote
from felt_daemon.shell.rows import row_of
from felt_daemon.shell.software import packages, software_digest
from felt_daemon.shell.staff import Staff
from felt_daemon.shell.timers import Timers
from felt_daemon.shell.wall import WallTime
from felt_daemon.table import Table, blank
from felt_drivers.catalogue import driver
from felt_drivers.contract import Device, Mark
from felt_drivers.supervise import Supervisor
from felt_protocols.events import system

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from felt_daemon.clock import Clock
    from felt_daemon.config import Config
    from felt_daemon.journal import Trouble
    from felt_daemon.table.state import State

LOG = logging.getLogger(__name__)

# How often the health of devices, which is no row, goes to the publisher.
HEALTH_EVERY_S = 1.0
# How often an untrusted wall clock is looked at again.
CLOCK_EVERY_S = 10.0
# The writer thread gives way to the loop within so long, not within Python's usual 5 ms: a jam does not wait.
SWITCH_S = 0.0002
# How long an orderly stop waits for the last commit.
FLUSH_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The files of a run."""

    config: Path
    journal: Path
    control: Path


async def run(config: Config, places: Places, clock: Clock) -> int:
    """Run the table until told to stop; gives the exit code."""
    sys.setswitchinterval(SWITCH_S)
    life = Life(config, places, clock)
    try:
        return await life.live()
    finally:
        life.journal.close(FLUSH_S)


class Life:
    """Everything of one run, put together."""

    def __init__(self, config: Config, places: Places, clock: Clock) -> None:
        self._config = config
        self._clock = clock
        self._places = places
        self._loop = asyncio.get_running_loop()
        self._start = clock.moment().start
        self._ending: asyncio.Future[int] = self._loop.create_future()
        self.journal = Journal.open(
            places.journal,
            now=lambda: clock.moment().utc_us,
            on_commit=lambda heads: self._soon(self._committed, heads),
            on_trouble=lambda trouble: self._soon(self._trouble, trouble),
        )
        self._publisher = PublisherProcess(config, self._identity(), self._callbacks())
        self.core = Core(
            table=self._restored(),
            journal=self.journal,
            clock=clock,
            loop=self._loop,
            tell=self._publisher.tell_committed,
            watch=lambda rows: self._timers.watch(rows, self.core.table.state.timers),
            fail=lambda: self._end(exits.SOFTWARE),
        )
        self._timers = Timers(self._loop, clock.moment, self.core.take)
        self._staff = None if config.people.register is None else Staff(config.people.register)
        self._wall = WallTime()
        self._commands = Commands(self.core, self._loop)
        self._remote = Remote(self._commands, self._start, self._now_us, self._publisher.tell_answer)
        self._trusted = clock.trusted
        self._journal_trouble = ""
        self._broker_news = ""
        # While another process is waited for, whose time is real, a simulated run's time stands still.
        self._waits = True

    def _soon(self, call: Any, argument: Any) -> None:  # noqa: ANN401 - from the writer's thread, as it comes
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call, argument)

    def _identity(self) -> Identity:
        return Identity(
            config_file=self._places.config,
            journal=self._places.journal,
            start=self._start,
            version=__version__,
            simulated=self._clock.simulated,
        )

    def _callbacks(self) -> Callbacks:
        return Callbacks(
            delivered=lambda stream, seq: self._ignored(self.journal.set_cursor("floor", stream, seq)),
            retained=self._retained,
            broker=self._broker,
            lane=self._lane,
            dead_letter=self._dead_letter,
            trouble=lambda text: LOG.error("publisher: %s", text),
            # Made later than the publisher, which it answers.
            request=lambda request: self._remote.take(request),  # noqa: PLW0108 - see above
            uncounted=lambda count: self._remote.uncounted(count),  # noqa: PLW0108 - see above
            failed=lambda: self._end(exits.SOFTWARE),
        )

    @staticmethod
    def _ignored(_: object) -> None:
        return

    def _restored(self) -> Table:
        """The table as its rows say it is."""
        pack = pack_of(self._config)
        table = Table(pack, blank(setup_of(self._config, pack)), self._clock.simulated)
        stream = self._config.table.id
        while stored := self.journal.read(stream, table.state.seq):
            for one in stored:
                table.told(row_of(one))
        return table

    async def live(self) -> int:
        """From the first fact of this run to its last."""
        self._clock.busy = lambda: self._waits or self.core.busy()
        started = self._started()
        self.core.take(started)
        self._timers.sync(self.core.table.state.timers)
        supervisor = self._supervisor()
        self._clock.links = supervisor.links
        self._publisher.tell_clock(self._now_us())
        await self._publisher.start()
        self._waits = False
        self.core.started()
        for name in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(name, self._end, exits.OK)
        server = self._server(supervisor)
        day = dt.date.fromisoformat(started.gaming_day)
        self._days = GamingDays(self._loop, self._config.table, self._clock.moment, self.core.take, day)
        # What is there now stays: the collector need not look through it while a jam waits.
        gc.collect()
        gc.freeze()
        LOG.warning("table %s is up; control socket %s", self._config.table.id, self._places.control)
        tasks = [
            asyncio.create_task(work, name=name)
            for name, work in (
                ("supervisor", supervisor.run()),
                ("control", server.serve()),
                ("health", self._tell_health(supervisor)),
                ("clock", self._watch_clock()),
            )
        ]
        for task in tasks:
            task.add_done_callback(self._over)
        try:
            code = await self._ending
        finally:
            await self._finish(tasks)
        return code

    def _server(self, supervisor: Supervisor) -> ControlServer:
        simulated = self._clock.simulated
        givers = Givers(self._staff, self._loop.time, simulated=simulated)
        handler = Handler(self.core, self._commands, givers, self._now, lambda: self._health(supervisor))
        listener = Listener.opened(self._places.control)
        book = RoleBook.resolved(self._config.control.roles)
        tables = {self._config.table.id: Served(handler, book)}
        return ControlServer(listener, tables, stated_roles=simulated)

    def _over(self, task: asyncio.Task[None]) -> None:
        """A part that ends by itself ends the run: systemd starts it again."""
        if not task.cancelled():
            LOG.error("%s ended", task.get_name(), exc_info=task.exception())
            self._end(exits.SOFTWARE)

    async def _finish(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._timers.close()
        self._days.close()
        self._remote.close()
        self._commands.close()
        ended = self._ending.result() if self._ending.done() else exits.SOFTWARE
        if ended == exits.OK:
            done: asyncio.Future[None] = self._loop.create_future()
            self.core.take(system.Stopped(why="told to stop"), lambda: done.set_result(None))
            await asyncio.wait([done], timeout=FLUSH_S)
        self._waits = True
        await self._publisher.stop("stopped" if ended == exits.OK else "failed")

    def _end(self, code: int) -> None:
        if not self._ending.done():
            self._ending.set_result(code)

    def _started(self) -> system.Started:
        config = self._config
        text = pack_text_of(config)
        self.journal.store_pack(digest_of(text), text)
        return system.Started(
            version=__version__,
            epoch=self.journal.epoch,
            pack=config.table.game,
            pack_digest=digest_of(text),
            config_digest=config.digest,
            elections=dict(config.elections),
            reference=config.rules_submission.reference,
            reference_date=config.rules_submission.date.isoformat(),
            gaming_day=gaming_day(config.table, self._clock.moment().utc_us).isoformat(),
            software_digest=software_digest(packages()),
        )

    def _supervisor(self) -> Supervisor:
        state = self.core.table.state
        session = secrets.randbits(64)
        for name, settings in self._config.devices.items():
            device = Device(
                id=name,
                family=settings.family,
                path=str(self._clock.ports.get(name, settings.port)),
                baud=settings.baud,
                link=settings.link,
                serial=settings.serial,
                digest=bytes.fromhex(settings.digest) if settings.digest else None,
            )
            self.core.drivers[name] = driver(
                device, clock=self._clock, take=self.core.heard, session=session, last=_mark(state, name)
            )
        return Supervisor(self.core.drivers.values(), self._clock, random.random)

    def _committed(self, heads: Mapping[str, int]) -> None:
        self.core.committed(heads)

    def _trouble(self, trouble: Trouble | None) -> None:
        self._journal_trouble = trouble.text if trouble else ""
        if trouble is None:
            LOG.warning("the journal is written again")
        else:
            LOG.error("the journal cannot be written: %s", trouble.text)
            if trouble.fatal:
                self._end(exits.SOFTWARE)

    def _retained(self, topics: Sequence[str]) -> None:
        for topic in topics:
            self.journal.retained_add(topic)
        self._publisher.tell_noted(topics)

    def _broker(self, up: bool, why: str) -> None:  # noqa: FBT001 - the callback's form
        news = "broker up" if up else f"broker down: {why}"
        # Said once, however often it is tried: the same failure again is no news.
        if news != self._broker_news:
            self._broker_news = news
            LOG.warning("%s", news)

    def _lane(self, why: str | None, _stream: str, seq: int, code: int) -> None:
        if why is None:
            LOG.warning("events go to the floor again from %d", seq)
        else:
            LOG.error("events wait at %d: %s (code %d)", seq, why, code)

    def _dead_letter(self, stream: str, seq: int) -> None:
        self.core.take(system.DeadLettered(sequence=seq), lambda: self._publisher.tell_skipped(stream, seq))

    def _now_us(self) -> int | None:
        """The time of day, as far as it can be trusted."""
        return self._wall.now_us(self._clock.moment())

    def _now(self) -> dict[str, Any]:
        """What time it is at this table, for whoever looks at its state."""
        moment = self._clock.moment()
        return {
            "utc_us": moment.utc_us,
            "mono_ns": moment.mono_ns,
            "boot": moment.boot,
            "trusted": moment.trusted,
            "gaming_day": gaming_day(self._config.table, moment.utc_us).isoformat(),
            "time_zone": self._config.table.time_zone,
        }

    def _health(self, supervisor: Supervisor) -> dict[str, Any]:
        return {
            "devices": supervisor.health(),
            "progress_s": supervisor.progress(),
            "rows_waiting": self.core.waiting,
            "journal": self._journal_trouble or "written",
            "people": "no register" if self._staff is None else self._staff.complaint or "read",
            "broker": {"address": self._publisher.broker, "now": self._broker_news or "not tried yet"},
        }

    async def _tell_health(self, supervisor: Supervisor) -> None:
        while True:
            self._publisher.tell_health({self._config.table.id: supervisor.health()})
            self._publisher.tell_clock(self._now_us())
            await asyncio.sleep(HEALTH_EVERY_S)

    async def _watch_clock(self) -> None:
        """Tell the table when the wall clock can be trusted; then there is nothing more to watch."""
        while not self._clock.trusted:  # noqa: ASYNC110 - the kernel wakes nobody when it is synchronized
            await asyncio.sleep(CLOCK_EVERY_S)
        if not self._trusted:
            self.core.take(system.ClockTrusted())
            self._timers.sync(self.core.table.state.timers)
            self._days.look()
        await self._loop.create_future()


def _mark(state: State, name: str) -> Mark | None:
    device = state.devices[name]
    return Mark(int(device.boot, 16), device.last_n) if device.boot else None
