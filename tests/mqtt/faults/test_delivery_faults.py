"""Stores that lost, doubled or stopped what they were to forward: the same done to ours."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from felt_protocols.pictures.table import JournalPicture

from .programs import locked, storing, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.mqtt.conftest import Book, Broker, Hall

    from felt_daemon.publisher.broker import Program
    from felt_simulators.listener import Listener

    from .programs import Table

    NewTable = Callable[..., Table]

pytestmark = [pytest.mark.asyncio, pytest.mark.long]
PIT = "[consumers.pit]\n"
STATE = "felt/1/t-1/state"


@pytest.mark.fault("eclipse-mosquitto/mosquitto#3687")
async def test_what_a_broker_says_it_took_and_drops_a_consumer_gets_all_the_same(
    only_mosquitto: Program, book: Book, hall: Hall, tmp_path: Path
) -> None:
    settings = only_mosquitto.settings.replace("max_queued_messages 100000\n", "")
    broker_of_debian = replace(only_mosquitto, settings=settings.replace("max_inflight_messages 100\n", ""))
    assert "max_" not in broker_of_debian.settings
    book.add_cards(100)
    async with (
        hall.running(broker_of_debian) as broker,
        # So that the broker always finds somebody who has subscribed.
        hall.listening(broker.port, "other"),
        storing(broker.port, "pit", tmp_path / "pit.db") as pit,
        hall.publishing(book, broker.port, PIT) as floor,
    ):
        await floor.until(lambda: floor.delivered == 100, 60.0)
        pit.signal(signal.SIGSTOP)
        last = await floor.add_cards(3000)
        await floor.until(lambda: floor.cursors["broker"] == last, 90.0)
        assert floor.delivered < 1000
        pit.signal(signal.SIGCONT)
        await floor.until(lambda: floor.delivered == last, 90.0)
        assert pit.sequences() == list(range(1, last + 1))


@pytest.mark.timeout(500)
@pytest.mark.fault("thingsboard/thingsboard-gateway#2124")
async def test_a_backlog_of_ten_thousand_stays_whole_through_ten_starts_with_another_configuration(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    last = book.add_cards(10_000)
    async with hall.listening(any_broker.port, "hub", consumer="pit") as hub:
        for number in range(10):
            consumers = PIT + f"composition = {'true' if number % 2 else 'false'}\n"
            async with hall.publishing(book, any_broker.port, consumers) as floor:
                await floor.until(lambda: floor.broker == [(True, "")])
                before = len(hub.events)
                await hub.until(lambda before=before: len(hub.events) > before or before == last, 60.0)  # type: ignore[misc] # bound at once
                assert floor.process.pid is not None
                os.kill(floor.process.pid, signal.SIGKILL)
        async with hall.publishing(book, any_broker.port, PIT) as floor:
            await floor.until(lambda: floor.delivered == last, 90.0)
        assert hub.sequences == list(range(1, last + 1))
        assert hub.unproved == 0
    assert book.journal.last_seq("asia-1") == last


def settled(book: Book) -> int:
    """The last delivered event, as the disk knows it."""
    with closing(sqlite3.connect(book.path)) as journal:
        found = journal.execute("SELECT seq FROM cursors WHERE name = 'floor'").fetchone()
    return 0 if found is None else int(found[0])


@pytest.mark.fault("influxdata/telegraf#16500")
async def test_a_killed_publisher_sends_nothing_again_that_was_settled_before(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    last, allowed = 0, 0
    async with hall.listening(any_broker.port) as listener:
        for _ in range(5):
            async with hall.publishing(book, any_broker.port) as floor:
                await floor.until(lambda: floor.broker == [(True, "")])
                # How far everybody is waits up to half a second for its commit.
                await until(lambda: settled(book) == book.journal.last_seq("asia-1"))
                before, last = last, await floor.add_cards(60)
                await listener.until(lambda before=before: len(listener.events) >= before + 5, 60.0)  # type: ignore[misc] # bound at once
                assert floor.process.pid is not None
                os.kill(floor.process.pid, signal.SIGKILL)
                # It may be started once more before it is told to stop.
                allowed += 2 * (last - before)
        async with hall.publishing(book, any_broker.port) as floor:
            await floor.until(lambda: floor.delivered == last, 60.0)
        await listener.until(lambda: len(listener.events) == last, 30.0)
        assert listener.sequences == list(range(1, last + 1))
        assert listener.doubles <= allowed == 600


@pytest.mark.fault("Azure/iotedge#392", "Azure/iotedge#706")
async def test_a_start_while_the_broker_is_away_forgets_nothing_of_what_waits(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(any_broker.port, "hub", consumer="pit") as hub:
        async with hall.publishing(book, any_broker.port, PIT) as floor:
            await floor.add_cards(10)
            await floor.until(lambda: floor.delivered == 10)
            await any_broker.kill()
            await floor.add_cards(40)
        for _ in range(2):
            async with hall.publishing(book, any_broker.port, PIT) as floor:
                await floor.until(lambda: len(floor.broker) >= 2)
                last = await floor.add_cards(25)
        async with hall.publishing(book, any_broker.port, PIT) as floor:
            await any_broker.start()
            await floor.until(lambda: floor.delivered == last, 60.0)
        assert hub.sequences == list(range(1, last + 1)) == list(range(1, 101))


async def told_of_the_journal(hub: Listener) -> dict[str, str]:
    """What the table's state says of the journal that cannot be written, once it does."""
    await hub.until(lambda: "journal" in hub.retained.get(STATE, {}), 10.0)
    return JournalPicture.model_validate(hub.retained[STATE]["journal"]).model_dump()


def fill(ballast: Path) -> None:
    """Leave no room on the disk of this file."""
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


@pytest.mark.fault("RockChinQ/free-one-api#22", "yadayada/acd_cli#99")
async def test_while_another_program_locks_the_journal_rows_wait_and_come_in_their_order(
    any_broker: Broker, hall: Hall, new_table: NewTable
) -> None:
    table = new_table(any_broker.port, consumers=PIT)
    table.start()
    async with hall.listening(any_broker.port, "hub", consumer="pit") as hub:
        first = table.happen()
        await hub.until(lambda: first in hub.sequences, 30.0)
        with locked(table.folder / "journal.db"):
            waiting = [asyncio.create_task(asyncio.to_thread(table.happen)) for _ in range(3)]
            await until(lambda: table.health()["rows_waiting"] >= 3)
            assert (await told_of_the_journal(hub))["kind"] == "busy"
            # As long as a backup may take; nothing else suffers meanwhile.
            await asyncio.sleep(5.0)
            assert table.connected
        await hub.until(lambda: "journal" not in hub.retained[STATE], 10.0)
        rows = sorted(await asyncio.gather(*waiting))
        await hub.until(lambda: rows[-1] in hub.sequences, 30.0)
        assert hub.sequences == list(range(1, len(hub.events) + 1))
        assert [one["online"] for one in hub.statuses] == [True]


@pytest.mark.fault("pimutils/khal#364", "thelounge/thelounge#4571")
async def test_a_full_disk_delays_what_the_floor_hears_and_nothing_is_lost(
    any_broker: Broker, hall: Hall, disk: Path, new_table: NewTable
) -> None:
    table = new_table(any_broker.port, consumers=PIT, folder=disk)
    table.start()
    ballast = disk / "ballast"
    async with hall.listening(any_broker.port, "hub", consumer="pit") as hub:
        first = table.happen()
        await hub.until(lambda: first in hub.sequences, 30.0)
        fill(ballast)
        waiting = [asyncio.create_task(asyncio.to_thread(table.try_to_happen)) for _ in range(40)]
        trouble = await told_of_the_journal(hub)
        assert trouble["kind"] == "full"
        assert trouble["text"] == table.health()["journal"]
        assert first < int(hub.retained[STATE]["sequence"]) + 1 < first + 40
        assert table.connected
        heard = len(hub.events)
        ballast.unlink()
        await hub.until(lambda: "journal" not in hub.retained[STATE], 10.0)
        await asyncio.gather(*waiting)
        await until(lambda: table.health()["journal"] == "written")
        last = table.happen()
        assert last > heard
        await hub.until(lambda: last in hub.sequences, 30.0)
        assert hub.sequences == list(range(1, len(hub.events) + 1))
        assert (hub.unproved, [one["online"] for one in hub.statuses]) == (0, [True])


@pytest.mark.fault("jellyfin/jellyfin.org#648", "thelounge/thelounge#4571")
async def test_a_start_on_a_full_disk_is_told_to_the_floor_and_so_is_its_end(
    any_broker: Broker, hall: Hall, disk: Path, new_table: NewTable
) -> None:
    table = new_table(any_broker.port, consumers=PIT)
    # The journal alone: a socket needs room, too.
    directory = f'directory = "{disk}"'
    table.config.write_text(table.text.replace(f'directory = "{table.folder}"', directory), encoding="utf-8")
    table.start()
    ballast = disk / "ballast"
    async with hall.listening(any_broker.port, "hub", consumer="pit") as hub:
        first = table.happen()
        await hub.until(lambda: first in hub.sequences, 30.0)
        table.kill()
        fill(ballast)
        table.start()
        assert (await told_of_the_journal(hub))["kind"] == "full"
        ballast.unlink()
        await hub.until(lambda: "journal" not in hub.retained[STATE], 10.0)
        last = table.happen()
        await hub.until(lambda: last in hub.sequences, 30.0)
        assert hub.sequences == list(range(1, len(hub.events) + 1))
