"""The master of time in a simulated run.

The daemon and this side take turns, so that a run is the same each time it is played:

1. the daemon runs until nothing in it is runnable or uncommitted, and says when it is due next;
2. bytes that it wrote are read here, link by link, each link to its last byte;
3. what devices send sets out, link by link, and is read over there once all of it has arrived;
4. devices do what is due; answers to control requests arrive; people act, one after the other;
5. when none of this is left, time moves to the earliest deadline of either side.

Nothing sleeps or polls: every wait is for a descriptor, with a limit in real time after which the run has
failed.
"""

from __future__ import annotations

import asyncio
import math
import select
from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar

from felt_protocols.hosting import Greeting, Reading
from felt_simulators.seat import RunFailed
from felt_simulators.timeline import S_IN_NS, Timeline

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from felt_simulators.cable import Cable
    from felt_simulators.faults import Fault
    from felt_simulators.seat import Seat
    from felt_simulators.timeline import Selected

_Result = TypeVar("_Result")
# A run begins at this moment of its own: 1,000 s after the box was switched on.
START_NS = 1_000 * S_IN_NS
# How long, in real time, one step of the daemon may take, and how long its start.
LIMIT_S = 20.0
START_LIMIT_S = 60.0


class Host:
    """Time, the devices on their cables, and the daemon's seat at the time socket."""

    def __init__(
        self, seat: Seat, cables: Sequence[Cable], boot: str, utc_us: int, limit_s: float = LIMIT_S
    ) -> None:
        self.seat = seat
        self.cables = tuple(cables)
        self.now_ns = START_NS
        self.trusted = True
        # Control requests that the daemon has not answered.
        self.unanswered = 0
        self.failure: RunFailed | None = None
        self._boot = boot
        self._leapt_ns = 0
        self._utc_us = utc_us - START_NS // 1000
        self._limit_s = limit_s
        self._timeline = Timeline(self)
        self._main: asyncio.Task[object] | None = None
        self._woken = False
        self._settled: deque[asyncio.Future[None]] = deque()
        self._watched: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []
        self._touched = False
        # What the daemon had read of links on which more was under way, when it was last given a turn.
        self._refused: dict[str, int] = {}

    # For people, who are coroutines on this timeline.

    def link_now(self) -> float:
        """Seconds of the devices' time."""
        return (self.now_ns - self._leapt_ns) / S_IN_NS

    def reading(self) -> Reading:
        """The clocks now."""
        return Reading(self.now_ns, self._leapt_ns, self._utc_us + self.now_ns // 1000, self.trusted)

    def start(self) -> None:
        """Start the daemon. Raises `RunFailed` when that cannot be done."""
        self.seat.start(self._greeting)

    async def stop(self) -> int:
        """Let the daemon stop in an orderly way; its exit code."""
        await self.settled()
        self.seat.terminate()
        self._touched = True
        await self.until(lambda: self.seat.exit_code is not None)
        return self.seat.exit_code or 0

    async def kill(self) -> None:
        """Kill the daemon where it stands."""
        await self.settled()
        self.seat.kill()
        await self.until(lambda: self.seat.exit_code is not None)

    async def settled(self) -> None:
        """Wait until everything that happens at this moment has happened, on both sides."""
        future = asyncio.get_running_loop().create_future()
        self._settled.append(future)
        await future

    async def until(self, condition: Callable[[], bool], timeout_s: float | None = None) -> None:
        """Wait until the condition, which looks at devices, holds. Raises `TimeoutError` (simulated time)."""
        if condition():
            return
        future = asyncio.get_running_loop().create_future()
        entry = (condition, future)
        self._watched.append(entry)
        try:
            async with asyncio.timeout(timeout_s):
                await future
        finally:
            self._watched.remove(entry)

    def touched(self) -> None:
        """Say that something reached the daemon other than by a link: it gets a turn before time moves."""
        self._touched = True

    def fault(self, cable: Cable, fault: Fault) -> None:
        """Put a fault into a device or its line. Raises `UnknownFault`."""
        cable.set_fault(fault, self.link_now())
        self._touched = True

    def lift_fault(self, cable: Cable, name: str) -> None:
        """Take a fault out again."""
        cable.lift_fault(name, self.link_now())
        self._touched = True

    async def leap(self, seconds: float) -> None:
        """Let this time pass in one step, while time on the links stands still."""
        await self.settled()
        self.now_ns += round(seconds * S_IN_NS)
        self._leapt_ns += round(seconds * S_IN_NS)
        self._touched = True
        await self.settled()

    async def set_wall_clock(self, *, trusted: bool, step_s: float = 0.0) -> None:
        """Step the wall clock, and say whether it is synchronized."""
        await self.settled()
        self.trusted = trusted
        self._utc_us += round(step_s * 1_000_000)
        self._touched = True

    # The run.

    def run(self, main: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
        """Run a coroutine in simulated time, once. Raises `RunFailed`, and whatever it raises."""
        try:
            with asyncio.Runner(loop_factory=lambda: self._timeline) as runner:
                return runner.run(self._ruled(main))
        except asyncio.CancelledError:
            if self.failure is None:
                raise
        raise self.failure

    async def _ruled(self, main: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
        self._main = asyncio.current_task()
        return await main()

    def rest(self, due_ns: int | None) -> Selected:
        """Do the next thing; see the head of this file."""
        while self.failure is None:
            try:
                if self._woken:
                    self._woken = False
                    return self._timeline.selector.ready()
                if self._wait_for_daemon() or self._move_bytes():
                    continue
                answers = self._answers()
                if answers or self._wake_one():
                    return answers
                if due_ns is not None and due_ns <= self.now_ns:
                    return []
                self._move_time(due_ns)
            except RunFailed as failure:
                self._fail(failure)
        return self._wind_up(due_ns)

    def _greeting(self, run: int) -> Greeting:
        ports = {cable.name: str(cable.line.link) for cable in self.cables}
        return Greeting(self._boot, f"{self._boot[:8]}-{run}", self.reading(), ports)

    def _wait_for_daemon(self) -> bool:
        """Let the daemon come to rest. True while it has to be looked at again."""
        seat = self.seat
        if seat.news():
            for cable in self.cables:
                cable.observe(seat.links(cable.name), self.link_now())
            return True
        if seat.empty:
            for cable in self.cables:
                cable.let_go(self.link_now())
            if seat.expected:
                self._wait("the daemon to come or go", limit_s=START_LIMIT_S)
                return True
            return False
        if not seat.idle:
            self._wait("the daemon to come to rest")
            return True
        going = {cable.name: cable.taken for cable in self.cables if cable.going}
        if going and going == self._refused:
            raise RunFailed(self._words("the daemon to read what devices sent, which it did not"))
        self._refused = going
        if not going and not self._touched:
            return False
        self._touched = False
        seat.give_turn(self.reading(), sum(cable.going for cable in self.cables))
        return True

    def _move_bytes(self) -> bool:
        """Let devices read, send, or do what is due. True when something was done."""
        now = self.link_now()
        for cable in self.cables:
            if cable.coming > 0:
                self._read_all(cable)
                return True
        waiting = [cable for cable in self.cables if cable.waiting]
        for cable in waiting:
            cable.flush(now)
        if waiting:
            return True
        for cable in self.cables:
            if self._due_ns(cable) <= self.now_ns:
                cable.elapsed(now)
                return True
        return False

    def _read_all(self, cable: Cable) -> None:
        whole = b""
        wanted = cable.coming
        while len(whole) < wanted:
            descriptor = cable.line.fileno()
            if descriptor is None:
                break
            self._wait(f"bytes on their way to {cable.name}", descriptor)
            whole += cable.line.receive()
        cable.receive(whole, self.link_now())

    def _answers(self) -> Selected:
        """Descriptors of the loop that are ready, once all answers are there that people wait for."""
        ready = self._timeline.selector.ready()
        while not ready and self.unanswered and not self.seat.empty:
            self._wait("the daemon to answer a request", self._timeline.selector.fileno())
            self.seat.news()
            ready = self._timeline.selector.ready()
        return ready

    def _wake_one(self) -> bool:
        """Wake the next person who waits for this moment. True when there was one."""
        for condition, future in self._watched:
            if not future.done() and condition():
                future.set_result(None)
                return True
        while self._settled:
            future = self._settled.popleft()
            if not future.done():
                future.set_result(None)
                return True
        return False

    def _move_time(self, due_ns: int | None) -> None:
        moments = [self._due_ns(cable) for cable in self.cables]
        moments += [moment for moment in (due_ns, self.seat.due_ns) if moment is not None]
        moment = min(moments, default=math.inf)
        if math.isinf(moment):
            self._wait("anything at all: nobody has a deadline")
            return
        self.now_ns = max(self.now_ns, int(moment))
        self._touched = True

    def _due_ns(self, cable: Cable) -> float:
        due = cable.due()
        if due is None:
            return math.inf
        due_ns = math.ceil(due * S_IN_NS)
        # The product was rounded: by its own clock the device must not find itself early.
        return due_ns + (due_ns / S_IN_NS < due) + self._leapt_ns

    def _wait(self, what: str, descriptor: int | None = None, limit_s: float | None = None) -> None:
        """Wait for the daemon, or for this descriptor too. Raises `RunFailed` after the limit."""
        limit_s = limit_s or self._limit_s
        poll = select.poll()
        for each in (self.seat.fileno(), self._timeline.selector.wake_fd, descriptor):
            if each is not None:
                poll.register(each, select.POLLIN)
        ready = poll.poll(limit_s * 1000)
        if not ready:
            raise RunFailed(self._words(what, limit_s))
        self._woken = any(each == self._timeline.selector.wake_fd for each, _ in ready)

    def _words(self, what: str, waited_s: float = 0.0) -> str:
        """Say what was waited for, when, and what the daemon had last said."""
        waited = f"waited {waited_s:g} s of real time for {what}"
        at = f"at {self.now_ns / S_IN_NS:.3f} s of the run"
        return f"{waited}, {at}; the daemon {self.seat.last_words()}"

    def _fail(self, failure: RunFailed) -> None:
        self.failure = failure
        if self._main is not None:
            self._main.cancel()

    def _wind_up(self, due_ns: int | None) -> Selected:
        """After a failure the loop runs on without the daemon, for its tasks to end."""
        if due_ns is not None:
            self.now_ns = max(self.now_ns, due_ns)
        return self._timeline.selector.ready()
