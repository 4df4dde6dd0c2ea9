"""A host and a device back to back: every flow, over whole, cut and lossy lines, without a clock."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

import pytest

from felt_protocols.link import (
    Connected,
    DeviceSession,
    Frame,
    FrameDecoder,
    Garbled,
    Happened,
    Hello,
    HostSession,
    Message,
    NotUnderstood,
    Send,
    State,
    Welcomed,
    parse,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from felt_protocols.link import DeviceItem, Item

    Line: TypeAlias = Callable[[bytes], Iterable[bytes]]


BOOT = 0x1122334455667788


def make_hello(**changed: object) -> Hello:
    """Give the HELLO of a device; fields by name."""
    fields = {
        "family": "shuffler",
        "model": "M1",
        "serial": "S-7",
        "firmware": "2.0",
        "digest": bytes(range(32)),
        "boot": BOOT,
        **changed,
    }
    return Hello(**fields)  # type: ignore[arg-type]  # fields are given by name


def whole(data: bytes) -> list[bytes]:
    """Carry the bytes as they were written."""
    return [data]


def bytewise(data: bytes) -> list[bytes]:
    """Carry every byte alone."""
    return [data[i : i + 1] for i in range(len(data))]


class Spy:
    """Reads along with a line."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._decoder = FrameDecoder()

    def read(self, data: bytes) -> None:
        """Read what one side wrote, which must be frames."""
        for found in self._decoder.receive(data):
            assert isinstance(found, Frame)
            message = parse(found)
            assert not isinstance(message, Garbled)
            self.messages.append(message)


class Pair:
    """A HostSession and a DeviceSession on one line, and all that they tell."""

    def __init__(  # noqa: PLR0913  # the ways in which pairs differ, by name
        self,
        hello: Hello | None = None,
        *,
        last: tuple[int, int] | None = None,
        serial: str | None = None,
        digest: bytes | None = None,
        session: int = 7,
        line: Line = whole,
        commits: bool = True,
        carries_out: bool = True,
        knows_end: bool = True,
    ) -> None:
        self.now = 100.0
        self.line = line
        self.commits = commits
        self.carries_out = carries_out
        hello = hello or make_hello()
        self.device = DeviceSession(hello, 64, self.now, knows_end=knows_end)
        self.host = HostSession(session, hello.family, serial, digest, last, self.now)
        self.told: list[Item] = []
        self.seen: list[DeviceItem] = []
        self.from_host, self.from_device = Spy(), Spy()
        self.cut = False
        self._flying: deque[tuple[bool, bytes]] = deque()
        self._delivering = False

    @property
    def happened(self) -> list[Happened]:
        """The events that the host's owner was told."""
        return [item for item in self.told if isinstance(item, Happened)]

    def open(self) -> Pair:
        """Open the host's port."""
        self.to_device(self.host.opened(self.now))
        return self

    def close(self) -> None:
        """Close the host's port."""
        self.to_device(self.host.closed(self.now))

    def happen(self, name: str, fields: dict[str, object] | None = None, **how: bool) -> None:
        """Let something happen in the device."""
        self.to_host(self.device.happen(name, fields or {}, self.now, **how))

    def order(self, name: str, fields: dict[str, object], row: int | None) -> None:
        """Let the host's owner order something."""
        number = None if row is None else ("e1", row)
        self.write(self.host.order(name, fields, number, self.now))

    def inhibit(self, why: str, when: str = "now") -> None:
        """Let the host's owner wish an inhibit."""
        self.write(self.host.inhibit(why, when, self.now))

    def acknowledge(self, n: int, boot: int = BOOT) -> None:
        """Let the host's owner say that an event is committed."""
        self.write(self.host.acknowledge(n, boot))

    def write(self, data: bytes) -> None:
        """Write bytes of the host."""
        if data:
            self.to_device([Send(data)])

    def replace_device(self, hello: Hello) -> None:
        """Put another device, or another boot of this one, at the other end of the line."""
        self.device = DeviceSession(hello, 64, self.now)
        self.from_device = Spy()

    def run(self, for_s: float) -> None:
        """Let time pass, each side doing what it has to when it is due."""
        end = self.now + for_s
        while (due := min(self.host.due(), self.device.due())) <= end:
            self.now = max(self.now, due)
            self.to_device(self.host.elapsed(self.now))
            self.to_host(self.device.elapsed(self.now))
        self.now = end

    def to_device(self, items: Iterable[Item]) -> None:
        """Take what the host says: bytes go to the device, the rest is told to its owner."""
        for item in items:
            if isinstance(item, Send):
                self._fly(item.data, to_host=False)
            else:
                self.told.append(item)
            if self.commits and isinstance(item, Happened | NotUnderstood):
                self.acknowledge(item.n, item.boot)

    def to_host(self, items: Iterable[DeviceItem]) -> None:
        """Take what the device says: bytes go to the host, the rest to its machine."""
        for item in items:
            if isinstance(item, Send):
                self._fly(item.data, to_host=True)
                continue
            self.seen.append(item)
            number = getattr(item, "number", None)
            if self.carries_out and number is not None:
                self.to_host([Send(self.device.done(number))])

    def _fly(self, data: bytes, *, to_host: bool) -> None:
        (self.from_device if to_host else self.from_host).read(data)
        if self.cut:
            return
        self._flying.extend((to_host, piece) for piece in self.line(data))
        if self._delivering:
            return
        self._delivering = True
        while self._flying:
            towards_host, piece = self._flying.popleft()
            if towards_host and self.host.state is not State.CLOSED:
                self.to_device(self.host.receive(piece, self.now))
            elif not towards_host:
                self.to_host(self.device.receive(piece, self.now))
        self._delivering = False


@pytest.fixture(params=[whole, bytewise])
def pair(request: pytest.FixtureRequest) -> Pair:
    """Give a shuffler and its host, not yet open, over a line that cuts nothing or everything."""
    return Pair(line=request.param)


@pytest.fixture
def connected(pair: Pair) -> Pair:
    """Give a shuffler and its host that has accepted it."""
    pair.open()
    assert any(isinstance(item, Connected) for item in pair.told)
    assert pair.seen == [Welcomed(7)]
    return pair


@pytest.fixture
def make_pair() -> type[Pair]:
    """Give what makes a pair."""
    return Pair


@pytest.fixture
def hello_of() -> Callable[..., Hello]:
    """Give what makes a HELLO."""
    return make_hello
