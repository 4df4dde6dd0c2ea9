"""A table that takes signed commands, the people who may give them, and a client that sends them."""

from __future__ import annotations

import asyncio
import json
import uuid
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from felt_daemon.control import call
from felt_daemon.journal import Reader
from felt_daemon.people import Entry, Key, Register
from felt_daemon.people.store import text_of
from felt_daemon.publisher import broker as brokers
from felt_daemon.shell.rows import row_of
from felt_protocols import topics
from felt_protocols.events.person import CommandRejected
from felt_protocols.signed.claims import Wish
from felt_protocols.signed.making import countersign, new_key, public_of, sign
from felt_protocols.signed.public import kid_of, public_text

from ...shell.felt_run import answering, table_text  # noqa: TID252 - tests are no package that could be named

if TYPE_CHECKING:
    import subprocess
    from collections.abc import AsyncIterator, Iterator, Mapping
    from pathlib import Path

    from felt_protocols.events import Row

TABLE = "t-1"
DEADLINE_S = 20.0
SINCE = datetime(2026, 1, 1, tzinfo=UTC)
ROLES: Mapping[str, tuple[Any, ...]] = {
    "hall": ("floor-system", "floor"),
    "ann": ("floor",),
    "ben": ("floor",),
    "dan": ("dealer",),
    "old": ("floor",),
}

CONFIG = """\
[journal]
directory = "{folder}"
[people]
register = "{folder}/people.json"
[broker]
{broker}
keepalive_s = 5
commands = true
"""


class People:
    """The register's file, and the private keys that belong to it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "people.json"
        self.keys = {name: new_key() for name in ROLES}
        self._register = Register(
            version=1,
            entries=tuple(
                Entry(id=name, name=name.title(), kind="person", roles=roles, keys=(self._public(name),))
                for name, roles in ROLES.items()
            ),
        )
        self._write()

    def kid(self, name: str) -> str:
        """The name of somebody's key."""
        return kid_of(public_of(self.keys[name]))

    def _public(self, name: str) -> Key:
        public = public_of(self.keys[name])
        return Key(kid=kid_of(public), public=public_text(public), since=SINCE)

    def revoke(self, name: str) -> None:
        """From now on nobody's command counts that is signed with this key."""
        entries = tuple(
            entry.model_copy(
                update={"keys": tuple(key.model_copy(update={"revoked": SINCE}) for key in entry.keys)}
            )
            if entry.id == name
            else entry
            for entry in self._register.entries
        )
        self._register = Register(version=1, entries=entries)
        self._write()

    def _write(self) -> None:
        fresh = self.file.with_suffix(".new")
        fresh.write_text(text_of(self._register), encoding="utf-8")
        fresh.replace(self.file)


class Daemon:
    """`felt run` as a program, without devices, on a broker of its own or on another."""

    def __init__(self, folder: Path, broker: str = 'mode = "embedded"') -> None:
        self.folder = folder
        self.people = People(folder)
        self.config = folder / "table.toml"
        text = table_text(folder, TABLE) + CONFIG.format(folder=folder, broker=broker)
        self.config.write_text(text, encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Run it, and wait until it can be asked."""
        self._process = answering(self.folder, self.config)

    def log(self) -> str:
        """What it said."""
        return (self.folder / "log").read_text(encoding="utf-8")

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End it in an orderly way."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            assert self._process.wait(30) == 0

    @property
    def children(self) -> list[int]:
        """The process ids of its children, publisher and broker."""
        assert self._process is not None
        pid = self._process.pid
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as listed:  # noqa: PTH123 - no file
            return [int(one) for one in listed.read().split()]

    @property
    def port(self) -> int:
        """Its broker's port."""
        return int(self.health()["broker"]["address"].rpartition(":")[2])

    def health(self) -> Any:  # noqa: ANN401 - tests look at some of its parts
        """What it says of itself."""
        return call(self.folder / "control", "health").data

    def rows(self) -> list[Row]:
        """Every committed row."""
        with Reader(self.folder / "journal.db") as reader:
            return [row_of(stored) for stored in reader.read(TABLE, 0, 100_000)]

    def facts(self, name: str) -> list[Row]:
        """Every committed row of this name."""
        return [row for row in self.rows() if row.event.what() == name]

    def refusals(self, request: str) -> list[CommandRejected]:
        """What was refused under this id."""
        found = [row.event for row in self.facts("command-rejected")]
        return [one for one in found if isinstance(one, CommandRejected) and one.request == request]


def said(token: str | bytes) -> bytes:
    """A payload."""
    return token if isinstance(token, bytes) else token.encode()


@dataclass
class Client:
    """A floor system's session: it signs, sends, and keeps every answer."""

    mqtt: aiomqtt.Client
    people: People
    start: str = ""
    answers: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    # Whatever else arrived, and whether an answer was marked as retained.
    stray: list[str] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def wish(self, command: str, args: Mapping[str, Any] | None = None, **more: str) -> Wish:
        """A command to this table in this run, under an id of its own."""
        given = {"jti": uuid.uuid4().hex, "table": TABLE, "start": self.start} | more
        return Wish(command=command, args=args or {}, **given)

    def signed(self, who: str, wish: Wish, second: str = "", **more: Any) -> str:  # noqa: ANN401 - as `sign` has it
        """The token of a wish."""
        keys = self.people.keys
        other = countersign(keys[second], wish, first=self.people.kid(who)) if second else None
        return sign(keys[who], wish, second=other, **more)

    async def send(self, command: str, token: str | bytes, **more: Any) -> None:  # noqa: ANN401 - as aiomqtt has it
        """Publish it on the topic of this command."""
        await self.mqtt.publish(topics.command(TABLE, command), said(token), qos=1, **more)

    async def ask(self, who: str, wish: Wish, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as `sign` has it
        """Sign, send, and wait for the answer."""
        token = self.signed(who, wish, **more)
        await self.send(wish.command, token)
        return (await self.answered(wish.jti))[0]

    async def ask_until_answered(self, wish: Wish, token: str, answers: int = 1) -> list[dict[str, Any]]:
        """Send the same again and again, as a floor system does that hears nothing."""
        async with asyncio.timeout(DEADLINE_S):
            while True:
                await self.send(wish.command, token)
                try:
                    async with asyncio.timeout(0.2):
                        return await self.answered(wish.jti, answers)
                except TimeoutError:
                    continue

    async def answered(self, jti: str, count: int = 1) -> list[dict[str, Any]]:
        """The answers to this id, once there are so many."""
        async with asyncio.timeout(DEADLINE_S):
            while len(found := [one for _, one in self.answers if one["id"] == jti]) < count:
                self.changed.clear()
                await self.changed.wait()
        return found

    async def listen(self) -> None:
        """Take what comes until cancelled."""
        async for message in self.mqtt.messages:
            topic = str(message.topic)
            place = topics.parse(topic)
            payload = json.loads(bytes(message.payload))
            if place is not None and place.what == "reply" and not message.retain and message.qos == 1:
                self.answers.append((place.item, payload))
            elif topic == topics.status(TABLE):
                self.start = payload["start"] if payload["online"] else ""
            else:
                self.stray.append(topic)
            self.changed.set()


def response_topic(topic: str) -> Properties:
    """The properties of a request that asks for its answer elsewhere."""
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call] # paho's constructor has no annotations
    properties.ResponseTopic = topic
    return properties


@asynccontextmanager
async def client(people: People, port: int, more: str = "", user: str | None = None) -> AsyncIterator[Client]:
    """A session that knows the table's run, and may listen to one topic more."""
    async with aiomqtt.Client(
        "127.0.0.1",
        port,
        identifier=f"hall-{uuid.uuid4().hex[:8]}",
        username=user,
        protocol=aiomqtt.ProtocolVersion.V5,
    ) as mqtt:
        one = Client(mqtt, people)
        for topic in (topics.reply(TABLE, "hall").replace("hall", "+"), topics.status(TABLE), more):
            if topic:
                await mqtt.subscribe(topic, qos=1)
        listening = asyncio.create_task(one.listen())
        try:
            async with asyncio.timeout(DEADLINE_S):
                while not one.start:
                    one.changed.clear()
                    await one.changed.wait()
            yield one
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


@pytest.fixture(scope="session", autouse=True)
def _needs_mosquitto() -> None:
    if brokers.mosquitto() is None:
        pytest.skip("mosquitto is not installed")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A table that several tests ask."""
    daemon = Daemon(tmp_path_factory.mktemp("table"))
    daemon.start()
    yield daemon
    daemon.stop()


class Kit:
    """What a test makes for itself."""

    Daemon = Daemon
    client = staticmethod(client)
    response_topic = staticmethod(response_topic)


@pytest.fixture
def kit() -> Kit:
    """Daemons, clients."""
    return Kit()
