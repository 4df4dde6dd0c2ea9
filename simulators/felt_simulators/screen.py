"""The screen at the table: what the daemon shows people, and the commands that they give it.

It speaks the control socket as `felt` does, one request on each connection, and knows nothing that a
person at the table could not see.
"""

from __future__ import annotations

import asyncio
import json
import socket
from typing import TYPE_CHECKING, Any, Protocol

from felt_simulators.record import FACTS, Told
from felt_simulators.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from felt_simulators.host import Host
    from felt_simulators.record import Record, Who

_CHUNK = 65536
# A daemon that has just been started may not listen yet.
_TRIES = 40
_PAUSE_S = 0.5


class Declined(Exception):  # noqa: N818 - a no is an answer
    """The daemon refused a command; the text is its reason."""


class NoScreen(Exception):  # noqa: N818 - the name says what is missing
    """Nobody answers at the control socket."""


class Watcher(Protocol):
    """Somebody who looks over the shoulders of people at the screen."""

    def see(self, view: View) -> None:
        """See what the screen shows."""

    def hear(self, told: Told) -> None:
        """Hear what somebody told, which the table took."""


class Screen:
    """Asks and tells, one at a time, each after everything of its moment has happened.

    What the table took of what people told goes into their record.
    """

    def __init__(self, host: Host, path: Path, record: Record) -> None:
        self._host = host
        self._path = path
        self._record = record
        self._count = 0
        self._lock = asyncio.Lock()
        self._watchers: list[Watcher] = []

    def watch(self, watcher: Watcher) -> None:
        """Let somebody see whatever is looked at, and hear whatever is told."""
        self._watchers.append(watcher)

    async def look(self) -> View:
        """What the screen shows now. Raises `NoScreen`."""
        view = View(await self._ask("state", {}, {}))
        for watcher in self._watchers:
            watcher.see(view)
        return view

    async def tell(self, who: Who, command: str, args: Mapping[str, object], second: str = "") -> None:
        """Give a command. Raises `Declined` with the daemon's reason, and `NoScreen`."""
        people: dict[str, object] = {"role": who.role, "person": who.name}
        if second:
            people["second"] = {"person": second}
        await self._ask(command, args, people)

    async def _ask(
        self, command: str, args: Mapping[str, object], people: Mapping[str, object]
    ) -> Mapping[str, Any]:
        """The data of the answer. Raises `Declined` and `NoScreen`."""
        self._count += 1
        request = {"id": str(self._count), "command": command, "args": args, **people}
        async with self._lock:
            answer = await self._exchange(json.dumps(request).encode() + b"\n")
            if not answer["ok"]:
                raise Declined(f"{command}: {answer.get('why', 'refused')}")
            if people:
                self._took(command, args, people)
        data: Mapping[str, Any] = answer.get("data", {})
        return data

    def _took(self, command: str, args: Mapping[str, object], people: Mapping[str, Any]) -> None:
        second = people.get("second", {}).get("person", "")
        told = Told(FACTS[command], people["role"], people["person"], dict(args), self._host.now_ns, second)
        self._record.told.append(told)
        for watcher in self._watchers:
            watcher.hear(told)

    async def _exchange(self, line: bytes) -> Mapping[str, Any]:
        for _ in range(_TRIES):
            await self._host.settled()
            try:
                return await self._once(line)
            except (FileNotFoundError, ConnectionRefusedError):
                await asyncio.sleep(_PAUSE_S)
        raise NoScreen(f"nobody answers at {self._path}")

    async def _once(self, line: bytes) -> Mapping[str, Any]:
        loop = asyncio.get_running_loop()
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.setblocking(False)  # noqa: FBT003 - the library's own way
            connection.connect(str(self._path))
            self._host.unanswered += 1
            self._host.touched()
            try:
                await loop.sock_sendall(connection, line)
                held = b""
                while not held.endswith(b"\n"):
                    data = await loop.sock_recv(connection, _CHUNK)
                    if not data:
                        raise NoScreen(f"{self._path} hung up without an answer")
                    held += data
            finally:
                self._host.unanswered -= 1
                self._host.touched()
        answer: Mapping[str, Any] = json.loads(held)
        return answer
