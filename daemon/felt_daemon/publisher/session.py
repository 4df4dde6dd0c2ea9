"""One connection at work: what the lane and the picture want to send, sent as the broker takes it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from felt_daemon.journal import JournalBusy, JournalUnavailable
from felt_daemon.publisher.adapter import FIRST_FAILURE, BrokerLost, Message
from felt_daemon.publisher.flow import Flow
from felt_protocols import topics

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.publisher.adapter import Connection
    from felt_daemon.publisher.desk import Desk

_log = logging.getLogger(__name__)

# A second birth within this time is a loop of two clients that speak for one table.
STATUS_EVERY_S = 1.0
# A journal that cannot be read is asked again after this time.
JOURNAL_AGAIN_S = 0.5
# What consumers said before is kept by the broker and comes right after a subscription; so long it is waited
# for, since what goes out before it may be what they have.
_ACKS_S = 0.2
# A connection that takes no message is gone; so long it may take until that is known.
_LOST_S = 1.0
# So long after an event went out all else is done that its row brings: the broker needs a processor, too.
BESIDE_S = 0.002
# How long a farewell may take, and the DISCONNECT after it. With all else that is less than a second.
_FAREWELL_S = 0.3
_CLOSE_S = 0.2


class Session:
    """Pumps one connection until it is lost, or until the publisher leaves."""

    def __init__(self, desk: Desk, connection: Connection, birth: bytes) -> None:
        self._desk = desk
        self._connection = connection
        self._birth = birth
        self._flow = Flow(desk, connection)
        # Consumers that are not heard yet, and until when they are waited for; None once events go out.
        self._unheard = {one.id for one in desk.delivery.consumers}
        self._resume_due: float | None = None
        self._broken: BrokerLost | None = None
        self._loop = asyncio.get_running_loop()
        self._again: float | None = None
        self._unreadable = False
        self._status_due: float | None = None
        self._status_at = float("-inf")
        self._birth_due: float | None = None
        self._waits = False

    async def run(self) -> None:
        """Send until the connection is lost or the desk says to leave and all is drained."""
        desk, connection = self._desk, self._connection
        connection.lost.add_done_callback(lambda _: desk.wake.set())
        desk.hurry = self._hurry
        await desk.unless_leaving(self._subscribe())
        desk.delivery.connected(connection.limits.receive_maximum)
        self._resume_due = desk.now() + _ACKS_S
        self._read(desk.refresh)
        desk.picture.everything(self._birth)
        self._status_at = desk.now()
        while not connection.lost.done() and not self._may_leave() and not self._may_renew():
            desk.wake.clear()
            self._births()
            self._resume()
            self._send()
            desk.tell_positions()
            if self._broken is not None:
                await self._end_comes(self._broken)
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
        desk.hurry = desk.wake.set
        code = None if lost is None else lost.code
        desk.carry_out(desk.delivery.lost(desk.now(), code, others=self._flow.others > 0))
        desk.tell_positions()
        desk.picture.forget()

    def heard(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """A message of a subscription arrived."""
        desk = self._desk
        if desk.intake is not None and desk.intake.takes(topic):
            desk.intake.heard(topic, payload, retained=retained)
            return
        if topic.startswith(desk.acks):
            consumer = topic.removeprefix(desk.acks)
            desk.acked(consumer, payload, retained=retained)
            self._unheard.discard(consumer)
        elif topic == topics.FLOOR_STATUS:
            if desk.is_birth(payload) and self._birth_due is None:
                self._birth_due = desk.now() + desk.birth_jitter_s()
        elif not retained and payload != self._birth and self._status_due is None:
            # The will of an older connection came after our birth.
            self._status_due = max(desk.now(), self._status_at + STATUS_EVERY_S)
        desk.wake.set()

    async def _subscribe(self) -> None:
        wanted = [topics.FLOOR_STATUS, topics.status(self._desk.table)]
        # What our own status was until now tells whether somebody else speaks for the table.
        codes = await self._connection.subscribe(wanted, kept=wanted[1:])
        if self._unheard:
            wanted.append(topics.acks_filter(self._desk.table))
            # Marked as retained is what was said before this moment, and nothing else.
            codes += await self._connection.subscribe(wanted[-1:], retained=True, as_published=False)
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
        sent = answered and not self._flow.others and not desk.picture.waiting
        return desk.now() >= desk.leave_at or ((desk.lane.idle or desk.lane.held) and sent)

    def _may_renew(self) -> bool:
        """Whether nothing is on its way and the connection is to be made anew."""
        return self._desk.renewing and not self._desk.delivery.on_their_way and not self._flow.others

    def _resume(self) -> None:
        """Let events go out, once consumers have had the time to say where they are."""
        if self._resume_due is not None and (not self._unheard or self._desk.now() >= self._resume_due):
            self._resume_due = None
            self._desk.carry_out(self._desk.delivery.resumed(self._desk.now()))

    def _births(self) -> None:
        now = self._desk.now()
        if self._desk.pictured:
            self._desk.pictured = False
            self._desk.picture.everything(self._birth)
        if self._birth_due is not None and now >= self._birth_due:
            self._birth_due = None
            self._desk.picture.everything(self._birth)
        if self._status_due is not None and now >= self._status_due:
            self._status_due = None
            self._status_at = now
            self._desk.picture.status(self._birth)

    def _send(self) -> None:
        desk, flow = self._desk, self._flow
        if self._again is not None and desk.now() >= self._again:
            self._again = None
        if desk.renewing:
            self._read(desk.refresh)
            return  # what is on its way comes to its end first
        try:
            self._read(self._send_first, desk.refresh)
            self._send_answers()
            self._send_pictures()
            self._read(flow.send_events, flow.send_beside)
            self._connection.flush()
        except BrokerLost as broken:
            self._broken = broken

    def _read(self, *works: Callable[[], None]) -> None:
        """Do what needs the journal; where that cannot be read, nothing of it is done for a moment."""
        if self._again is not None:
            return
        try:
            for work in works:
                work()
        except (JournalBusy, JournalUnavailable) as error:
            self._again = self._desk.now() + JOURNAL_AGAIN_S
            if not self._unreadable:
                _log.warning("%s: the journal cannot be read: %s", self._desk.table, error)
            self._unreadable = True
        else:
            self._unreadable = False

    def _hurry(self) -> None:
        """Rows are committed while the session sleeps: their events go out in this very turn of the loop."""
        if not self._waits or self._desk.renewing:
            self._desk.wake.set()
            return
        try:
            self._send_first()
        except (BrokerLost, JournalBusy, JournalUnavailable):
            pass  # like whatever else goes wrong it is met again, and dealt with, in the session's own turn
        finally:
            self._loop.call_later(BESIDE_S, self._desk.wake.set)

    def _send_first(self) -> None:
        self._flow.send_events(first=True)
        self._connection.flush()

    async def _end_comes(self, broken: BrokerLost) -> None:
        """What cannot send is at its end: wait until that is known, or raise that it is."""
        await asyncio.wait((self._connection.lost,), timeout=_LOST_S)
        if not self._connection.lost.done():
            raise broken

    def _send_answers(self) -> None:
        intake = self._desk.intake
        while intake is not None and self._flow.room() > 0 and (message := intake.first_answer()) is not None:
            self._flow.start(message)
            # One that is lost on its way is asked for again; one that was never sent stays.
            intake.answer_sent()

    def _send_pictures(self) -> None:
        while self._flow.room() > 0 and (message := self._desk.picture.take()) is not None:
            self._flow.start(message)

    def _publish(self, message: Message) -> asyncio.Future[int] | None:
        try:
            return self._connection.start(message)
        except BrokerLost:
            return None

    async def _wait(self) -> None:
        """Sleep until something happened or is due."""
        desk = self._desk
        due = self._due()
        desk.carry_out(desk.delivery.elapsed(desk.now()))
        if desk.wake.is_set():
            # There is more to do, and an event that is set gives nobody else a turn.
            await asyncio.sleep(0)
        self._waits = self._again is None
        try:
            async with asyncio.timeout(None if due is None else max(0.0, due - desk.now())):
                await desk.wake.wait()
        except TimeoutError:
            pass
        finally:
            self._waits = False
        desk.carry_out(desk.delivery.elapsed(desk.now()))

    def _due(self) -> float | None:
        """When there is something to do though nothing happens; None while there is nothing."""
        desk = self._desk
        times = [self._birth_due, self._status_due, self._resume_due]
        if self._again is not None:
            # All else needs the journal.
            times.append(self._again)
        else:
            times += [desk.refresh_due(), None if desk.renewing else self._flow.due()]
        if desk.leaving:
            times.append(desk.leave_at)
        return min((when for when in times if when is not None), default=None)


async def _came(answer: asyncio.Future[int], limit_s: float) -> bool:
    """Whether a PUBACK comes in time; if not, nobody waits for it any more."""
    try:
        async with asyncio.timeout(limit_s):
            await answer
    except (TimeoutError, BrokerLost):
        return False
    return True
