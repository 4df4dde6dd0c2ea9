"""A consumer, a broker and tables: what comes through, whatever happens on the way."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiomqtt
import pytest

from felt_daemon.publisher import broker as brokers
from felt_floor import Floor, NoAnswerError, Position, Tls, Trouble
from felt_floor.signer import Signer
from felt_protocols.signed.claims import Wanted
from felt_protocols.signed.making import new_key, pem_of, public_of
from felt_protocols.signed.public import kid_of, public_text
from felt_protocols.signed.reading import read, verifying_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.floor.conftest import Hall, Journal

    from felt_daemon.publisher.broker import EmbeddedBroker
    from felt_floor import Event

pytestmark = pytest.mark.asyncio
HOST = "127.0.0.1"
EPOCH = "271807caf0e4ea9b"
DEADLINE_S = 20.0


class Application:
    """A program that takes events, acknowledges them, and hears of troubles."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._changed = asyncio.Event()
        self.events: list[Event] = []

    async def run(self) -> None:
        """Take everything and acknowledge it at once."""
        async for event in self._floor.events():
            self.events.append(event)
            await event.ack()
            self._changed.set()

    async def until(self, count: int) -> list[int]:
        """Wait for so many events; their sequences."""
        async with asyncio.timeout(DEADLINE_S):
            while len(self.events) < count:
                self._changed.clear()
                await self._changed.wait()
        return [one.sequence for one in self.events]


@asynccontextmanager
async def application(floor: Floor) -> AsyncIterator[Application]:
    """An application that runs until the block ends."""
    one = Application(floor)
    async with floor:
        running = asyncio.create_task(one.run())
        try:
            yield one
        finally:
            running.cancel()
            await asyncio.wait((running,))


async def until(condition: Callable[[], bool]) -> None:
    """Look again and again until something holds that nobody tells of."""
    async with asyncio.timeout(DEADLINE_S):
        while not condition():  # noqa: ASYNC110 - health tells nobody when it changes
            await asyncio.sleep(0.01)


async def test_events_of_all_tables_come_in_order_and_are_acknowledged(
    hall: Hall, broker: EmbeddedBroker, journal: Journal
) -> None:
    other = hall.Journal(table="baccarat-7", epoch="9e3b51902c86b7a4")
    journal.add_cards(300)
    other.add_cards(200)
    troubles: list[Trouble] = []
    floor = Floor(HOST, broker.port, consumer="pit", on_trouble=troubles.append)
    async with application(floor) as program:
        # Whoever comes later than events lacks some, and says so.
        await until(lambda: floor.health().connected)
        async with hall.table(broker.port, journal) as first, hall.table(broker.port, other) as second:
            await program.until(500)
            await first.until(lambda: first.acked == 300)
            await second.until(lambda: second.acked == 200)
    for table, count in (("asia-1", 300), ("baccarat-7", 200)):
        assert [one.sequence for one in program.events if one.table == table] == list(range(1, count + 1))
    assert troubles == []
    # Some acknowledgements are told as one, and none is told twice but the first.
    assert first.acks == sorted(first.acks)
    assert len(first.acks) < 200


async def test_what_the_broker_dropped_is_asked_for(
    hall: Hall, broker: EmbeddedBroker, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("felt_floor.ledger.GAP_S", 0.1)
    troubles: list[Trouble] = []
    async with (
        hall.table(broker.port, journal, lose=(7, 8, 30)) as table,
        application(Floor(HOST, broker.port, consumer="pit", on_trouble=troubles.append)) as program,
    ):
        await table.until(lambda: table.acks == [0, 0])
        await table.add_cards(50)
        assert await program.until(50) == list(range(1, 51))
        await table.until(lambda: table.acked == 50)
    assert {one.kind for one in troubles} == {"missing"}
    assert {7, 8, 30} <= set(table.replayed)


async def test_a_consumer_that_comes_back_goes_on_where_the_broker_remembers_it(
    hall: Hall, broker: EmbeddedBroker, journal: Journal
) -> None:
    journal.add_cards(40)
    async with hall.table(broker.port, journal) as table:
        async with application(Floor(HOST, broker.port, consumer="pit")) as program:
            await program.until(40)
        # Told before the application left: nobody is there any more to tell it.
        await table.until(lambda: table.acked == 40)
        await table.add_cards(10)
        async with application(Floor(HOST, broker.port, consumer="pit")) as program:
            assert await program.until(10) == list(range(41, 51))


async def test_what_the_application_has_stored_wins_over_what_the_broker_remembers(
    hall: Hall, broker: EmbeddedBroker, journal: Journal
) -> None:
    journal.add_cards(40)
    async with hall.table(broker.port, journal):
        async with application(Floor(HOST, broker.port, consumer="pit")) as program:
            await program.until(40)
        stored = {"asia-1": Position(EPOCH, 25, journal.envelope(25)["hash"])}
        async with application(Floor(HOST, broker.port, consumer="pit", positions=stored)) as program:
            assert await program.until(15) == list(range(26, 41))


async def test_only_the_tables_that_were_named_are_taken(
    hall: Hall, broker: EmbeddedBroker, journal: Journal
) -> None:
    other = hall.Journal(table="baccarat-7", epoch="9e3b51902c86b7a4")
    for one in (journal, other):
        one.add_cards(5)
    floor = Floor(HOST, broker.port, consumer="pit", tables=["baccarat-7"])
    async with (
        hall.table(broker.port, journal),
        hall.table(broker.port, other),
        application(floor) as program,
    ):
        await program.until(5)
        assert set(floor.health().tables) == {"baccarat-7"}
    assert {one.table for one in program.events} == {"baccarat-7"}


async def test_batches_have_all_that_waits_and_no_more_than_was_asked_for(
    hall: Hall, broker: EmbeddedBroker, journal: Journal
) -> None:
    journal.add_cards(250)
    async with hall.table(broker.port, journal), Floor(HOST, broker.port, consumer="pit") as floor:
        sizes: list[int] = []
        taken: list[int] = []
        async with asyncio.timeout(DEADLINE_S):
            await until(lambda: floor.health().waiting >= 50)
            async for events in floor.batches(40):
                sizes.append(len(events))
                taken += [one.sequence for one in events]
                await events[-1].ack()
                if len(taken) == 250:
                    break
    assert taken == list(range(1, 251))
    assert sizes[0] == 40
    assert max(sizes) == 40


async def test_a_program_that_stops_taking_is_flooded_by_nobody(
    hall: Hall, broker: EmbeddedBroker, journal: Journal
) -> None:
    journal.add_cards(450)
    floor = Floor(HOST, broker.port, consumer="pit", buffer=100)
    async with hall.table(broker.port, journal), floor:
        # Half of the buffer; beyond it messages are not PUBACKed, and brokers send 100 or 200 ahead of that.
        await until(lambda: floor.health().waiting > 50)
        async with asyncio.timeout(DEADLINE_S):
            taken = 0
            async for event in floor.events():
                taken += 1
                assert event.sequence == taken
                assert floor.health().waiting <= 100
                if taken % 50 == 0:
                    await event.ack()
                if taken == 450:
                    break


async def test_the_death_of_the_broker_costs_nothing(hall: Hall, journal: Journal) -> None:
    journal.add_cards(100)
    broker = brokers.EmbeddedBroker(brokers.chosen())
    await broker.start()
    troubles: list[Trouble] = []
    floor = Floor(HOST, broker.port, consumer="pit", on_trouble=troubles.append)
    async with hall.table(broker.port, journal) as table, application(floor) as program:
        await program.until(100)
        await broker.stop()
        await until(lambda: not floor.health().connected)
        again = brokers.EmbeddedBroker(brokers.chosen(), broker.port)
        await again.start()
        await table.add_cards(100)
        assert await program.until(200) == list(range(1, 201))
        assert floor.health().connections == 2
        assert floor.health().why == ""
        await again.stop()
    assert troubles[0].kind == "no-connection"


async def test_without_a_broker_it_says_so_once_and_leaves_at_once() -> None:
    troubles: list[Trouble] = []
    async with Floor(HOST, 9, consumer="pit", on_trouble=troubles.append) as floor:
        await until(lambda: bool(troubles))
        assert not floor.health().connected
        assert floor.health().why == troubles[0].text
    assert [one.kind for one in troubles] == ["no-connection"]


async def test_events_end_when_the_application_leaves(broker: EmbeddedBroker) -> None:
    floor = Floor(HOST, broker.port, consumer="pit")
    async with floor:
        ending = asyncio.create_task(anext(floor.events(), None))
        await until(lambda: floor.health().connected)
    assert await ending is None


async def test_events_are_taken_in_one_place_where_somebody_began_to_take_them_last(
    hall: Hall, broker: EmbeddedBroker, journal: Journal
) -> None:
    async with Floor(HOST, broker.port, consumer="pit") as floor:
        waiting = asyncio.create_task(anext(floor.events(), None))
        await asyncio.sleep(0)
        batch = asyncio.ensure_future(anext(floor.batches()))
        with pytest.raises(RuntimeError, match="in one place"):
            await waiting
        journal.add_cards(1)
        async with hall.table(broker.port, journal):
            assert [one.sequence for one in await batch] == [1]


async def test_a_loop_that_was_left_stands_in_nobody_s_way(
    hall: Hall, broker: EmbeddedBroker, journal: Journal
) -> None:
    journal.add_cards(3)
    taken: list[int] = []
    async with (
        hall.table(broker.port, journal),
        Floor(HOST, broker.port, consumer="pit") as floor,
        asyncio.timeout(DEADLINE_S),
    ):
        for _ in range(2):
            async for event in floor.events():
                taken.append(event.sequence)
                break
        async for events in floor.batches():
            taken += [one.sequence for one in events]
            break
    assert taken == [1, 2, 3]


async def test_a_buffer_without_room_for_an_event_and_an_early_one_is_refused() -> None:
    with pytest.raises(ValueError, match="a buffer of 1 has no room"):
        Floor(HOST, consumer="pit", buffer=1)


async def test_a_mistake_in_the_background_is_raised_where_events_are_taken(
    hall: Hall, broker: EmbeddedBroker, journal: Journal
) -> None:
    journal.add_cards(1)

    def fail(trouble: Trouble) -> None:
        raise ZeroDivisionError(trouble.text)

    await hall.retain(broker.port, {"felt/1/asia-1/event/card": b"rubbish"})
    async with Floor(HOST, broker.port, consumer="pit", on_trouble=fail) as floor:
        with pytest.raises(ZeroDivisionError, match="no event"):
            await anext(floor.events())


async def test_files_of_tls_that_cannot_be_used_are_an_error_at_once() -> None:
    with pytest.raises(OSError, match="No such file"):
        async with Floor(HOST, consumer="pit", tls=Tls(authority="/nowhere/ca.pem")):
            pass


@pytest.mark.parametrize("wrong", [{"consumer": "Pit 1"}, {"consumer": "pit", "tables": ["+"]}])
async def test_a_name_that_cannot_stand_in_a_topic_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="cannot stand in a topic"):
        Floor(HOST, **wrong)


async def test_a_command_is_signed_asked_again_and_answered(
    broker: EmbeddedBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("felt_floor.requests.AGAIN_S", 0.1)
    key = new_key()
    public = public_of(key)
    status = json.dumps({"online": True, "start": "0f3a9c52", "epoch": EPOCH})
    tokens: list[str] = []
    async with (
        aiomqtt.Client(HOST, broker.port, protocol=aiomqtt.ProtocolVersion.V5) as table,
        Floor(HOST, broker.port, consumer="pit", signer=Signer("pit-3", pem_of(key))) as floor,
    ):
        await table.subscribe("felt/1/asia-1/command/+", qos=1)
        with pytest.raises(NoAnswerError, match="asia-1 is not there"):
            await floor.snapshot("asia-1")
        await table.publish("felt/1/asia-1/status", status, qos=1, retain=True)
        await until(lambda: "asia-1" in floor.health().tables)
        asked = asyncio.create_task(floor.snapshot("asia-1"))
        async for message in table.messages:
            assert message.topic.value == "felt/1/asia-1/command/snapshot"
            assert isinstance(message.payload, bytes)
            tokens.append(message.payload.decode())
            if len(tokens) == 2:
                break
        wanted = Wanted(table="asia-1", start="0f3a9c52", command="snapshot", now_s=None)
        claims = read(tokens[0], {kid_of(public): verifying_key(public_text(public))}, wanted)
        assert tokens == [tokens[0]] * 2
        assert claims.args == {"consumer": "pit"}
        for answer in (b"{", {"id": "another", "ok": True}, {"id": claims.jti, "ok": True, "sequence": 1042}):
            text = answer if isinstance(answer, bytes) else json.dumps(answer)
            await table.publish("felt/1/asia-1/reply/pit-3", text, qos=1)
        reply = await asked
        assert (reply.ok, reply.sequence, reply.code, reply.why) == (True, 1042, "", "")
        with pytest.raises(NoAnswerError, match=re.escape("asia-1 has not answered to report in 0.1 s")):
            await floor.ask("asia-1", "report", {"what": "misdeal"}, limit_s=0.1)


async def test_without_a_signer_nothing_can_be_asked() -> None:
    with pytest.raises(RuntimeError, match="give Floor a signer"):
        await Floor(HOST, consumer="pit").ask("asia-1", "snapshot", {})


async def test_a_table_that_is_sent_back_gives_everything_again(
    hall: Hall, broker: EmbeddedBroker, journal: Journal
) -> None:
    journal.add_cards(20)
    floor = Floor(HOST, broker.port, consumer="pit")
    async with hall.table(broker.port, journal) as table, application(floor) as program:
        await program.until(20)
        await table.until_acked(20)
        floor.rewind("asia-1", 15)
        assert await program.until(25) == [*range(1, 21), *range(16, 21)]


async def test_from_now_on_the_past_is_left_out_and_what_is_private_comes_with_its_event(
    hall: Hall, broker: EmbeddedBroker, journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    journal.add_cards(4)
    state = {"epoch": EPOCH, "sequence": 3, "hash": journal.envelope(3)["hash"]}
    alone = {"epoch": EPOCH, "sequence": f"{4:020d}", "salt": b"sixteen bytes...".hex(), "private": {}}
    await hall.retain(
        broker.port,
        {
            "felt/1/asia-1/state": json.dumps(state).encode(),
            "felt/1/asia-1/private/pit": json.dumps(alone).encode(),
        },
    )
    floor = Floor(HOST, broker.port, consumer="pit", begin="now", private=True)
    async with application(floor) as program:
        await until(lambda: "asia-1" in floor.health().tables)
        await hall.retain(broker.port, {"felt/1/asia-1/event/card": b"rubbish"})
        await hall.retain(broker.port, {"felt/1/asia-1/event/card": journal.payloads[3]})
        assert await program.until(1) == [4]
    (event,) = program.events
    assert (event.private, event.faults) == ({}, ())
    assert caplog.messages == [
        "asia-1: a message is no event (no JSON: Expecting value: line 1 column 1 (char 0)): 'rubbish'"
    ]


@pytest.mark.long
async def test_with_the_broker_of_the_wheel_a_consumer_goes_on_where_it_was_as_well(
    hall: Hall, journal: Journal
) -> None:
    program = brokers.iotcore()
    assert program is not None
    broker = brokers.EmbeddedBroker(program)
    await broker.start()
    journal.add_cards(40)
    async with hall.table(broker.port, journal) as table:
        async with application(Floor(HOST, broker.port, consumer="pit")) as first:
            assert await first.until(40) == list(range(1, 41))
        await table.until(lambda: table.acked == 40)
        await table.add_cards(10)
        async with application(Floor(HOST, broker.port, consumer="pit")) as second:
            assert await second.until(10) == list(range(41, 51))
    await broker.stop()
