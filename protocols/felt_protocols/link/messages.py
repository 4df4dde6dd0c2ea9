"""The messages of Felt Link: what each kind of frame says, and how its body is written.

`parse` takes a frame and never raises; `encode` takes a message and gives the bytes of its frame.
Each message keeps its kind, its shape on the wire, and its two directions together: `body` writes
what `read` reads. Counts of events start at 1 and times are milliseconds since the device's boot;
neither ever wraps.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, Self, TypeAlias, cast

from felt_protocols.link.cbor import Body, BodyError, decode_map, encode_map
from felt_protocols.link.frame import RAW_KEPT, VERSION, Frame, Garbled, encode_frame
from felt_protocols.link.shapes import (
    DIGEST,
    FLAG,
    NUMBER,
    TOKEN,
    U63,
    U63_MAX,
    U64,
    WORD,
    Shape,
    list_of,
    map_of,
    text,
    whole,
)

Number: TypeAlias = tuple[str, int]
"""What numbers an order: the journal's epoch, and the row that ordered it."""

CHALLENGE: Final = 0x04
PROOF: Final = 0x05
"""Both reserved for a later version of this link."""

_N: Final = whole(1, U63_MAX)
_PERMIT: Final = map_of(WORD, U63)


@dataclass(frozen=True, slots=True)
class Hello:
    """A device says who it is; `first` is the oldest event that it keeps, or the next to come."""

    KIND: ClassVar = 0x01
    SHAPE: ClassVar = Shape(
        {
            "family": WORD,
            "model": text(64),
            "serial": TOKEN,
            "firmware": text(64),
            "digest": DIGEST,
            "boot": U64,
            "capabilities": list_of(WORD, 0, 16),
            "first": _N,
            "up": U63,
        }
    )

    family: str
    model: str
    serial: str
    firmware: str
    digest: bytes
    boot: int
    capabilities: tuple[str, ...] = ()
    first: int = 1
    up_ms: int = 0

    def body(self) -> dict[str, object]:
        """Give the keys and values of the body."""
        return {
            "family": self.family,
            "model": self.model,
            "serial": self.serial,
            "firmware": self.firmware,
            "digest": self.digest,
            "boot": self.boot,
            "capabilities": list(self.capabilities),
            "first": self.first,
            "up": self.up_ms,
        }

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read a body; BodyError when it is not of the shape."""
        _hold(cls.SHAPE, "hello", body)
        return cls(
            family=cast("str", body["family"]),
            model=cast("str", body["model"]),
            serial=cast("str", body["serial"]),
            firmware=cast("str", body["firmware"]),
            digest=cast("bytes", body["digest"]),
            boot=cast("int", body["boot"]),
            capabilities=tuple(cast("list[str]", body["capabilities"])),
            first=cast("int", body["first"]),
            up_ms=cast("int", body["up"]),
        )


@dataclass(frozen=True, slots=True)
class HostHello:
    """A host says that a session begins, and asks for the device's HELLO."""

    KIND: ClassVar = 0x01
    SHAPE: ClassVar = Shape({"session": U64})

    session: int

    def body(self) -> dict[str, object]:
        """Give the keys and values of the body."""
        return {"session": self.session}

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read a body; BodyError when it is not of the shape."""
        _hold(cls.SHAPE, "host hello", body)
        return cls(cast("int", body["session"]))


@dataclass(frozen=True, slots=True)
class Welcome:
    """The device is accepted, for this session."""

    KIND: ClassVar = 0x02
    SHAPE: ClassVar = Shape({"session": U64})

    session: int

    def body(self) -> dict[str, object]:
        """Give the keys and values of the body."""
        return {"session": self.session}

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read a body; BodyError when it is not of the shape."""
        _hold(cls.SHAPE, "welcome", body)
        return cls(cast("int", body["session"]))


@dataclass(frozen=True, slots=True)
class Refused:
    """The device is not accepted."""

    KIND: ClassVar = 0x03
    SHAPE: ClassVar = Shape({"why": WORD})

    why: str

    def body(self) -> dict[str, object]:
        """Give the keys and values of the body."""
        return {"why": self.why}

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read a body; BodyError when it is not of the shape."""
        _hold(cls.SHAPE, "refused", body)
        return cls(cast("str", body["why"]))


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened at `t` ms after boot; `n` counts events since boot."""

    KIND: ClassVar = 0x10
    SHAPE: ClassVar = Shape({"n": _N, "t": U63, "e": WORD})

    n: int
    t: int
    name: str
    fields: Mapping[str, object] = field(default_factory=dict[str, object])

    def body(self) -> dict[str, object]:
        """Give the keys and values of the body."""
        return {**self.fields, "n": self.n, "t": self.t, "e": self.name}

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read a body; the keys that are not an event's own are the fields, not judged here."""
        own, fields = _split(cls.SHAPE, "event", body)
        return cls(cast("int", own["n"]), cast("int", own["t"]), cast("str", own["e"]), fields)


@dataclass(frozen=True, slots=True)
class Ack:
    """Every event up to `n` is safe with the host."""

    KIND: ClassVar = 0x11
    SHAPE: ClassVar = Shape({"n": U63})

    n: int

    def body(self) -> dict[str, object]:
        """Give the keys and values of the body."""
        return {"n": self.n}

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read a body; BodyError when it is not of the shape."""
        _hold(cls.SHAPE, "ack", body)
        return cls(cast("int", body["n"]))


@dataclass(frozen=True, slots=True)
class Order:
    """The host asks; with a number it is carried out once, without one as often as it comes."""

    KIND: ClassVar = 0x20
    SHAPE: ClassVar = Shape({"o": WORD, "session": U64}, {"number": NUMBER})

    name: str
    fields: Mapping[str, object]
    session: int
    number: Number | None = None

    def body(self) -> dict[str, object]:
        """Give the keys and values of the body."""
        own: dict[str, object] = {"o": self.name, "session": self.session}
        return {**self.fields, **own, **_numbered(self.number)}

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read a body; the keys that are not an order's own are the fields, not judged here."""
        own, fields = _split(cls.SHAPE, "order", body)
        name, session = cast("str", own["o"]), cast("int", own["session"])
        return cls(name, fields, session, _number(own))


@dataclass(frozen=True, slots=True)
class Done:
    """An order is carried out."""

    KIND: ClassVar = 0x21
    SHAPE: ClassVar = Shape({"o": WORD}, {"number": NUMBER})

    name: str
    number: Number | None = None

    def body(self) -> dict[str, object]:
        """Give the keys and values of the body."""
        return {"o": self.name, **_numbered(self.number)}

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read a body; BodyError when it is not of the shape."""
        _hold(cls.SHAPE, "done", body)
        return cls(cast("str", body["o"]), _number(body))


@dataclass(frozen=True, slots=True)
class Failed:
    """An order is not carried out, and will not be."""

    KIND: ClassVar = 0x22
    SHAPE: ClassVar = Shape({"o": WORD, "why": WORD}, {"number": NUMBER})

    name: str
    number: Number | None
    why: str

    def body(self) -> dict[str, object]:
        """Give the keys and values of the body."""
        return {"o": self.name, "why": self.why, **_numbered(self.number)}

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read a body; BodyError when it is not of the shape."""
        _hold(cls.SHAPE, "failed", body)
        return cls(cast("str", body["o"]), _number(body), cast("str", body["why"]))


@dataclass(frozen=True, slots=True)
class Ping:
    """The host is there; `renew` renews the lease of the permit."""

    KIND: ClassVar = 0x30
    SHAPE: ClassVar = Shape({"session": U64, "renew": FLAG})

    session: int
    renew: bool

    def body(self) -> dict[str, object]:
        """Give the keys and values of the body."""
        return {"session": self.session, "renew": self.renew}

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read a body; BodyError when it is not of the shape."""
        _hold(cls.SHAPE, "ping", body)
        return cls(cast("int", body["session"]), cast("bool", body["renew"]))


@dataclass(frozen=True, slots=True)
class Pong:
    """How the device is; `n` is the last event that happened, `why` is there when inhibited."""

    KIND: ClassVar = 0x31
    SHAPE: ClassVar = Shape(
        {"state": WORD, "inhibited": FLAG, "n": U63, "up": U63}, {"why": WORD, "permit": _PERMIT}
    )

    state: str
    inhibited: bool
    why: str | None
    permit: Mapping[str, int] | None
    n: int
    up_ms: int

    def body(self) -> dict[str, object]:
        """Give the keys and values of the body."""
        body: dict[str, object] = {"state": self.state, "inhibited": self.inhibited}
        if self.why is not None:
            body["why"] = self.why
        if self.permit is not None:
            body["permit"] = dict(self.permit)
        return {**body, "n": self.n, "up": self.up_ms}

    @classmethod
    def read(cls, body: Body) -> Self:
        """Read a body; BodyError when it is not of the shape, or `why` and `inhibited` differ."""
        _hold(cls.SHAPE, "pong", body)
        if body["inhibited"] != ("why" in body):
            raise BodyError("why of pong is there exactly when it is inhibited")
        return cls(
            state=cast("str", body["state"]),
            inhibited=cast("bool", body["inhibited"]),
            why=cast("str | None", body.get("why")),
            permit=cast("dict[str, int] | None", body.get("permit")),
            n=cast("int", body["n"]),
            up_ms=cast("int", body["up"]),
        )


Message: TypeAlias = Hello | HostHello | Welcome | Refused | Event | Ack | Order | Done | Failed | Ping | Pong


def _read_hello(body: Body) -> Hello | HostHello:
    """Tell the two sides' HELLO apart: only the host's has a session."""
    return HostHello.read(body) if "session" in body else Hello.read(body)


_READERS: Final[Mapping[int, Callable[[Body], Message]]] = {
    Hello.KIND: _read_hello,
    **{
        message.KIND: message.read
        for message in (Welcome, Refused, Event, Ack, Order, Done, Failed, Ping, Pong)
    },
}


def parse(frame: Frame) -> Message | Garbled:
    """Read what a frame says; a version, kind or body that is none of ours is `Garbled`."""
    if frame.version != VERSION:
        return _garbled(frame, "version")
    reader = _READERS.get(frame.kind)
    if reader is None:
        return _garbled(frame, "kind")
    try:
        return reader(decode_map(frame.body))
    except BodyError as refused:
        return _garbled(frame, str(refused))


def encode(message: Message, address: int = 0) -> bytes:
    """Write a message as one frame; ValueError when its body is longer than a frame takes."""
    return encode_frame(message.KIND, address, encode_map(message.body()))


def _garbled(frame: Frame, why: str) -> Garbled:
    header = bytes((frame.version, frame.kind, frame.address))
    return Garbled(why, (header + frame.body)[:RAW_KEPT])


def _hold(shape: Shape, name: str, body: Body) -> None:
    why = shape.why_not(name, body)
    if why is not None:
        raise BodyError(why)


def _split(shape: Shape, name: str, body: Body) -> tuple[Body, Body]:
    """Part a message's own keys from its fields."""
    own: Body = {key: body.pop(key) for key in shape.fields if key in body}
    _hold(shape, name, own)
    return own, body


def _numbered(number: Number | None) -> dict[str, object]:
    return {} if number is None else {"number": list(number)}


def _number(body: Body) -> Number | None:
    number = cast("list[object] | None", body.get("number"))
    return None if number is None else (cast("str", number[0]), cast("int", number[1]))
