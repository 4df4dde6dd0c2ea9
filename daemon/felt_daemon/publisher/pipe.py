"""The child's ends of the pipe to its device process."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from typing_extensions import override

from felt_daemon.publisher.report import decoded, encoded

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.publisher.report import Line

# Positions are gathered for so long: each costs the device process a write to its disk.
POSITIONS_EVERY_S = 0.1
# No line is longer: a rule pack has some hundred kilobytes, the health of every device a few.
_LINE_BYTES = 1_048_576


class Reports(asyncio.BaseProtocol):
    """Lines to the device process, without ever waiting for it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._gone = self._loop.create_future()
        self._transport: asyncio.WriteTransport | None = None
        self._cursors: dict[str, dict[str, int]] = {}
        self._gathering: asyncio.TimerHandle | None = None

    @classmethod
    async def open(cls) -> Reports:
        """Take over stdout."""
        _, reports = await asyncio.get_running_loop().connect_write_pipe(cls, sys.stdout)
        return reports

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)  # noqa: S101 - asyncio's promise, for the types
        self._transport = transport

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._gone.set_result(None)

    def tell(self, line: Line) -> None:
        """Send a line; positions are sent a little later, only the last of them."""
        if "cursors" in line:
            for stream, moved in line["cursors"].items():
                self._cursors.setdefault(stream, {}).update(moved)
            if self._gathering is None:
                self._gathering = self._loop.call_later(POSITIONS_EVERY_S, self._flush)
        else:
            self._write(line)

    async def close(self) -> None:
        """Send what is left; a device process that reads no more is not waited for."""
        self._flush()
        if self._transport is not None:
            self._transport.close()
        await asyncio.wait((self._gone,), timeout=POSITIONS_EVERY_S)

    def _flush(self) -> None:
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering = None
        if self._cursors:
            self._write({"cursors": self._cursors})
            self._cursors = {}

    def _write(self, line: Line) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(encoded(line))


class Orders:
    """What the device process says, line by line, until it closes the pipe or dies."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    @classmethod
    async def open(cls) -> Orders:
        """Take over stdin."""
        reader = asyncio.StreamReader(limit=_LINE_BYTES)
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        return cls(reader)

    async def next(self) -> Line | None:
        """The next line; None once there are no more."""
        line = await self._reader.readline()
        return decoded(line) if line.endswith(b"\n") else None

    async def listen(self, hear: Callable[[Line], None]) -> None:
        """Hear every further line."""
        while (line := await self.next()) is not None:
            hear(line)
