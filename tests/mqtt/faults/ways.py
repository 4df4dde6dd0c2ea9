"""Ways to a broker that swallow everything, or break, while neither end does anything wrong."""

from __future__ import annotations

import asyncio
import os
import subprocess
import uuid
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HOST = "127.0.0.1"


class Way:
    """A way to a broker. What it swallows never arrives, and neither end is told."""

    def __init__(self, broker_port: int) -> None:
        self.port = 0
        self.connections = 0
        self._broker_port = broker_port
        self._server: asyncio.Server | None = None
        self._swallowing = asyncio.Event()
        self._ends: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Take connections on a free port."""
        self._server = await asyncio.start_server(self._pass, HOST, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def swallow(self) -> None:
        """Let nothing more through on connections that are open; later ones work."""
        self._swallowing.set()
        self._swallowing = asyncio.Event()

    def cut(self) -> None:
        """Break every connection."""
        for writer in self._ends:
            writer.transport.abort()
        self._ends.clear()

    async def close(self) -> None:
        """Take no more connections, and break those that are open."""
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        swallowing = self._swallowing
        try:
            there, to_there = await asyncio.open_connection(HOST, self._broker_port)
        except OSError:
            writer.transport.abort()
            return
        self._ends += [writer, to_there]
        for source, target in ((reader, to_there), (there, writer)):
            task = asyncio.create_task(_forward(source, target, swallowing))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


async def _forward(
    source: asyncio.StreamReader, target: asyncio.StreamWriter, swallowing: asyncio.Event
) -> None:
    with suppress(ConnectionError):
        while chunk := await source.read(65_536):
            if not swallowing.is_set():
                target.write(chunk)
                await target.drain()
    if not swallowing.is_set():
        target.transport.abort()


@asynccontextmanager
async def way(broker_port: int) -> AsyncIterator[Way]:
    """A way that is open until the block ends."""
    one = Way(broker_port)
    await one.open()
    try:
        yield one
    finally:
        await one.close()


class Namespace:
    """A network of its own, with one link to it whose packets can be dropped. Needs root."""

    def __init__(self) -> None:
        mark = uuid.uuid4().hex[:6]
        self.name = f"felt{mark}"
        self._near, self._far = f"fa{mark}", f"fb{mark}"
        third = os.getpid() % 250
        self.near_address, self.address = f"10.213.{third}.1", f"10.213.{third}.2"

    def begin(self) -> None:
        """Make it."""
        _ip("netns", "add", self.name)
        _ip("link", "add", self._near, "type", "veth", "peer", "name", self._far, "netns", self.name)
        _ip("addr", "add", f"{self.near_address}/24", "dev", self._near)
        _ip("link", "set", self._near, "up")
        _ip("-n", self.name, "addr", "add", f"{self.address}/24", "dev", self._far)
        self.mend()

    def cut(self) -> None:
        """Drop every packet: the far end of the link is down."""
        _ip("-n", self.name, "link", "set", self._far, "down")

    def mend(self) -> None:
        """Let packets through."""
        _ip("-n", self.name, "link", "set", self._far, "up")

    def end(self) -> None:
        """Take it away."""
        _ip("netns", "del", self.name)


def _ip(*words: str) -> None:
    subprocess.run(("/usr/sbin/ip", *words), check=True, capture_output=True)  # noqa: S603 - words of our own
