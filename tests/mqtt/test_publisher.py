"""The publisher as a process, on real brokers: from the journal to a consumer, through every kind of end."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from felt_daemon.publisher import broker as brokers

from .shoe_jam import a_hold

if TYPE_CHECKING:
    from tests.mqtt.conftest import Book, Broker, Floor, Hall

    from felt_simulators.listener import Listener

STATUS = "felt/1/asia-1/status"
STATE = "felt/1/asia-1/state"
HOLD = "felt/1/asia-1/hold/1"
SHOE = "felt/1/asia-1/device/shoe-1"
LOCKED = {
    "kind": "busy",
    "text": "Another program locks the journal",
    "since": "2026-12-01T02:14:07.301882Z",
}

pytestmark = pytest.mark.asyncio

# What neither a will nor a broker's memory changes is tried on the second broker where there is time.
SECOND_LATER = pytest.mark.parametrize(
    "program",
    [
        pytest.param(program, id=program.name, marks=pytest.mark.long if number else ())
        for number, program in enumerate(filter(None, (brokers.mosquitto(), brokers.iotcore())))
    ],
    indirect=True,
)


@SECOND_LATER
async def test_every_row_arrives_once_in_order_and_proves_its_place(
    broker: Broker, book: Book, hall: Hall
) -> None:
    book.add_cards(40)
    async with hall.listening(broker.port) as listener, hall.publishing(book, broker.port) as floor:
        await listener.until(lambda: len(listener.events) == 40, 15.0)
        for _ in range(40):
            await floor.add_cards(3)
        await listener.until(lambda: len(listener.events) == 160, 15.0)
        assert listener.sequences == list(range(1, 161))
        assert (listener.doubles, listener.early, listener.unproved) == (0, 0, 0)
        await floor.until(lambda: floor.delivered == 160)
        assert floor.broker == [(True, "")]
        assert floor.troubles == []


@pytest.mark.long
async def test_a_new_run_goes_on_behind_what_was_delivered(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(any_broker.port) as listener:
        async with hall.publishing(book, any_broker.port) as floor:
            await floor.add_cards(5)
            await floor.until(lambda: floor.delivered == 5)
        async with hall.publishing(book, any_broker.port) as floor:
            await floor.add_cards(5)
            await floor.until(lambda: floor.delivered == 10)
        await listener.until(lambda: len(listener.events) == 10, 15.0)
        assert listener.doubles == 0


@pytest.mark.fault("Koenkk/zigbee2mqtt#9629", "home-assistant/core#59647")
@pytest.mark.long
async def test_a_killed_broker_that_forgot_all_has_the_picture_back_without_new_input(
    broker: Broker, book: Book, hall: Hall
) -> None:
    book.add(*a_hold())
    async with hall.listening(broker.port) as listener, hall.publishing(book, broker.port) as floor:
        await listener.until(lambda: {STATUS, STATE, HOLD, SHOE} <= listener.retained.keys(), 15.0)
        await floor.until(lambda: floor.delivered == 2)
        before = dict(listener.retained)
        listener.retained.clear()
        await broker.kill()
        book.add_cards(10)
        await broker.start()
        floor.process.tell_committed({"asia-1": 12})
        await listener.until(lambda: before.keys() == listener.retained.keys(), 15.0)
        assert listener.retained[STATUS]["online"] is True
        assert listener.retained[HOLD]["hold"] == 1
        await listener.until(lambda: len(listener.events) + listener.early >= 12, 15.0)
        assert listener.unproved == 0
        if broker.program.name == "mosquitto":
            # It says when nobody is there yet, so that nothing is lost to a consumer who comes back.
            await listener.until(lambda: listener.sequences == list(range(1, 13)), 15.0)


# How it ends: each end has its own word, and the right one.


@pytest.mark.fault("empicano/aiomqtt#340")
@SECOND_LATER
@pytest.mark.long
async def test_a_killed_publisher_is_lost_and_comes_back(broker: Broker, book: Book, hall: Hall) -> None:
    async with hall.listening(broker.port) as listener, hall.publishing(book, broker.port) as floor:
        await listener.until(lambda: STATUS in listener.retained, 15.0)
        killed = floor.process.pid
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        await listener.until(lambda: listener.retained[STATUS]["reason"] == "lost", 5.0)
        assert listener.retained[STATUS]["online"] is False
        await listener.until(lambda: listener.retained[STATUS]["online"] is True, 15.0)
        assert floor.process.pid != killed
        await floor.add_cards(1)
        await floor.until(lambda: floor.delivered == 1)


@pytest.mark.fault("empicano/aiomqtt#340")
@SECOND_LATER
async def test_an_orderly_stop_sends_what_is_left_and_says_stopped(
    broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(broker.port) as listener:
        async with hall.publishing(book, broker.port) as floor:
            await listener.until(lambda: STATUS in listener.retained, 15.0)
            await floor.add_cards(300)
        await listener.until(lambda: listener.retained[STATUS]["reason"] == "stopped", 5.0)
        assert len(listener.events) == 300
        assert floor.delivered == 300
        assert [status["reason"] for status in listener.statuses] == [None, "stopped"]


async def test_a_dead_device_process_is_told_as_failed_within_a_second(
    broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(broker.port) as listener, hall.publishing(book, broker.port) as floor:
        await listener.until(lambda: STATUS in listener.retained, 15.0)
        child = floor.process._child
        assert child is not None
        assert child.stdin is not None
        began = time.monotonic()
        child.stdin.close()
        assert await child.wait() == 0
        assert time.monotonic() - began < 1.0
        await listener.until(lambda: listener.retained[STATUS]["reason"] == "failed", 5.0)
        assert "lost" not in [status["reason"] for status in listener.statuses]


@pytest.mark.long
async def test_a_device_process_that_dies_while_the_broker_is_deaf_is_not_waited_for(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.publishing(book, any_broker.port) as floor:
        await floor.until(lambda: floor.broker == [(True, "")])
        any_broker.signal(signal.SIGSTOP)
        child = floor.process._child
        assert child is not None
        assert child.stdin is not None
        began = time.monotonic()
        child.stdin.close()
        await child.wait()
        assert time.monotonic() - began < 1.0
        any_broker.signal(signal.SIGCONT)


async def test_a_device_process_that_dies_while_there_is_no_broker_is_not_waited_for(
    book: Book, hall: Hall
) -> None:
    async with hall.publishing(book, 9) as floor:
        await floor.until(lambda: len(floor.broker) >= 2)
        child = floor.process._child
        assert child is not None
        assert child.stdin is not None
        began = time.monotonic()
        child.stdin.close()
        await child.wait()
        assert time.monotonic() - began < 1.0


@pytest.mark.long
async def test_no_signal_of_a_terminal_or_of_systemd_reaches_past_the_device_process(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(any_broker.port) as listener, hall.publishing(book, any_broker.port) as floor:
        await listener.until(lambda: STATUS in listener.retained, 15.0)
        assert floor.process.pid is not None
        os.kill(floor.process.pid, signal.SIGTERM)
        os.kill(floor.process.pid, signal.SIGINT)
        await floor.add_cards(1)
        await floor.until(lambda: floor.delivered == 1)
        assert [status["reason"] for status in listener.statuses] == [None]


@pytest.mark.fault("john30/ebusd#229", "eclipse-mosquitto/mosquitto#2878")
@pytest.mark.long
async def test_a_broker_that_comes_late_gets_everything(hall: Hall, any_broker: Broker, book: Book) -> None:
    await any_broker.kill()
    book.add_cards(5)
    async with hall.publishing(book, any_broker.port) as floor:
        await floor.until(lambda: len(floor.broker) >= 2)
        assert all(not up for up, _ in floor.broker)
        assert floor.delivered == 0
        await any_broker.start()
        async with hall.listening(any_broker.port) as listener:
            await floor.until(lambda: floor.delivered == 5)
            await listener.until(lambda: STATUS in listener.retained, 15.0)


@pytest.mark.long
async def test_a_password_that_cannot_be_read_is_told_once_and_is_taken_when_it_can(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    file = book.path.with_name("password")
    more = f'user = "asia-1"\npassword_file = "{file}"'
    async with hall.publishing(book, any_broker.port, broker_more=more) as floor:
        await floor.until(lambda: len(floor.broker) >= 3)
        assert [up for up, _ in floor.broker[:3]] == [False] * 3
        assert len(floor.troubles) == 1
        assert "the file of the broker's password cannot be read" in floor.troubles[0]
        file.write_text("any\n", encoding="utf-8")
        await floor.until(lambda: floor.broker[-1] == (True, ""))


async def test_a_publisher_that_does_not_read_is_told_the_last_of_everything_later(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(any_broker.port) as listener, hall.publishing(book, any_broker.port) as floor:
        await listener.until(lambda: STATUS in listener.retained, 15.0)
        assert floor.process.pid is not None
        os.kill(floor.process.pid, signal.SIGSTOP)
        last = book.add_cards(3)
        child = floor.process._child
        assert child is not None
        assert child.stdin is not None
        for number in range(4000):
            floor.process.tell_health({"asia-1": {"shoe-1": {"frames": number, "filler": "x" * 60}}})
        floor.process.tell_committed({"asia-1": last})
        floor.process.tell_journal(None)
        floor.process.tell_journal(LOCKED)
        assert child.stdin.transport.get_write_buffer_size() < 200_000
        os.kill(floor.process.pid, signal.SIGCONT)
        await floor.until(lambda: floor.delivered == 3)
        await listener.until(
            lambda: listener.retained.get(SHOE, {}).get("health", {}).get("frames") == 3999, 15.0
        )
        await listener.until(lambda: listener.retained[STATE].get("journal") == LOCKED, 15.0)


@pytest.mark.long
async def test_a_publisher_that_is_started_again_knows_whether_the_journal_is_written(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(any_broker.port) as listener, hall.publishing(book, any_broker.port) as floor:
        floor.process.tell_journal(LOCKED)
        await listener.until(lambda: STATUS in listener.retained, 15.0)
        await listener.until(lambda: listener.retained[STATE].get("journal") == LOCKED, 15.0)
        await started_again(floor, listener)
        assert listener.retained[STATE]["journal"] == LOCKED
        floor.process.tell_journal(None)
        await listener.until(lambda: "journal" not in listener.retained[STATE], 15.0)
        await started_again(floor, listener)
        assert "journal" not in listener.retained[STATE]


async def started_again(floor: Floor, listener: Listener) -> None:
    """Kill the publisher, and wait for the whole picture of its next one: the status comes last."""
    told = len(listener.statuses)
    assert floor.process.pid is not None
    os.kill(floor.process.pid, signal.SIGKILL)
    await listener.until(lambda: len(listener.statuses) == told + 2, 15.0)
    assert [one["online"] for one in listener.statuses[told:]] == [False, True]
