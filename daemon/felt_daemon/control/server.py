"""The control socket's server: a task for each caller, and none of them can hold up the loop."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import errno
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from felt_daemon.control.messages import (
    BUSY,
    MALFORMED,
    Answer,
    Caller,
    Lines,
    Malformed,
    Request,
    encode_answer,
    parse_request,
    refusal,
)
from felt_daemon.control.roles import Peer, RoleBook, peer_of

if TYPE_CHECKING:
    import socket

    from felt_daemon.control.address import Listener

Handler = Callable[[Request, Caller], Awaitable[Answer]]
_CHUNK = 16 * 1024
# Troubles of `accept` that pass by themselves (accept(2)). The listener stays readable: do not spin on it.
_PASSING = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.ECONNABORTED)
_ACCEPT_PAUSE_S = 0.2


@dataclass(frozen=True, slots=True)
class Limits:
    """How much callers may take.

    A caller's requests are carried out one after the other; what it sends meanwhile waits in the kernel's
    buffer, so its backlog here is one line. `idle_s` ends a caller that sends nothing, `write_s` one that
    does not take its answer.
    """

    callers: int = 32
    callers_per_user: int = 16
    idle_s: float = 60.0
    write_s: float = 5.0


@dataclass(frozen=True, slots=True)
class Served:
    """A table at the socket: what carries out a request for it, and who has which role there."""

    handle: Handler
    book: RoleBook


class ControlServer:
    """Answers requests at a listener, each through the `handle` of its table, which must not block.

    `tables` has each table by its id. A request once handed over is carried to its end even if its caller
    goes away. With `stated_roles`, for simulated runs alone, a caller has the role that it says; beside a
    PIN a role is `handle`'s to judge. An exception of `handle` is a bug: it ends `serve`, and the process.
    """

    def __init__(
        self,
        listener: Listener,
        tables: Mapping[str, Served],
        *,
        stated_roles: bool = False,
        limits: Limits = Limits(),
    ) -> None:
        self._listener = listener
        self._tables = tables
        self._stated_roles = stated_roles
        self._limits = limits
        self._callers: Counter[int] = Counter()

    @property
    def callers(self) -> int:
        """How many callers are connected."""
        return self._callers.total()

    async def serve(self) -> None:
        """Answer until cancelled; closes the listener in the end."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.TaskGroup() as tasks:
                while True:
                    try:
                        connection, _ = await loop.sock_accept(self._listener.socket)
                    except OSError as error:
                        if error.errno not in _PASSING:
                            raise
                        await asyncio.sleep(_ACCEPT_PAUSE_S)
                        continue
                    self._admit(connection, tasks)
        finally:
            self._listener.close()

    def _admit(self, connection: socket.socket, tasks: asyncio.TaskGroup) -> None:
        connection.settimeout(0)
        peer = peer_of(connection)
        if self.callers >= self._limits.callers or self._callers[peer.uid] >= self._limits.callers_per_user:
            with contextlib.suppress(OSError), connection:
                connection.send(encode_answer(refusal(None, BUSY, "too many callers; try again")))
            return
        self._callers[peer.uid] += 1
        task = tasks.create_task(self._attend(connection, peer), name=f"control-{peer.pid}")
        # Not in the task: one that is cancelled before its first step runs none of its code.
        task.add_done_callback(lambda _: self._left(connection, peer))

    def _left(self, connection: socket.socket, peer: Peer) -> None:
        connection.close()
        self._callers[peer.uid] -= 1

    async def _attend(self, connection: socket.socket, peer: Peer) -> None:
        """Answer a caller's lines until it goes away or is too slow."""
        lines = Lines()
        while data := await self._read(connection):
            for line in lines.receive(data):
                answer = encode_answer(await self._answer(line, peer))
                if not await self._written(connection, answer):
                    return
                # Neither a read nor a write of what is there yields; devices come first.
                await asyncio.sleep(0)

    async def _read(self, connection: socket.socket) -> bytes:
        """What the caller sent; nothing once it is gone or was silent for too long."""
        await asyncio.sleep(0)
        with contextlib.suppress(OSError):  # a timeout is one too
            async with asyncio.timeout(self._limits.idle_s):
                return await asyncio.get_running_loop().sock_recv(connection, _CHUNK)
        return b""

    async def _written(self, connection: socket.socket, answer: bytes) -> bool:
        """Whether the caller took its answer in time."""
        with contextlib.suppress(OSError):
            async with asyncio.timeout(self._limits.write_s):
                await asyncio.get_running_loop().sock_sendall(connection, answer)
                return True
        return False

    async def _answer(self, line: bytes | Malformed, peer: Peer) -> Answer:
        request = line if isinstance(line, Malformed) else parse_request(line)
        if isinstance(request, Malformed):
            return refusal(request.id, MALFORMED, request.why)
        served = self._served(request.table)
        if isinstance(served, str):
            return refusal(request.id, MALFORMED, served)
        caller = served.book.caller(peer)
        if request.role is not None and request.pin is None and self._stated_roles:
            # Elsewhere a role is one of those that the account has, and for the handler to judge.
            caller = Caller(caller.pid, caller.uid, caller.gid, frozenset({request.role}))
        return await served.handle(request, caller)

    def _served(self, table: str | None) -> Served | str:
        """The table that a request is for, or why that is none here."""
        if table is None:
            if len(self._tables) == 1:
                return next(iter(self._tables.values()))
            return f"several tables are here: {', '.join(self._tables)}; say which one it is for (--table)"
        if table in self._tables:
            return self._tables[table]
        near = difflib.get_close_matches(table, self._tables, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"no table here is called {table}; there is {', '.join(self._tables)}{hint}"
