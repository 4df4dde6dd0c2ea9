"""Journals with real hashes, tables that send them as the contract says, and brokers in between."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiomqtt
import pytest
import pytest_asyncio

from felt_daemon.journal import chain
from felt_daemon.publisher import broker as brokers
from felt_daemon.publisher.broker import EmbeddedBroker
from felt_protocols.cloudevents import Committed, instant, structured

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

DEADLINE_S = 20.0
EPOCH = "271807caf0e4ea9b"
EXAMPLES = Path(__file__).parents[2] / "examples" / "floor"
AHEAD = 500
_UTC_US = 1_796_066_405_000_000
_NS = 93_784_214_001_250


@dataclass
class Journal:
    """A table's journal: every event as the table sends it, each bound to the one before it."""

    table: str = "asia-1"
    epoch: str = EPOCH
    payloads: list[bytes] = field(default_factory=list[bytes])
    _last: bytes = chain.FIRST_PREVIOUS

    def add(self, name: str = "card-drawn", **data: object) -> dict[str, Any]:
        """Commit one event and return its envelope."""
        seq = len(self.payloads) + 1
        body = data or {"device": "shoe-1", "face_up": False}
        public = chain.canonical({"context": {"round": 18}, **body})
        columns: dict[str, str | int | None] = {
            "stream": self.table,
            "seq": seq,
            "type": name,
            "v": 1,
            "boot": "6b1d7c1e-52a9-4a0e-9d0b-6f4f0a3c2e77",
            "start": "0f3a9c52",
            "mono_ns": _NS + seq,
            "utc": instant(_UTC_US + seq),
            "clock": "trusted",
            "recorded_utc": instant(_UTC_US + seq + 1000),
            "late": 0,
            "simulated": 1,
            "cause": None,
        }
        private = hashlib.sha256(b"sixteen bytes...{}").digest()
        around = chain.envelope(self.epoch, [columns[one] for one in chain.ENVELOPE])
        digest = chain.link(self._last, around, chain.public_digest(public), private)
        row = Committed(
            stream=self.table,
            seq=seq,
            name=name,
            v=1,
            boot=str(columns["boot"]),
            start=str(columns["start"]),
            mono_ns=_NS + seq,
            utc_us=_UTC_US + seq,
            recorded_us=_UTC_US + seq + 1000,
            trusted=True,
            late=False,
            simulated=True,
            cause=None,
            public=public,
            hash=digest,
            previous=self._last,
            privatehash=private,
        )
        self._last = digest
        self.payloads.append(structured(row, self.epoch))
        return self.envelope(seq)

    def add_cards(self, count: int) -> None:
        """Commit so many cards, each like the other."""
        for _ in range(count):
            self.add()

    def envelope(self, seq: int) -> dict[str, Any]:
        """The event of this sequence."""
        envelope: dict[str, Any] = json.loads(self.payloads[seq - 1])
        return envelope


@pytest.fixture
def journal() -> Journal:
    """A journal with nothing in it."""
    return Journal()


@pytest.fixture(scope="session")
def twelve() -> list[bytes]:
    """Twelve events of one table, as it sends them."""
    journal = Journal()
    journal.add_cards(12)
    return journal.payloads


class StandIn:
    """A table at the level of MQTT: sends its journal in order, and again what a consumer says it lacks.

    `lose`: these sequences are not sent the first time, as if a broker had dropped them.
    """

    def __init__(self, port: int, journal: Journal, consumer: str = "pit", lose: Sequence[int] = ()) -> None:
        self._port = port
        self._journal = journal
        self._consumer = consumer
        self._lose = set(lose)
        self._changed = asyncio.Condition()
        self.acked = 0
        self.acks: list[int] = []
        self.sent = 0
        self.replayed: list[int] = []
        self._again: int | None = None

    async def run(self) -> None:
        """Be there until cancelled, also through the death of the broker."""
        while True:
            with suppress(aiomqtt.MqttError):
                await self._connected()
            await asyncio.sleep(0.05)

    async def add_cards(self, count: int) -> None:
        """Let something happen at the table."""
        async with self._changed:
            self._journal.add_cards(count)
            self._changed.notify_all()

    async def until(self, condition: Callable[[], bool], limit_s: float = DEADLINE_S) -> None:
        """Wait for something that comes with an acknowledgement."""
        async with asyncio.timeout(limit_s), self._changed:
            await self._changed.wait_for(condition)

    async def until_acked(self, sequence: int, limit_s: float = DEADLINE_S) -> None:
        """Wait until the consumer has acknowledged so much."""
        await self.until(lambda: self.acked >= sequence, limit_s)

    @property
    def head(self) -> int:
        """The last sequence of the journal."""
        return len(self._journal.payloads)

    async def _connected(self) -> None:
        table = self._journal.table
        async with aiomqtt.Client(
            "127.0.0.1",
            self._port,
            identifier=table,
            protocol=aiomqtt.ProtocolVersion.V5,
            max_inflight_messages=0,
        ) as client:
            client.pending_calls_threshold = 1000
            self.sent = self.acked
            await client.subscribe(f"felt/1/{table}/ack/+", qos=1)
            status = {"online": True, "start": "0f3a9c52", "epoch": self._journal.epoch}
            await client.publish(f"felt/1/{table}/status", json.dumps(status), qos=1, retain=True)
            hearing = asyncio.create_task(self._hear(client))
            sending = asyncio.create_task(self._send(client))
            try:
                await asyncio.wait((hearing, sending), return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (hearing, sending):
                    task.cancel()
                await asyncio.wait((hearing, sending))
            for task in (hearing, sending):
                if not task.cancelled():
                    task.result()

    async def _hear(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            assert isinstance(message.payload, bytes)
            if not message.payload:
                continue
            told = json.loads(message.payload)
            async with self._changed:
                if told["epoch"] == self._journal.epoch:
                    at = int(told["sequence"])
                    self.acks.append(at)
                    if at <= self.acked and at < self.sent:
                        self._again = at
                    self.acked = max(self.acked, at)
                    self.sent = max(self.sent, at)
                self._changed.notify_all()

    async def _send(self, client: aiomqtt.Client) -> None:
        prefix = f"felt/1/{self._journal.table}"
        while True:
            async with self._changed:
                await self._changed.wait_for(
                    lambda: self._again is not None or self.sent < min(self.head, self.acked + AHEAD)
                )
                again, self._again = self._again, None
                sent, upto = self.sent, min(self.head, self.acked + AHEAD, self.sent + 20)
            if again is not None:
                self.replayed.extend(range(again + 1, sent + 1))
                await self._publish(client, f"{prefix}/replay/{self._consumer}", range(again + 1, sent + 1))
                continue
            lost = self._lose & set(range(sent + 1, upto + 1))
            self._lose -= lost
            await self._publish(
                client, f"{prefix}/event/card", [n for n in range(sent + 1, upto + 1) if n not in lost]
            )
            async with self._changed:
                self.sent = max(self.sent, upto)

    async def _publish(self, client: aiomqtt.Client, topic: str, sequences: Sequence[int]) -> None:
        await asyncio.gather(
            *(client.publish(topic, self._journal.payloads[n - 1], qos=1) for n in sequences)
        )


class Program:
    """A floor system as a process of its own."""

    def __init__(self, *arguments: str | Path) -> None:
        self._arguments = arguments
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, *self._arguments, stdout=asyncio.subprocess.PIPE
        )

    async def kill(self) -> None:
        """End it as a power cut would; it must not have ended by itself."""
        assert self._process is not None
        assert self._process.returncode is None
        self._process.kill()
        await self._process.communicate()

    async def end(self) -> None:
        """Leave nothing of it running."""
        if self._process is not None and self._process.returncode is None:
            await self.kill()

    async def line(self) -> str:
        """The next line that it prints."""
        assert self._process is not None
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode().rstrip("\n")


class Hall:
    """Opens and closes what a test needs."""

    Journal = Journal
    Program = Program
    examples = EXAMPLES

    @asynccontextmanager
    async def broker(self) -> AsyncIterator[EmbeddedBroker]:
        """A broker that runs until the block ends."""
        one = EmbeddedBroker(brokers.chosen())
        await one.start()
        try:
            yield one
        finally:
            await one.stop()

    @asynccontextmanager
    async def table(self, port: int, journal: Journal, lose: Sequence[int] = ()) -> AsyncIterator[StandIn]:
        """A table that is there until the block ends."""
        table = StandIn(port, journal, lose=lose)
        running = asyncio.create_task(table.run())
        try:
            yield table
        finally:
            running.cancel()
            await asyncio.wait((running,))
            if not running.cancelled():
                running.result()

    @asynccontextmanager
    async def tables(self, port: int, journals: Sequence[Journal]) -> AsyncIterator[list[StandIn]]:
        """Tables that are there until the block ends."""
        async with AsyncExitStack() as stack:
            yield [await stack.enter_async_context(self.table(port, one)) for one in journals]

    @asynccontextmanager
    async def program(self, *arguments: str | Path) -> AsyncIterator[Program]:
        """A program that runs until the block ends."""
        one = Program(*arguments)
        await one.start()
        try:
            yield one
        finally:
            await one.end()

    async def retain(self, port: int, messages: Mapping[str, bytes]) -> None:
        """Leave retained messages at the broker."""
        async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as client:
            for topic, payload in messages.items():
                await client.publish(topic, payload, qos=1, retain=True)


@pytest.fixture
def hall() -> Hall:
    """The place where it happens."""
    return Hall()


@pytest_asyncio.fixture
async def broker(hall: Hall) -> AsyncIterator[EmbeddedBroker]:
    """A broker that is running."""
    async with hall.broker() as one:
        yield one
