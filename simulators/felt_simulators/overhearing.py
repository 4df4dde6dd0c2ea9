"""An independent subscriber beside a simulated run: it lives in real time, in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import threading
from typing import TYPE_CHECKING

from felt_simulators.listener import Listener

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

HOST = "127.0.0.1"
_PORTS = range(20_000, 32_768)


def free_port() -> int:
    """A TCP port of this machine that nobody has, and that the kernel gives to nobody meanwhile.

    From 32768 up the kernel takes the ends of connections: a port there may be somebody's a moment later.
    """
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind((HOST, port))
            return port


class Overhearing:
    """A context in which a `Listener` hears one table; it connects as soon as there is a broker."""

    def __init__(self, port: int, table: str) -> None:
        self._listener = Listener(HOST, port, table, client_id="demo-listener")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="listener")
        self._task: asyncio.Task[None] | None = None
        self._begun = threading.Event()

    def __enter__(self) -> Self:
        self._thread.start()
        self._begun.wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()

    @property
    def received(self) -> int:
        """How many different events came."""
        return len(self._listener.events)

    @property
    def doubles(self) -> int:
        """How many events came again."""
        return self._listener.doubles

    @property
    def unproved(self) -> int:
        """How many events do not prove their place in the chain of hashes."""
        return self._listener.unproved

    def wait_for_connection(self, limit_s: float) -> bool:
        """Wait until the subscription is there; whether it is."""
        return self._wait(lambda: self._listener.connected, limit_s)

    def wait_for(self, events: int, limit_s: float) -> bool:
        """Wait until so many events have come; whether they have."""
        return self._wait(lambda: len(self._listener.events) >= events, limit_s)

    def _wait(self, condition: Callable[[], bool], limit_s: float) -> bool:
        waiting = asyncio.run_coroutine_threadsafe(self._listener.until(condition, limit_s), self._loop)
        try:
            waiting.result()
        except TimeoutError:
            return False
        return True

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._listen())
        finally:
            self._loop.close()

    async def _listen(self) -> None:
        self._task = asyncio.create_task(self._listener.run())
        self._begun.set()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
