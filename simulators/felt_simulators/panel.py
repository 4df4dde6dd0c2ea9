"""The panel at the table: what the daemon shows people, and the commands that they give it.

It speaks the control socket as `felt` does, one request on each connection, and knows nothing that a
person at the table could not see.
"""

from __future__ import annotations

import asyncio
import json
import socket
from typing import TYPE_CHECKING, Any

from felt_simulators.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from felt_simulators.host import Host

_CHUNK = 65536
# A daemon that has just been started may not listen yet.
_TRIES = 40
_PAUSE_S = 0.5


class Declined(Exception):  # noqa: N818 - a no is an answer
    """The daemon refused a command; the text is its reason."""


class NoPanel(Exception):  # noqa: N818 - the name says what is missing
    """Nobody answers at the control socket."""


class Panel:
    """Asks and tells, one at a time, each after everything of its moment has happened."""

    def __init__(self, host: Host, path: Path) -> None:
        self._host = host
        self._path = path
        self._count = 0
        self._lock = asyncio.Lock()
        self._watchers: list[Callable[[View], None]] = []

    def watch(self, watcher: Callable[[View], None]) -> None:
        """Let somebody see whatever is looked at."""
        self._watchers.append(watcher)

    async def look(self) -> View:
        """What the panel shows now. Raises `NoPanel`."""
        view = View(await self.ask("state"))
        for watcher in self._watchers:
            watcher(view)
        return view

    async def tell(self, role: str, person: str, command: str, **args: object) -> None:
        """Give a command. Raises `Declined` with the daemon's reason, and `NoPanel`."""
        await self.ask(command, args, role=role, person=person)

    async def ask(
        self, command: str, args: Mapping[str, object] | None = None, role: str = "", person: str = ""
    ) -> Mapping[str, Any]:
        """The data of the answer. Raises `Declined` and `NoPanel`."""
        self._count += 1
        request: dict[str, object] = {"id": str(self._count), "command": command, "args": args or {}}
        if role:
            request |= {"role": role, "person": person}
        async with self._lock:
            answer = await self._exchange(json.dumps(request).encode() + b"\n")
        if not answer["ok"]:
            raise Declined(f"{command}: {answer.get('why', 'refused')}")
        data: Mapping[str, Any] = answer.get("data", {})
        return data

    async def _exchange(self, line: bytes) -> Mapping[str, Any]:
        for _ in range(_TRIES):
            await self._host.settled()
            try:
                return await self._once(line)
            except (FileNotFoundError, ConnectionRefusedError):
                await asyncio.sleep(_PAUSE_S)
        raise NoPanel(f"nobody answers at {self._path}")

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
                        raise NoPanel(f"{self._path} hung up without an answer")
                    held += data
            finally:
                self._host.unanswered -= 1
                self._host.touched()
        answer: Mapping[str, Any] = json.loads(held)
        return answer
