"""What the publisher tells of the way to the floor: rows that people read, and cursors for the next start."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from felt_daemon.clock import RealClock
from felt_daemon.journal import Journal, Reader
from felt_daemon.rules import load
from felt_daemon.shell.core import Core
from felt_daemon.shell.delivery import Delivery, Tell
from felt_daemon.shell.rows import rows_after
from felt_daemon.table import Table, blank, set_up
from felt_protocols.events import delivery, person, system
from felt_protocols.events.person import Person

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from felt_protocols.events import Event

TABLE = "t-1"
HUB = Person(role="floor-system", name="hub")

pytestmark = pytest.mark.asyncio


class Shell:
    """The core of a table with one consumer, and what its publisher is told."""

    def __init__(self, path: Path) -> None:
        loop = asyncio.get_running_loop()
        self.told: list[tuple[object, ...]] = []
        self._path = path
        self._settled = asyncio.Event()

        def committed(heads: Any) -> None:  # noqa: ANN401 - seqs by stream
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._committed, heads)

        self.journal = Journal.open(
            path, now=lambda: time.time_ns() // 1000, on_commit=committed, on_trouble=lambda _: None
        )
        pack = load("659a")
        devices = {"shuffler-1": "shuffler", "shoe-1": "shoe", "shaker-1": "shaker"}
        setup = set_up(
            pack,
            table=TABLE,
            devices=devices,
            decks={"red": "red", "blue": "blue"},
            consumers=frozenset({"pit"}),
        )
        self.core = Core(
            table=Table(pack, blank(setup)),
            journal=self.journal,
            clock=RealClock(),
            loop=loop,
            tell=lambda _: None,
            watch=lambda rows: self.delivery.watch(rows),  # noqa: PLW0108 - it is made later
            fail=lambda: None,
        )
        tell = Tell(
            skipped=lambda *told: self.told.append(("skipped", *told)),
            replay=lambda *told: self.told.append(("replay", *told)),
            snapshot=lambda *told: self.told.append(("snapshot", *told)),
        )
        self.delivery = Delivery(self.core, self.journal, tell)

    async def events(self) -> list[Event]:
        """Every row's event, once all are committed."""
        while self.core.waiting:
            self._settled.clear()
            await asyncio.wait_for(self._settled.wait(), 10.0)
        return [row.event for row in rows_after(self.journal, TABLE, 0)]

    def cursors(self) -> dict[str, int]:
        """The journal's cursors as the next start will find them; the run is over."""
        self.journal.close(10.0)
        with Reader(self._path) as reader:
            return reader.cursors(TABLE)

    def _committed(self, heads: Any) -> None:  # noqa: ANN401 - as above
        self.core.committed(heads)
        self._settled.set()


@pytest_asyncio.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Shell]:
    """A table whose publisher has said nothing yet."""
    one = Shell(tmp_path / "journal.db")
    yield one
    one.journal.close(5.0)


async def test_a_hold_is_a_row_once_and_its_end_is_another(shell: Shell) -> None:
    shell.delivery.lane("refused", 7, 0x87)
    shell.delivery.lane("no-subscriber", 7, 0x10)
    shell.delivery.lane(None, 7, 0)
    shell.delivery.lane(None, 7, 0)
    assert await shell.events() == [
        delivery.EventsHeld(sequence=7, why="refused", code=0x87),
        delivery.EventsFreed(sequence=7),
    ]


async def test_a_hold_that_a_new_publisher_knows_nothing_of_ends_when_the_broker_is_past_it(
    shell: Shell,
) -> None:
    shell.delivery.lane("no-subscriber", 7, 0x10)
    shell.delivery.cursors({"broker": 6, "floor": 6})
    assert len(await shell.events()) == 1
    shell.delivery.cursors({"floor": 7})
    assert len(await shell.events()) == 1
    shell.delivery.cursors({"broker": 7})
    assert (await shell.events())[1:] == [delivery.EventsFreed(sequence=7)]


async def test_who_is_suspended_is_so_at_the_next_start(shell: Shell) -> None:
    shell.core.take(system.ClockTrusted())
    shell.delivery.suspended("pit", 3)
    assert (await shell.events())[1:] == [delivery.ConsumerSuspended(consumer="pit", sequence=3)]
    assert shell.cursors() == {"suspended:pit": 2}


async def test_who_has_returned_is_not_suspended_at_the_next_start(shell: Shell) -> None:
    shell.delivery.suspended("pit", 3)
    shell.delivery.returned("pit", 4)
    assert (await shell.events())[1:] == [delivery.ConsumerReturned(consumer="pit", sequence=4)]
    assert shell.cursors() == {"suspended:pit": 0}


async def test_a_refused_acknowledgement_is_a_row(shell: Shell) -> None:
    shell.delivery.ack_refused({"consumer": "bar", "why": "unknown-consumer", "said": "9"})
    assert await shell.events() == [delivery.AckRefused(consumer="bar", why="unknown-consumer", said="9")]


async def test_a_dead_letter_is_a_row_before_the_publisher_goes_on_and_is_known_at_the_next_start(
    shell: Shell,
) -> None:
    shell.delivery.dead_letter(9)
    assert shell.told == []
    assert await shell.events() == [system.DeadLettered(sequence=9)]
    assert shell.told == [("skipped", TABLE, 9)]
    assert shell.cursors() == {"dead:9": 1}


async def test_what_rows_ask_of_the_publisher_is_passed_on_whoever_gave_the_command(shell: Shell) -> None:
    shell.core.take(person.ReplayAsked(by=HUB, consumer="pit", after=41))
    shell.core.take(person.SnapshotAsked(by=HUB, consumer="pit"))
    shell.core.take(system.ClockTrusted())
    assert shell.told == [("replay", TABLE, "pit", 41), ("snapshot", TABLE)]


async def test_health_says_how_far_everybody_is(shell: Shell) -> None:
    for _ in range(5):
        shell.core.take(system.ClockTrusted())
    assert shell.delivery.health() == {
        "head": 5,
        "broker": 0,
        "delivered": 0,
        "held": None,
        "consumers": {"pit": {"position": 0, "lag": 5, "standing": "not known yet"}},
    }
    shell.delivery.cursors({"floor": 3, "broker": 4, "consumer:pit": 3})
    shell.delivery.consumers({"pit": "current"})
    shell.delivery.lane("refused", 5, 0x87)
    assert shell.delivery.health() == {
        "head": 6,
        "broker": 4,
        "delivered": 3,
        "held": {"why": "refused", "sequence": 5},
        "consumers": {"pit": {"position": 3, "lag": 3, "standing": "current"}},
    }
    await shell.events()


async def test_the_next_start_begins_with_what_the_cursors_say(shell: Shell) -> None:
    moved = {"floor": 3, "broker": 4, "consumer:pit": 3}
    shell.delivery.cursors(moved)
    assert shell.cursors() == moved


async def test_a_consumer_that_changes_its_standing_is_logged(
    shell: Shell, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    for standing in ("current", "current", "behind"):
        shell.delivery.consumers({"pit": standing})
    assert [record.getMessage() for record in caplog.records] == ["consumer pit is behind"]
