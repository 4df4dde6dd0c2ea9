"""A simulated table at its broker: makes rows, tells them, and connects again for ever."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from typing import TYPE_CHECKING, Any, Final

from felt_protocols import cloudevents, topics
from felt_protocols.events import canonical
from felt_simulators.floor import packets
from felt_simulators.floor.delivery import Delivery
from felt_simulators.floor.link import KEEPALIVE_S, Link

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from felt_simulators.floor.book import Book
    from felt_simulators.floor.delivery import Way
    from felt_simulators.floor.evening import Told
    from felt_simulators.floor.packets import Packet

VERSION: Final = "simulated"
_FIRST_PAUSE_S: Final = 0.25
_LONGEST_PAUSE_S: Final = 30.0
# After so long without the return of its own status, a table goes on without what is retained.
_ACKS_WITHIN_S: Final = 0.5


class Table:
    """One table with one consumer. Everything here belongs to one event loop.

    `acked_ns` has, for every row that the consumer has acknowledged, when the table heard of it.
    """

    def __init__(self, book: Book, evening: Iterator[Told], consumer: str, rng: random.Random) -> None:
        self.book = book
        self.delivery = Delivery()
        self.acked_ns: list[int] = []
        self.connections = 0
        self._evening = evening
        self._ahead: Told | None = None
        self._consumer = consumer
        self._again_topic = topics.replay(book.table, consumer)
        self._rng = rng
        self._link: Link | None = None
        self._flows = False
        self._born_at = 0.0
        self._birth = b""
        self._failures = 0
        self._receive_maximum = 0
        self._over = asyncio.Event()
        # What waits for its PUBACK, by the number of its packet.
        self._waiting: dict[int, tuple[Way, int]] = {}

    @property
    def connected(self) -> bool:
        """Whether rows can go out."""
        return self._flows

    # What happens at the table.

    def happen(self) -> int:
        """The next fact, with what follows from it, becomes rows; how many."""
        told = self._ahead or next(self._evening)
        before = self.book.head
        now_ns, utc_us = time.monotonic_ns(), time.time_ns() // 1000
        while True:
            self.book.add(told, now_ns, utc_us, os.urandom(16))
            told = next(self._evening)
            if not told.caused:
                break
        self._ahead = told
        self.delivery.head = self.book.head
        self._flush()
        return self.book.head - before

    def elapsed(self) -> None:
        """Time went by."""
        if self._link is None:
            return
        self._link.elapsed()
        if not self._flows and self._birth and self._now() > self._born_at + _ACKS_WITHIN_S:
            self._flow()
        self.delivery.elapsed(self._now())
        self._flush()

    # The connection.

    async def run(self, host: str, port: int) -> None:
        """Connect and connect again, until cancelled."""
        while True:
            self._over.clear()
            with contextlib.suppress(OSError):
                await self._connect(host, port)
                await self._over.wait()
            limit_s = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0 ** min(self._failures, 16))
            self._failures += 1
            await asyncio.sleep(self._rng.uniform(0.0, limit_s))

    async def leave(self) -> None:
        """Say why the table goes offline, and disconnect."""
        if self._link is not None and self._flows:
            self._publish_status(self._link, self._status("stopped"))
            self._link.send(packets.disconnect())
            self._link.close()
            await self._over.wait()

    def cut(self) -> bool:
        """Lose the connection, as by a cable that somebody pulls; whether there was one."""
        if self._link is None:
            return False
        self._link.cut()
        return True

    async def _connect(self, host: str, port: int) -> None:
        loop = asyncio.get_running_loop()
        _, link = await loop.create_connection(lambda: Link(self._heard, self._lost), host, port)
        self._link = link
        will = self._status("lost")
        link.send(packets.connect(self.book.table, KEEPALIVE_S, topics.status(self.book.table), will))

    def _lost(self) -> None:
        self._link = None
        self._flows = False
        self._birth = b""
        self._waiting.clear()
        self.delivery.lost()
        self._over.set()

    def _heard(self, packet: Packet) -> None:
        link = self._link
        if link is None:
            return
        match packet:
            case packets.Puback(number, code):
                if (sent := self._waiting.pop(number, None)) is not None:
                    self.delivery.answered(*sent, code, self._now())
                    self._flush()
            case packets.Published():
                self._took(link, packet)
            case packets.Connack(code, receive_maximum):
                self._welcomed(link, code, receive_maximum)
            case packets.Suback(_, codes):
                if any(code >= packets.FIRST_FAILURE for code in codes):
                    link.cut()
                else:
                    self._born(link)
            case packets.Disconnect():
                link.cut()
            case packets.Pong():
                pass

    def _welcomed(self, link: Link, code: int, receive_maximum: int) -> None:
        if code >= packets.FIRST_FAILURE:
            link.cut()
            return
        self.connections += 1
        self._failures = 0
        self._receive_maximum = receive_maximum
        # Acknowledgements first: where to go on is known before the first row goes out.
        own = [topics.acks_filter(self.book.table), topics.status(self.book.table)]
        link.send(packets.subscribe(own, link.number()))

    def _born(self, link: Link) -> None:
        self._birth = self._status(None)
        self._born_at = self._now()
        self._publish_status(link, self._birth)

    def _flow(self) -> None:
        self._flows = True
        self.delivery.connected(self._receive_maximum, self._now())
        self._flush()

    def _took(self, link: Link, message: packets.Published) -> None:
        if message.number is not None:
            link.send(packets.puback(message.number))
        place = topics.parse(message.topic)
        if place is None:
            return
        if place.what == "status" and message.payload == self._birth and not self._flows:
            # What was retained has come before it.
            self._flow()
        elif place.what == "ack" and place.item == self._consumer and message.payload:
            self._acknowledged(message)

    def _acknowledged(self, message: packets.Published) -> None:
        said: dict[str, Any] = json.loads(message.payload)
        if said["epoch"] != self.book.epoch:
            self.delivery.refused_acks += 1
            return
        if self.delivery.heard(int(said["sequence"]), self._now(), retained=message.retained):
            now_ns = time.monotonic_ns()
            self.acked_ns += [now_ns] * (self.delivery.acked - len(self.acked_ns))
            self._flush()

    def _flush(self) -> None:
        """Send what may go out."""
        link = self._link
        if link is None or not self._flows:
            return
        out = bytearray()
        for way, seq in self.delivery.ready(self._now()):
            topic, payload = self.book.row(seq)
            number = link.number()
            self._waiting[number] = (way, seq)
            topic = topic if way == "event" else self._again_topic
            out += packets.publish(topic, payload, number, content=cloudevents.CONTENT_TYPE)
        if out:
            link.send(bytes(out))

    def _publish_status(self, link: Link, status: bytes) -> None:
        topic = topics.status(self.book.table)
        link.send(packets.publish(topic, status, link.number(), retain=True, content="application/json"))

    def _status(self, reason: str | None) -> bytes:
        return canonical(
            {
                "online": reason is None,
                "start": self.book.start,
                "epoch": self.book.epoch,
                "version": VERSION,
                "since": cloudevents.instant(time.time_ns() // 1000),
                "reason": reason,
                "simulated": True,
            }
        )

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
