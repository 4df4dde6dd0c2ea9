"""One task for each device, kept alive for ever: what goes wrong with one never touches another.

This is the only place of the house that catches what nobody expected. A driver's bug faults that
device, is logged at once, and the driver is started again later and later. An exception of the table's
is no driver's: it ends the supervisor.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec

from felt_drivers.retry import Backoff, Complaints
from felt_protocols.errors import LinkLost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from felt_drivers.contract import Clock, Driver, Mark, Take
    from felt_protocols.events import Fact

LOG = logging.getLogger(__name__)

# A driver that is this late with what it promised to do is taken to hang.
HUNG_S = 10.0
WATCH_EVERY_S = 5.0
_TICK_S = 1e-3

_Args = ParamSpec("_Args")


class TakeFailed(Exception):  # noqa: N818 - it says what failed, and is raised from it
    """The table could not take a fact; the cause says why. No driver can do anything about it."""


def trusted(take: Take) -> Take:
    """`take`, whose exceptions are never mistaken for a driver's."""

    def call(device: str, fact: Fact, age_s: float, late: bool, mark: Mark | None) -> None:  # noqa: FBT001 - as in `Take`
        try:
            take(device, fact, age_s, late, mark)
        except Exception as failure:
            raise TakeFailed(f"{device}: {type(failure).__name__} while taking a fact") from failure

    return call


class Fuse:
    """Carries what goes wrong in a device's callbacks to the task that attends to the device.

    It blows once; nothing that is guarded runs on a broken state before the first failure was raised.
    """

    def __init__(self) -> None:
        self._failure: BaseException | None = None
        self._waiting: asyncio.Future[None] | None = None

    def guard(self, call: Callable[_Args, None]) -> Callable[_Args, None]:
        """`call`, to be given to the event loop: it raises nothing there."""

        def guarded(*args: _Args.args, **kwargs: _Args.kwargs) -> None:
            if self._failure is not None:
                return
            try:
                call(*args, **kwargs)
            except asyncio.CancelledError:
                # Nobody cancels a callback; raised in the task, it would look as if somebody had.
                self.blow(RuntimeError("a callback raised CancelledError"))
            except Exception as bug:  # noqa: BLE001 - it is raised again in the device's task
                self.blow(bug)

        return guarded

    def blow(self, failure: BaseException) -> None:
        """Let `blown` raise `failure`."""
        if self._failure is None:
            self._failure = failure
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def check(self) -> None:
        """Raise the failure if there is one, once; then the fuse is whole again."""
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    async def blown(self) -> None:
        """Wait for the first failure and raise it, once; then the fuse is whole again."""
        if self._failure is None:
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
        self.check()


class _Care:
    """What the supervisor knows about one driver."""

    def __init__(self, driver: Driver, clock: Clock, chance: Callable[[], float]) -> None:
        self.driver = driver
        self.next_attempt = 0.0
        # Set while the driver is attending; it ends a driver that hangs.
        self.limit: asyncio.Timeout | None = None
        self._clock = clock
        self._backoff = Backoff(chance)
        self._complaints = Complaints()
        self._attempts = 0
        self._failures = 0
        self._first: dict[str, object] | None = None
        self._last: dict[str, object] | None = None

    def attempt(self) -> None:
        self._attempts += 1

    def failed(self, what: str, why: str, detail: str = "") -> None:
        """Note a failure, complain if it is news, and choose the time of the next attempt."""
        now = self._clock.link_now()
        self._failures += 1
        self._last = {"what": what, "why": why, "at_s": round(now, 3)}
        self._first = self._first or self._last
        level = logging.WARNING if what == "link" else logging.ERROR
        for line in self._complaints.note(why, now):
            LOG.log(level, "%s: %s%s", self.driver.id, line, detail if line == why else "")
        self.next_attempt = now + self._backoff.failed()

    def settled(self) -> None:
        self._backoff.worked()
        for line in self._complaints.over(self._clock.link_now()):
            LOG.warning("%s: %s", self.driver.id, line)

    def overdue_s(self) -> float:
        if self.limit is None:
            return max(0.0, self._clock.link_now() - self.next_attempt)
        return self.driver.overdue_s()

    def health(self) -> dict[str, object]:
        return {
            **self.driver.health(),
            "attempts": self._attempts,
            "failures": self._failures,
            "first_failure": self._first,
            "last_failure": self._last,
        }


class Supervisor:
    """Keeps drivers going. `chance` gives numbers from 0 to 1 for the jitter of delays."""

    def __init__(self, drivers: Iterable[Driver], clock: Clock, chance: Callable[[], float]) -> None:
        self._clock = clock
        self._cares = {driver.id: _Care(driver, clock, chance) for driver in drivers}
        self._watcher: asyncio.TimerHandle | None = None

    async def run(self) -> None:
        """Attend to every device until cancelled.

        Raises an exception group with `TakeFailed` when the table cannot take a fact.
        """
        self._watch()
        try:
            async with asyncio.TaskGroup() as group:
                for name, care in self._cares.items():
                    group.create_task(self._keep(care), name=f"device {name}")
        finally:
            if self._watcher is not None:
                self._watcher.cancel()

    def health(self) -> dict[str, dict[str, object]]:
        """Each device's health, with its attempts and its first and last failure; JSON types only."""
        return {name: care.health() for name, care in self._cares.items()}

    def progress(self) -> dict[str, float]:
        """For each device, how many seconds of link time it is late with what it promised to do.

        About 0 while all is well, whether the device is there or not. A watchdog is fed while all of
        these are small.
        """
        return {name: care.overdue_s() for name, care in self._cares.items()}

    def links(self) -> dict[str, tuple[int, int]]:
        """For each device whose port is open: bytes read and written since it was opened."""
        found = {name: care.driver.links() for name, care in self._cares.items()}
        return {name: counts for name, counts in found.items() if counts is not None}

    async def _keep(self, care: _Care) -> None:
        try:
            while True:
                await self._attempt(care)
                await self._pause(care)
        finally:
            care.driver.close()

    async def _attempt(self, care: _Care) -> None:
        care.attempt()
        limit = asyncio.timeout(None)
        try:
            async with limit as care.limit:
                await care.driver.attend(care.settled)
        except LinkLost as lost:
            care.failed("link", str(lost))
        except TakeFailed:
            raise
        except Exception as bug:  # noqa: BLE001 - a bug in a driver faults that device and no other
            name = "hung" if limit.expired() else type(bug).__name__
            # Its message is left out: it may quote what a device said, even a face-down card.
            care.failed("bug", f"driver bug: {name} at {_place(bug)}", _trace(bug))
            care.driver.faulted(name)
        else:
            care.failed("bug", "driver bug: it stopped attending by itself")
            care.driver.faulted("stopped")
        finally:
            care.limit = None

    async def _pause(self, care: _Care) -> None:
        loop = asyncio.get_running_loop()
        while self._clock.link_now() < care.next_attempt - _TICK_S:  # noqa: ASYNC110 - only time ends it, and loop time may leap
            await asyncio.sleep(max(_TICK_S, self._clock.loop_time(care.next_attempt) - loop.time()))

    def _watch(self) -> None:
        """End drivers that hang, and look again later."""
        loop = asyncio.get_running_loop()
        for care in self._cares.values():
            if care.limit is not None and care.overdue_s() > HUNG_S and care.limit.when() is None:
                care.limit.reschedule(loop.time())
        again = self._clock.loop_time(self._clock.link_now() + WATCH_EVERY_S)
        self._watcher = loop.call_at(again, self._watch)


def _place(bug: BaseException) -> str:
    frames = traceback.extract_tb(bug.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an unknown place"


def _trace(bug: BaseException) -> str:
    return "\n" + "".join(traceback.format_tb(bug.__traceback__)).rstrip()
