"""One connection at work: what the lane and the picture want to send, sent as the broker takes it."""

from __future__ import annotations

import asyncio
import functools
import logging
from typing import TYPE_CHECKING

from felt_daemon.journal import JournalBusy, JournalUnavailable
from felt_daemon.publisher.adapter import FIRST_FAILURE, BrokerLost, Message
from felt_daemon.publisher.lane import MOST_ON_THEIR_WAY
from felt_protocols import cloudevents, topics

if TYPE_CHECKING:
    from felt_daemon.publisher.adapter import Connection
    from felt_daemon.publisher.desk import Desk

_log = logging.getLogger(__name__)

# A second birth within this time is a loop of two clients that speak for one table.
STATUS_EVERY_S = 1.0
# A journal that cannot be read is asked again after this time.
JOURNAL_AGAIN_S = 0.5
# Bytes of a PUBLISH packet beside its topic and payload, with its properties; generous.
_PACKET_EXTRA_BYTES = 64
# How long a farewell may take, and the DISCONNECT after it. With all else that is less than a second.
_FAREWELL_S = 0.3
_CLOSE_S = 0.2


class Session:
    """Pumps one connection until it is lost, or until the publisher leaves."""

    def __init__(self, desk: Desk, connection: Connection, birth: bytes) -> None:
        self._desk = desk
        self._connection = connection
        self._birth = birth
        self._others_on_their_way = 0
        self._again: float | None = None
        self._status_due: float | None = None
        self._status_at = float("-inf")
        self._birth_due: float | None = None

    async def run(self) -> None:
        """Send until the connection is lost or the desk says to leave and all is drained."""
        desk, connection = self._desk, self._connection
        connection.lost.add_done_callback(lambda _: desk.wake.set())
        await desk.unless_leaving(self._subscribe())
        desk.lane.connected(connection.limits.receive_maximum, desk.now())
        self._refresh()
        desk.picture.everything(self._birth)
        self._status_at = desk.now()
        while not connection.lost.done() and not self._may_leave() and not self._may_renew():
            desk.wake.clear()
            self._births()
            self._refresh()
            self._send()
            await self._wait()

    async def farewell(self, status: bytes) -> None:
        """Say why the table goes offline and disconnect; after a second at most, without."""
        said = self._publish(Message(topics.status(self._desk.table), status, retain=True))
        if said is not None and await _came(said, _FAREWELL_S):
            await self._connection.close(_CLOSE_S)
        else:
            await self._connection.abandon()

    def ended(self, lost: BrokerLost | None) -> None:
        """The connection is gone: what had no PUBACK goes again on the next one."""
        desk = self._desk
        code = None if lost is None else lost.code
        others = self._others_on_their_way > 0
        desk.carry_out(desk.lane.lost(desk.now(), code, others=others))
        desk.picture.forget()

    def heard(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """A message of a subscription arrived."""
        desk = self._desk
        if desk.intake is not None and desk.intake.takes(topic):
            desk.intake.heard(topic, payload, retained=retained)
            return
        if topic == topics.FLOOR_STATUS:
            if desk.is_birth(payload) and self._birth_due is None:
                self._birth_due = desk.now() + desk.birth_jitter_s()
        elif payload != self._birth and self._status_due is None:
            # The will of an older connection came after our birth.
            self._status_due = max(desk.now(), self._status_at + STATUS_EVERY_S)
        desk.wake.set()

    async def _subscribe(self) -> None:
        wanted = [topics.FLOOR_STATUS, topics.status(self._desk.table)]
        codes = await self._connection.subscribe(wanted)
        if (intake := self._desk.intake) is not None:
            # Retained ones come, too: they are refused, and whoever left them is told.
            wanted.append(intake.filter)
            codes += await self._connection.subscribe([intake.filter], retained=True)
        for topic, code in zip(wanted, codes, strict=True):
            if code >= FIRST_FAILURE:
                self._desk.trouble(f"the broker refuses a subscription to {topic} (0x{code:02x})")

    def _may_leave(self) -> bool:
        desk = self._desk
        if not desk.leaving:
            return False
        answered = desk.intake is None or desk.intake.first_answer() is None
        sent = answered and not self._others_on_their_way and not desk.picture.waiting
        return desk.now() >= desk.leave_at or ((desk.lane.idle or desk.lane.held) and sent)

    def _may_renew(self) -> bool:
        """Whether nothing is on its way and the connection is to be made anew."""
        return self._desk.renewing and not self._desk.lane.on_their_way and not self._others_on_their_way

    def _births(self) -> None:
        now = self._desk.now()
        if self._birth_due is not None and now >= self._birth_due:
            self._birth_due = None
            self._desk.picture.everything(self._birth)
        if self._status_due is not None and now >= self._status_due:
            self._status_due = None
            self._status_at = now
            self._desk.picture.status(self._birth)

    def _refresh(self) -> None:
        try:
            self._desk.refresh()
        except (JournalBusy, JournalUnavailable) as error:
            self._journal_failed(error)

    def _send(self) -> None:
        if self._desk.renewing:
            return  # what is on its way comes to its end first
        try:
            self._send_answers()
            self._send_pictures()
            self._send_events()
        except BrokerLost:
            self._desk.wake.set()  # `lost` says the same
        except (JournalBusy, JournalUnavailable) as error:
            self._journal_failed(error)

    def _journal_failed(self, error: Exception) -> None:
        _log.warning("%s: the journal cannot be read: %s", self._desk.table, error)
        self._again = self._desk.now() + JOURNAL_AGAIN_S

    def _room(self) -> int:
        window = min(MOST_ON_THEIR_WAY, self._connection.limits.receive_maximum)
        return window - self._desk.lane.on_their_way - self._others_on_their_way

    def _send_answers(self) -> None:
        intake = self._desk.intake
        while intake is not None and self._room() > 0 and (message := intake.first_answer()) is not None:
            self._start_other(message)
            # One that is lost on its way is asked for again; one that was never sent stays.
            intake.answer_sent()

    def _send_pictures(self) -> None:
        while self._room() > 0 and (message := self._desk.picture.take()) is not None:
            self._start_other(message)

    def _start_other(self, message: Message) -> None:
        """Send something that is no event."""
        answer = self._connection.start(message)
        self._others_on_their_way += 1
        answer.add_done_callback(functools.partial(self._other_answered, message.topic))

    def _send_events(self) -> None:
        desk = self._desk
        now = desk.now()
        if desk.lane.alone and self._others_on_their_way:
            return
        for seq in desk.lane.ready(self._room(), now):
            row = desk.source.told(seq)
            kind = cloudevents.kind_of(row.name)
            message = Message(
                topics.event(desk.table, kind),
                cloudevents.structured(row, desk.source.epoch),
                content_type=cloudevents.CONTENT_TYPE,
            )
            size = len(message.topic) + len(message.payload) + _PACKET_EXTRA_BYTES
            if size > self._connection.limits.packet_bytes:
                desk.carry_out(desk.lane.unsendable(seq, now))
                return
            answer = self._connection.start(message)
            desk.lane.sent(seq, now)
            answer.add_done_callback(functools.partial(self._event_answered, seq))

    def _publish(self, message: Message) -> asyncio.Future[int] | None:
        try:
            return self._connection.start(message)
        except BrokerLost:
            return None

    def _event_answered(self, seq: int, answer: asyncio.Future[int]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            return  # the connection is gone; `ended` tells the lane
        self._desk.carry_out(self._desk.lane.answered(seq, answer.result(), self._desk.now()))
        self._desk.wake.set()

    def _other_answered(self, topic: str, answer: asyncio.Future[int]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            return
        self._others_on_their_way -= 1
        code = answer.result()
        if code >= FIRST_FAILURE:
            self._desk.trouble(f"the broker refuses {topic} (0x{code:02x})")
        self._desk.wake.set()

    async def _wait(self) -> None:
        """Sleep until something happened or is due."""
        desk = self._desk
        waits = self._room() <= 0 or (desk.lane.alone and self._others_on_their_way) or desk.renewing
        lane_due = None if waits else desk.lane.due()
        times = (lane_due, desk.refresh_due(), self._again, self._birth_due, self._status_due)
        leave = desk.leave_at if desk.leaving else None
        due = min((when for when in (*times, leave) if when is not None), default=None)
        self._again = None
        desk.carry_out(desk.lane.elapsed(desk.now()))
        try:
            async with asyncio.timeout(None if due is None else max(0.0, due - desk.now())):
                await desk.wake.wait()
        except TimeoutError:
            pass
        desk.carry_out(desk.lane.elapsed(desk.now()))


async def _came(answer: asyncio.Future[int], limit_s: float) -> bool:
    """Whether a PUBACK comes in time; if not, nobody waits for it any more."""
    try:
        async with asyncio.timeout(limit_s):
            await answer
    except (TimeoutError, BrokerLost):
        return False
    return True
