"""A broker that misbehaves on demand: answers late, wrongly, with garbage or not at all, or hangs up."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_DEADLINE_S = 15.0
# The top bit of a byte of a length: another byte follows. Source: MQTT 5.0, 1.5.5.
_MORE = 128
# Packet types. Source: MQTT 5.0, 2.1.2.
_CONNECT, _PUBLISH, _SUBSCRIBE, _PINGREQ = 1, 3, 8, 12


@dataclass(frozen=True)
class Published:
    """A PUBLISH as it came."""

    topic: str
    payload: bytes
    mid: int
    dup: bool


@dataclass
class ScriptedBroker:
    """Speaks just enough MQTT 5 to misbehave on demand. `answer` gives the bytes that follow a PUBLISH.

    Source: MQTT 5.0, chapter 3.
    """

    answer: Callable[[Published], bytes] = field(default=lambda message: puback(message.mid))
    # Properties of the CONNACK; None: hang up instead.
    connack: bytes | None = b""
    suback: bytes = b"\x01\x01"
    # Takes the place of all of this: what is answered to a packet's type and body.
    script: Callable[[int, bytes], bytes] | None = None
    # Every PUBACK is sent so much later; how many messages have waited for theirs at one time.
    slow_s: float = 0.0
    unanswered: int = 0
    most_unanswered: int = 0
    published: list[Published] = field(default_factory=list[Published])
    connects: list[bytes] = field(default_factory=list[bytes])
    connections: int = 0
    port: int = 0
    _server: asyncio.Server | None = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def start(self) -> None:
        """Take connections on a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Take no more connections."""
        if self._server is not None:
            self._server.close()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds that comes with a packet."""
        async with asyncio.timeout(_DEADLINE_S):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.unanswered = 0
        try:
            while not writer.is_closing():
                kind, flags, body = await _packet(reader)
                answer = self._answer(kind, flags, body)
                self._changed.set()
                if answer is None:
                    return
                if kind == _PUBLISH and self.slow_s:
                    asyncio.get_running_loop().call_later(self.slow_s, self._answer_late, writer, answer)
                else:
                    writer.write(answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._changed.set()
            writer.close()

    def _answer_late(self, writer: asyncio.StreamWriter, answer: bytes) -> None:
        self.unanswered -= 1
        if not writer.is_closing():
            writer.write(answer)

    def _answer(self, kind: int, flags: int, body: bytes) -> bytes | None:
        if self.script is not None:
            return self.script(kind, body)
        if kind == _CONNECT:
            self.connects.append(body)
            if self.connack is None:
                return None
            return b"\x20" + bytes([3 + len(self.connack), 0, 0, len(self.connack)]) + self.connack
        if kind == _PUBLISH:
            length = int.from_bytes(body[:2], "big")
            properties = 4 + length
            payload = body[properties + 1 + body[properties] :]
            mid = int.from_bytes(body[2 + length : properties], "big")
            message = Published(body[2 : 2 + length].decode(), payload, mid, bool(flags & 8))
            self.published.append(message)
            self.unanswered += 1
            self.most_unanswered = max(self.most_unanswered, self.unanswered)
            return self.answer(message) or None
        if kind == _SUBSCRIBE:  # to two topics
            return b"\x90\x05" + body[:2] + b"\x00" + self.suback
        return b"\xd0\x00" if kind == _PINGREQ else b""


async def _packet(reader: asyncio.StreamReader) -> tuple[int, int, bytes]:
    first = (await reader.readexactly(1))[0]
    length = shift = 0
    while True:
        byte = (await reader.readexactly(1))[0]
        length |= (byte & 127) << shift
        shift += 7
        if not byte & _MORE:
            return first >> 4, first & 15, await reader.readexactly(length)


def puback(mid: int, code: int = 0) -> bytes:
    """A PUBACK with a reason code."""
    return b"\x40\x03" + mid.to_bytes(2, "big") + bytes([code])
