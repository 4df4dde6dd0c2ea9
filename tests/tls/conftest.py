"""A small site with an authority of its own, brokers that ask for certificates, and a publisher."""

from __future__ import annotations

import asyncio
import datetime as dt
import itertools
import json
import shutil
import ssl
import sys
import threading
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import aiomqtt
import pytest
import pytest_asyncio

from felt_daemon.certificates.authority import BACKDATED, Wish
from felt_daemon.certificates.folder import Folder
from felt_daemon.config import load_all
from felt_daemon.config.model import Tls
from felt_daemon.journal import Journal
from felt_daemon.publisher.broker import EmbeddedBroker, Program, mosquitto
from felt_daemon.setup import pack_text_of
from felt_daemon.shell.rows import entry_of
from felt_protocols.events import Moment, Row, card

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping
    from contextlib import AbstractAsyncContextManager

    from felt_daemon.certificates.authority import Kind
    from felt_daemon.config import Config

DEADLINE_S = 30.0
TABLE = "asia-1"
HOST = "localhost"
DAY = dt.timedelta(days=1)
EXAMPLE = Path(__file__).parents[2] / "examples" / "asia-poker.toml"

_LISTENER = """\
cafile {{authority}}
certfile {{certificate}}
keyfile {{key}}
require_certificate {{asks}}
"""
# A table is whom its certificate names, whatever it says of itself.
_BY_NAME = """\
use_identity_as_username true
use_username_as_clientid true
"""
ACL = """\
pattern write felt/1/%u/#
pattern read felt/1/%u/status
pattern read felt/1/floor/status
user pit
topic read felt/1/#
"""


def now() -> dt.datetime:
    """This moment, to the second, as certificates have it."""
    return dt.datetime.now(dt.UTC).replace(microsecond=0)


class Site:
    """An authority's folder, and everything that it issues, by name."""

    def __init__(self, path: Path, name: str = "Rivers authority") -> None:
        self.folder = Folder(path)
        self.folder.begin(name, 3650, now(), None)
        self._numbers = itertools.count(1)

    @property
    def authority(self) -> Path:
        """The authority's certificate."""
        return self.folder.path / "authority.pem"

    def issue(  # noqa: PLR0913 - what a certificate says of itself, all by keyword
        self,
        kind: Kind,
        name: str,
        *,
        hosts: tuple[str, ...] = (),
        begins: dt.timedelta = -BACKDATED,
        until: dt.timedelta = 300 * DAY,
        into: Path | None = None,
    ) -> Tls:
        """A new pair, valid from and until so long from now, as the files that a configuration names."""
        wish = Wish(kind=kind, name=name, begins=now() + begins, until=now() + until, hosts=hosts)
        made = self.folder.issue(wish, None, renew=True)
        place = into or self.folder.path / f"given-{next(self._numbers)}"
        place.mkdir(exist_ok=True)
        for file in (made.file, made.key):
            # As tools do that renew: the new file takes the old one's place.
            fresh = place / f"new-{file.name}"
            shutil.copyfile(file, fresh)
            fresh.chmod(0o600)
            fresh.replace(place / file.name)
        return Tls(authority=self.authority, certificate=place / made.file.name, key=place / made.key.name)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The house's authority."""
    return Site(tmp_path_factory.mktemp("site") / "ca")


@pytest.fixture(scope="session")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Somebody else's authority."""
    return Site(tmp_path_factory.mktemp("elsewhere") / "ca", "Another authority")


@pytest.fixture(scope="session")
def served(site: Site) -> Tls:
    """The broker's pair."""
    return site.issue("broker", HOST, hosts=(HOST,))


@pytest.fixture
def table(site: Site) -> Tls:
    """The table's pair, in a folder of the test's own."""
    return site.issue("table", TABLE)


class TlsMosquitto(Protocol):
    """Start a mosquitto that speaks TLS with this pair; it runs until the block ends."""

    def __call__(
        self, pair: Tls, *, asks: bool = True, acl: str = ACL, more: str = ""
    ) -> AbstractAsyncContextManager[EmbeddedBroker]:
        """Without `asks` it takes clients without a certificate; `more` are further settings."""
        ...


@pytest.fixture
def tls_mosquitto(tmp_path: Path) -> TlsMosquitto:
    """A mosquitto with a certificate, which asks clients for theirs and takes each for whom it names."""
    plain = mosquitto()
    if plain is None:
        pytest.skip("mosquitto is not installed")
    numbers = itertools.count(1)

    @asynccontextmanager
    async def running(
        pair: Tls, *, asks: bool = True, acl: str = ACL, more: str = ""
    ) -> AsyncIterator[EmbeddedBroker]:
        rules = tmp_path / f"acl-{next(numbers)}"
        rules.write_text(acl, encoding="utf-8")
        listener = _LISTENER.replace("{{authority}}", str(pair.authority))
        listener = listener.replace("{{certificate}}", str(pair.certificate))
        listener = listener.replace("{{key}}", str(pair.key)).replace("{{asks}}", str(asks).lower())
        settings = plain.settings + listener + (_BY_NAME if asks else "") + f"acl_file {rules}\n{more}"
        broker = EmbeddedBroker(Program(plain.name, plain.file, settings, plain.command))
        await broker.start()
        try:
            yield broker
        finally:
            await broker.stop()

    return running


@pytest_asyncio.fixture
async def broker(tls_mosquitto: TlsMosquitto, served: Tls) -> AsyncIterator[EmbeddedBroker]:
    """The site's broker."""
    async with tls_mosquitto(served) as one:
        yield one


class Book:
    """A journal with rows of the table."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._committed = threading.Condition()
        self._seq = 0
        self.journal = Journal.open(
            path, now=lambda: 1_796_066_405_000_000, on_commit=self._on_commit, on_trouble=lambda _: None
        )

    def _on_commit(self, heads: Mapping[str, int]) -> None:
        with self._committed:
            self._seq = heads.get(TABLE, self._seq)
            self._committed.notify_all()

    def add_cards(self, count: int) -> int:
        """Commit so many cards and return the last seq."""
        last = self.journal.last_seq(TABLE)
        moment = Moment(
            "1d2e3f40-0000-4000-8000-000000000001", "run-1", 1, 1_796_066_405_000_000, trusted=True
        )
        rows = [
            Row(TABLE, last + n, card.CardDrawn(device="shoe-1", face_up=False), moment, simulated=True)
            for n in range(1, count + 1)
        ]
        self.journal.append([entry_of(row) for row in rows])
        with self._committed:
            assert self._committed.wait_for(lambda: self._seq == last + count, DEADLINE_S)
        return last + count


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    """A journal in use."""
    one = Book(tmp_path / "journal.db")
    yield one
    one.journal.close(5.0)


@dataclass
class Publisher:
    """The publisher's process: what is told to it, and every line that it said."""

    process: asyncio.subprocess.Process
    said: list[dict[str, Any]]
    changed: asyncio.Event

    def tell(self, line: Mapping[str, Any]) -> None:
        """Send a line as the device process does."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(line).encode() + b"\n")

    def all(self, name: str) -> list[Any]:
        """Every value that was told under a name."""
        return [line[name] for line in self.said if name in line]

    def certificates(self, what: str) -> list[dict[str, str]]:
        """Everything of one kind that was told of certificates."""
        return [said for said in self.all("certificate") if what in said]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something that it says."""
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                self.changed.clear()
                await self.changed.wait()

    async def hear(self) -> None:
        """Hear every line until it ends."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            said = json.loads(line)
            self.said.append(said)
            if "retained" in said:
                self.tell({"noted": said["retained"]})
            self.changed.set()


def configured(folder: Path, port: int, files: Tls, consumers: str = "") -> Config:
    """The example's configuration with this way to the broker; what the files hold is not looked at."""
    text = EXAMPLE.read_text(encoding="utf-8")
    head, _, rest = text.partition("[broker]")
    _, bracket, control = rest.partition("[control]")
    paths = "".join(f'{name} = "{path}"\n' for name, path in files.model_dump().items())
    broker = f'[broker]\nmode = "external"\nhost = "{HOST}"\nport = {port}\nkeepalive_s = 5\n'
    path = folder / "table.toml"
    path.write_text(f"{head}{broker}[broker.tls]\n{paths}\n{consumers}{bracket}{control}", encoding="utf-8")
    (config,) = load_all((path,), named_files=False)
    return config


class Publishing:
    """Runs publishers of one journal, each until its block ends."""

    def __init__(self, book: Book, folder: Path) -> None:
        self.book = book
        self._folder = folder

    @asynccontextmanager
    async def __call__(
        self,
        port: int,
        files: Tls,
        *,
        clock_set: bool = True,
        look_every_s: float = 0.1,
        consumers: str = "",
    ) -> AsyncIterator[Publisher]:
        """A publisher with this way to the broker and these sections of consumers.

        It looks at its files every `look_every_s`.
        """
        config = configured(self._folder, port, files, consumers)
        options = ("--journal", str(self.book.path), "--start", "run-1", "--release", "0.1.0", "--simulated")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "felt_daemon.publisher", TABLE, *options),
            *("--look-every", str(look_every_s)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        publisher = Publisher(process, [], asyncio.Event())
        publisher.tell({"table": {"config": config.text, "pack": pack_text_of(config)}})
        publisher.tell({"clock": int(now().timestamp() * 1e6) if clock_set else None})
        hearing = asyncio.create_task(publisher.hear())
        try:
            yield publisher
        finally:
            publisher.tell({"stop": "stopped"})
            async with asyncio.timeout(DEADLINE_S):
                await asyncio.wait((hearing,))
                await process.wait()
            hearing.result()


@pytest.fixture
def publishing(book: Book, tmp_path: Path) -> Publishing:
    """The publisher as the process that it is."""
    return Publishing(book, tmp_path)


def trusting(files: Tls) -> ssl.SSLContext:
    """A client's context for these files, made by hand."""
    context = ssl.create_default_context(cafile=files.authority)
    context.load_cert_chain(files.certificate, files.key)
    return context


class Pit:
    """A consumer with a certificate: the statuses and the sequences that it got, in order."""

    def __init__(self) -> None:
        self.statuses: list[dict[str, Any]] = []
        self.sequences: list[int] = []
        self.changed = asyncio.Event()
        self.ready = asyncio.Event()

    async def run(self, port: int, files: Tls) -> None:
        """Listen until cancelled."""
        async with aiomqtt.Client(
            HOST, port, tls_context=trusting(files), protocol=aiomqtt.ProtocolVersion.V5
        ) as client:
            await client.subscribe(f"felt/1/{TABLE}/#", qos=1)
            self.ready.set()
            async for message in client.messages:
                payload = json.loads(bytes(message.payload)) if message.payload else {}
                if message.topic.matches(f"felt/1/{TABLE}/status"):
                    self.statuses.append(payload)
                if message.topic.matches(f"felt/1/{TABLE}/event/+"):
                    self.sequences.append(int(payload["sequence"]))
                self.changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something that arrives."""
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                self.changed.clear()
                await self.changed.wait()


@pytest.fixture
def listening(site: Site) -> Callable[[int], AbstractAsyncContextManager[Pit]]:
    """A consumer at a broker, until the block ends."""
    files = site.issue("consumer", "pit")

    @asynccontextmanager
    async def running(port: int) -> AsyncIterator[Pit]:
        pit = Pit()
        task = asyncio.create_task(pit.run(port, files))
        try:
            async with asyncio.timeout(DEADLINE_S):
                await pit.ready.wait()
            yield pit
        finally:
            task.cancel()
            await asyncio.wait((task,))

    return running
