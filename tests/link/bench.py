"""A device and its host for tests: one of them alone with messages, or both back to back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from cobs import cobs
from fastcrc.crc32 import iscsi

from felt_protocols.link import (
    DeviceItem,
    DeviceSession,
    Done,
    Frame,
    FrameDecoder,
    Garbled,
    Happened,
    Hello,
    HostHello,
    HostSession,
    Item,
    Message,
    NotUnderstood,
    Order,
    Pong,
    Send,
    State,
    Welcome,
    encode,
    parse,
)

ItemT = TypeVar("ItemT")
Line: TypeAlias = Callable[[bytes], Iterable[bytes]]
NEXT_BOOT = 0x99
PERMIT: dict[str, object] = {"cycle": 1, "batch": 1}
N300 = ("e1", 300)
PERMITTED = Order("permit", PERMIT, 7, N300)
INHIBIT = Order("inhibit", {"why": "jam", "when": "now"}, 7)
AFTER_ROUND = Order("inhibit", {"why": "jam", "when": "after-round"}, 7)
SELFTEST = Order("selftest", {}, 7, ("e1", 301))
LOADED: dict[str, object] = {"batch": 1}
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
                self._fly(self.host.acknowledge(item.n, item.boot), to_host=False)
        self._deliver()

    def to_host(self, items: Iterable[DeviceItem]) -> None:
        """Take what the device says: bytes go to the host, the rest to its machine."""
        for item in items:
            if isinstance(item, Send):
                self._fly(item.data, to_host=True)
                continue
            self.seen.append(item)
            number = getattr(item, "number", None)
            if self.carries_out and number is not None:
                self._fly(self.device.done(number), to_host=True)
        self._deliver()

    def _fly(self, data: bytes, *, to_host: bool) -> None:
        """Put bytes on the line; what one side writes at once is there before any answer to it."""
        (self.from_device if to_host else self.from_host).read(data)
        if not self.cut:
            self._flying.extend((to_host, piece) for piece in self.line(data))

    def _deliver(self) -> None:
        """Let everything that is on the line arrive, and what is said to it."""
        if self._delivering:
            return
        self._delivering = True
        while self._flying:
            to_host, piece = self._flying.popleft()
            if not to_host:
                self.to_host(self.device.receive(piece, self.now))
            elif self.host.state is not State.CLOSED:
                self.to_device(self.host.receive(piece, self.now))
        self._delivering = False


def said(*items: Item | DeviceItem) -> list[Message | Garbled]:
    """Read what is sent."""
    data = b"".join(item.data for item in items if isinstance(item, Send))
    return [parse(frame) for frame in FrameDecoder().receive(data) if isinstance(frame, Frame)]


def told(*items: ItemT) -> list[ItemT]:
    """Give what is not sent but told."""
    return [item for item in items if not isinstance(item, Send)]


def pong(n: int = 0, up_ms: int = 0, **shown: object) -> Pong:
    why = shown.get("why", "power-up")
    return Pong(
        "idle",
        inhibited=why is not None,
        why=why,  # type: ignore[arg-type]  # given by name
        permit=shown.get("permit"),  # type: ignore[arg-type]  # given by name
        n=n,
        up_ms=up_ms,
    )


class Host:
    """A host's session with a shuffler, and messages instead of bytes."""

    def __init__(
        self,
        *,
        serial: str | None = None,
        digest: bytes | None = None,
        last: tuple[int, int] | None = None,
        address: int = 0,
        family: str = "shuffler",
    ) -> None:
        self.session = HostSession(7, family, serial, digest, last, 0.0, address)
        self.address = address

    def hears(self, *messages: Message, at: float = 0.0) -> list[Item]:
        """Give the host what a device says."""
        data = b"".join(encode(message, self.address) for message in messages)
        return self.session.receive(data, at)

    def accepted(self, hello: Hello, at: float = 0.0) -> Host:
        """Let the device be accepted, and give the host."""
        if self.session.state is State.CLOSED:
            self.session.opened(at)
        self.hears(hello, at=at)
        assert self.session.state is State.ACCEPTED
        return self


class Device:
    """A device's session, and messages instead of bytes; powered up at 0.0."""

    def __init__(self, *, family: str = "shuffler", address: int = 0, knows_end: bool = True) -> None:
        hello = make_hello(family=family)
        self.session = DeviceSession(hello, 64, 0.0, address, knows_end=knows_end)
        self.address = address

    def hears(self, *messages: Message, at: float = 0.0) -> list[DeviceItem]:
        """Give the device what a host says."""
        data = b"".join(encode(message, self.address) for message in messages)
        return self.session.receive(data, at)

    def welcomed(self) -> Device:
        """Let the device be welcomed to session 7, and give it."""
        self.hears(HostHello(7), Welcome(7))
        return self


def framed(plain: bytes) -> bytes:
    """Frame bytes whose header is not one that we write."""
    coded: bytes = cobs.encode(plain + iscsi(plain).to_bytes(4, "little"))
    return b"\0" + coded + b"\0"


def permitted(device: Device, at: float = 0.0) -> Device:
    """A device that has this permit and said that it is done."""
    device.hears(PERMITTED, at=at)
    assert device.session.done(N300) == encode(Done("permit", N300))
    return device
