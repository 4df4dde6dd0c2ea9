"""Connections to the broker: two clients with one id, restarts, what is on the wire, floods of old news."""

from __future__ import annotations

import asyncio
import json
import random
import time
from typing import TYPE_CHECKING

import aiomqtt
import pytest
from typing_extensions import override

from felt_daemon.publisher.backoff import Backoff
from felt_floor import Floor
from felt_simulators.scripted_broker import Published, ScriptedBroker, puback

from .programs import until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.mqtt.conftest import Book, Broker, Hall

    from felt_daemon.publisher.broker import Program

    from .programs import Table

    NewTable = Callable[..., Table]

TAKEN = "another client uses the id t-1 at this broker"
# Properties of a PUBLISH. Source: MQTT 5.0, 2.2.2.2.
EXPIRY, CONTENT_TYPE, ALIAS = 0x02, 0x03, 0x23
TEXT, NUMBER_4, NUMBER_2 = {CONTENT_TYPE, 0x08, 0x09}, {EXPIRY}, {ALIAS}


@pytest.mark.fault("home-assistant/core#98272", "emqx/emqx#151", "mqttjs/MQTT.js#1585")
@pytest.mark.parametrize("seed", range(20))
def test_two_clients_with_one_id_connect_at_most_ten_times_in_five_minutes(seed: int) -> None:
    """The worst case: a broker that does not say why it hangs up, and two that never give in.

    Each knows of the other once it has connected again, from what stands in the place of its own status.
    """
    dice = random.Random(seed)  # noqa: S311 - a test's dice
    clients = [Backoff(dice.uniform), Backoff(dice.uniform)]
    due = [0.0, dice.random()]
    since: list[float | None] = [None, None]
    connections = [0, 0]
    while (now := min(due)) < 300.0:
        who = due.index(now)
        connections[who] += 1
        since[who], due[who] = now, float("inf")
        other = 1 - who
        if (began := since[other]) is not None:
            since[other] = None
            knows = connections[other] > 1 or other == 1
            due[other] = now + clients[other].ended(now - began, None, rivalled=knows)
    assert max(connections) <= 10
    assert min(connections) >= 3


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.fault(
    "emqx/emqx#10551", "emqx/emqx#18565", "home-assistant/core#98272", "knolleary/pubsubclient#129"
)
async def test_two_boxes_of_one_image_are_told_apart_and_alarm_and_the_one_that_stays_comes_back(
    broker: Broker, hall: Hall, new_table: NewTable
) -> None:
    first, second = new_table(broker.port), new_table(broker.port)
    async with hall.listening(broker.port) as listener:
        first.start()
        second.start()
        await until(lambda: TAKEN in first.log() or TAKEN in second.log())
        # Whoever looks sees two runs of two journals under one name.
        seen = {(one["start"], one["epoch"]) for one in listener.statuses}
        assert len(seen) == 2
        ups = [one.log().count("broker up") for one in (first, second)]
        assert sum(ups) <= 8
        loser, other = (first, second) if TAKEN in first.log() else (second, first)
        other.stop()
        await listener.until(lambda: is_of(listener.statuses[-1], loser), 100.0)
        assert loser.log().count(TAKEN) == 1


@pytest.mark.asyncio
@pytest.mark.long
@pytest.mark.fault("home-assistant/core#98272", "emqx/emqx#151", "mqttjs/MQTT.js#1585")
async def test_two_real_tables_with_one_id_connect_at_most_ten_times_in_five_minutes(
    broker: Broker, book: Book, hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every pause is a thirtieth of what it is, and so are the five minutes."""
    for name, real in (("FIRST_S", 0.25), ("MOST_S", 30.0), ("STABLE_S", 30.0)):
        monkeypatch.setattr(f"felt_daemon.publisher.backoff.{name}", real / 30)
    monkeypatch.setattr("felt_daemon.publisher.backoff.TAKEN_OVER_S", (1.5, 3.0))
    monkeypatch.setattr("felt_daemon.publisher.rival.FORGOTTEN_S", 6.0)
    other_book = hall.Book(tmp_path / "other.db")

    def utc_us() -> int:
        return time.time_ns() // 1000

    async with (
        hall.publishing_inside(book, broker.port, start="run-1", utc_us=utc_us) as first,
        hall.publishing_inside(other_book, broker.port, start="run-2", utc_us=utc_us) as second,
    ):
        await asyncio.sleep(10.0)
        ups = [one.said("broker").count("up") for one in (first, second)]
        assert max(ups) <= 10
        assert min(ups) >= 2
        assert first.said("trouble") or second.said("trouble")
        assert {*first.said("trouble"), *second.said("trouble")} == {TAKEN.replace("t-1", "asia-1")}
    other_book.journal.close(5.0)


def is_of(status: dict[str, object], table: Table) -> bool:
    return bool(status["online"]) and status["start"] == table.rows()[-1].at.start


class Recording(ScriptedBroker):
    """Keeps the properties of every PUBLISH."""

    @override
    def _answer(self, kind: int, flags: int, body: bytes) -> bytes | None:
        if kind == 3:
            at = 4 + int.from_bytes(body[:2], "big")
            self.properties = getattr(self, "properties", set()) | ids(body[at + 1 : at + 1 + body[at]])
        return super()._answer(kind, flags, body)


def ids(properties: bytes) -> set[int]:
    """The identifiers of properties that a PUBLISH may have."""
    found: set[int] = set()
    while properties:
        one, rest = properties[0], properties[1:]
        found.add(one)
        if one in TEXT:
            size = 2 + int.from_bytes(rest[:2], "big")
        else:
            size = 4 if one in NUMBER_4 else 2 if one in NUMBER_2 else 1
        properties = rest[size:]
    return found


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.fault("eclipse-paho/paho.mqtt.python#893", "eclipse-mosquitto/mosquitto#1464")
async def test_fifty_restarts_with_messages_on_their_way_end_in_no_loop_and_nothing_is_aliased_or_expires(
    book: Book, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("felt_daemon.publisher.backoff.MOST_S", 0.01)
    last = book.add_cards(300)
    broker = Recording()
    broker.connack = b"\x22\x00\x0a"  # ten aliases may be used
    events = 0

    def answer(message: Published) -> bytes:
        nonlocal events
        events += "/event/" in message.topic
        return (
            b"" if "/event/" in message.topic and events % 5 == 0 and events <= 250 else puback(message.mid)
        )

    broker.answer = answer
    await broker.start()
    async with hall.publishing_inside(book, broker.port) as inside:
        await inside.until(lambda: inside.delivered == last, 60.0)
    assert broker.connections == 51
    assert broker.properties == {CONTENT_TYPE}
    assert all(message.topic for message in broker.published)
    await broker.stop()


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.fault("mqttjs/MQTT.js#823")
async def test_what_500_tables_have_left_at_the_broker_is_taken_at_one_connection(
    only_mosquitto: Program, hall: Hall
) -> None:
    async with hall.running(only_mosquitto) as broker:
        async with aiomqtt.Client("127.0.0.1", broker.port, protocol=aiomqtt.ProtocolVersion.V5) as client:
            for number in range(500):
                epoch = f"{number:016x}"
                for topic, payload in (
                    ("status", {"online": True, "start": "s", "epoch": epoch}),
                    ("state", {"epoch": epoch, "sequence": f"{7:020d}", "filler": "x" * 2000}),
                    ("ack/pit", {"epoch": epoch, "sequence": f"{7:020d}"}),
                ):
                    text = json.dumps(payload)
                    await client.publish(f"felt/1/t-{number}/{topic}", text, qos=1, retain=True)
        async with Floor("127.0.0.1", broker.port, consumer="pit") as floor:
            await until(lambda: len(floor.health().tables) == 500)
            assert floor.health().connections == 1
            assert {one.taken for one in floor.health().tables.values()} == {7}
