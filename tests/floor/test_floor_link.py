"""One connection of a consumer: what aiomqtt hides, and what a broker may do to it."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import paho.mqtt.client
import pytest
import pytest_asyncio

from felt_floor import Floor, Tls, Trouble
from felt_floor.link import RECEIVE_MAXIMUM, Access, BrokerLost, Connection
from felt_simulators.scripted_broker import ScriptedBroker, puback

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.floor.conftest import Journal

    from felt_daemon.publisher.broker import EmbeddedBroker

pytestmark = pytest.mark.asyncio
HOST = "127.0.0.1"
CONNECT, PUBLISH, SUBSCRIBE, UNSUBSCRIBE = 1, 3, 8, 10
CONNACK = b"\x20\x03\x00\x00\x00"
ACK_TOPIC = b"felt/1/asia-1/ack/pit"


@pytest_asyncio.fixture
async def scripted() -> AsyncIterator[ScriptedBroker]:
    """A broker that does what the test says."""
    one = ScriptedBroker()
    await one.start()
    yield one
    await one.stop()


def nothing() -> None:
    """What is done when something came, where the test looks for itself."""


async def connect(port: int, wake: Callable[[], None] = nothing) -> Connection:
    return await Connection.open(Access(host=HOST, port=port, client_id="pit"), wake)


async def first(connection: Connection, woken: asyncio.Event) -> tuple[str, bytes]:
    async with asyncio.timeout(5.0):
        while not connection.inbox:
            woken.clear()
            await woken.wait()
    return connection.inbox.popleft()


async def test_a_message_comes_and_the_broker_answers(broker: EmbeddedBroker) -> None:
    woken = asyncio.Event()
    connection = await connect(broker.port, woken.set)
    assert await connection.subscribe(["felt/1/+/event/+", "felt/1/+/status"]) == [1, 1]
    assert await connection.publish("felt/1/asia-1/status", b"hello", retain=False) == 0
    assert await first(connection, woken) == ("felt/1/asia-1/status", b"hello")
    assert await connection.unsubscribe(["felt/1/+/status"], 5.0)
    await connection.close(1.0)


async def test_what_is_not_released_the_broker_does_not_send_more_of(scripted: ScriptedBroker) -> None:
    answered: list[bytes] = []

    def script(kind: int, body: bytes) -> bytes:
        if kind == CONNECT:
            return CONNACK
        if kind == PUBLISH:  # answered by two messages, 7 and 8
            return b"".join(b"\x32\x07\x00\x01a\x00" + bytes([mid]) + b"\x00x" for mid in (7, 8))
        if kind == 4:
            answered.append(body)
        return b""

    scripted.script = script
    connection = await connect(scripted.port)
    connection.publish("a", b"", retain=False)
    async with asyncio.timeout(5.0):
        while len(connection.inbox) < 2:  # noqa: ASYNC110 - this is what is waited for
            await asyncio.sleep(0.01)
    assert answered == []
    connection.release()
    await scripted.until(lambda: len(answered) == 2)
    assert answered == [b"\x00\x07", b"\x00\x08"]
    await connection.close(0.1)


async def test_the_broker_is_told_how_much_may_be_on_its_way(scripted: ScriptedBroker) -> None:
    connection = await connect(scripted.port)
    assert b"\x21" + RECEIVE_MAXIMUM.to_bytes(2, "big") in scripted.connects[0]
    await connection.close(1.0)


async def test_a_broker_that_hangs_up_fails_what_waits_at_once(scripted: ScriptedBroker) -> None:
    scripted.answer = lambda _: b"\xe0\x02\x8e\x00"
    connection = await connect(scripted.port)
    answer = connection.publish("felt/1/asia-1/ack/pit", b"{}", retain=True)
    lost = await asyncio.wait_for(connection.lost, 2.0)
    assert lost.code == 0x8E
    assert str(lost) == "connection lost: the broker says 0x8e, Session taken over"
    assert answer.exception() is lost
    with pytest.raises(BrokerLost):
        connection.publish("felt/1/asia-1/ack/pit", b"{}", retain=True)
    with pytest.raises(BrokerLost):
        await connection.subscribe(["felt/1/+/status"])
    await connection.close(1.0)


async def test_a_subscription_that_is_not_answered_ends_with_the_connection(scripted: ScriptedBroker) -> None:
    scripted.script = lambda kind, _: CONNACK if kind == CONNECT else b"\xe0\x00"
    connection = await connect(scripted.port)
    with pytest.raises(BrokerLost, match="connection lost"):
        await connection.subscribe(["felt/1/+/status"])
    await connection.close(1.0)


@pytest.mark.parametrize("noise", [b"\x40\x01\x00", b"\x30\x02\xff\xff", b"\x30\x05\x00\x02\xff\x87\x00"])
async def test_garbage_ends_the_connection_and_nothing_else(scripted: ScriptedBroker, noise: bytes) -> None:
    scripted.answer = lambda _: noise + b"\xe0\x00"
    connection = await connect(scripted.port)
    connection.publish("a", b"", retain=False)
    await asyncio.wait_for(connection.lost, 2.0)
    await connection.close(1.0)


async def test_a_broker_that_hangs_up_before_its_connack_is_noticed_at_once(scripted: ScriptedBroker) -> None:
    scripted.connack = None
    began = time.monotonic()
    with pytest.raises(BrokerLost):
        await connect(scripted.port)
    assert time.monotonic() - began < 2.0


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.fault("empicano/aiomqtt#377")
async def test_attempts_that_are_given_up_leave_nothing_behind(scripted: ScriptedBroker) -> None:
    scripted.script = lambda *_: b""  # takes connections and says nothing
    failures: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))

    async def give_up() -> None:
        seen = scripted.connections
        attempt = asyncio.create_task(connect(scripted.port))
        await scripted.until(lambda: scripted.connections > seen)
        attempt.cancel()
        with pytest.raises(asyncio.CancelledError):
            await attempt

    for _ in range(5):
        await give_up()
    tasks, files = len(asyncio.all_tasks()), descriptors()
    for _ in range(25):
        await give_up()
    await asyncio.sleep(0)
    assert len(asyncio.all_tasks()) <= tasks + 2
    assert descriptors() <= files + 4
    assert failures == []


def subscribing(body: bytes, code: int) -> bytes:
    """A SUBACK with one code for every filter of the SUBSCRIBE."""
    count, at = 0, 3 + body[2]
    while at < len(body):
        at += 2 + int.from_bytes(body[at : at + 2], "big") + 1
        count += 1
    return bytes([0x90, 3 + count]) + body[:2] + b"\x00" + bytes([code]) * count


def refusing(code: int) -> Callable[[int, bytes], bytes]:
    """A broker that answers every subscription and every publication alike."""

    def script(kind: int, body: bytes) -> bytes:
        if kind == CONNECT:
            return CONNACK
        if kind == SUBSCRIBE:
            return subscribing(body, code)
        if kind == UNSUBSCRIBE:
            return b"\xb0\x04" + body[:2] + b"\x00\x00"
        if kind == PUBLISH:
            length = int.from_bytes(body[:2], "big")
            return puback(int.from_bytes(body[2 + length : 4 + length], "big"), code)
        return b""

    return script


async def heard(troubles: asyncio.Queue[Trouble]) -> Trouble:
    return await asyncio.wait_for(troubles.get(), 5.0)


async def test_a_broker_that_lets_nothing_through_is_told_of(scripted: ScriptedBroker) -> None:
    scripted.script = refusing(0x87)
    troubles: asyncio.Queue[Trouble] = asyncio.Queue()
    floor = Floor(HOST, scripted.port, consumer="pit", positions={}, on_trouble=troubles.put_nowait)
    async with floor:
        told = [await heard(troubles) for _ in range(3)]
    assert {one.kind for one in told} == {"not-allowed"}
    assert [one.text for one in told] == [
        f"the broker does not take the subscription to felt/1/+/{what}: 0x87"
        for what in ("status", "event/+", "replay/pit")
    ]


async def test_an_acknowledgement_that_the_broker_refuses_is_told_of(scripted: ScriptedBroker) -> None:
    scripted.script = refusing(0x80)
    troubles: asyncio.Queue[Trouble] = asyncio.Queue()
    floor = Floor(HOST, scripted.port, consumer="pit", tables=["asia-1"], on_trouble=troubles.put_nowait)
    async with floor:
        assert (await heard(troubles)).text.endswith("felt/1/asia-1/ack/pit: 0x80")
        assert (await heard(troubles)).text == "the broker does not take acknowledgements of pit: 0x80"


def sent(topic: bytes, payload: bytes) -> bytes:
    """A PUBLISH at QoS 0 of less than 16 KiB."""
    body = len(topic).to_bytes(2, "big") + topic + b"\x00" + payload
    return bytes([0x30, 0x80 | len(body) & 0x7F, len(body) >> 7]) + body


class Forgetful:
    """A broker that never answers an UNSUBSCRIBE, and hangs up once when an event was acknowledged.

    To every subscription it sends the same event, and then an acknowledgement, although nobody asked for it.
    """

    def __init__(self, event: bytes) -> None:
        self._event = event
        self.heard: list[str] = []

    def script(self, kind: int, body: bytes) -> bytes:
        """What it answers."""
        if kind == CONNECT:
            self.heard.append("connect")
            return CONNACK
        if kind == SUBSCRIBE:
            self.heard.append("subscribe")
            late = b'{"epoch": "271807caf0e4ea9b", "sequence": "00000000000000000007"}'
            event = sent(b"felt/1/asia-1/event/card", self._event) + sent(ACK_TOPIC, late)
            return subscribing(body, 1) + (event if b"/event/" in body else b"")
        if kind == UNSUBSCRIBE:
            self.heard.append("unsubscribe")
        if kind != PUBLISH:
            return b""
        at = 2 + len(ACK_TOPIC)
        payload = body[at + 3 :]  # behind the message's number and no properties
        taken = puback(int.from_bytes(body[at : at + 2], "big"))
        if not payload:
            return taken + sent(ACK_TOPIC, b"")
        acked = str(int(json.loads(payload)["sequence"]))
        self.heard.append(acked)
        return b"\xe0\x00" if acked == "1" and self.heard.count("connect") == 1 else taken


@pytest.mark.fault("eclipse-mosquitto/mosquitto#3542")
async def test_an_unsubscribe_without_an_answer_is_told_once_and_events_come_all_the_same(
    scripted: ScriptedBroker, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("felt_floor.client.UNSUBSCRIBED_S", 0.1)
    journal.add_cards(1)
    broker = Forgetful(journal.payloads[0])
    scripted.script = broker.script
    troubles: list[str] = []

    def on_trouble(trouble: Trouble) -> None:
        troubles.append(trouble.kind)

    async with (
        Floor(HOST, scripted.port, consumer="pit", tables=["asia-1"], on_trouble=on_trouble) as floor,
        asyncio.timeout(10.0),
    ):
        async for event in floor.events():
            assert event.sequence == 1
            await event.ack()
            break
        await scripted.until(lambda: broker.heard.count("connect") == 2 and broker.heard[-1] == "1")
        assert floor.health().tables["asia-1"].acked == 1
    assert broker.heard[:4] == ["connect", "subscribe", "unsubscribe", "subscribe"]
    assert [word for word in broker.heard[4:] if not word.isdecimal()] == ["connect", "subscribe"]
    assert "7" not in broker.heard
    assert troubles == ["unanswered", "no-connection"]


async def test_a_broker_that_answers_pings_and_takes_no_acknowledgement_is_left_and_tried_again(
    scripted: ScriptedBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("felt_mqtt.client.UNACKED_S", 0.1)
    taking = refusing(0x00)
    scripted.script = lambda kind, body: b"\xd0\x00" if kind == PUBLISH else taking(kind, body)
    troubles: asyncio.Queue[Trouble] = asyncio.Queue()
    async with Floor(HOST, scripted.port, consumer="pit", on_trouble=troubles.put_nowait) as floor:
        assert (await heard(troubles)).text == "connection lost: no PUBACK for 0.1 s"
        await scripted.until(lambda: scripted.connections >= 2)
        assert not floor.health().tables


async def test_a_second_program_with_the_same_id_is_told_of(scripted: ScriptedBroker) -> None:
    scripted.script = lambda kind, _: CONNACK if kind == CONNECT else b"\xe0\x02\x8e\x00"
    troubles: asyncio.Queue[Trouble] = asyncio.Queue()
    async with Floor(HOST, scripted.port, consumer="pit", on_trouble=troubles.put_nowait):
        assert (await heard(troubles)).kind == "no-connection"
        taken_over = await heard(troubles)
    assert taken_over.kind == "taken-over"
    assert taken_over.text.startswith("another client seems to have the id pit; waiting for ")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An authority and a certificate of 127.0.0.1, as openssl makes them."""
    folder = tmp_path_factory.mktemp("tls")
    name = "subjectAltName=IP:127.0.0.1"
    commands = (
        "req -x509 -newkey ed25519 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem",
        f"req -newkey ed25519 -nodes -subj /CN=broker -addext {name} -keyout broker.key -out broker.csr",
        "x509 -req -in broker.csr -CA ca.pem -CAkey ca.key -copy_extensions copy -days 2 -out broker.pem",
    )
    for command in commands:
        subprocess.run(["openssl", *command.split()], cwd=folder, check=True, capture_output=True)  # noqa: S603, S607
    return folder


async def test_tls_reads_all_that_was_decrypted_and_knows_the_broker(certificates: Path) -> None:
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(certificates / "broker.pem", certificates / "broker.key")
    many = b"".join(b"\x30\x05\x00\x01a\x00" + bytes([n]) for n in range(100))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1000)
        writer.write(CONNACK + many)  # one record of TLS
        await reader.read()
        writer.close()

    listening = await asyncio.start_server(serve, HOST, 0, ssl=server)
    port: int = listening.sockets[0].getsockname()[1]
    tls = Tls(authority=certificates / "ca.pem")
    connection = await Connection.open(Access(host=HOST, port=port, client_id="pit", tls=tls), nothing)
    async with asyncio.timeout(5.0):
        while len(connection.inbox) < 100:  # noqa: ASYNC110 - this is what is waited for
            await asyncio.sleep(0.01)
    await connection.close(1.0)
    with pytest.raises(BrokerLost, match="certificate verify failed"):
        await Connection.open(Access(host=HOST, port=port, client_id="pit", tls=Tls()), nothing)
    listening.close()


async def test_a_host_s_name_that_cannot_be_one_is_a_connection_that_is_not_to_be() -> None:
    with pytest.raises(BrokerLost, match="no connection"):
        await Connection.open(Access(host="a..b", port=9, client_id="pit"), nothing)


async def test_a_certificate_that_is_gone_is_a_connection_that_is_not_to_be() -> None:
    tls = Tls(authority="/nowhere/ca.pem")
    with pytest.raises(BrokerLost, match="no use of the files of TLS"):
        await Connection.open(Access(host=HOST, port=9, client_id="pit", tls=tls), nothing)


async def test_the_connection_of_a_consumer_is_as_it_was_asked_for(scripted: ScriptedBroker) -> None:
    connection = await connect(scripted.port)
    client = connection._client._client
    sock = client.socket()
    assert isinstance(sock, socket.socket)
    assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
    assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000
    assert client._protocol == paho.mqtt.client.MQTTv5
    assert client._client_id == b"pit"
    assert client._clean_start is True
    assert client._manual_ack is True
    await connection.close(1.0)
