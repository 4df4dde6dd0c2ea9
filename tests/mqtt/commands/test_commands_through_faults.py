"""Signed commands while something fails: a row is there once, and whoever asks again is answered."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from felt_daemon.publisher import broker as brokers
from felt_daemon.publisher.adapter import NO_MATCHING_SUBSCRIBERS, Access, Connection, Message
from felt_protocols import topics
from felt_protocols.events.person import CommandRejected

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator
    from pathlib import Path

    from tests.mqtt.commands.conftest import Daemon, Kit
    from tests.mqtt.conftest import Book, Broker, Hall

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def broker(hall: Hall) -> AsyncIterator[Broker]:
    """The floor's broker."""
    program = brokers.mosquitto()
    assert program is not None
    async with hall.running(program) as one:
        yield one


@pytest_asyncio.fixture
async def asked(kit: Kit, broker: Broker, tmp_path: Path) -> AsyncIterator[Daemon]:
    """A table at this broker."""
    daemon = kit.Daemon(tmp_path, f'mode = "external"\nhost = "127.0.0.1"\nport = {broker.port}')
    daemon.start()
    yield daemon
    daemon.stop()


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what no event tells."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - see above
            await asyncio.sleep(0.01)


@contextmanager
def nothing_committed(daemon: Daemon) -> Generator[None]:
    """While this lasts, what the table decides waits for the disk."""
    other = sqlite3.connect(daemon.folder / "journal.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.execute("COMMIT")
        other.close()


def waiting(daemon: Daemon) -> int:
    """Rows that wait for their commit."""
    return int(str(daemon.health()["rows_waiting"]))


@pytest.mark.long
async def test_a_retained_request_is_refused_and_recorded_once_however_often_it_comes(
    asked: Daemon, broker: Broker, kit: Kit
) -> None:
    async with kit.client(asked.people, broker.port) as hall:
        wish = hall.wish("new-dealer")
        await hall.send("new-dealer", hall.signed("ann", wish), retain=True)
        [answer] = await hall.answered(wish.jti)
        assert (answer["ok"], answer["code"]) == (False, "malformed")
        assert answer["why"] == "a command is never retained: publish it without that flag"
        # A publisher that starts anew gets it again from the broker, before what is asked now.
        [publisher] = asked.children
        os.kill(publisher, signal.SIGKILL)
        await hall.ask_until_answered(later := hall.wish("new-dealer"), hall.signed("ann", later))
        assert asked.children != [publisher]
        assert [row.by and row.by.name for row in asked.refusals(wish.jti)] == ["Ann (ann)"]
        assert len(asked.facts("dealer-came")) == 1
        # Sent as it should be it is carried out: nothing was decided under its id.
        [answer] = (await hall.ask_until_answered(wish, hall.signed("ann", wish), answers=2))[1:]
        assert answer["ok"]


@pytest.mark.long
async def test_a_publisher_killed_between_commit_and_answer_is_asked_again_and_the_row_is_there_once(
    asked: Daemon, broker: Broker, kit: Kit
) -> None:
    async with kit.client(asked.people, broker.port) as hall:
        wish = hall.wish("new-dealer")
        token = hall.signed("ann", wish)
        with nothing_committed(asked):
            await hall.send("new-dealer", token)
            await until(lambda: waiting(asked) > 0)
            [publisher] = asked.children
            os.kill(publisher, signal.SIGKILL)
            await until(lambda: publisher not in asked.children)
        [answer] = await hall.ask_until_answered(wish, token)
        [row] = asked.facts("dealer-came")
        assert answer == {"id": wish.jti, "ok": True, "sequence": row.seq}


@pytest.mark.long
async def test_a_device_process_killed_after_the_commit_leaves_one_row_and_says_that_its_run_is_over(
    asked: Daemon, broker: Broker, kit: Kit
) -> None:
    async with kit.client(asked.people, broker.port) as hall:
        wish = hall.wish("new-dealer")
        token = hall.signed("ann", wish)
        await hall.send("new-dealer", token)
        await until(lambda: len(asked.facts("dealer-came")) == 1)
        asked.kill()
        asked.start()
        [row] = asked.facts("dealer-came")
        given = {"id": wish.jti, "ok": True, "sequence": row.seq}
        answers = await hall.ask_until_answered(wish, token)
        if answers == [given]:
            # Its answer was on its way already, and came.
            answers = await hall.ask_until_answered(wish, token, answers=2)
        assert answers[-1]["code"] == "late"
        assert [row] == asked.facts("dealer-came")
        assert row.at.start == wish.start
        assert hall.start not in {"", wish.start}


@pytest.mark.long
async def test_an_answer_that_finds_no_broker_is_given_when_it_is_back(
    asked: Daemon, broker: Broker, kit: Kit
) -> None:
    async with kit.client(asked.people, broker.port) as hall:
        wish = hall.wish("new-dealer")
        token = hall.signed("ann", wish)
        with nothing_committed(asked):
            await hall.send("new-dealer", token)
            await until(lambda: waiting(asked) > 0)
            await broker.kill()
    await until(lambda: len(asked.facts("dealer-came")) == 1)
    await broker.start()
    async with kit.client(asked.people, broker.port) as hall:
        [answer] = await hall.ask_until_answered(wish, token)
        [row] = asked.facts("dealer-came")
        assert answer == {"id": wish.jti, "ok": True, "sequence": row.seq}


@pytest.mark.long
async def test_a_flood_of_forged_requests_is_counted_and_a_good_one_is_carried_out_after_it(
    asked: Daemon, broker: Broker, kit: Kit
) -> None:
    async with kit.client(asked.people, broker.port) as hall:
        await hall.ask("ann", hall.wish("new-dealer"))
        head, claims, _ = hall.signed("ann", hall.wish("new-dealer")).split(".")
        for number in range(150):
            await hall.send("new-dealer", f"{head}.{claims}.{number:086d}")
        [answer] = await hall.ask_until_answered(wish := hall.wish("new-dealer"), hall.signed("ann", wish))
        assert answer["ok"]
        await until(lambda: len(asked.facts("commands-uncounted")) > 0)
        refused = [row.event for row in asked.facts("command-rejected")]
        counts = [getattr(row.event, "count", 0) for row in asked.facts("commands-uncounted")]
        assert len(refused) + sum(counts) == 150
        # 30, and one more for every two seconds that this took.
        assert 30 <= len(refused) < 45


@pytest.mark.long
async def test_a_publisher_that_starts_while_the_register_is_broken_tells_events_and_takes_nobody(
    asked: Daemon, broker: Broker, kit: Kit
) -> None:
    async with kit.client(asked.people, broker.port) as hall:
        good = asked.people.file.read_bytes()
        asked.people.file.write_text("{", encoding="utf-8")
        hall.start = ""
        [publisher] = asked.children
        os.kill(publisher, signal.SIGKILL)
        await until(lambda: bool(hall.start))
        wish = hall.wish("new-dealer")
        await hall.send("new-dealer", hall.signed("ann", wish))
        await until(lambda: bool(asked.facts("command-rejected")))
        [told] = [row.event for row in asked.facts("command-rejected")]
        assert isinstance(told, CommandRejected)
        assert (told.by, told.reason.partition(":")[0]) == (None, "unknown-key")
        asked.people.file.write_bytes(good)
        assert (await hall.ask("ann", hall.wish("new-dealer")))["ok"]


async def test_who_takes_no_commands_does_not_subscribe_to_them(
    broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.publishing(book, broker.port) as floor:
        await floor.until(lambda: floor.broker == [(True, "")])
        access = Access(host="127.0.0.1", port=broker.port, client_id="somebody")
        connection = await Connection.open(access, Message("will", b""), lambda *_: None)
        code = await connection.start(Message(topics.command("asia-1", "new-dealer"), b"x"))
        assert code == NO_MATCHING_SUBSCRIBERS
        await connection.close(1.0)
