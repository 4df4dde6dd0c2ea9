"""Delivered means that consumers have it: the real publisher, real brokers, consumers that come and go."""

from __future__ import annotations

import asyncio
import hashlib
import json
import signal
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.publisher import broker as brokers
from felt_daemon.publisher.consumers import Terms
from felt_protocols.events import deck, device

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.mqtt.conftest import Book, Broker, Hall

    from felt_daemon.publisher.broker import Program
    from felt_simulators.listener import Listener

PIT = "[consumers.pit]\n"
TWO = "[consumers.pit]\n[consumers.rating]\n"
REPLAY = "felt/1/asia-1/replay/pit"
STATUS = "felt/1/asia-1/status"
DAY_S = 86_400.0

pytestmark = pytest.mark.asyncio

# What both brokers do alike is tried on the second where there is time.
SECOND_LATER = pytest.mark.parametrize(
    "program",
    [
        pytest.param(one, id=one.name, marks=pytest.mark.long if number else ())
        for number, one in enumerate(filter(None, (brokers.mosquitto(), brokers.iotcore())))
    ],
    indirect=True,
)


def up_to(last: int) -> list[int]:
    return list(range(1, last + 1))


async def has_all(listener: Listener, last: int, limit_s: float = 20.0) -> None:
    await listener.until(lambda: len(listener.events) >= last, limit_s)
    assert listener.sequences == up_to(last)
    assert listener.unproved == 0


@SECOND_LATER
async def test_delivered_is_what_the_consumer_has_acknowledged(
    broker: Broker, book: Book, hall: Hall
) -> None:
    book.add_cards(40)
    async with hall.listening(broker.port, "other"), hall.publishing(book, broker.port, PIT) as floor:
        await floor.until(lambda: floor.cursors["broker"] == 40)
        assert floor.delivered == 0
        async with hall.listening(broker.port, "hub", consumer="pit") as hub:
            await has_all(hub, 40)
            await floor.until(lambda: floor.delivered == 40)
        assert floor.cursors["consumer:pit"] == 40
        assert floor.standings == {"pit": "current"}


@SECOND_LATER
async def test_a_consumer_that_was_away_gets_what_it_lacks_beside_and_holds_up_nobody(
    broker: Broker, book: Book, hall: Hall
) -> None:
    async with (
        hall.listening(broker.port, "rating", consumer="rating") as rating,
        hall.publishing_inside(book, broker.port, TWO) as inside,
    ):
        async with hall.listening(broker.port, "hub", consumer="pit") as hub:
            inside.committed(book.add_cards(10))
            await has_all(hub, 10)
            await inside.until(lambda: inside.delivered == 10)
            had = dict(hub.ledgers)
        inside.committed(book.add_cards(50))
        await has_all(rating, 60)
        assert inside.delivered == 10
        async with hall.listening(broker.port, "hub", consumer="pit", had=had) as hub:
            await has_all(hub, 60)
            assert hub.topics.count(REPLAY) >= 1
            await inside.until(lambda: inside.delivered == 60)
        assert REPLAY in rating.topics  # it subscribes to everything, and takes none of it
        assert rating.doubles == 0
        assert inside.standings == {"pit": "current", "rating": "current"}


@pytest.mark.long
async def test_a_consumer_that_stands_still_is_passed_by_and_caught_up_when_it_comes(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with (
        hall.listening(any_broker.port, "rating", consumer="rating") as rating,
        hall.publishing_inside(book, any_broker.port, TWO, Terms(ahead=20, reach=40)) as inside,
    ):
        inside.committed(book.add_cards(100))
        await inside.until(lambda: inside.desk.lane.taken == 20)
        await has_all(rating, 20)
        await inside.until(lambda: inside.desk.delivery.consumers.of("rating").position == 20)
        inside.wait(30.0)
        await has_all(rating, 100)
        assert inside.standings == {"pit": "behind", "rating": "current"}
        async with hall.listening(any_broker.port, "hub", consumer="pit") as hub:
            await has_all(hub, 100)
            await inside.until(lambda: inside.standings == {"pit": "current", "rating": "current"})


async def test_who_is_not_heard_for_a_day_is_suspended_and_returns_to_everything(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with (
        hall.listening(any_broker.port, "rating", consumer="rating") as rating,
        hall.publishing_inside(book, any_broker.port, TWO) as inside,
    ):
        inside.committed(book.add_cards(30))
        await has_all(rating, 30)
        await inside.until(lambda: inside.desk.delivery.consumers.of("rating").position == 30)
        inside.wait(DAY_S - 10.0)
        inside.committed(book.add_cards(10))  # rating is heard of these
        await inside.until(lambda: inside.desk.delivery.consumers.of("rating").position == 40)
        inside.wait(11.0)
        await inside.until(lambda: inside.said("suspended") == ["pit"])
        await inside.until(lambda: inside.delivered == 40)
        async with hall.listening(any_broker.port, "hub", consumer="pit") as hub:
            await has_all(hub, 40)
            assert inside.said("returned") == ["pit"]
            await inside.until(lambda: inside.standings == {"pit": "current", "rating": "current"})


async def test_a_suspended_consumer_stays_suspended_over_a_restart(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    book.add_cards(10)
    book.journal.set_cursor("broker", "asia-1", 4)
    book.journal.set_cursor("suspended:pit", "asia-1", 4)
    book.add_cards(1)
    async with (
        hall.listening(any_broker.port, "other") as other,
        hall.publishing_inside(book, any_broker.port, PIT) as inside,
    ):
        await other.until(lambda: other.sequences == list(range(5, 12)), 15.0)
        assert inside.standings == {"pit": "suspended"}
        async with hall.listening(any_broker.port, "hub", consumer="pit") as hub:
            await has_all(hub, 11)
            assert inside.said("returned") == ["pit"]


@SECOND_LATER
async def test_what_cannot_be_acknowledged_is_refused_told_once_and_moves_nothing(
    broker: Broker, book: Book, hall: Hall
) -> None:
    book.add_cards(5)
    epoch = book.journal.epoch

    def said(seq: int, of: str = epoch) -> bytes:
        return json.dumps({"epoch": of, "sequence": f"{seq:020d}"}).encode()

    bad = [
        ("bar", said(1)),
        ("pit", said(6)),
        ("pit", said(1, "0" * 16)),
        ("pit", b"five"),
    ]
    async with (
        hall.listening(broker.port, "other") as other,
        hall.publishing_inside(book, broker.port, PIT) as inside,
    ):
        await other.until(lambda: len(other.events) == 5, 15.0)
        for consumer, payload in (*bad, *bad, ("pit", b"")):
            await hall.retain(broker.port, f"felt/1/asia-1/ack/{consumer}", payload)
        await hall.retain(broker.port, "felt/1/asia-1/ack/pit", said(5))
        await inside.until(lambda: inside.delivered == 5)
        words = ["unknown-consumer", "above-head", "other-epoch", "malformed"]
        assert [refused["why"] for refused in inside.said("ack_refused")] == words
        assert inside.said("ack_refused")[3] == {"consumer": "pit", "why": "malformed", "said": "five"}


@SECOND_LATER
async def test_a_position_that_the_broker_kept_is_where_a_new_publisher_begins(
    broker: Broker, book: Book, hall: Hall
) -> None:
    book.add_cards(30)
    kept = {"epoch": book.journal.epoch, "sequence": f"{20:020d}"}
    await hall.retain(broker.port, "felt/1/asia-1/ack/pit", json.dumps(kept).encode())
    async with (
        hall.listening(broker.port, "other") as other,
        hall.publishing_inside(book, broker.port, PIT),
    ):
        await other.until(lambda: other.sequences == list(range(21, 31)), 15.0)


# Brokers that lose what they took.


async def killed_again_and_again(broker: Broker, book: Book, hall: Hall, times: int) -> None:
    async with (
        hall.listening(broker.port, "hub", consumer="pit") as hub,
        hall.listening(broker.port, "other"),
        hall.publishing(book, broker.port, PIT) as floor,
    ):
        for number in range(1, times + 1):
            await floor.add_cards(400)
            await floor.until(lambda: floor.cursors["broker"] >= floor.delivered + 1, 30.0)
            await broker.kill()
            await floor.add_cards(100)
            await broker.start()
            await has_all(hub, 500 * number, 40.0)
        await floor.until(lambda: floor.delivered == 500 * times)


@SECOND_LATER
async def test_a_broker_that_is_killed_with_what_it_had_acknowledged_loses_nothing_end_to_end(
    broker: Broker, book: Book, hall: Hall
) -> None:
    await killed_again_and_again(broker, book, hall, 1)


@pytest.mark.long
async def test_however_often_a_broker_is_killed_nothing_is_lost_end_to_end(
    broker: Broker, book: Book, hall: Hall
) -> None:
    await killed_again_and_again(broker, book, hall, 4)


PROGRAM = """
import asyncio, sys
from felt_simulators.listener import Listener

async def main():
    hub = Listener("127.0.0.1", int(sys.argv[1]), client_id="hub", consumer="pit")
    running = asyncio.create_task(hub.run())
    while True:
        await hub.until(lambda: hub.sequences and hub.sequences[-1] >= int(sys.argv[2]), 120.0)
        assert hub.sequences == list(range(1, int(sys.argv[2]) + 1))
        return await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""


@asynccontextmanager
async def program(port: int, last: int) -> AsyncIterator[asyncio.subprocess.Process]:
    """A consumer in a process of its own, which ends well when it has everything and nobody needs it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, str(port), str(last), stdin=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.long
async def test_a_consumer_that_is_stopped_while_three_thousand_events_come_ends_complete(
    only_mosquitto: Program, book: Book, hall: Hall
) -> None:
    # mosquitto takes them all with success and drops the newest behind the first thousand (mosquitto#3687).
    async with (
        hall.running(only_mosquitto) as broker,
        hall.publishing(book, broker.port, PIT) as floor,
        program(broker.port, 3010) as consumer,
    ):
        await floor.add_cards(10)
        await floor.until(lambda: floor.delivered == 10)
        consumer.send_signal(signal.SIGSTOP)
        await floor.add_cards(3000)
        await floor.until(lambda: floor.cursors["broker"] == 510)
        consumer.send_signal(signal.SIGCONT)
        await floor.until(lambda: floor.delivered == 3010, 60.0)
        await consumer.communicate(b"")
        assert consumer.returncode == 0


@pytest.mark.long
async def test_a_consumer_that_is_stopped_until_it_is_passed_by_ends_complete_all_the_same(
    only_mosquitto: Program, book: Book, hall: Hall
) -> None:
    async with (
        hall.running(only_mosquitto) as broker,
        hall.listening(broker.port, "rating", consumer="rating") as rating,
        hall.publishing_inside(book, broker.port, TWO) as inside,
        program(broker.port, 1510) as consumer,
    ):
        inside.committed(book.add_cards(10))
        await inside.until(lambda: inside.delivered == 10)
        consumer.send_signal(signal.SIGSTOP)
        inside.committed(book.add_cards(1500))
        await inside.until(lambda: inside.desk.delivery.consumers.of("rating").position == 510)
        inside.wait(30.0)
        await has_all(rating, 1510, 60.0)
        assert inside.standings["pit"] == "behind"
        consumer.send_signal(signal.SIGCONT)
        await inside.until(lambda: inside.delivered == 1510, 90.0)
        await consumer.communicate(b"")
        assert consumer.returncode == 0


# Commands, and what only some may have.


@SECOND_LATER
async def test_a_replay_that_is_ordered_is_sent_to_that_consumer_alone_although_it_has_it(
    broker: Broker, book: Book, hall: Hall
) -> None:
    async with (
        hall.listening(broker.port, "hub", consumer="pit") as hub,
        hall.publishing_inside(book, broker.port, PIT) as inside,
    ):
        inside.committed(book.add_cards(20))
        await inside.until(lambda: inside.delivered == 20)
        assert REPLAY not in hub.topics
        inside.desk.replay("pit", 15)
        await hub.until(lambda: hub.topics.count(REPLAY) == 5, 15.0)
        assert hub.doubles == 5
        inside.desk.replay("pit", 20)
        await inside.until(lambda: len(inside.said("trouble")) == 1)


async def test_a_snapshot_that_is_asked_for_brings_the_whole_picture_with_the_status_last(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with (
        hall.listening(any_broker.port) as listener,
        hall.publishing_inside(book, any_broker.port, PIT) as inside,
    ):
        whole = {STATUS, "felt/1/asia-1/state", "felt/1/asia-1/device/shoe-1"}
        await listener.until(lambda: whole <= listener.retained.keys(), 15.0)
        listener.retained.clear()
        inside.desk.snapshot()
        await listener.until(lambda: whole <= listener.retained.keys(), 15.0)
        assert listener.topics[-1] == STATUS


def a_shuffle() -> deck.ShuffleCompleted:
    composition = {"red": {"queen-of-spades": 1}}
    return deck.ShuffleCompleted(
        device="shuffler-1", batch=1, mode="shuffle", count=53, composition=composition
    )


def opens(told: dict[str, Any], privatehash: str) -> bool:
    """Whether what was told privately is what the row's public hash binds."""
    private = json.dumps(told["private"], sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(bytes.fromhex(told["salt"]) + private).hexdigest() == privatehash


async def test_a_consumer_that_may_know_is_told_what_a_deck_is_made_of_and_can_check_it(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    book.add_cards(2)
    book.add(a_shuffle())
    book.add_cards(2)
    consumers = "[consumers.pit]\ncomposition = true\n[consumers.rating]\n"
    async with (
        hall.listening(any_broker.port, "hub", consumer="pit") as hub,
        hall.publishing_inside(book, any_broker.port, consumers) as inside,
    ):
        await has_all(hub, 5)
        private = "felt/1/asia-1/private/pit"
        assert hub.topics.count(private) == 1
        assert hub.topics.index(private) < hub.topics.index("felt/1/asia-1/event/deck")
        [told] = hub.private
        assert told["sequence"] == f"{3:020d}"
        assert told["epoch"] == book.journal.epoch
        assert told["private"] == {"composition": {"red": {"queen-of-spades": 1}}}
        assert opens(told, hub.events[2]["privatehash"])
        assert "queen-of-spades" not in str(hub.events)
        assert not any(topic.endswith("private/rating") for topic in hub.topics)
        await inside.until(lambda: inside.desk.delivery.consumers.of("pit").position == 5)
        inside.desk.replay("pit", 0)
        await hub.until(lambda: hub.topics.count(REPLAY) == 5, 15.0)
        assert hub.private == [told, told]


# Brokers that do not take what one consumer lacks.


async def test_what_is_too_large_beside_is_a_dead_letter_and_the_consumer_gets_a_notice_in_its_place(
    only_mosquitto: Program, book: Book, hall: Hall
) -> None:
    book.add(device.DeviceRefused(device="shoe-1", why="x" * 390), context={"filler": "y" * 1500})
    book.add_cards(3)
    book.journal.set_cursor("broker", "asia-1", 4)
    book.add_cards(1)
    small = hall.with_settings(only_mosquitto, "max_packet_size 2000\n")
    async with (
        hall.running(small) as broker,
        hall.listening(broker.port, "hub", consumer="pit") as hub,
        hall.publishing_inside(book, broker.port, PIT, Terms(reach=1)) as inside,
    ):
        await hub.until(lambda: hub.sequences == up_to(5), 20.0)
        assert inside.said("dead_letter") == [1]
        assert (hub.events[0]["deadletter"], hub.events[0]["data"]) == (True, {})
        assert hub.topics.count(REPLAY) >= 4
        await inside.until(lambda: inside.delivered == 5)


async def test_a_composition_that_is_too_large_is_told_and_its_event_goes_all_the_same(
    only_mosquitto: Program, book: Book, hall: Hall
) -> None:
    many = {f"colour-{number}": {"queen-of-spades": 1} for number in range(80)}
    book.add(a_shuffle().model_copy(update={"composition": many}))
    small = hall.with_settings(only_mosquitto, "max_packet_size 2000\n")
    async with (
        hall.running(small) as broker,
        hall.listening(broker.port, "hub", consumer="pit") as hub,
        hall.publishing_inside(book, broker.port, f"{PIT}composition = true\n") as inside,
    ):
        await has_all(hub, 1)
        assert inside.said("trouble") == ["felt/1/asia-1/private/pit is too large for the broker"]
        assert hub.private == []


@pytest.mark.long
async def test_a_replay_that_the_broker_denies_is_told_and_tried_again_after_the_pause(
    only_mosquitto: Program, book: Book, hall: Hall
) -> None:
    rules = book.path.with_name("acl")
    rules.write_text(f"topic deny {REPLAY}\ntopic readwrite #\n", encoding="utf-8")
    program = hall.with_settings(only_mosquitto, f"acl_file {rules}\n")
    book.add_cards(5)
    book.journal.set_cursor("broker", "asia-1", 4)
    book.add_cards(1)
    async with (
        hall.running(program) as broker,
        hall.listening(broker.port, "other"),
        hall.publishing_inside(book, broker.port, PIT, Terms(reach=1)) as inside,
    ):
        await inside.until(lambda: bool(inside.said("trouble")))
        assert inside.said("trouble") == [f"the broker refuses {REPLAY} (0x87)"]
        rules.write_text("topic readwrite #\n", encoding="utf-8")
        broker.signal(signal.SIGHUP)
        inside.wait(30.0)
        async with hall.listening(broker.port, "hub", consumer="pit") as hub:
            await has_all(hub, 6)
