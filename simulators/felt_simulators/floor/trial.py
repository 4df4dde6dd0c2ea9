"""A trial: many tables, one consumer and one broker, each a process of its own, and faults in between.

What the consumer stored is held against what the tables really sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from felt_simulators.chance import seeded
from felt_simulators.floor.store import stored
from felt_simulators.floor.usage import Usage, children
from felt_simulators.floor.verdict import judge, summed
from felt_simulators.house import felt
from felt_simulators.overhearing import free_port
from felt_simulators.seat import RunFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

Fault = Literal["broker-kill", "consumer-kill", "consumer-freeze", "cut"]
FAULTS: tuple[Fault, ...] = get_args(Fault)

CONSUMER: Final = "pit"
_START_S: Final = 60.0
_END_S: Final = 30.0
_LAST_S: Final = 5.0
# After the last event: how long everything may take to arrive.
_ARRIVE_S: Final = 120.0
# One fault in so many seconds, each of those wanted in turn and each at least once.
_FAULT_EVERY_S: Final = 4.0
_FROZEN_S: Final = 2.0
# A table's connection is cut so often, of all tables together.
_CUT_EVERY_S: Final = 0.5
_LAST_WORDS: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to try: `rate` is events in a second at each table; `broker` is HOST:PORT, None starts one."""

    tables: int
    seconds: float
    rate: float
    seed: int
    faults: tuple[Fault, ...] = ()
    broker: str | None = None


@dataclass(slots=True)
class _Part:
    """One process of the trial."""

    process: asyncio.subprocess.Process
    usage: Usage = field(default_factory=Usage)

    async def line(self, limit_s: float) -> dict[str, Any]:
        """What it says next. Raises RunFailed when it says nothing in time."""
        assert self.process.stdout is not None  # noqa: S101 - it was asked for
        try:
            async with asyncio.timeout(limit_s):
                said = await self.process.stdout.readline()
        except TimeoutError:
            raise RunFailed(f"a process of the trial said nothing for {limit_s:.0f} s") from None
        if not said:
            raise RunFailed(f"a process of the trial ended with code {await self.process.wait()}")
        found: dict[str, Any] = json.loads(said)
        return found

    async def ended(self, limit_s: float) -> None:
        """Wait until it has come to its end. Raises RunFailed when it does not in time."""
        try:
            async with asyncio.timeout(limit_s):
                await self.process.wait()
        except TimeoutError:
            raise RunFailed(f"a process of the trial did not end in {limit_s:.0f} s") from None

    async def end(self) -> None:
        """Tell it to end, and bring that about."""
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        try:
            await self.ended(_LAST_S)
        except RunFailed:
            self.process.kill()
            await self.process.wait()

    def say(self, word: str) -> None:
        """Tell it something."""
        assert self.process.stdin is not None  # noqa: S101 - it was asked for
        self.process.stdin.write(f"{word}\n".encode())


class Trial:
    """One run. `tell` is called about twice a second with what a person may want to see."""

    def __init__(self, plan: Plan, folder: Path, tell: Callable[[str], None]) -> None:
        self._plan = plan
        self._store = folder / "store"
        self._truth = folder / "truth"
        self._log = folder / "log"
        self._tell = tell
        self._rng = seeded(plan.seed)
        self._address = plan.broker or ""
        self._broker: _Part | None = None
        self._broker_usage = Usage()
        self._consumer_usage = Usage()
        self._faults: dict[str, int] = dict.fromkeys(plan.faults, 0)
        self._parts: list[_Part] = []

    async def run(self) -> dict[str, Any]:
        """Try it; what came of it. Raises RunFailed."""
        try:
            return await self._run()
        except RunFailed as failure:
            said = self._log.read_text(encoding="utf-8", errors="replace").strip()
            raise RunFailed(f"{failure}\n{said[-_LAST_WORDS:]}".strip()) from None
        finally:
            await asyncio.gather(*(part.end() for part in self._parts))

    async def _run(self) -> dict[str, Any]:
        if self._plan.broker is None:
            self._broker = await self._start([felt(), "broker", "--json", "--port", str(free_port())])
            self._address = (await self._broker.line(_START_S))["address"]
        self._consumer = await self._consume()
        self._hall = await self._start([*_module("hall"), *self._hall_options()])
        await self._until(lambda said: bool(said["begun"]), _START_S)
        if not (await self._hall.line(_START_S))["connected"]:
            raise RunFailed(f"no table can connect to {self._address}")
        began_s = _now()
        await self._play(began_s)
        self._hall.say("stop")
        arrived = await self._until(lambda said: said["stopped"] and said["acked"] >= said["sent"], _ARRIVE_S)
        ended_s = _now()
        self._look()
        self._hall.say("leave")
        await self._hall.ended(_END_S)
        health = await self._end_consumer()
        return self._document(ended_s - began_s, health, arrived=arrived)

    # The processes.

    def _hall_options(self) -> Sequence[str]:
        plan = self._plan
        options = {
            "--tables": plan.tables,
            "--rate": plan.rate,
            "--seed": plan.seed,
            "--broker": self._address,
            "--consumer": CONSUMER,
            "--out": self._truth,
        }
        if "cut" in plan.faults:
            options["--cut-every"] = _CUT_EVERY_S
        return [str(word) for option in options.items() for word in option]

    async def _start(self, command: Sequence[str]) -> _Part:
        pipe = asyncio.subprocess.PIPE
        with self._log.open("ab") as log:
            # A Ctrl-C is for the trial, which then ends the others.
            try:
                process = await asyncio.create_subprocess_exec(
                    *command, stdin=pipe, stdout=pipe, stderr=log, start_new_session=True
                )
            except OSError as error:
                raise RunFailed(f"{command[0]} cannot be started: {error.strerror}") from None
        part = _Part(process)
        self._parts.append(part)
        return part

    async def _consume(self) -> _Part:
        where = ["--broker", self._address, "--consumer", CONSUMER, "--store", str(self._store)]
        part = await self._start([*_module("consumer"), *where])
        part.usage = self._consumer_usage
        await part.line(_START_S)
        return part

    async def _end_consumer(self) -> dict[str, Any]:
        self._consumer.process.send_signal(signal.SIGTERM)
        health = await self._consumer.line(_END_S)
        await self._consumer.ended(_END_S)
        return health

    # Time.

    async def _play(self, began_s: float) -> None:
        """Let the tables play, and put the faults in."""
        plan = self._plan
        kinds: list[Fault] = [fault for fault in plan.faults if fault != "cut"]
        count = max(len(kinds), round(plan.seconds / _FAULT_EVERY_S)) if kinds else 0
        limit_s = plan.seconds + _START_S
        for number in range(count):
            await self._until(_after(began_s + plan.seconds * (number + self._rng.random()) / count), limit_s)
            await self._put(kinds[number % len(kinds)])
        await self._until(_after(began_s + plan.seconds), limit_s)

    async def _until(self, condition: Callable[[dict[str, Any]], bool], limit_s: float) -> bool:
        """Follow what the tables say until a condition on it holds; whether it did before the limit."""
        end_s = _now() + limit_s
        while _now() < end_s:
            said = await self._hall.line(_START_S)
            if "cut" in self._faults:
                self._faults["cut"] = said["cuts"]
            self._look()
            self._show(said)
            if condition(said):
                return True
        return False

    async def _put(self, fault: Fault) -> None:
        self._look()
        self._faults[fault] += 1
        match fault:
            case "broker-kill":
                for pid in self._broker_pids():
                    os.kill(pid, signal.SIGKILL)
            case "consumer-kill":
                self._consumer.process.kill()
                await self._consumer.process.wait()
                self._consumer = await self._consume()
            case "consumer-freeze":
                self._consumer.process.send_signal(signal.SIGSTOP)
                await asyncio.sleep(_FROZEN_S)
                self._consumer.process.send_signal(signal.SIGCONT)
            case "cut":
                pass  # the tables do that

    # What is seen.

    def _broker_pids(self) -> list[int]:
        return [] if self._broker is None else children(self._broker.process.pid)

    def _look(self) -> None:
        for pid in self._broker_pids():
            self._broker_usage.look(pid)
        for part in (self._consumer, self._hall):
            part.usage.look(part.process.pid)

    def _show(self, said: dict[str, Any]) -> None:
        faults = ", ".join(f"{fault} {times}x" for fault, times in self._faults.items() if times)
        self._tell(
            f"{said['sent']:,} events sent, {said['acked']:,} acknowledged, "
            f"{said['connected']} of {self._plan.tables} tables connected" + (f"; {faults}" if faults else "")
        )

    def _document(self, took_s: float, health: dict[str, Any], *, arrived: bool) -> dict[str, Any]:
        truths = [json.loads(line) for line in self._truth.read_text(encoding="utf-8").splitlines()]
        found = summed(judge(truths, stored(self._store)))
        plan = self._plan
        complete = not any(found[what] for what in ("missing", "doubled", "out_of_order", "wrong"))
        return {
            "tables": plan.tables,
            "seconds": plan.seconds,
            "rate_per_table": plan.rate,
            "seed": plan.seed,
            "complete": complete and arrived,
            **found,
            "sent_per_second": round(found["sent"] / plan.seconds, 1),
            "received_per_second": round(found["received"] / took_s, 1) if took_s else None,
            "seconds_until_all_arrived": round(took_s, 2) if arrived else None,
            "messages": sum(truth["published"] for truth in truths),
            "replayed": sum(truth["replayed"] for truth in truths),
            "connections": sum(truth["connections"] for truth in truths),
            "faults": self._faults,
            "consumer": {**self._consumer_usage.document(), "health": health},
            "simulated_tables": self._hall.usage.document(),
            "broker": self._broker_usage.document() if self._broker else None,
        }


def _module(name: str) -> list[str]:
    return [sys.executable, "-m", f"felt_simulators.floor.{name}"]


def _after(moment_s: float) -> Callable[[dict[str, Any]], bool]:
    return lambda _said: _now() >= moment_s


def _now() -> float:
    return asyncio.get_running_loop().time()
