"""Real brokers, real journals, and the publisher as the process that it is."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import threading
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiomqtt
import pytest
import pytest_asyncio

from felt_daemon.config import load
from felt_daemon.journal import Journal, Reader
from felt_daemon.publisher import broker as brokers
from felt_daemon.publisher.__main__ import delivery_of
from felt_daemon.publisher.adapter import Access
from felt_daemon.publisher.broker import EmbeddedBroker, Program
from felt_daemon.publisher.consumers import TERMS
from felt_daemon.publisher.desk import Desk, World
from felt_daemon.publisher.fold import Fold
from felt_daemon.publisher.picture import Picture
from felt_daemon.publisher.process import Callbacks, Identity, PublisherProcess
from felt_daemon.publisher.publication import Publication, Run
from felt_daemon.publisher.source import Source
from felt_daemon.publisher.tables import begun_and_picture
from felt_daemon.setup import pack_text_of
from felt_daemon.shell.rows import entry_of
from felt_daemon.table import evolve
from felt_protocols.events import Moment, Row, card
from felt_simulators.listener import Ledger, Listener
from felt_simulators.scripted_broker import ScriptedBroker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence

    from felt_daemon.config import Config
    from felt_daemon.publisher.consumers import Terms
    from felt_protocols.events import Event

DEADLINE_S = 15.0
TABLE = "asia-1"
EXAMPLE = Path(__file__).parents[2] / "examples" / "asia-poker.toml"
PROGRAMS = [program for program in (brokers.iotcore(), brokers.mosquitto()) if program is not None]


class Broker(EmbeddedBroker):
    """A broker that can be killed, frozen and started again with nothing left."""

    def signal(self, number: int) -> None:
        """Send the process a signal."""
        assert self.pid is not None
        os.kill(self.pid, number)

    async def kill(self) -> None:
        """End the process as a power cut would."""
        self.signal(signal.SIGKILL)
        await self.ended()


# Mosquitto starts in a moment; the broker of the wheel takes longer and is tried where there is time.
_SECOND_LATER = [
    pytest.param(one, id=one.name, marks=pytest.mark.long if number else ())
    for number, one in enumerate(reversed(PROGRAMS))
]


@pytest.fixture(params=_SECOND_LATER)
def program(request: pytest.FixtureRequest) -> Program:
    """Every broker that this machine has."""
    chosen: Program = request.param
    return chosen


@pytest_asyncio.fixture
async def broker(program: Program) -> AsyncIterator[Broker]:
    """A running broker of every kind."""
    async with running(program) as one:
        yield one


@pytest_asyncio.fixture
async def any_broker() -> AsyncIterator[Broker]:
    """A running broker, for what does not depend on which."""
    async with running(PROGRAMS[0]) as one:
        yield one


@pytest.fixture
def only_mosquitto() -> Program:
    """Mosquitto, for what iotcore cannot do."""
    program = brokers.mosquitto()
    if program is None:
        pytest.skip("mosquitto is not installed")
    return program


@asynccontextmanager
async def running(program: Program) -> AsyncIterator[Broker]:
    """A broker that runs until the block ends."""
    one = Broker(program)
    await one.start()
    try:
        yield one
    finally:
        if one.pid is not None:
            with suppress(ProcessLookupError):
                one.signal(signal.SIGCONT)
        await one.stop()


class Book:
    """A journal with real rows; what happens one millisecond after the other is its time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ticks = itertools.count(1_796_066_405_000_000, 1000)
        self._committed = threading.Condition()
        self._heads: dict[str, int] = {}
        self.journal = Journal.open(
            path, now=lambda: next(self._ticks), on_commit=self._on_commit, on_trouble=lambda _: None
        )

    def _on_commit(self, heads: Mapping[str, int]) -> None:
        with self._committed:
            self._heads.update(heads)
            self._committed.notify_all()

    def add(self, *events: Event, context: Mapping[str, int | str] | None = None) -> int:
        """Commit events as rows of the table and return the last seq."""
        seq = self.journal.last_seq(TABLE)
        rows = [
            Row(TABLE, seq + n, event, self._moment(), simulated=True, context=context or {})
            for n, event in enumerate(events, 1)
        ]
        self.journal.append([entry_of(row) for row in rows])
        with self._committed:
            assert self._committed.wait_for(lambda: self._heads.get(TABLE, 0) >= seq + len(rows), DEADLINE_S)
        return seq + len(rows)

    def add_cards(self, count: int) -> int:
        """Commit so many cards drawn face down."""
        return self.add(*(card.CardDrawn(device="shoe-1", face_up=False) for _ in range(count)))

    def _moment(self) -> Moment:
        tick = next(self._ticks)
        return Moment("1d2e3f40-0000-4000-8000-000000000001", "run-1", tick * 1000, tick, trusted=True)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    """A journal in use."""
    one = Book(tmp_path / "journal.db")
    yield one
    one.journal.close(5.0)


def config_file(folder: Path, broker_section: str, consumers: str = "") -> Path:
    """The example configuration with another broker, and with these sections of consumers."""
    text = EXAMPLE.read_text(encoding="utf-8")
    head, _, rest = text.partition("[broker]")
    _, bracket, control = rest.partition("[control]")
    path = folder / "felt.toml"
    path.write_text(f"{head}[broker]\n{broker_section}\n{consumers}{bracket}{control}", encoding="utf-8")
    return path


class Floor:
    """The publisher of one journal and what it says to its device process."""

    def __init__(
        self, book: Book, port: int, folder: Path, consumers: str = "", broker_more: str = ""
    ) -> None:
        self.book = book
        self.cursors = {"floor": 0, "broker": 0}
        self.standings: dict[str, str] = {}
        self.refused: list[dict[str, str]] = []
        self.broker: list[tuple[bool, str]] = []
        self.lane: list[tuple[str | None, int, int]] = []
        self.dead_letters: list[int] = []
        self.troubles: list[str] = []
        self.retained: list[str] = []
        self._changed = asyncio.Event()
        broker = f'mode = "external"\nhost = "127.0.0.1"\nport = {port}\nkeepalive_s = 5'
        path = config_file(folder, f"{broker}\n{broker_more}", consumers)
        config = load(path)
        self.process = PublisherProcess(
            config,
            Identity(
                pack=pack_text_of(config), journal=book.path, start="run-1", version="0.1.0", simulated=True
            ),
            Callbacks(
                cursors=self._moved,
                consumers=lambda _, standings: self._note_standings(standings),
                ack_refused=lambda _, refused: self._note(self.refused, dict(refused)),
                retained=self._retained,
                broker=lambda up, why: self._note(self.broker, (up, why)),
                lane=lambda why, _stream, seq, code: self._note(self.lane, (why, seq, code)),
                dead_letter=lambda _stream, seq: self._note(self.dead_letters, seq),
                trouble=lambda text: self._note(self.troubles, text),
            ),
        )

    @property
    def delivered(self) -> int:
        """The last event that counts as delivered."""
        return self.cursors["floor"]

    async def add(self, *events: Event) -> int:
        """Commit events and tell the publisher."""
        seq = self.book.add(*events)
        self.process.tell_committed({TABLE: seq})
        return seq

    async def add_cards(self, count: int) -> int:
        """Commit cards and tell the publisher."""
        seq = self.book.add_cards(count)
        self.process.tell_committed({TABLE: seq})
        return seq

    async def until(self, condition: Callable[[], bool], limit_s: float = DEADLINE_S) -> None:
        """Wait for something that the publisher says."""
        async with asyncio.timeout(limit_s):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    def _moved(self, stream: str, moved: Mapping[str, int]) -> None:
        assert stream == TABLE
        for name, seq in moved.items():
            self.book.journal.set_cursor(name, stream, seq)
        self.cursors.update(moved)
        self._changed.set()

    def _note_standings(self, standings: Mapping[str, str]) -> None:
        self.standings = dict(standings)
        self._changed.set()

    def _retained(self, topics: Sequence[str]) -> None:
        for topic in topics:
            self.book.journal.retained_add(topic)
        self.retained.extend(topics)
        self.process.tell_noted(topics)
        self._changed.set()

    def _note(self, where: list[Any], what: object) -> None:
        where.append(what)
        self._changed.set()


@pytest_asyncio.fixture
async def scripted() -> AsyncIterator[ScriptedBroker]:
    """A broker that does what the test says."""
    one = ScriptedBroker()
    await one.start()
    yield one
    await one.stop()


class Inside:
    """One table's desk in this process, and what it reports; every retained topic is noted at once."""

    def __init__(self, config: Config, source: Source, terms: Terms) -> None:
        self.reports: list[dict[str, Any]] = []
        self._changed = asyncio.Event()
        # Its clock is so many seconds ahead of what it was made with.
        self._ahead_s = 0.0
        begun, after, picture = begun_and_picture(config, pack_text_of(config), source)
        self.desk = Desk(
            source,
            Fold(source, begun, evolve, picture, after),
            delivery_of(config, source, self._now(), terms),
            Picture(source.stream, source.epoch, source.retained()),
            World(now=self._now, dice=lambda low, _: low, report=self._report),
            composition=[name for name, consumer in config.consumers.items() if consumer.composition],
        )

    def wait(self, seconds: float) -> None:
        """Let so much time go by at once."""
        self._ahead_s += seconds
        self.desk.wake.set()

    def committed(self, seq: int) -> None:
        """Tell the desk that the journal has the rows up to `seq`."""
        self.desk.committed(seq)

    async def until(self, condition: Callable[[], bool], limit_s: float = DEADLINE_S) -> None:
        """Wait until something holds that comes with a report."""
        async with asyncio.timeout(limit_s):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    @property
    def delivered(self) -> int:
        """The last event that counts as delivered."""
        moved = [line[TABLE]["floor"] for line in self.said("cursors") if "floor" in line[TABLE]]
        return moved[-1] if moved else 0

    def said(self, name: str) -> list[Any]:
        """Every value that was reported under this name."""
        return [line[name] for line in self.reports if name in line]

    @property
    def standings(self) -> dict[str, str]:
        """How each consumer stood when that was told last."""
        told = self.said("consumers")
        return dict(told[-1][TABLE]) if told else {}

    def _now(self) -> float:
        return time.monotonic() + self._ahead_s

    def _report(self, line: dict[str, Any]) -> None:
        self.reports.append(line)
        self._changed.set()
        if "retained" in line:
            asyncio.get_running_loop().call_soon(self.desk.noted, line["retained"])


class Hall:
    """Opens and closes what a test needs: brokers, publishers, consumers."""

    Book = Book
    running = staticmethod(running)
    config_file = staticmethod(config_file)

    def with_settings(self, program: Program, more: str) -> Program:
        """The same broker with more settings."""
        return replace(program, settings=program.settings + more)

    @asynccontextmanager
    async def publishing(
        self, book: Book, port: int, consumers: str = "", broker_more: str = ""
    ) -> AsyncIterator[Floor]:
        """A publisher that runs until the block ends; `broker_more` is more of its configuration."""
        floor = Floor(book, port, book.path.parent, consumers, broker_more)
        await floor.process.start()
        try:
            yield floor
        finally:
            await floor.process.stop()

    @asynccontextmanager
    async def publishing_inside(  # noqa: PLR0913 - what a run is made of, the last two by keyword
        self,
        book: Book,
        port: int,
        consumers: str = "",
        terms: Terms = TERMS,
        *,
        start: str = "run-1",
        utc_us: Callable[[], int] | None = None,
    ) -> AsyncIterator[Inside]:
        """The publisher's own code in this process, with dice that always show the least.

        Its wall clock shows 1970 at its first connection, and a second more at each of the next.
        """
        clock = utc_us or itertools.count(0, 1_000_000).__next__
        broker = f'mode = "external"\nhost = "127.0.0.1"\nport = {port}'
        config = load(config_file(book.path.parent, broker, consumers))
        with Reader(book.path) as reader:
            inside = Inside(config, Source(reader, TABLE), terms)
            access = Access(host="127.0.0.1", port=port, client_id=TABLE)
            running = Run(start=start, version="0.1.0", simulated=True, utc_us=clock)
            task = asyncio.create_task(Publication(inside.desk, access, running).run())
            try:
                yield inside
            finally:
                inside.desk.leave("stopped", 2.0)
                await task

    async def retain(self, port: int, topic: str, payload: bytes) -> None:
        """Leave a retained message at the broker."""
        async with aiomqtt.Client(
            "127.0.0.1", port, identifier="retainer", protocol=aiomqtt.ProtocolVersion.V5
        ) as client:
            await client.publish(topic, payload, qos=1, retain=True)

    @asynccontextmanager
    async def listening(
        self,
        port: int,
        client_id: str = "listener",
        consumer: str | None = None,
        had: Mapping[tuple[str, str], Ledger] | None = None,
    ) -> AsyncIterator[Listener]:
        """Somebody who has subscribed; a consumer says what it has stored, and may have some from before."""
        listener = Listener("127.0.0.1", port, client_id=client_id, consumer=consumer)
        listener.ledgers.update(had or {})
        running = asyncio.create_task(listener.run())
        try:
            await listener.until(lambda: listener.connected, DEADLINE_S)
            yield listener
        finally:
            running.cancel()
            await asyncio.wait((running,))


@pytest.fixture
def hall() -> Hall:
    """The place where it happens."""
    return Hall()
