"""Who gets a connection, and what is said to whom does not: real brokers, no way around TLS."""

from __future__ import annotations

import asyncio
import datetime as dt
import ssl
from typing import TYPE_CHECKING

import pytest

from felt_daemon.certificates.pair import examined
from felt_daemon.publisher.adapter import Access, BrokerLost, Connection, Message, Untrusted
from felt_daemon.publisher.broker import EmbeddedBroker, mosquitto
from felt_daemon.publisher.tls import Wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.tls.conftest import Site, TlsMosquitto

    from felt_daemon.config.model import Tls

DAY = dt.timedelta(days=1)
HOST = "localhost"
WILL = Message("felt/1/asia-1/status", b'{"online":false}', retain=True)
DENIED = 0x87
HUNG_UP = (
    "the broker closed the connection before it answered: perhaps it does not take the table's certificate;"
    " its own log says why"
)

pytestmark = [pytest.mark.asyncio]


def context_of(files: Tls, table: str = "asia-1") -> ssl.SSLContext:
    pair, faults = examined(files, table)
    assert faults == []
    assert pair is not None
    pair.context.sslsocket_class = Wire
    return pair.context


async def connect(
    port: int,
    files: Tls,
    take: Callable[[str, bytes, bool], None] = lambda *_: None,
    *,
    table: str = "asia-1",
    client_id: str = "asia-1",
) -> Connection:
    access = Access(host=HOST, port=port, client_id=client_id, tls=context_of(files, table))
    return await Connection.open(access, WILL, take)


async def refusal(port: int, files: Tls, table: str = "asia-1") -> str:
    with pytest.raises(Untrusted) as caught:
        await connect(port, files, table=table)
    assert str(caught.value).startswith("no connection: ")
    return str(caught.value).removeprefix("no connection: ")


async def test_two_that_prove_themselves_to_each_other_are_connected(
    tls_mosquitto: TlsMosquitto, served: Tls, table: Tls
) -> None:
    heard: list[str] = []
    async with tls_mosquitto(served) as broker:
        connection = await connect(broker.port, table, lambda topic, *_: heard.append(topic))
        await connection.subscribe(["felt/1/asia-1/status"])
        answers = [connection.start(WILL) for _ in range(200)]
        assert set(await asyncio.wait_for(asyncio.gather(*answers), 10.0)) == {0}
        await connection.subscribe(["felt/1/floor/status"])
        assert len(heard) == 200
        assert connection.ends is not None
        assert (connection.ends - dt.datetime.now(dt.UTC)).days == 299
        await connection.close(1.0)


async def test_packets_that_share_a_record_of_tls_are_all_heard(served: Tls, table: Tls) -> None:
    heard: list[bytes] = []
    all_heard = asyncio.Event()

    async def broker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        # CONNACK, and in the same record five messages on the topic "t"; source: MQTT 5.0, 3.2 and 3.3.
        writer.write(b"\x20\x03\x00\x00\x00" + b"".join(b"\x30\x05\x00\x01t\x00%d" % n for n in range(5)))
        await reader.read()
        writer.close()

    def take(_topic: str, payload: bytes, _retained: object) -> None:
        heard.append(payload)
        if len(heard) == 5:
            all_heard.set()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(served.certificate, served.key)
    async with await asyncio.start_server(broker, HOST, 0, ssl=context) as server:
        connection = await connect(server.sockets[0].getsockname()[1], table, take)
        await asyncio.wait_for(all_heard.wait(), 5.0)
        assert heard == [b"0", b"1", b"2", b"3", b"4"]
        await connection.abandon()


@pytest.mark.parametrize("host", ["a..b", "a" * 64])
@pytest.mark.parametrize("secure", [True, False])
async def test_a_host_that_cannot_be_one_is_as_good_as_none(table: Tls, host: str, secure: bool) -> None:  # noqa: FBT001 - a parameter
    access = Access(host=host, port=1, client_id="asia-1", tls=context_of(table) if secure else None)
    with pytest.raises(BrokerLost, match="no connection: "):
        await Connection.open(access, WILL, lambda *_: None)


@pytest.mark.long
@pytest.mark.parametrize(
    ("how", "text"),
    [
        (
            {"hosts": ("broker.floor.example",)},
            (
                "the broker's certificate is not for localhost: give a name as broker.host that stands in it,"
                " or the broker a certificate with localhost among its subject alternative names"
            ),
        ),
        (
            {"hosts": (HOST,), "begins": -30 * DAY, "until": -DAY},
            "the broker's certificate, or its authority's, has expired by the clock of this box",
        ),
        (
            {"hosts": (HOST,), "begins": DAY},
            "the broker's certificate is not yet valid by the clock of this box",
        ),
    ],
)
async def test_a_broker_that_does_not_prove_itself_gets_no_connection(
    tls_mosquitto: TlsMosquitto, site: Site, table: Tls, how: dict[str, dt.timedelta], text: str
) -> None:
    async with tls_mosquitto(site.issue("broker", HOST, **how)) as broker:  # type: ignore[arg-type] # by the parameters above
        assert await refusal(broker.port, table) == text


@pytest.mark.long
async def test_a_broker_of_another_authority_gets_no_connection(
    tls_mosquitto: TlsMosquitto, elsewhere: Site, table: Tls
) -> None:
    async with tls_mosquitto(elsewhere.issue("broker", HOST, hosts=(HOST,))) as broker:
        assert await refusal(broker.port, table) == (
            "the broker's certificate is not from the authority in broker.tls.authority: give the authority"
            " that issued it, or the broker a certificate of that authority"
        )


@pytest.mark.long
async def test_a_broker_with_a_certificate_for_clients_gets_no_connection(
    tls_mosquitto: TlsMosquitto, site: Site, table: Tls
) -> None:
    async with tls_mosquitto(site.issue("consumer", "pretender", hosts=(HOST,))) as broker:
        assert await refusal(broker.port, table) == (
            "the broker's certificate is not for TLS servers (extended key usage serverAuth)"
        )


@pytest.mark.long
async def test_a_broker_that_speaks_plain_gets_no_connection(table: Tls) -> None:
    plain = mosquitto()
    if plain is None:
        pytest.skip("mosquitto is not installed")
    broker = EmbeddedBroker(plain)
    await broker.start()
    try:
        assert await refusal(broker.port, table) == (
            "the broker gives no TLS handshake on this port; give the port of its TLS listener"
        )
    finally:
        await broker.stop()


@pytest.mark.long
async def test_a_port_that_takes_a_connection_and_says_nothing_gets_none(table: Tls) -> None:
    gone = asyncio.Event()

    async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await gone.wait()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    async with server:
        port: int = server.sockets[0].getsockname()[1]
        assert await refusal(port, table) == (
            "the broker gives no TLS handshake on this port; give the port of its TLS listener"
        )
        gone.set()


@pytest.mark.long
@pytest.mark.parametrize("case", ["expired", "of another authority", "for servers"])
async def test_a_table_that_the_broker_does_not_take_is_told_so(
    tls_mosquitto: TlsMosquitto, site: Site, elsewhere: Site, served: Tls, case: str
) -> None:
    name = "asia-1"
    if case == "expired":
        files = site.issue("table", "asia-1", begins=-30 * DAY, until=-DAY)
    elif case == "of another authority":
        files = elsewhere.issue("table", "asia-1").model_copy(update={"authority": site.authority})
    else:
        name = "asia-9"
        files = site.issue("broker", name)
    words = {"expired": "it has expired, or is not yet valid, by the broker's clock"}
    words["of another authority"] = "it does not know the authority that issued it"
    words["for servers"] = "it is not for TLS clients (extended key usage)"
    async with tls_mosquitto(served) as broker:
        told = await refusal(broker.port, files, name)
        # What the broker says may be lost with the connection.
        assert told in {f"the broker does not take the table's certificate: {words[case]}", HUNG_UP}


@pytest.mark.long
async def test_a_broker_that_has_no_tls_newer_than_1_2_is_taken_and_says_what_it_refuses(
    tls_mosquitto: TlsMosquitto, site: Site, elsewhere: Site, served: Tls, table: Tls
) -> None:
    stranger = elsewhere.issue("table", "asia-1").model_copy(update={"authority": site.authority})
    async with tls_mosquitto(served, more="tls_version tlsv1.2\n") as broker:
        connection = await connect(broker.port, table)
        await connection.close(1.0)
        # Here the broker is the last to speak in a handshake, and what it says always arrives.
        assert await refusal(broker.port, stranger) == (
            "the broker does not take the table's certificate: it does not know the authority that issued it"
        )


@pytest.mark.long
async def test_a_broker_that_asks_for_no_certificate_has_to_prove_itself_all_the_same(
    tls_mosquitto: TlsMosquitto, served: Tls, elsewhere: Site, table: Tls
) -> None:
    async with tls_mosquitto(served, asks=False) as broker:
        connection = await connect(broker.port, table)
        await connection.close(1.0)
    async with tls_mosquitto(elsewhere.issue("broker", HOST, hosts=(HOST,)), asks=False) as broker:
        assert "not from the authority" in await refusal(broker.port, table)


@pytest.mark.long
async def test_a_table_cannot_speak_for_another_nor_take_its_session(
    tls_mosquitto: TlsMosquitto, site: Site, served: Tls, table: Tls
) -> None:
    other = site.issue("table", "asia-2")
    async with tls_mosquitto(served) as broker:
        own = await connect(broker.port, table)
        stranger = await connect(broker.port, other, table="asia-2", client_id="asia-1")
        for topic in ("felt/1/asia-1/event/card", "felt/1/asia-1/status", "felt/1/floor/status"):
            assert await stranger.start(Message(topic, b"{}")) == DENIED
        assert await stranger.start(Message("felt/1/asia-2/event/card", b"{}")) != DENIED
        assert await own.start(Message("felt/1/asia-1/event/card", b"{}")) != DENIED
        assert not own.lost.done()
        await own.close(1.0)
        await stranger.close(1.0)
