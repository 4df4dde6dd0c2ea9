"""One connection of a table to its broker, never used twice."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from felt_simulators.floor import packets

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.floor.packets import Packet

KEEPALIVE_S: Final = 10
_NUMBERS: Final = 65_535


class Link(asyncio.Protocol):
    """Gives every packet that comes to `hear`, and says by `over` once that the connection is gone."""

    def __init__(self, hear: Callable[[Packet], None], over: Callable[[], None]) -> None:
        self._hear = hear
        self._over = over
        self._receiver = packets.Receiver()
        self._transport: asyncio.Transport | None = None
        self._number = 0
        self._loop = asyncio.get_running_loop()
        self._said_at = self._heard_at = self._loop.time()

    def send(self, data: bytes) -> None:
        """Send a packet; on a connection that is gone it goes nowhere."""
        if self._transport is not None:
            self._transport.write(data)
            self._said_at = self._loop.time()

    def number(self) -> int:
        """A number for the next packet that has to be answered."""
        self._number = self._number % _NUMBERS + 1
        return self._number

    def elapsed(self) -> None:
        """Ask whether the broker is there; hang up where nothing comes from it any more."""
        now = self._loop.time()
        if now - self._heard_at > 2 * KEEPALIVE_S:
            self.cut()
        elif now - self._said_at > KEEPALIVE_S / 2:
            self.send(packets.ping())

    def cut(self) -> None:
        """Hang up without a word: the broker publishes the will."""
        if self._transport is not None:
            self._transport.abort()

    def close(self) -> None:
        """Hang up once everything is sent."""
        if self._transport is not None:
            self._transport.close()

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            self._transport = transport

    @override
    def data_received(self, data: bytes) -> None:
        self._heard_at = self._loop.time()
        try:
            for packet in self._receiver.take(data):
                self._hear(packet)
        except packets.BadPacket:
            self.cut()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._over()
