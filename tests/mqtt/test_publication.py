"""What a table shows and how it behaves at a broker: the publisher's code in this process, a real journal."""

from __future__ import annotations

import asyncio
import functools
import json
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.journal import JournalBusy, JournalCorrupt
from felt_daemon.publisher.adapter import BrokerLost, Connection, Message
from felt_protocols.events import deck, device, incident

from .shoe_jam import a_hold

if TYPE_CHECKING:
    from tests.mqtt.conftest import Book, Broker, Hall, Inside

    from felt_daemon.publisher.broker import Program
    from felt_simulators.listener import Listener
    from felt_simulators.scripted_broker import Published, ScriptedBroker

STATUS = "felt/1/asia-1/status"
STATE = "felt/1/asia-1/state"
HOLD = "felt/1/asia-1/hold/1"
GHOST = "felt/1/asia-1/hold/99"
SHOE = "felt/1/asia-1/device/shoe-1"
FLOOR = "felt/1/floor/status"
ANOTHER = "another client uses the id asia-1 at this broker"

pytestmark = pytest.mark.asyncio


async def shown(listener: Listener, topic: str = STATUS) -> Any:  # noqa: ANN401 - JSON
    await listener.until(lambda: topic in listener.retained, 15.0)
    return listener.retained[topic]


async def test_composition_never_leaves_the_house(any_broker: Broker, book: Book, hall: Hall) -> None:
    book.add(
        deck.ShuffleCompleted(
            device="shuffler-1",
            batch=1,
            mode="shuffle",
            count=53,
            composition={"red": {"queen-of-spades": 1}},
        )
    )
    async with hall.listening(any_broker.port) as listener, hall.publishing_inside(book, any_broker.port):
        await listener.until(lambda: len(listener.events) == 1 and STATUS in listener.retained, 15.0)
        everything = str(listener.events) + str(listener.retained)
        assert "shuffler-1" in everything
        assert "queen-of-spades" not in everything
        assert "composition" not in str(listener.events)


async def test_the_status_says_which_run_of_which_version_of_which_journal(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(any_broker.port) as listener, hall.publishing_inside(book, any_broker.port):
        assert await shown(listener) == {
            "online": True,
            "start": "run-1",
            "epoch": book.journal.epoch,
            "version": "0.1.0",
            "since": "1970-01-01T00:00:00.000000Z",
            "reason": None,
            "simulated": True,
        }


async def test_the_will_is_what_the_birth_is_but_for_being_there(
    scripted: ScriptedBroker, book: Book, hall: Hall
) -> None:
    async with hall.publishing_inside(book, scripted.port):
        await scripted.until(lambda: any(message.topic == STATUS for message in scripted.published))
    [connect] = scripted.connects
    # will, QoS 1, retained; clean start. Source: MQTT 5.0, 3.1.2.3.
    assert connect[7] == 0b0010_1110
    birth = next(message for message in scripted.published if message.topic == STATUS)
    will = json.loads(connect[connect.index(b'{"epoch"') : connect.rindex(b"}") + 1])
    assert will == json.loads(birth.payload) | {"online": False, "reason": "lost"}
    assert STATUS.encode() in connect


async def test_the_picture_goes_out_with_ghosts_first_and_the_status_last(
    broker: Broker, book: Book, hall: Hall
) -> None:
    book.add(*a_hold())
    for topic in (HOLD, SHOE, GHOST):
        book.journal.retained_add(topic)
    book.add_cards(1)
    async with hall.listening(broker.port) as listener, hall.publishing_inside(book, broker.port):
        await shown(listener)
        order = listener.topics
        assert order.index(GHOST) < order.index(HOLD) < order.index(STATE) < order.index(STATUS)


async def test_a_ghost_on_the_broker_is_cleared(broker: Broker, book: Book, hall: Hall) -> None:
    book.journal.retained_add(GHOST)
    book.add_cards(1)
    await hall.retain(broker.port, GHOST, b'{"hold":99}')
    async with hall.listening(broker.port) as listener:
        await shown(listener, GHOST)
        async with hall.publishing_inside(book, broker.port):
            await shown(listener)
            assert GHOST not in listener.retained
    async with hall.listening(broker.port, "late") as late:
        await shown(late)
        assert GHOST not in late.retained


async def test_a_hold_is_shown_while_it_is_open_and_cleared_when_it_ends(
    broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(broker.port) as listener, hall.publishing_inside(book, broker.port) as inside:
        inside.committed(book.add(*a_hold()))
        assert (await shown(listener, HOLD))["hold"] == 1
        ended = incident.HoldEnded(incident=1, hold=1, how="observed", rounds=0, hands=0)
        inside.committed(book.add(ended))
        await listener.until(lambda: HOLD not in listener.retained, 15.0)


async def test_the_state_carries_the_head_of_the_chain(any_broker: Broker, book: Book, hall: Hall) -> None:
    async with (
        hall.listening(any_broker.port) as listener,
        hall.publishing_inside(book, any_broker.port) as inside,
    ):
        inside.committed(book.add_cards(7))
        await listener.until(
            lambda: listener.retained.get(STATE, {}).get("sequence") == "00000000000000000007", 15.0
        )
        await listener.until(lambda: len(listener.events) == 7, 15.0)
        assert listener.retained[STATE]["hash"] == listener.events[-1]["hash"]


async def test_health_is_shown_with_its_device_and_no_other(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with (
        hall.listening(any_broker.port) as listener,
        hall.publishing_inside(book, any_broker.port) as inside,
    ):
        inside.committed(book.add(device.DeviceBack(device="shoe-1")))
        inside.desk.health({"shoe-1": {"frames": 7}, "unknown": {"frames": 1}})
        await listener.until(lambda: listener.retained.get(SHOE, {}).get("health") == {"frames": 7}, 15.0)
        assert "felt/1/asia-1/device/unknown" not in listener.retained


async def test_a_journal_that_cannot_be_written_is_shown_in_the_state_until_it_is(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    full = {"kind": "full", "text": "The disk is full", "since": "2026-12-01T02:14:07.301882Z"}
    seq = book.add(device.DeviceBack(device="shoe-1"))
    async with (
        hall.listening(any_broker.port) as listener,
        hall.publishing_inside(book, any_broker.port) as inside,
    ):
        before = await shown(listener, STATE)
        assert (before["sequence"], "journal" in before) == (f"{seq:020}", False)
        inside.desk.journal(full)
        await listener.until(lambda: listener.retained[STATE] == before | {"journal": full}, 15.0)
        inside.desk.journal(full | {"kind": "io"})
        await listener.until(lambda: listener.retained[STATE]["journal"]["kind"] == "io", 15.0)
        inside.desk.journal(None)
        await listener.until(lambda: listener.retained[STATE] == before, 15.0)


@pytest.mark.fault("Koenkk/zigbee2mqtt#32067", "Koenkk/zigbee2mqtt#22839")
async def test_on_the_floor_s_birth_everything_goes_out_again_with_the_status_last(
    broker: Broker, book: Book, hall: Hall
) -> None:
    book.add(*a_hold())
    async with hall.listening(broker.port) as listener, hall.publishing_inside(book, broker.port):
        await listener.until(lambda: {HOLD, SHOE, STATUS} <= listener.retained.keys(), 15.0)
        listener.retained.clear()
        await hall.retain(broker.port, FLOOR, b'{"online":true}')
        await listener.until(lambda: {HOLD, SHOE, STATE, STATUS} <= listener.retained.keys(), 15.0)
        assert listener.topics[-1] == STATUS


async def test_what_is_no_birth_of_the_floor_moves_nothing(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with (
        hall.listening(any_broker.port) as listener,
        hall.publishing_inside(book, any_broker.port) as inside,
    ):
        await listener.until(lambda: {SHOE, STATUS} <= listener.retained.keys(), 15.0)
        deep = b"[" * 20_000
        for payload in (b"", b'{"online":false}', b"no JSON", b"[]", b'{"online":1}', deep):
            await hall.retain(any_broker.port, FLOOR, payload)
        listener.retained.clear()
        inside.committed(book.add_cards(1))
        await shown(listener, STATE)
        assert STATUS not in listener.retained
        # After all that it still hears.
        await hall.retain(any_broker.port, FLOOR, b'{"online":true}')
        await shown(listener)


@pytest.mark.fault("jagheterfredrik/wallbox-mqtt-bridge#108")
async def test_an_old_will_that_comes_after_the_birth_is_put_right(
    broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(broker.port) as listener, hall.publishing_inside(book, broker.port):
        assert (await shown(listener))["online"]
        await hall.retain(broker.port, STATUS, json.dumps({"online": False, "reason": "lost"}).encode())
        await listener.until(lambda: len(listener.statuses) >= 3, 15.0)
        assert [status["online"] for status in listener.statuses] == [True, False, True]


async def test_without_a_subscriber_mosquitto_s_word_holds_the_lane_and_nothing_is_lost(
    only_mosquitto: Program, book: Book, hall: Hall
) -> None:
    book.add_cards(5)
    async with hall.running(only_mosquitto) as broker, hall.publishing_inside(book, broker.port) as inside:
        await inside.until(lambda: "up" in inside.said("broker"))
        while not inside.desk.lane.held:  # noqa: ASYNC110 - nobody tells of this before thirty seconds
            await asyncio.sleep(0.01)
        assert inside.delivered == 0
        async with hall.listening(broker.port) as listener:
            await inside.until(lambda: inside.delivered == 5)
            await listener.until(lambda: listener.sequences == [1, 2, 3, 4, 5], 15.0)
            assert listener.doubles == 0


async def test_a_denied_event_holds_the_lane_tells_and_goes_on_when_it_is_allowed(
    only_mosquitto: Program, book: Book, hall: Hall
) -> None:
    rules = book.path.with_name("acl")
    rules.write_text("topic deny felt/1/asia-1/event/card\ntopic readwrite #\n", encoding="utf-8")
    program = hall.with_settings(only_mosquitto, f"acl_file {rules}\n")
    book.add(device.DeviceBack(device="shoe-1"))
    book.add_cards(1)
    book.add(device.DeviceBack(device="shoe-1"))
    async with (
        hall.running(program) as broker,
        hall.listening(broker.port) as listener,
        hall.publishing_inside(book, broker.port) as inside,
    ):
        await inside.until(lambda: inside.said("lane") == ["refused"])
        held = next(line for line in inside.reports if "lane" in line)
        assert held == {"lane": "refused", "stream": "asia-1", "seq": 2, "code": 0x87}
        await shown(listener)
        await listener.until(lambda: listener.sequences == [1], 15.0)
        rules.write_text("topic readwrite #\n", encoding="utf-8")
        broker.signal(signal.SIGHUP)
        await inside.until(lambda: inside.said("lane") == ["refused", None])
        await listener.until(lambda: listener.sequences == [1, 2, 3], 15.0)


@pytest.mark.fault("aws-greengrass/aws-greengrass-nucleus#852")
async def test_an_event_too_large_for_the_broker_is_a_dead_letter_and_the_rest_flows(
    only_mosquitto: Program, book: Book, hall: Hall
) -> None:
    program = hall.with_settings(only_mosquitto, "max_packet_size 2000\n")
    book.add(device.DeviceRefused(device="shoe-1", why="x" * 390), context={"filler": "y" * 1500})
    book.add_cards(3)
    async with (
        hall.running(program) as broker,
        hall.listening(broker.port) as listener,
        hall.publishing_inside(book, broker.port) as inside,
    ):
        await inside.until(lambda: inside.said("dead_letter") == [1])
        assert listener.events == []
        inside.desk.skipped(1)
        await listener.until(lambda: listener.sequences == [1, 2, 3, 4], 15.0)
        notice = listener.events[0]
        assert (notice["deadletter"], notice["data"]) == (True, {})
        assert notice["type"] == "felt.device.device-refused.v1"
        assert "deadletter" not in listener.events[1]
        # The broker had said how much it takes: it was never tried.
        assert inside.said("broker") == ["up"]


@pytest.mark.fault("aws-greengrass/aws-greengrass-nucleus#852")
async def test_an_event_that_breaks_every_connection_is_a_dead_letter_after_three(
    scripted: ScriptedBroker, book: Book, hall: Hall
) -> None:
    book.add_cards(2)

    def poison(message: Published) -> bool:
        first = b'"sequence":"00000000000000000001"' in message.payload
        return first and b'"data":{}' not in message.payload and "/event/" in message.topic

    scripted.answer = lambda message: b"" if poison(message) else puback(message)
    async with hall.publishing_inside(book, scripted.port) as inside:
        await inside.until(lambda: inside.said("dead_letter") == [1])
        assert sum(map(poison, scripted.published)) == 3
        inside.desk.skipped(1)
        await inside.until(lambda: inside.delivered == 2)


@pytest.mark.fault("eclipse-paho/paho.mqtt.python#492")
async def test_never_more_are_on_their_way_than_the_broker_takes_also_after_a_reconnect(
    scripted: ScriptedBroker, book: Book, hall: Hall
) -> None:
    book.add_cards(60)
    scripted.connack = b"\x21\x00\x05"
    scripted.slow_s = 0.01
    hang_up_at = 30

    def answer(message: Published) -> bytes:
        return b"" if len(scripted.published) == hang_up_at else puback(message)

    scripted.answer = answer
    async with hall.publishing_inside(book, scripted.port) as inside:
        await inside.until(lambda: inside.delivered == 60)
        assert scripted.connections == 2
        assert scripted.most_unanswered == 5


async def test_a_connection_that_the_broker_ended_for_another_client_is_told(
    scripted: ScriptedBroker, book: Book, hall: Hall
) -> None:
    scripted.answer = lambda _: b"\xe0\x02\x8e\x00"
    async with hall.publishing_inside(book, scripted.port) as inside:
        await inside.until(lambda: bool(inside.said("trouble")))
        assert inside.said("trouble") == [ANOTHER]
        assert inside.said("broker") == ["up", "down"]


def _is_up_again(inside: Inside, before: int) -> bool:
    return inside.said("broker").count("up") > before


async def test_a_broker_that_is_killed_again_and_again_is_no_other_client(
    broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(broker.port), hall.publishing_inside(book, broker.port) as inside:
        await inside.until(lambda: inside.said("broker") == ["up"])
        for _ in range(4):
            before = inside.said("broker").count("up")
            inside.committed(book.add_cards(1))
            await broker.kill()
            await broker.start()
            await inside.until(functools.partial(_is_up_again, inside, before))
        assert inside.said("broker").count("up") == 5
        assert inside.said("trouble") == []


async def test_a_refused_picture_is_told(only_mosquitto: Program, book: Book, hall: Hall) -> None:
    rules = book.path.with_name("acl")
    rules.write_text(f"topic deny {STATE}\ntopic readwrite #\n", encoding="utf-8")
    program = hall.with_settings(only_mosquitto, f"acl_file {rules}\n")
    async with hall.running(program) as broker, hall.publishing_inside(book, broker.port) as inside:
        await inside.until(lambda: bool(inside.said("trouble")))
        assert inside.said("trouble") == [f"the broker refuses {STATE} (0x87)"]


@pytest.mark.fault("mqttjs/MQTT.js#895")
async def test_a_refused_subscription_is_told(scripted: ScriptedBroker, book: Book, hall: Hall) -> None:
    scripted.suback = b"\x87\x01"
    async with hall.publishing_inside(book, scripted.port) as inside:
        await inside.until(lambda: bool(inside.said("trouble")))
        assert inside.said("trouble") == [f"the broker refuses a subscription to {FLOOR} (0x87)"]


async def test_a_connection_that_takes_nothing_although_nobody_ended_it_is_given_up(
    any_broker: Broker, book: Book, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    def takes_nothing(_connection: Connection, _message: Message) -> Any:  # noqa: ANN401 - it gives nothing
        raise BrokerLost("cannot send", "on purpose")

    async with hall.listening(any_broker.port), hall.publishing_inside(book, any_broker.port) as inside:
        inside.committed(book.add_cards(1))
        await inside.until(lambda: inside.delivered == 1)
        monkeypatch.setattr(Connection, "start", takes_nothing)
        inside.committed(book.add_cards(1))
        await inside.until(lambda: "down" in inside.said("broker"))
        monkeypatch.undo()
        await inside.until(lambda: inside.delivered == 2)


@pytest.mark.long
async def test_a_broker_that_is_dead_without_a_word_is_noticed(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.publishing_inside(book, any_broker.port) as inside:
        await inside.until(lambda: "up" in inside.said("broker"))
        began = time.monotonic()
        any_broker.signal(signal.SIGSTOP)
        inside.committed(book.add_cards(3))
        await inside.until(lambda: "down" in inside.said("broker"), 20.0)
        assert time.monotonic() - began < 15.0
        any_broker.signal(signal.SIGCONT)
        await inside.until(lambda: inside.delivered == 3, 40.0)


def puback(message: Published) -> bytes:
    return b"\x40\x03" + message.mid.to_bytes(2, "big") + b"\x00"


async def test_a_journal_that_cannot_be_read_for_a_moment_delays_and_loses_nothing(
    any_broker: Broker, book: Book, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        hall.listening(any_broker.port) as listener,
        hall.publishing_inside(book, any_broker.port) as inside,
    ):
        await shown(listener)
        source = inside.desk.source
        told, rows, failures = source.told, source.rows, [JournalBusy("locked")] * 2

        def failing(then: Any) -> Any:  # noqa: ANN401 - either reading function
            def read(*arguments: int) -> Any:  # noqa: ANN401 - what it gives
                if failures:
                    raise failures.pop()
                return then(*arguments)

            return read

        monkeypatch.setattr(source, "told", failing(told))
        monkeypatch.setattr(source, "rows", failing(rows))
        inside.committed(book.add_cards(3))
        await listener.until(lambda: listener.sequences == [1, 2, 3], 15.0)
        assert failures == []


@pytest.mark.fault("empicano/aiomqtt#340")
async def test_a_fault_of_the_publisher_itself_is_told_as_failed(
    any_broker: Broker, book: Book, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def break_down(listener: Listener) -> None:
        async with hall.publishing_inside(book, any_broker.port) as inside:
            await shown(listener)

            def corrupt(after_seq: int, _limit: int) -> Any:  # noqa: ANN401 - it gives nothing
                raise JournalCorrupt(book.path, f"row {after_seq + 1}, on purpose")

            monkeypatch.setattr(inside.desk.source, "rows", corrupt)
            inside.committed(book.add_cards(1))
            await listener.until(lambda: listener.retained[STATUS]["reason"] == "failed", 15.0)

    async with hall.listening(any_broker.port) as listener:
        with pytest.raises(JournalCorrupt):
            await break_down(listener)
        assert [status["reason"] for status in listener.statuses] == [None, "failed"]
