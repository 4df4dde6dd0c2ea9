"""One table on its way to the floor: connects, keeps a session going, and never gives up."""

from __future__ import annotations

import asyncio
import datetime as dt
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from felt_daemon.publisher.adapter import BrokerLost, Connection, Message, Untrusted
from felt_daemon.publisher.backoff import Backoff
from felt_daemon.publisher.rival import Rival
from felt_daemon.publisher.session import Session
from felt_daemon.publisher.tls import LOOK_EVERY_S
from felt_protocols import topics
from felt_protocols.cloudevents import instant
from felt_protocols.events import canonical

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.publisher.adapter import Access
    from felt_daemon.publisher.desk import Desk
    from felt_daemon.publisher.tls import Credentials

_BEING_WRITTEN = "somebody writes in the files of the table's certificate"
# A verdict by a clock that nobody has set is no verdict.
_CLOCK_NOT_SET = ", and that clock is not set yet: tried again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a status says of this run of the device process. `utc_us` gives UTC in microseconds."""

    start: str
    version: str
    simulated: bool
    utc_us: Callable[[], int]


class Publication:
    """The connection of one table, made again for ever with growing pauses."""

    def __init__(
        self,
        desk: Desk,
        access: Access,
        run: Run,
        credentials: Credentials | None = None,
        look_every_s: float = LOOK_EVERY_S,
    ) -> None:
        self._desk = desk
        self._status_topic = topics.status(desk.table)
        self._credentials = credentials
        self._look_every_s = look_every_s
        self._distrust = ""
        self._access = access
        self._run = run
        self._backoff = Backoff(desk.dice)
        self._rival = Rival(run.start, desk.source.epoch)
        self._session: Session | None = None

    async def run(self) -> None:
        """Publish until the desk says to leave."""
        await self._desk.unless_leaving(self._desk.catch_up())
        looking = asyncio.create_task(self._look_again())
        try:
            while not self._desk.leaving:
                if looking.done():
                    looking.result()
                pause_s = await self._once()
                await self._desk.unless_leaving(asyncio.sleep(pause_s))
        finally:
            looking.cancel()

    async def _once(self) -> float:
        """One connection from its beginning to its end; returns how long to wait before the next."""
        desk = self._desk
        since = instant(self._run.utc_us())
        self._rival.connecting(since)
        will = Message(self._status_topic, self._status(since, "lost"), retain=True)
        try:
            access = self._entitled()
            connection = await self._desk.unless_leaving(Connection.open(access, will, self._take))
        except Untrusted as distrust:
            self._tell_distrust(distrust)
            return self._backoff.failed()
        except BrokerLost as nobody:
            desk.broker(up=False, why=str(nobody))
            return self._backoff.failed()
        if connection is None:
            return 0.0
        self._distrust = ""
        if self._credentials is not None:
            self._credentials.broker(connection.ends)
        began = desk.now()
        lost = await self._serve(connection, since)
        if lost is None:
            return 0.0
        desk.broker(up=False, why=str(lost))
        now = desk.now()
        pause_s = self._backoff.ended(now - began, lost.code, rivalled=self._rival.lately(now))
        if self._backoff.taken_over:
            desk.trouble(f"another client uses the id {self._access.client_id} at this broker")
        return pause_s

    async def _serve(self, connection: Connection, since: str) -> BrokerLost | None:
        """Keep a session going; returns how it was lost, None if it was left on purpose."""
        desk = self._desk
        session = self._session = Session(desk, connection, self._status(since, None))
        desk.broker(up=True)
        sound = False
        lost: BrokerLost | None = None
        try:
            await session.run()
            lost = connection.lost.result() if connection.lost.done() else None
            sound = True
        except BrokerLost as silent:
            lost = silent
            sound = True
        finally:
            self._session = None
            if lost is None:
                reason = (desk.leaving or "renewing") if sound else "failed"
                await session.farewell(self._status(since, reason))
            session.ended(lost)
            await connection.abandon()
        return lost

    async def _look_again(self) -> None:
        """Look at the files of the certificate now and then; new ones are worth a new connection."""
        while self._credentials is not None:
            await asyncio.sleep(self._look_every_s)
            if self._credentials.look(self._now()):
                self._desk.renew()

    def _entitled(self) -> Access:
        """The way to the broker with what opens it at this moment; raises Untrusted where that lacks."""
        self._desk.renewing = False
        access = self._access.entitled()
        if self._credentials is None:
            return access
        self._credentials.look(self._now())
        if self._credentials.context is None:
            raise Untrusted(self._credentials.trouble or _BEING_WRITTEN)
        return replace(access, tls=self._credentials.context)

    def _now(self) -> dt.datetime | None:
        """What time it is; None while nobody can say."""
        us = self._desk.utc_us
        return None if us is None else dt.datetime.fromtimestamp(us / 1e6, dt.UTC)

    def _tell_distrust(self, distrust: Untrusted) -> None:
        """Say what people must put right before there is a connection, once as long as it is the same."""
        text = str(distrust)
        if distrust.by_clock and self._desk.utc_us is None:
            text += _CLOCK_NOT_SET
        self._desk.broker(up=False, why=text)
        if text != self._distrust:
            self._distrust = text
            self._desk.trouble(text)

    def _take(self, topic: str, payload: bytes, retained: bool) -> None:  # noqa: FBT001 - the adapter calls
        if self._session is None:
            return
        if topic == self._status_topic:
            self._rival.heard(payload, self._desk.now())
        self._session.heard(topic, payload, retained=retained)

    def _status(self, since: str, reason: str | None) -> bytes:
        """The payload of the status; the table is online unless there is a reason why not."""
        run = self._run
        return canonical(
            {
                "online": reason is None,
                "start": run.start,
                "epoch": self._desk.source.epoch,
                "version": run.version,
                "since": since,
                "reason": reason,
                "simulated": run.simulated,
            }
        )
