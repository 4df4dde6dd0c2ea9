"""One table's part of a run: its core, devices, people, publisher; what goes wrong with it stays with it."""

from __future__ import annotations

import asyncio
import contextvars
import datetime as dt
import logging
import random
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from felt_daemon import __version__
from felt_daemon.cli import exits
from felt_daemon.config.day import gaming_day
from felt_daemon.control import RoleBook, Served
from felt_daemon.folding import begin, marks_of, snapshot_of
from felt_daemon.journal.instant import utc_text
from felt_daemon.publisher.process import Callbacks, Identity, PublisherProcess
from felt_daemon.rules.library import digest_of, parse_pack
from felt_daemon.setup import pack_text_of, setup_of
from felt_daemon.shell.certificates import Certificates
from felt_daemon.shell.commands import Commands
from felt_daemon.shell.core import Core
from felt_daemon.shell.delivery import Delivery, Tell
from felt_daemon.shell.gaming_days import GamingDays
from felt_daemon.shell.givers import Givers, Pins
from felt_daemon.shell.handler import Handler
from felt_daemon.shell.log import TABLE
from felt_daemon.shell.remote import Remote
from felt_daemon.shell.rows import rows_after
from felt_daemon.shell.staff import Staff
from felt_daemon.shell.timers import Timers
from felt_daemon.shell.wall import WallTime
from felt_daemon.table import Table
from felt_drivers.catalogue import driver
from felt_drivers.contract import Device, Mark
from felt_drivers.supervise import Supervisor
from felt_protocols.events import system

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Sequence
    from pathlib import Path

    from felt_daemon.clock import Clock
    from felt_daemon.config import Config
    from felt_daemon.journal import Journal, Trouble
    from felt_daemon.table.state import State
    from felt_protocols.events import Row

LOG = logging.getLogger(__name__)

# How often the health of devices, which is no row, goes to the publisher.
HEALTH_EVERY_S = 1.0
# How often an untrusted wall clock is looked at again.
CLOCK_EVERY_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A table to run: its configuration, and its control socket."""

    config: Config
    control: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What the tables of one process have in common.

    `end` ends the process with a code. `leases` is told a table's id, and whether its rows are written in
    time. `trouble` says what is wrong with the journal, "" while nothing is. `software` is the digest of the
    programs. `several`: there is more than one table.
    """

    journal: Journal
    path: Path
    clock: Clock
    loop: asyncio.AbstractEventLoop
    end: Callable[[int], None]
    leases: Callable[[str, bool], None]
    trouble: Callable[[], str]
    software: str
    pins: Pins
    several: bool


class TableRun:
    """One table of the process, from its first fact of this run to its last."""

    def __init__(self, planned: Planned, house: House) -> None:
        self._config = config = planned.config
        self._house = house
        self._clock = house.clock
        self._loop = house.loop
        self._start = house.clock.moment().start
        self.id = config.table.id
        # Whatever runs in it, and whatever that leads to, says in the log which table it is about.
        self.context = contextvars.copy_context()
        if house.several:
            self.context.run(TABLE.set, self.id)
        self.control = planned.control
        self._pack_text = pack_text_of(config)
        self._publisher = PublisherProcess(config, self._identity(), self._callbacks())
        self.core = self.context.run(self._folded)
        self._timers = Timers(self._loop, self._clock.moment, self.core.take)
        self._staff = None if config.people.register is None else Staff(config.people.register)
        self._wall = WallTime()
        publisher = self._publisher
        tell = Tell(publisher.tell_skipped, publisher.tell_replay, publisher.tell_snapshot)
        self._delivery = Delivery(self.core, house.journal, tell)
        self._certificates = Certificates(self.core, self._now_us)
        self._commands = Commands(self.core, self._loop)
        self._remote = Remote(self._commands, self._start, self._now_us, self._publisher.tell_answer)
        self._trusted = self._clock.trusted
        self._broker_news = ""
        self._supervisor: Supervisor | None = None
        self._days: GamingDays | None = None

    def _folded(self) -> Core:
        """The core, its table as its rows say it is; raises `SchemaRefused` for rows of a later release."""
        config, house = self._config, self._house
        # The text that is stored is the one that is run, whatever becomes of the file.
        pack = parse_pack(self._pack_text, config.elections)
        setup = setup_of(config, pack)
        marks = marks_of(house.software, digest_of(self._pack_text), setup)
        begun = begin(house.journal, setup, marks)
        table = Table(pack, begun, house.clock.simulated)
        for row in rows_after(house.journal, self.id, table.state.seq):
            table.told(row)
        return Core(
            table=table,
            journal=house.journal,
            clock=house.clock,
            loop=house.loop,
            tell=self._publisher.tell_committed,
            watch=self._watch,
            fail=lambda: house.end(exits.SOFTWARE),
            leases=lambda wish: house.leases(self.id, wish),
            keep=lambda state: house.journal.keep(snapshot_of(state, marks), self.id, state.seq),
            kept=begun.seq,
        )

    def _identity(self) -> Identity:
        return Identity(
            pack=self._pack_text,
            journal=self._house.path,
            start=self._start,
            version=__version__,
            simulated=self._clock.simulated,
        )

    def _callbacks(self) -> Callbacks:
        return Callbacks(
            retained=self._retained,
            broker=self._broker,
            trouble=lambda text: LOG.error("publisher: %s", text),
            # These are made later than the publisher.
            cursors=lambda _, moved: self._delivery.cursors(moved),
            consumers=lambda _, standings: self._delivery.consumers(standings),
            suspended=lambda _, consumer, seq: self._delivery.suspended(consumer, seq),
            returned=lambda _, consumer, seq: self._delivery.returned(consumer, seq),
            ack_refused=lambda _, refused: self._delivery.ack_refused(refused),
            lane=lambda why, _, seq, code: self._delivery.lane(why, seq, code),
            dead_letter=lambda _, seq: self._delivery.dead_letter(seq),
            certificate=lambda said: self._certificates.heard(said),  # noqa: PLW0108 - see above
            request=lambda request: self._remote.take(request),  # noqa: PLW0108 - see above
            uncounted=lambda count: self._remote.uncounted(count),  # noqa: PLW0108 - see above
            failed=lambda: self._house.end(exits.SOFTWARE),
        )

    def _watch(self, rows: list[Row]) -> None:
        """Rows were decided: who waits for them looks at them."""
        self._timers.watch(rows, self.core.table.state.timers)
        self._delivery.watch(rows)

    # ---- The course of a run, in this order ------------------------------------------------------------

    def begin(self) -> None:
        """Take the first fact, and make the drivers, which are not heard yet."""
        self.core.take(self._first())
        self._timers.sync(self.core.table.state.timers)
        self._supervisor = self._made()

    async def publish(self) -> None:
        """Start the publisher, and a broker where one is embedded; raises `NoBroker`."""
        self._publisher.tell_clock(self._now_us())
        await self._publisher.start()

    def open(self) -> Served:
        """Say again what holds of before wish; gives what answers at the control socket."""
        self.core.started()
        day = dt.date.fromisoformat(self.core.table.state.gaming_day)
        self._days = GamingDays(self._loop, self._config.table, self._clock.moment, self.core.take, day)
        givers = Givers(self._staff, self._loop.time, self._house.pins, simulated=self._clock.simulated)
        handler = Handler(self.core, self._commands, givers, self._now, self._health)
        return Served(handler, RoleBook.resolved(self._config.control.roles))

    def work(self) -> Iterator[tuple[str, Coroutine[Any, Any, None]]]:
        """What goes on until the run ends, by names for a log."""
        supervisor = self._attended()
        yield "supervisor", supervisor.run()
        yield "health", self._tell_health(supervisor)
        yield "clock", self._watch_clock()

    def close(self) -> None:
        """Nothing wakes and nothing is asked for any more; what is left is told."""
        self._timers.close()
        if self._days is not None:
            self._days.close()
        self._remote.close()
        self._commands.close()

    async def stopped(self) -> None:
        """Take the last fact, and wait for its commit."""
        done: asyncio.Future[None] = self._loop.create_future()
        self.core.take(system.Stopped(why="told to stop"), lambda: done.set_result(None))
        await done
        self.core.keep_state()

    def journal(self, trouble: Trouble | None) -> None:
        """The journal that all tables have in common cannot be written, or is again: the floor must know."""
        if trouble is None:
            self._publisher.tell_journal(None)
            return
        since = utc_text(trouble.since)
        self._publisher.tell_journal({"kind": trouble.kind.value, "text": trouble.text, "since": since})

    def ring(self, seq: int) -> None:
        """Rows up to `seq` are committed: called on the journal's thread, before the loop hears of it."""
        self._publisher.ring(seq)

    async def farewell(self, reason: str) -> None:
        """Let the publisher send what is left and say why the table goes offline."""
        await self._publisher.stop(reason)

    # ----------------------------------------------------------------------------------------------------

    def links(self) -> dict[str, tuple[int, int]]:
        """Bytes read and written for each device whose port is open, by its name for the simulation host."""
        return {self._place(name): counts for name, counts in self._attended().links().items()}

    def _place(self, device: str) -> str:
        """A device's name among those of all tables of the process."""
        return f"{self.id}/{device}" if self._house.several else device

    def _attended(self) -> Supervisor:
        if self._supervisor is None:
            raise RuntimeError(f"{self.id} has not begun")
        return self._supervisor

    def _first(self) -> system.Started:
        config = self._config
        digest = digest_of(self._pack_text)
        self._house.journal.store_pack(digest, self._pack_text)
        self._house.journal.store_config(config.digest, config.text)
        return system.Started(
            version=__version__,
            epoch=self._house.journal.epoch,
            pack=config.table.game,
            pack_digest=digest,
            config_digest=config.digest,
            elections=dict(config.elections),
            reference=config.rules_submission.reference,
            reference_date=config.rules_submission.date.isoformat(),
            gaming_day=gaming_day(config.table, self._clock.moment().utc_us).isoformat(),
            software_digest=self._house.software,
        )

    def _made(self) -> Supervisor:
        state = self.core.table.state
        session = secrets.randbits(64)
        for name, settings in self._config.devices.items():
            device = Device(
                id=name,
                family=settings.family,
                path=str(self._clock.ports.get(self._place(name), settings.port)),
                baud=settings.baud,
                link=settings.link,
                serial=settings.serial,
                digest=bytes.fromhex(settings.digest) if settings.digest else None,
            )
            self.core.drivers[name] = driver(
                device, clock=self._clock, take=self.core.heard, session=session, last=_mark(state, name)
            )
        return Supervisor(self.core.drivers.values(), self._clock, random.random)

    # ---- What the publisher tells ----------------------------------------------------------------------

    def _retained(self, topics: Sequence[str]) -> None:
        for topic in topics:
            self._house.journal.retained_add(topic)
        self._publisher.tell_noted(topics)

    def _broker(self, up: bool, why: str) -> None:  # noqa: FBT001 - the callback's form
        news = "broker up" if up else f"broker down: {why}"
        # Said once, however often it is tried: the same failure again is no news.
        if news != self._broker_news:
            self._broker_news = news
            LOG.warning("%s", news)

    # ---- What time it is, and how all is ---------------------------------------------------------------

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

    def _health(self) -> dict[str, Any]:
        supervisor = self._attended()
        return {
            "devices": supervisor.health(),
            "progress_s": supervisor.progress(),
            "rows_waiting": self.core.waiting,
            "journal": self._house.trouble() or "written",
            "people": "no register" if self._staff is None else self._staff.complaint or "read",
            "broker": {
                "address": self._publisher.broker,
                "now": self._broker_news or "not tried yet",
                "certificates": self._certificates.shown(),
            },
            "delivery": self._delivery.health(),
        }

    async def _tell_health(self, supervisor: Supervisor) -> None:
        while True:
            self._publisher.tell_health({self.id: supervisor.health()})
            self._publisher.tell_clock(self._now_us())
            self._certificates.look()
            await asyncio.sleep(HEALTH_EVERY_S)

    async def _watch_clock(self) -> None:
        """Tell the table when the wall clock can be trusted; then there is nothing more to watch."""
        while not self._clock.trusted:  # noqa: ASYNC110 - the kernel wakes nobody when it is synchronized
            await asyncio.sleep(CLOCK_EVERY_S)
        if not self._trusted:
            self.core.take(system.ClockTrusted())
            self._timers.sync(self.core.table.state.timers)
            if self._days is not None:
                self._days.look()
        await self._loop.create_future()


def _mark(state: State, name: str) -> Mark | None:
    device = state.devices[name]
    return Mark(int(device.boot, 16), device.last_n) if device.boot else None
