"""A delivery's events through one connection, in the room that the window leaves beside all else."""

from __future__ import annotations

import functools
from collections import deque
from typing import TYPE_CHECKING

from felt_daemon.publisher.adapter import FIRST_FAILURE
from felt_daemon.publisher.post import size

if TYPE_CHECKING:
    import asyncio

    from felt_daemon.publisher.adapter import Connection, Message
    from felt_daemon.publisher.delivery import Beside
    from felt_daemon.publisher.desk import Desk
    from felt_daemon.publisher.post import Parcel

_EVERYBODY = ""


class Flow:
    """Starts messages and hears of their PUBACKs. Sending raises BrokerLost, and what `Source` raises."""

    def __init__(self, desk: Desk, connection: Connection) -> None:
        self._desk = desk
        self._connection = connection
        # Messages on their way that are no events.
        self.others = 0
        # What is private waits here; its event goes out after it. Which event that was last, for each way.
        self._private: deque[Message] = deque()
        self._disclosed: dict[str, int] = {}
        # Topics of single consumers that are refused on this connection: told once.
        self._refused: set[str] = set()

    def room(self) -> int:
        """How many more messages may be on their way."""
        return self._desk.delivery.room(self.others)

    def due(self) -> float | None:
        """When there is something to send though nothing happens."""
        return self._desk.delivery.due(self._desk.now(), self.others)

    def start(self, message: Message) -> None:
        """Send something that is no event."""
        answer = self._connection.start(message)
        self.others += 1
        answer.add_done_callback(functools.partial(self._other_answered, message.topic))

    def send_events(self, *, first: bool = False) -> None:
        """Send what may go out of the common stream; `first` as in `Delivery.common`."""
        self._send_private()
        desk = self._desk
        now = desk.now()
        for seq in desk.delivery.common(self.others, now, first=first):
            parcel = desk.post.event(seq)
            if not self._fits(parcel.message):
                desk.carry_out(desk.delivery.unsendable(seq, now))
                return
            if not self._private_sent(parcel, _EVERYBODY, seq):
                return
            answer = self._connection.start(parcel.message)
            desk.delivery.sent(seq, now)
            answer.add_done_callback(functools.partial(self._event_answered, seq))

    def send_beside(self) -> None:
        """Send what may go out to single consumers."""
        desk = self._desk
        now = desk.now()
        for one in desk.delivery.beside(self.others, now):
            parcel = desk.post.again(one.seq, one.consumer)
            if not self._fits(parcel.message):
                desk.carry_out(desk.delivery.beside_unsendable(one))
                desk.wake.set()
                return
            if not self._private_sent(parcel, one.consumer, one.seq):
                return
            answer = self._connection.start(parcel.message)
            desk.delivery.beside_sent(one, now)
            answer.add_done_callback(functools.partial(self._beside_answered, one, parcel.message.topic))

    def _fits(self, message: Message) -> bool:
        return size(message) <= self._connection.limits.packet_bytes

    def _private_sent(self, parcel: Parcel, reader: str, seq: int) -> bool:
        """Send what goes out before the event; whether it has gone, and the event may follow."""
        if not parcel.private or self._disclosed.get(reader) == seq:
            return not self._private
        self._disclosed[reader] = seq
        self._private.extend(parcel.private)
        self._send_private()
        return False

    def _send_private(self) -> None:
        while self._private and self.room() > 0:
            message = self._private.popleft()
            if self._fits(message):
                self.start(message)
            else:
                self._desk.trouble(f"{message.topic} is too large for the broker")
                self._desk.wake.set()

    def _event_answered(self, seq: int, answer: asyncio.Future[int]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            return  # the connection is gone; `Session.ended` tells the delivery
        desk = self._desk
        desk.carry_out(desk.delivery.answered(seq, answer.result(), desk.now()))
        desk.wake.set()

    def _beside_answered(self, one: Beside, topic: str, answer: asyncio.Future[int]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            return
        code = answer.result()
        if code >= FIRST_FAILURE and topic not in self._refused:
            self._refused.add(topic)
            self._desk.trouble(f"the broker refuses {topic} (0x{code:02x})")
        self._desk.delivery.beside_answered(one, code, self._desk.now())
        self._desk.wake.set()

    def _other_answered(self, topic: str, answer: asyncio.Future[int]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            return
        self.others -= 1
        code = answer.result()
        if code >= FIRST_FAILURE:
            self._desk.trouble(f"the broker refuses {topic} (0x{code:02x})")
        self._desk.wake.set()
