"""docs/floor.md, "A broker for production" and the bridge: the files as printed, on real brokers."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from felt_daemon.publisher.adapter import NOT_AUTHORIZED, Access, BrokerLost, Connection, Message
from felt_daemon.publisher.tls import Wire
from felt_floor import Floor, Tls
from felt_protocols.events import incident

from ..shoe_jam import a_hold  # noqa: TID252 - tests are no package that could be named
from .conftest import HOST, Site, printed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.mqtt.conftest import Book, Hall

    from felt_floor import Event

pytestmark = [pytest.mark.asyncio, pytest.mark.long]
LIMIT_S = 60.0
HOLD = "felt/1/asia-1/hold/1"

# Who may publish what: table or consumer, topic, and whether it is let through.
PUBLISHED = (
    ("asia-1", "felt/1/asia-1/event/card", True),
    ("asia-1", "felt/1/asia-1/status", True),
    ("asia-1", "felt/1/asia-1/private/pit", True),
    ("asia-1", "felt/1/asia-1/replay/pit", True),
    ("asia-1", "felt/1/asia-1/replay/warehouse", True),
    ("asia-1", "felt/1/asia-1/reply/pit-3", True),
    ("asia-1", "felt/1/asia-1/reply/other", True),
    ("asia-1", "felt/1/asia-2/event/card", False),
    ("asia-1", "felt/1/asia-2/status", False),
    ("asia-1", "felt/1/asia-1/ack/pit", False),
    ("asia-1", "felt/1/asia-1/command/open-table", False),
    ("asia-1", "felt/1/floor/status", False),
    ("pit", "felt/1/asia-1/ack/pit", True),
    ("pit", "felt/1/asia-1/command/open-table", True),
    ("pit", "felt/1/floor/status", True),
    ("pit", "felt/1/asia-1/ack/warehouse", False),
    ("pit", "felt/1/asia-1/event/card", False),
    ("pit", "felt/1/asia-1/reply/pit-3", False),
    ("warehouse", "felt/1/asia-1/ack/warehouse", True),
    ("warehouse", "felt/1/asia-1/ack/pit", False),
    ("warehouse", "felt/1/asia-1/command/open-table", False),
    ("warehouse", "felt/1/floor/status", False),
    ("stranger", "felt/1/asia-1/ack/pit", False),
    ("stranger", "felt/1/asia-1/event/card", False),
)
LAST = "felt/1/floor/status"
# What each hears of all that is let through.
HEARD = {
    "asia-1": {
        "felt/1/asia-1/status",
        "felt/1/asia-1/ack/pit",
        "felt/1/asia-1/ack/warehouse",
        "felt/1/asia-1/command/open-table",
        "felt/1/floor/status",
    },
    "asia-2": {"felt/1/floor/status"},
    "pit": {
        "felt/1/asia-1/status",
        "felt/1/asia-1/event/card",
        "felt/1/asia-1/replay/pit",
        "felt/1/asia-1/private/pit",
        "felt/1/asia-1/reply/pit-3",
        "felt/1/asia-1/ack/pit",
        "felt/1/floor/status",
    },
    "warehouse": {
        "felt/1/asia-1/status",
        "felt/1/asia-1/event/card",
        "felt/1/asia-1/replay/warehouse",
        "felt/1/asia-1/ack/warehouse",
        "felt/1/floor/status",
    },
    "stranger": {"felt/1/floor/status"},
}


class Client:
    """One session, which says and hears, whatever it calls itself."""

    def __init__(self, site: Site, name: str, client_id: str = "") -> None:
        self._site = site
        self.name = name
        self._client_id = client_id or name
        self.heard: set[str] = set()
        self.connection: Connection | None = None

    async def open(self, port: int) -> None:
        """Connect, and ask for everything."""
        context = self._site.context(self.name)
        context.sslsocket_class = Wire
        access = Access(host=HOST, port=port, client_id=self._client_id, tls=context)
        will = Message(f"felt/1/{self.name}/status", b"{}")
        self.connection = await Connection.open(access, will, self._take)
        # It is granted, as mosquitto grants everything.
        assert await self.connection.subscribe(["felt/1/#"]) == [1]

    async def may(self, topic: str) -> bool:
        """Publish; whether the broker lets it through."""
        assert self.connection is not None
        return await self.connection.start(Message(topic, b"{}")) != NOT_AUTHORIZED

    @property
    def lost(self) -> bool:
        """Whether its connection is gone."""
        assert self.connection is not None
        return self.connection.lost.done()

    async def close(self) -> None:
        """Leave."""
        assert self.connection is not None
        await self.connection.close(1.0)

    def _take(self, topic: str, _payload: bytes, _retained: bool) -> None:  # noqa: FBT001 - the adapter calls
        self.heard.add(topic)


@asynccontextmanager
async def opened(site: Site, port: int, *names: str) -> AsyncIterator[dict[str, Client]]:
    """Clients with these certificates, until the block ends."""
    clients = {name: Client(site, name) for name in names}
    for one in clients.values():
        await one.open(port)
    try:
        yield clients
    finally:
        for one in clients.values():
            await one.close()


async def until(condition: Callable[[], bool]) -> None:
    """Look again and again until something holds that nobody tells of."""
    async with asyncio.timeout(LIMIT_S):
        while not condition():  # noqa: ASYNC110 - see above
            await asyncio.sleep(0.02)


async def test_each_says_and_hears_what_is_meant_for_it_and_nothing_else(site: Site) -> None:
    async with (
        site.running(site.production()) as broker,
        opened(site, broker.port, *HEARD) as clients,
    ):
        for name, topic, may in PUBLISHED:
            assert await clients[name].may(topic) == may, (name, topic)
        # What was let through by mistake is there before this, which is said last and which everybody hears.
        for one in clients.values():
            one.heard.discard(LAST)
        assert await clients["pit"].may(LAST)
        for one in clients.values():
            await until(lambda one=one: LAST in one.heard)  # type: ignore[misc] # bound at once
        assert {name: one.heard for name, one in clients.items()} == HEARD


async def test_nobody_speaks_or_comes_in_under_another_name(site: Site) -> None:
    async with site.running(site.production()) as broker, opened(site, broker.port, "asia-2") as clients:
        forger = Client(site, "asia-1", client_id="asia-2")
        await forger.open(broker.port)
        assert not await forger.may("felt/1/asia-2/event/card")
        assert await forger.may("felt/1/asia-1/event/card")
        # By now the older session would have been closed.
        assert await clients["asia-2"].may("felt/1/asia-2/event/card")
        assert not clients["asia-2"].lost
        await forger.close()


async def test_without_a_certificate_of_this_house_nobody_comes_in(site: Site, elsewhere: Site) -> None:
    async with site.running(site.production()) as broker:
        for who in (None, "asia-1"):
            context = site.context(None)
            if who is not None:
                context.load_cert_chain(*elsewhere.pair(who))
            access = Access(host=HOST, port=broker.port, client_id="asia-1", tls=context)
            with pytest.raises(BrokerLost):
                await Connection.open(access, Message("felt/1/asia-1/status", b"{}"), lambda *_: None)


class Application:
    """A floor system that takes and acknowledges."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self.events: list[Event] = []

    @property
    def sequences(self) -> list[int]:
        """What it took, in order."""
        return [one.sequence for one in self.events]

    async def run(self) -> None:
        """Take everything."""
        async for event in self._floor.events():
            self.events.append(event)
            await event.ack()


@asynccontextmanager
async def application(site: Site, port: int) -> AsyncIterator[tuple[Application, Floor]]:
    """The pit's system at the floor's broker, until the block ends."""
    certificate, key = site.pair("pit")
    tls = Tls(authority=site.authority, certificate=certificate, key=key)
    async with Floor(HOST, port, consumer="pit", tls=tls, positions={}) as floor:
        one = Application(floor)
        running = asyncio.create_task(one.run())
        try:
            yield one, floor
        finally:
            running.cancel()
            await asyncio.wait((running,))


async def shown(site: Site, port: int) -> set[str]:
    """What of holds a late one sees at the floor, once it has seen the status."""
    seen: set[str] = set()
    async with asyncio.timeout(LIMIT_S), site.client(port, "screen") as client:
        await client.subscribe("felt/1/asia-1/hold/+", qos=1)
        await client.subscribe("felt/1/asia-1/status", qos=1)
        async for message in client.messages:
            seen.add(str(message.topic))
            if message.topic.matches("felt/1/asia-1/status"):
                return seen
    return seen


async def test_behind_the_bridge_everything_comes_once_in_order_and_clears_are_put_right(
    site: Site, book: Book, hall: Hall
) -> None:
    rights = printed("appended to the floor's /etc/mosquitto/felt.acl")
    screen = "user screen\ntopic read felt/1/#\ntopic write felt/1/floor/status\n"
    book.add(*a_hold())
    near_settings = "user root\nlog_dest none\nlistener {port} 127.0.0.1\nallow_anonymous true\n"
    async with (
        site.running(site.production(rights + screen)) as far,
        site.running(near_settings + site.bridge(far.port)) as near,
        application(site, far.port) as (pit, floor),
        hall.publishing(book, near.port, "[consumers.pit]\n") as table,
    ):
        await table.add_cards(50)
        await table.until(lambda: table.delivered == 52, LIMIT_S)
        assert HOLD in await shown(site, far.port)
        assert far.pid is not None
        os.kill(far.pid, signal.SIGTERM)  # it writes down what is retained
        await far.ended()
        await table.add(incident.HoldEnded(incident=1, hold=1, how="observed", rounds=0, hands=0))
        last = await table.add_cards(200)
        await far.start()
        await table.until(lambda: table.delivered == last, LIMIT_S)
        assert pit.sequences == list(range(1, last + 1))
        assert {event.faults for event in pit.events} == {()}
        # The floor's birth, as the page says: what is gone is cleared.
        async with asyncio.timeout(LIMIT_S):
            while HOLD in await shown(site, far.port):
                async with site.client(far.port, "screen") as system:
                    await system.publish("felt/1/floor/status", b'{"online":true}', qos=1)
                await asyncio.sleep(1.0)
        # A replay goes the whole way, too.
        floor.rewind("asia-1", 200)
        await until(lambda: len(pit.events) > last)
        await until(lambda: pit.sequences[last:] == list(range(201, last + 1)))
