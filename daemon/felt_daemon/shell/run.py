"""One run of the device process, from the opened journal to the last commit: one table, or several."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
from typing import TYPE_CHECKING, Any

from felt_daemon.cli import exits
from felt_daemon.control import ControlServer, Listener, Served
from felt_daemon.journal import Journal
from felt_daemon.shell.givers import Pins
from felt_daemon.shell.software import packages, software_digest
from felt_daemon.shell.table_run import House, Planned, TableRun

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from felt_daemon.clock import Clock
    from felt_daemon.journal import Trouble

LOG = logging.getLogger(__name__)

# The writer thread gives way to the loop within so long, not within Python's usual 5 ms: a jam does not wait.
SWITCH_S = 0.0002
# How long an orderly stop waits for the last commit.
FLUSH_S = 5.0


async def run(tables: Sequence[Planned], journal: Path, clock: Clock) -> int:
    """Run the tables until told to stop; gives the exit code."""
    sys.setswitchinterval(SWITCH_S)
    life = Life(tables, journal, clock)
    try:
        return await life.live()
    finally:
        life.journal.close(FLUSH_S)


class Life:
    """The tables of one process: one journal and one loop, and for each table all else of its own."""

    def __init__(self, tables: Sequence[Planned], journal: Path, clock: Clock) -> None:
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._ending: asyncio.Future[int] = self._loop.create_future()
        self._trouble_text = ""
        # Tables whose rows wait too long for the disk.
        self._late: set[str] = set()
        # While another process is waited for, whose time is real, a simulated run's time stands still.
        self._waits = True
        self.journal = Journal.open(
            journal,
            now=lambda: clock.moment().utc_us,
            on_commit=self._rung,
            on_trouble=lambda trouble: self._soon(self._trouble, trouble),
        )
        house = House(
            journal=self.journal,
            path=journal,
            clock=clock,
            loop=self._loop,
            end=self._end,
            leases=self._leases,
            trouble=lambda: self._trouble_text,
            software=software_digest(packages()),
            pins=Pins(),
            several=len(tables) > 1,
        )
        self._tables = {one.config.table.id: TableRun(one, house) for one in tables}

    def _soon(self, call: Any, argument: Any) -> None:  # noqa: ANN401 - from the writer's thread, as it comes
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call, argument)

    async def live(self) -> int:
        """From the first fact of this run to its last."""
        tasks: list[asyncio.Task[None]] = []
        try:
            servers = await self._begin()
            tasks += self._tasks(servers)
            return await self._ending
        finally:
            await self._finish(tasks)

    async def _begin(self) -> list[ControlServer]:
        tables = self._tables.values()
        self._clock.busy = lambda: self._waits or any(table.core.busy() for table in tables)
        for table in tables:
            table.context.run(table.begin)
        self._clock.links = lambda: {name: one for table in tables for name, one in table.links().items()}
        for table in tables:
            await asyncio.create_task(table.publish(), context=table.context)
        self._waits = False
        served = {table.id: table.context.run(table.open) for table in tables}
        for name in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(name, self._end, exits.OK)
        servers = list(self._servers(served))
        # What is there now stays: the collector need not look through it while a jam waits.
        gc.collect()
        gc.freeze()
        for table in tables:
            LOG.warning("table %s is up; control socket %s", table.id, table.control)
        return servers

    def _servers(self, served: Mapping[str, Served]) -> list[ControlServer]:
        """One server for each socket; tables that name the same one share it."""
        sockets: dict[Path, dict[str, Served]] = {}
        for table in self._tables.values():
            sockets.setdefault(table.control, {})[table.id] = served[table.id]
        simulated = self._clock.simulated
        return [
            ControlServer(Listener.opened(path), tables, stated_roles=simulated)
            for path, tables in sockets.items()
        ]

    def _tasks(self, servers: Sequence[ControlServer]) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(server.serve(), name="control") for server in servers]
        for task in tasks:
            task.add_done_callback(self._over)
        for table in self._tables.values():
            for name, work in table.work():
                task = asyncio.create_task(work, name=name, context=table.context)
                task.add_done_callback(self._over, context=table.context)
                tasks.append(task)
        return tasks

    def _over(self, task: asyncio.Task[None]) -> None:
        """A part that ends by itself ends the run: systemd starts it again."""
        if not task.cancelled():
            LOG.error("%s ended", task.get_name(), exc_info=task.exception())
            self._end(exits.SOFTWARE)

    async def _finish(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for table in self._tables.values():
            table.close()
        ended = self._ending.result() if self._ending.done() else exits.SOFTWARE
        if ended == exits.OK:
            last = [asyncio.create_task(table.stopped()) for table in self._tables.values()]
            _, late = await asyncio.wait(last, timeout=FLUSH_S)
            for task in late:
                task.cancel()
        self._waits = True
        reason = "stopped" if ended == exits.OK else "failed"
        await asyncio.gather(*(table.farewell(reason) for table in self._tables.values()))

    def _end(self, code: int) -> None:
        if not self._ending.done():
            self._ending.set_result(code)

    def _rung(self, heads: Mapping[str, int]) -> None:
        """On the journal's thread: the publishers first, then the loop."""
        for stream, seq in heads.items():
            self._tables[stream].ring(seq)
        self._soon(self._committed, heads)

    def _committed(self, heads: Mapping[str, int]) -> None:
        for stream, seq in heads.items():
            table = self._tables[stream]
            table.context.run(table.core.committed, {stream: seq})

    def _leases(self, table: str, wish: bool) -> None:  # noqa: FBT001 - the callback's form
        """A journal that is not written in time for one table is written in time for none."""
        if wish:
            self._late.discard(table)
        else:
            self._late.add(table)
        for one in self._tables.values():
            one.core.renew(wish=not self._late)

    def _trouble(self, trouble: Trouble | None) -> None:
        self._trouble_text = trouble.text if trouble else ""
        for table in self._tables.values():
            table.journal(trouble)
        if trouble is None:
            LOG.warning("the journal is written again")
        else:
            LOG.error("the journal cannot be written: %s", trouble.text)
            if trouble.fatal:
                self._end(exits.SOFTWARE)
