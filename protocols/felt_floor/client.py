"""The consumer's client: a connection that is made again for ever, and the events of every table."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING, Any, Final, Self

from felt_floor.counter import Counter
from felt_floor.health import Health
from felt_floor.link import FIRST_FAILURE, Access, BrokerLost, Connection
from felt_floor.pauses import Pauses
from felt_floor.positions import acknowledgement
from felt_floor.reception import Reception
from felt_floor.requests import NoAnswerError, Requests
from felt_floor.trouble import Trouble
from felt_protocols import topics

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Mapping
    from types import TracebackType

    from felt_floor.event import Event
    from felt_floor.link import Received, Tls
    from felt_floor.positions import Position
    from felt_floor.reception import Begin
    from felt_floor.requests import Reply
    from felt_floor.signer import Signer

PORT: Final = 1883
TLS_PORT: Final = 8883
# An event that waits for the application, and one that waits for the event before it.
FEWEST: Final = 2
# So many acknowledgements wait for their PUBACK at one time.
WINDOW: Final = 50
# Retained messages are all there when none came for so long, and are not waited for longer than that.
QUIET_S: Final = 0.2
SETTLED_S: Final = 5.0
# How long the broker may take to answer an UNSUBSCRIBE.
UNSUBSCRIBED_S: Final = 5.0
# How long the last acknowledgements may take when the application leaves.
LEAVE_S: Final = 2.0

_log = logging.getLogger("felt_floor")


def log(trouble: Trouble) -> None:
    """What is done with troubles where the application does nothing else: a warning in the log."""
    _log.warning("%s: %s", trouble.table or "connection", trouble.text)


class Floor:
    """The events of tables, for one consumer that the tables' configurations name.

    Use it as a context manager. It connects by itself, again and again; nothing that it meets on the way
    ends it, and `on_trouble` hears of everything that a person may have to look at.

    `tables`: only these; all, where it is not given. `positions`: what the application has stored of each
    table, read from where it stores; then a table that is not among them is new. Without `positions` the
    acknowledgements that the broker keeps are the memory. A table that is new begins with its journal's first
    event (`earliest`), or with what happens from now on (`now`).

    `client_id` is the consumer's id where nothing else is given: two programs with one id throw each other
    out. `buffer` events, 2 at least, are kept in memory at the most. `signer` signs what is asked of tables.
    `private`: take what tables tell this consumer alone, where their configuration has `composition` for it.
    `states`: take what tables show of themselves, and so tell when one cannot write its journal.
    """

    def __init__(  # noqa: PLR0913 - most applications give three of them, and each is a word of its own
        self,
        host: str,
        port: int | None = None,
        *,
        consumer: str,
        tables: Collection[str] | None = None,
        positions: Mapping[str, Position] | None = None,
        begin: Begin = "earliest",
        tls: Tls | None = None,
        user: str | None = None,
        password: str | None = None,
        client_id: str | None = None,
        signer: Signer | None = None,
        private: bool = False,
        states: bool = False,
        buffer: int = 5_000,
        on_trouble: Callable[[Trouble], None] = log,
    ) -> None:
        if buffer < FEWEST:
            raise ValueError(f"a buffer of {buffer} has no room for an event, and for one that comes early")
        self._consumer = topics.checked(consumer)
        self._tables = None if tables is None else sorted(topics.checked(table) for table in tables)
        self._access = Access(
            host=host,
            port=port or (PORT if tls is None else TLS_PORT),
            client_id=client_id or consumer,
            tls=tls,
            user=user,
            password=password,
        )
        self._on_trouble = on_trouble
        self._remembering = positions is None
        self._wake = asyncio.Event()
        self._reception = Reception(
            consumer,
            positions=positions or {},
            begin=begin,
            most=buffer,
            on_trouble=on_trouble,
            on_ack=self._wake.set,
        )
        self._signer = signer
        self._private = private
        self._states = states or begin == "now"
        self._requests = None if signer is None else Requests(signer, self._send)
        self._connection: Connection | None = None
        self._connections = 0
        self._why = ""
        self._unanswered = 0
        self._leaving = False
        self._running: asyncio.Task[None] | None = None
        self._counter = Counter(self._reception, self._handed)

    async def __aenter__(self) -> Self:
        """Begin to connect. Raises OSError for a file of TLS that cannot be used."""
        if self._access.tls is not None:
            await asyncio.to_thread(self._access.tls.context)
        self._running = asyncio.create_task(self._run())
        self._counter.open(self._running)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Tell the last acknowledgements, if there is a connection to tell them on, and leave."""
        assert self._running is not None  # noqa: S101 - whoever leaves has entered
        self._leaving = True
        self._wake.set()
        if self._connection is not None:
            # What the tables are not told of in this time, they send again.
            await asyncio.wait((self._running,), timeout=LEAVE_S)
        self._running.cancel()
        await asyncio.wait((self._running,))
        if self._connection is not None:
            await self._connection.close(LEAVE_S)
            self._connection = None

    def events(self) -> AsyncIterator[Event]:
        """Every event, of each table in its order and once; it ends when the context does.

        Events are taken in one place. Where somebody else begins to take them, here or in batches, whoever
        took them before gets a RuntimeError.
        """
        return self._counter.one_by_one()

    def batches(self, most: int = 500) -> AsyncIterator[list[Event]]:
        """The same events, as many at a time as wait, one at least: for a transaction each. Raises alike."""
        return self._counter.in_batches(most)

    def health(self) -> Health:
        """How the connection and every table stand."""
        return Health(
            connected=self._connection is not None,
            connections=self._connections,
            why=self._why,
            waiting=len(self._reception.ready),
            tables=self._reception.tables(),
        )

    def rewind(self, table: str, after: int) -> None:
        """Have every event of a table after this sequence again, stored or not: the table is asked for them.

        Raises KeyError for a table that was never heard of.
        """
        self._reception.rewind(table, after, asyncio.get_running_loop().time())

    async def snapshot(self, table: str, limit_s: float = 30.0) -> Reply:
        """Ask a table to publish its whole picture, the retained topics, again. Raises as `ask` does."""
        return await self.ask(table, "snapshot", {"consumer": self._consumer}, limit_s)

    async def ask(self, table: str, command: str, args: Mapping[str, Any], limit_s: float = 30.0) -> Reply:
        """Give a table a signed command and wait for its answer.

        Raises RuntimeError without a signer, ValueError for arguments that cannot be signed, NoAnswerError
        (a TimeoutError) where the table is not there or has not answered in time.
        """
        if self._requests is None:
            raise RuntimeError("a command must be signed: give Floor a signer")
        start = self._reception.start_of(table)
        if start is None:
            raise NoAnswerError(f"{table} is not there")
        return await self._requests.ask(table, start, command, args, limit_s)

    @property
    def _untold(self) -> bool:
        return self._reception.acks.due() is not None or self._unanswered > 0

    def _handed(self) -> None:
        if self._connection is not None and self._reception.room:
            self._connection.release()

    # From here on: the task in the background.

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        pauses = Pauses(random.uniform)
        while not self._leaving:
            try:
                connection = await Connection.open(self._access, self._wake.set)
            except BrokerLost as error:
                self._lost(error)
                await asyncio.sleep(pauses.failed())
                continue
            began = loop.time()
            self._connection = connection
            self._connections += 1
            try:
                await self._use(connection)
            except BrokerLost as error:
                await connection.close(0.0)
                self._connection = None
                self._reception.disconnected()
                pause_s = pauses.ended(loop.time() - began, error.code)
                self._lost(error)
                if pauses.taken_over:
                    name = self._access.client_id
                    text = f"another client seems to have the id {name}; waiting for {pause_s:.0f} s"
                    self._on_trouble(Trouble("taken-over", text))
                await asyncio.sleep(pause_s)

    async def _use(self, connection: Connection) -> None:
        """Do what is to be done until the application leaves; raises BrokerLost when the connection ends."""
        self._unanswered = 0
        if self._remembering:
            await self._remember(connection)
            self._remembering = False
        await self._subscribe(connection, self._filters())
        self._reception.connected(asyncio.get_running_loop().time())
        self._why = ""
        while self._untold or not self._leaving:
            await self._turn(connection, self._reception.due())
            now = asyncio.get_running_loop().time()
            while connection.inbox:
                self._take(connection.inbox.popleft(), now)
            if self._reception.room:
                connection.release()
            self._counter.look()
            self._reception.elapsed(now)
            self._tell(connection, now)

    async def _turn(self, connection: Connection, due: float | None) -> None:
        """Wait until something came or is due; raises BrokerLost when the connection is gone."""
        if not connection.inbox:
            if self._unanswered >= WINDOW:
                due = None  # an answer wakes
            try:
                async with asyncio.timeout_at(due):
                    await self._wake.wait()
            except TimeoutError:
                pass  # that is what it was due for
        self._wake.clear()
        if connection.lost.done():
            raise connection.lost.result()

    async def _remember(self, connection: Connection) -> None:
        """Take in what the broker has kept of this consumer's acknowledgements.

        Nobody says when the last of them has come. So a message of our own is sent behind them, an empty one
        that is not kept and means nothing to a table, and then a moment of silence is waited for.
        """
        filters = self._each("ack/" + self._consumer)
        await self._subscribe(connection, filters)
        mark = topics.ack(self._consumer if self._tables is None else self._tables[0], self._consumer)
        told = connection.publish(mark, b"", retain=False)
        told.add_done_callback(self._publish_done)
        self._unanswered += 1
        marked = False
        loop = asyncio.get_running_loop()
        quiet_at = latest = loop.time() + SETTLED_S
        while loop.time() < quiet_at and not self._leaving:
            await self._turn(connection, quiet_at)
            came, waited = bool(connection.inbox), marked
            marked = self._recall(connection, mark) or marked or _refused(told)
            if marked and (came or not waited):
                quiet_at = min(loop.time() + QUIET_S, latest)
        if not await connection.unsubscribe(filters, UNSUBSCRIBED_S):
            text = "the broker does not answer an UNSUBSCRIBE; what it sends of that all the same is ignored"
            self._on_trouble(Trouble("unanswered", text))

    def _recall(self, connection: Connection, mark: str) -> bool:
        """Take in acknowledgements that were kept; whether our own message came behind them."""
        marked = False
        while connection.inbox:
            message = connection.inbox.popleft()
            place = topics.parse(message.topic)
            if message.topic == mark and not message.payload:
                marked = True
            elif place is not None and place.what == "ack":
                self._reception.remember(place.table, message.payload)
        connection.release()
        return marked

    def _take(self, message: Received, now: float) -> None:
        place = topics.parse(message.topic)
        if place is None or not message.payload:
            return
        if place.what == "reply" and self._requests is not None:
            self._requests.answered(message.payload)
        else:
            self._reception.receive(place, message.payload, now)

    def _tell(self, connection: Connection, now: float) -> None:
        """Publish the acknowledgements that are due."""
        for table, position in self._reception.acks.take(now, WINDOW - self._unanswered):
            topic = topics.ack(table, self._consumer)
            told = connection.publish(topic, acknowledgement(position), retain=True)
            self._unanswered += 1
            told.add_done_callback(self._publish_done)

    def _publish_done(self, told: asyncio.Future[int]) -> None:
        self._unanswered -= 1
        self._wake.set()
        if _refused(told):
            text = f"the broker does not take acknowledgements of {self._consumer}: 0x{told.result():02x}"
            self._on_trouble(Trouble("not-allowed", text))

    async def _subscribe(self, connection: Connection, filters: list[str]) -> None:
        codes = await connection.subscribe(filters, retained=True, as_published=False)
        for one, code in zip(filters, codes, strict=False):
            if code >= FIRST_FAILURE:
                text = f"the broker does not take the subscription to {one}: 0x{code:02x}"
                self._on_trouble(Trouble("not-allowed", text))

    def _filters(self) -> list[str]:
        wanted = ["status", "event/+", f"replay/{self._consumer}"]
        if self._private:
            wanted.append(f"private/{self._consumer}")
        if self._states:
            wanted.append("state")
        if self._signer is not None:
            wanted.append(f"reply/{self._signer.client}")
        return [one for what in wanted for one in self._each(what)]

    def _each(self, what: str) -> list[str]:
        tables = ["+"] if self._tables is None else self._tables
        return [f"{topics.PREFIX}/{table}/{what}" for table in tables]

    def _send(self, table: str, command: str, token: bytes) -> bool:
        if self._connection is None or self._connection.lost.done():
            return False
        try:
            told = self._connection.publish(topics.command(table, command), token, retain=False)
        except BrokerLost:
            return False
        self._unanswered += 1
        told.add_done_callback(self._publish_done)
        return True

    def _lost(self, error: BrokerLost) -> None:
        if not self._why:
            self._on_trouble(Trouble("no-connection", str(error)))
        self._why = str(error)


def _refused(told: asyncio.Future[int]) -> bool:
    if not told.done() or told.cancelled() or told.exception() is not None:
        return False  # on its way, or the connection is gone
    return told.result() >= FIRST_FAILURE
