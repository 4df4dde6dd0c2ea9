"""One connection to a broker: what aiomqtt hides and what delivery rests on."""

from __future__ import annotations

import asyncio
import inspect
import math
import socket
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import aiomqtt
import paho.mqtt.client
import pytest

from felt_daemon.publisher.adapter import Access, BrokerLost, Connection, Limits, Message, Untrusted

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mqtt.conftest import Broker, Hall

    from felt_daemon.publisher.broker import Program
    from felt_simulators.scripted_broker import Published, ScriptedBroker

WILL = Message("felt/1/asia-1/status", b'{"online":false}', retain=True)
EVENT = Message("felt/1/asia-1/event/card", b"{}")

pytestmark = pytest.mark.asyncio


async def connect(
    port: int, heard: asyncio.Queue[tuple[str, bytes]] | None = None, client_id: str = "asia-1"
) -> Connection:
    def take(topic: str, payload: bytes, _: object) -> None:
        if heard is not None:
            heard.put_nowait((topic, payload))

    return await Connection.open(Access(host="127.0.0.1", port=port, client_id=client_id), WILL, take)


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_twenty_messages_on_their_way_are_all_answered(broker: Broker) -> None:
    connection = await connect(broker.port)
    answers = [connection.start(EVENT) for _ in range(20)]
    codes = await asyncio.gather(*answers)
    # mosquitto says that nobody subscribed; iotcore never does
    assert set(codes) == {0x10 if broker.program.name == "mosquitto" else 0x00}
    await connection.close(1.0)


async def test_a_message_larger_than_any_token_never_comes_and_the_next_one_does(
    only_mosquitto: Program, hall: Hall
) -> None:
    heard: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
    async with hall.running(only_mosquitto) as broker:
        connection = await connect(broker.port, heard)
        await connection.subscribe(["felt/1/asia-1/command/+"], retained=True)
        await hall.retain(broker.port, "felt/1/asia-1/command/a", b"x" * 64 * 1024)
        await hall.retain(broker.port, "felt/1/asia-1/command/b", b"y")
        assert await asyncio.wait_for(heard.get(), 5.0) == ("felt/1/asia-1/command/b", b"y")
        await connection.close(1.0)


async def test_a_denied_publish_gives_its_reason_code(
    only_mosquitto: Program, tmp_path: Path, hall: Hall
) -> None:
    rules = tmp_path / "acl"
    rules.write_text("topic readwrite other/#\n")
    async with hall.running(hall.with_settings(only_mosquitto, f"acl_file {rules}\n")) as broker:
        connection = await connect(broker.port)
        assert await connection.start(EVENT) == 0x87
        await connection.close(1.0)


@pytest.mark.fault("home-assistant/core#120827")
async def test_a_killed_broker_fails_all_that_waits_at_once_and_nothing_is_sent_later(
    scripted: ScriptedBroker,
) -> None:
    scripted.answer = lambda message: b"" if message.mid > 5 else b"\xd0\x00"  # silence, then hang up
    connection = await connect(scripted.port)
    answers = [connection.start(EVENT) for _ in range(6)]
    began = time.monotonic()
    results = await asyncio.gather(*answers, return_exceptions=True)
    assert [type(result) for result in results] == [BrokerLost] * 6
    assert time.monotonic() - began < 1.0
    with pytest.raises(BrokerLost):
        connection.start(EVENT)
    await connection.abandon()
    scripted.published.clear()
    again = await connect(scripted.port)
    await again.close(1.0)
    assert scripted.published == []


async def test_the_reason_of_a_disconnect_is_the_broker_s_own(scripted: ScriptedBroker) -> None:
    scripted.answer = lambda _: b"\xe0\x02\x8e\x00"
    connection = await connect(scripted.port)
    answer = connection.start(EVENT)
    lost = await connection.lost
    assert lost.code == 0x8E
    assert "0x8e" in str(lost)
    assert isinstance(answer.exception(), BrokerLost)
    await connection.abandon()


async def test_a_broken_connection_without_a_reason_has_no_code(broker: Broker) -> None:
    connection = await connect(broker.port)
    await broker.kill()
    lost = await asyncio.wait_for(connection.lost, 2.0)
    assert lost.code is None
    await connection.abandon()


@pytest.mark.parametrize(
    "noise",
    [
        b"\x40\x01\x00",
        b"\x30\x02\xff\xff",
        b"\xff\xff\xff\xff\xff",
        b"\x20\x00",
        b"\x40\x05\x00\x01\x00\x05\xff",
    ],
)
async def test_garbage_from_the_broker_ends_the_connection_and_nothing_else(
    scripted: ScriptedBroker, noise: bytes
) -> None:
    scripted.answer = lambda _: noise + b"\xe0\x00"
    connection = await connect(scripted.port)
    connection.start(EVENT).add_done_callback(lambda answer: answer.exception())
    await asyncio.wait_for(connection.lost, 2.0)
    await connection.abandon()


async def test_a_topic_that_is_no_text_ends_the_connection_although_the_broker_stays(
    scripted: ScriptedBroker,
) -> None:
    scripted.answer = lambda _: b"\x30\x05\x00\x02\xff\x87\x00"
    connection = await connect(scripted.port)
    answer = connection.start(EVENT)
    lost = await asyncio.wait_for(connection.lost, 2.0)
    assert "utf-8" in str(lost)
    assert isinstance(answer.exception(), BrokerLost)
    await connection.abandon()


async def test_a_broker_that_hangs_up_before_its_connack_is_noticed_at_once(scripted: ScriptedBroker) -> None:
    scripted.connack = None
    began = time.monotonic()
    with pytest.raises(BrokerLost):
        await connect(scripted.port)
    assert time.monotonic() - began < 1.0


async def test_a_broker_that_hangs_up_right_behind_its_connack_is_no_connection(
    scripted: ScriptedBroker,
) -> None:
    scripted.script = lambda *_: b"\x20\x03\x00\x00\x00\xe0\x02\x8b\x00"
    with pytest.raises(BrokerLost, match=r"no connection: the broker says 0x8b") as lost:
        await connect(scripted.port)
    assert lost.value.code == 0x8B


async def test_a_refused_connection_says_so() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        with pytest.raises(BrokerLost, match=r"no connection.*refused"):
            await connect(nobody.getsockname()[1])


async def test_no_text_about_the_way_to_the_broker_has_the_password_in_it() -> None:
    access = Access(host="127.0.0.1", port=9, client_id="asia-1", user="asia-1")
    assert "hunter2" not in repr(replace(access, password="hunter2"))  # noqa: S106 - made up


async def test_the_password_is_what_its_file_has_at_each_connection(tmp_path: Path) -> None:
    file = tmp_path / "password"
    access = Access(host="127.0.0.1", port=9, client_id="asia-1", user="asia-1", password_file=file)
    for password in ("hunter2", "correct horse"):
        file.write_text(f"{password}\nwhat follows is a note\n", encoding="utf-8")
        assert access.entitled().password == password


@pytest.mark.parametrize("content", [None, b"\xff"])
async def test_a_file_of_a_password_that_cannot_be_read_is_told_with_its_cause(
    tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    access = Access(host="127.0.0.1", port=9, client_id="asia-1", user="asia-1", password_file=file)
    with pytest.raises(
        Untrusted, match=r"the file of the broker's password cannot be read: .*(No such|utf-8)"
    ):
        access.entitled()


async def test_the_limits_of_the_connack_are_known(scripted: ScriptedBroker) -> None:
    scripted.connack = b"\x21\x00\x05\x27\x00\x00\x04\x00"
    connection = await connect(scripted.port)
    assert connection.limits == Limits(5, 1024)
    await connection.close(1.0)


async def test_a_connack_without_limits_has_those_of_the_standard(scripted: ScriptedBroker) -> None:
    connection = await connect(scripted.port)
    assert connection.limits == Limits(65_535, math.inf)
    await connection.close(1.0)


async def test_leaving_with_a_disconnect_leaves_no_will(broker: Broker, hall: Hall) -> None:
    async with hall.listening(broker.port) as listener:
        connection = await connect(broker.port)
        await connection.start(Message(WILL.topic, b'{"online":true}', retain=True))
        await connection.close(1.0)
        # Another id: iotcore takes a client that is back within a millisecond for one that took over.
        other = await connect(broker.port, client_id="asia-2")
        await other.start(Message(WILL.topic, b'{"online":true,"second":true}', retain=True))
        await listener.until(lambda: len(listener.statuses) == 2, 5.0)
        assert [status["online"] for status in listener.statuses] == [True, True]
        await other.close(1.0)


async def test_leaving_without_a_word_leaves_the_will(broker: Broker, hall: Hall) -> None:
    async with hall.listening(broker.port) as listener:
        connection = await connect(broker.port)
        await connection.abandon()
        await listener.until(lambda: listener.statuses == [{"online": False}], 5.0)


async def test_messages_of_a_subscription_arrive(broker: Broker) -> None:
    heard: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
    connection = await connect(broker.port, heard)
    assert await connection.subscribe(["felt/1/floor/status"]) == [1]
    await connection.start(Message("felt/1/floor/status", b"hello"))
    assert await asyncio.wait_for(heard.get(), 5.0) == ("felt/1/floor/status", b"hello")
    await connection.close(1.0)


async def test_a_refused_subscription_is_seen(scripted: ScriptedBroker) -> None:
    scripted.suback = b"\x87\x01"
    connection = await connect(scripted.port)
    assert await connection.subscribe(["felt/1/floor/status", "felt/1/asia-1/status"]) == [0x87, 1]
    await connection.abandon()


@pytest.mark.fault("empicano/aiomqtt#377")
async def test_two_hundred_attempts_given_up_leave_nothing_behind(scripted: ScriptedBroker) -> None:
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

    for _ in range(20):
        await give_up()
    tasks, files, threads = len(asyncio.all_tasks()), descriptors(), threading.active_count()
    for _ in range(180):
        await give_up()
    await asyncio.sleep(0)
    assert len(asyncio.all_tasks()) <= tasks + 2
    assert descriptors() <= files + 4
    assert threading.active_count() <= threads + 2
    assert failures == []


async def test_two_hundred_connections_leave_nothing_behind(broker: Broker) -> None:
    failures: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
    files = descriptors()
    for number in range(200):
        connection = await connect(broker.port)
        connection.start(EVENT).add_done_callback(lambda answer: answer.exception())
        await (connection.close(1.0) if number % 2 else connection.abandon())
    assert len(asyncio.all_tasks()) == 1
    assert descriptors() <= files + 2
    assert failures == []


async def test_the_connection_has_what_delivery_rests_on(scripted: ScriptedBroker) -> None:
    connection = await connect(scripted.port)
    client = connection._client._client
    sock = client.socket()
    assert isinstance(sock, socket.socket)
    assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
    assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000
    assert client._protocol == paho.mqtt.client.MQTTv5
    assert client._client_id == b"asia-1"
    assert client._keepalive == 5
    assert client._clean_start is True
    assert client._max_inflight_messages == 0
    await connection.close(1.0)


# aiomqtt's and paho's own names that felt_mqtt rests on, for tables and consumers. When one changes, it must.


async def test_the_version_is_one_that_was_read() -> None:
    assert aiomqtt.__version_tuple__[:2] == (2, 5)
    assert paho.mqtt.__version__.split(".")[0] == "2"


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("_on_connect", ["self", "client", "userdata", "flags", "reason_code", "properties"]),
        ("_on_disconnect", ["self", "client", "userdata", "flags", "reason_code", "properties"]),
        ("_on_publish", ["self", "client", "userdata", "mid", "reason_code", "properties"]),
        ("_on_message", ["self", "client", "userdata", "message"]),
        ("_on_socket_open", ["self", "client", "userdata", "sock"]),
        ("_on_socket_register_write", ["self", "client", "userdata", "sock"]),
    ],
)
async def test_the_callbacks_that_are_replaced_are_still_there(name: str, parameters: list[str]) -> None:
    callback: Callable[..., None] = getattr(aiomqtt.Client, name)
    assert list(inspect.signature(callback).parameters) == parameters


async def test_the_state_that_is_read_is_still_there() -> None:
    client = aiomqtt.Client("127.0.0.1")
    assert isinstance(client._connected, asyncio.Future)
    assert isinstance(client._disconnected, asyncio.Future)
    assert client._misc_task is None
    assert callable(client._client._sock_close)
    assert client._client.on_publish == client._on_publish


async def test_paho_still_sends_only_when_the_loop_says_so(scripted: ScriptedBroker) -> None:
    """Otherwise an answer could come before there is anything to answer."""
    connection = await connect(scripted.port)
    seen: list[Published] = scripted.published
    answer = connection.start(EVENT)
    assert not answer.done()
    assert seen == []
    assert await answer == 0
    await connection.close(1.0)
