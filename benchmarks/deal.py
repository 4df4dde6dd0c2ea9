"""A table that deals: three sessions of Felt Link on pseudo-terminals, people, and the truth of both.

The devices are no machines: whatever the daemon permits or inhibits, they tell the facts of one round after
the other. What a device has told it keeps until the daemon says that it has it, as every device does.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import itertools
import os
import time
import tty
from typing import TYPE_CHECKING, cast

from felt_daemon.control import AnswerUnknown, NotReachable, call
from felt_protocols.link.device import DeviceSession, Ordered, Permitted
from felt_protocols.link.items import Send
from felt_protocols.link.messages import Hello

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from pathlib import Path

RING = 128
READ_SIZE = 65_536
TICK_S = 0.02
CARDS = 53
STACKS = 7
# One round in so many has a jam.
JAM_ONE_IN = 10
ANSWER_S = 2.0
# What people do before a table opens.
OPENING: tuple[tuple[str, dict[str, object]], ...] = (
    ("change-dice", {"device": "shaker-1"}),
    ("change-deck", {"deck": "red", "preshuffled": True}),
    ("change-deck", {"deck": "blue", "preshuffled": True}),
    ("open-table", {}),
)


class Device:
    """One device, from its power-up to the end of the benchmark: it never restarts.

    `told` are the names of the events that it numbered, the first one's number being 1.
    """

    def __init__(self, family: str, path: Path) -> None:
        self.name = path.name
        self.told: list[str] = []
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        path.unlink(missing_ok=True)
        path.symlink_to(os.ttyname(self._slave))
        hello = Hello(family, "bench", f"{family}-7", "1", bytes(32), time.monotonic_ns())
        self._session = DeviceSession(hello, RING, time.monotonic())

    @property
    def full(self) -> bool:
        """Whether so much waits for the daemon that nothing new may happen."""
        return self._session.starts_nothing_new

    def tell(self, event: str, fields: dict[str, object]) -> None:
        """Something happened."""
        self.told.append(event)
        self._act(self._session.happen(event, fields, time.monotonic()))

    def open(self) -> None:
        """Listen, in the loop that runs."""
        asyncio.get_running_loop().add_reader(self._master, self._readable)

    def close(self) -> None:
        """Hang up."""
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)

    def elapsed(self) -> None:
        """Time went by."""
        self._act(self._session.elapsed(time.monotonic()))

    def _readable(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._act(self._session.receive(os.read(self._master, READ_SIZE), time.monotonic()))

    def _act(self, items: Sequence[object]) -> None:
        for item in items:
            if isinstance(item, Send):
                self._write(item.data)
            elif isinstance(item, Permitted):
                self._write(self._session.done(item.number))
            elif isinstance(item, Ordered):
                self._write(self._session.done(item.number or item.name))

    def _write(self, data: bytes) -> None:
        # Where nobody reads, a serial line loses what is sent.
        with contextlib.suppress(BlockingIOError):
            os.write(self._master, data)


class People:
    """A dealer and a floorperson at the control socket, who give up at once where nobody answers.

    `recorded` are the sequences of what the daemon said that it has recorded, `refused` its reasons why not.
    """

    def __init__(self, control: Path) -> None:
        self.recorded: list[int] = []
        self.refused: collections.Counter[str] = collections.Counter()
        self.unanswered = 0
        self._control = control
        self._wanted: asyncio.Queue[tuple[str, dict[str, object]]] = asyncio.Queue()
        self._open = False

    def want(self, command: str, args: dict[str, object]) -> None:
        """Somebody wants this; it is asked for in its turn."""
        if self._wanted.empty():
            self._wanted.put_nowait((command, args))

    async def run(self) -> None:
        """Ask for what is wanted, until cancelled."""
        while True:
            wanted = await self._wanted.get()
            for each in () if self._open else OPENING:
                await self._ask(*each)
            if "release it first" in await self._ask(*wanted):
                await self._ask("release-round", {})
                await self._ask(*wanted)

    async def _ask(self, command: str, args: dict[str, object]) -> str:
        """Give a command; why it was refused, if it was."""
        try:
            answer = await asyncio.to_thread(
                call, self._control, command, args, role="floor", timeout_s=ANSWER_S
            )
        except (NotReachable, AnswerUnknown):
            self.unanswered += 1
            return ""
        if answer.ok:
            self.recorded.append(cast("int", answer.data["sequence"]))
            self._open |= command == "open-table"
        else:
            self.refused[f"{command}: {answer.code}"] += 1
        return answer.why


class Deal:
    """A table's three devices and its people, and the rounds that they tell of."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.devices = {name: Device(name, folder / name) for name in ("shoe", "shuffler", "shaker")}
        self.people = People(folder / "control")
        self._rng = rng

    async def run(self, per_second: float) -> None:
        """Deal until cancelled, about so many facts in a second, as far as the daemon keeps up."""
        for device in self.devices.values():
            device.open()
        rounds = self.rounds()
        due = time.monotonic()
        who, what, fields = next(rounds)
        asking = asyncio.create_task(self.people.run())
        try:
            while True:
                await asyncio.sleep(TICK_S)
                for device in self.devices.values():
                    device.elapsed()
                while time.monotonic() >= due and not (who in self.devices and self.devices[who].full):
                    if who in self.devices:
                        self.devices[who].tell(what, fields)
                        due = max(due, time.monotonic() - 1.0) + self._rng.expovariate(per_second)
                    else:
                        self.people.want(what, fields)
                    who, what, fields = next(rounds)
        finally:
            asking.cancel()
            await asyncio.wait((asking,))

    async def hear(self) -> None:
        """Tell nothing new, and give what was told until the daemon has it; until cancelled."""
        while True:
            await asyncio.sleep(TICK_S)
            for device in self.devices.values():
                device.elapsed()

    def close(self) -> None:
        """Hang up every line."""
        for device in self.devices.values():
            device.close()

    def rounds(self) -> Iterator[tuple[str, str, dict[str, object]]]:
        """Who tells what, with which fields, one after the other."""
        for batch in itertools.count(1):
            yield "shuffler", "loaded", {"batch": batch, "count": CARDS}
            yield "shuffler", "started", {"batch": batch}
            yield "shoe", "loaded", {"count": CARDS}
            yield "people", "no-more-bets", {}
            for _ in range(3):
                yield "shaker", "shaken", {}
            yield "shaker", "uncovered", {}
            faces = [self._rng.randint(1, 6) for _ in range(3)]
            yield "shaker", "dice", {"faces": faces, "flat": True, "inside": True}
            jam_at = self._rng.randrange(STACKS * JAM_ONE_IN)
            for stack in range(STACKS):
                if stack == jam_at:
                    yield "shoe", "jam", {"where": "gate"}
                    break
                yield "shoe", "stack", {"size": STACKS}
            yield "shoe", "removed", {"count": CARDS - STACKS * min(jam_at, STACKS)}
            yield "shaker", "covered", {}
            yield "shuffler", "completed", {"batch": batch, "mode": "shuffle", "count": CARDS}
            yield "shuffler", "unloaded", {"batch": batch, "count": CARDS}
            yield "people", "round-end", {}
