"""The packets of MQTT 5 that a table sends and hears. Bytes only: no socket, no clock.

Source: MQTT Version 5.0, OASIS Standard, chapters 2 and 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SUCCESS: Final = 0x00
NOBODY_SUBSCRIBED: Final = 0x10
# From here on a reason code says no. Source: 2.4.
FIRST_FAILURE: Final = 0x80

_VERSION: Final = 5
_CLEAN_START: Final = 0x02
_WILL_RETAINED_AT_QOS_1: Final = 0x2C
_QOS_1: Final = 0x02
_RETAIN: Final = 0x01
# Properties: a payload in UTF-8 of this media type; how long a session outlives its connection; how many
# messages may wait for their PUBACK, and how large one may be. Source: 2.2.2.2.
_CONTENT_TYPE: Final = 0x03
_RECEIVE_MAXIMUM: Final = 0x21
_MOST_WITHOUT_THAT: Final = 65_535
# How long the values of the properties are that a CONNACK may have, where that is fixed. Source: 3.2.2.3.
_FIXED: Final = {0x11: 4, 0x13: 2, 0x21: 2, 0x22: 2, 0x24: 1, 0x25: 1, 0x27: 4, 0x28: 1, 0x29: 1, 0x2A: 1}
_PAIR: Final = 0x26
_MORE: Final = 0x80
_LONGEST_LENGTH: Final = 4


class Kind(IntEnum):
    """The type of a packet. Source: 2.1.2."""

    CONNECT = 1
    CONNACK = 2
    PUBLISH = 3
    PUBACK = 4
    SUBSCRIBE = 8
    SUBACK = 9
    PINGREQ = 12
    PINGRESP = 13
    DISCONNECT = 14


class BadPacket(ValueError):  # noqa: N818 - the name says what is bad
    """What came is no packet of MQTT 5 that a broker sends to a table."""


@dataclass(frozen=True, slots=True)
class Connack:
    """The broker takes the connection, or says by its code why not."""

    code: int
    receive_maximum: int


@dataclass(frozen=True, slots=True)
class Published:
    """A message of a subscription. `number` is None at QoS 0."""

    topic: str
    payload: bytes
    number: int | None
    retained: bool


@dataclass(frozen=True, slots=True)
class Puback:
    """The broker has taken the message of this number, or says by its code why not."""

    number: int
    code: int


@dataclass(frozen=True, slots=True)
class Suback:
    """The broker's answer to each filter of the SUBSCRIBE of this number."""

    number: int
    codes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Disconnect:
    """The broker ends the connection, and says why."""

    code: int


@dataclass(frozen=True, slots=True)
class Pong:
    """The broker is there."""


Packet = Connack | Published | Puback | Suback | Disconnect | Pong


# What a table sends.


def connect(client: str, keepalive_s: int, will_topic: str, will: bytes) -> bytes:
    """A clean start whose session ends with its connection, and a retained will at QoS 1."""
    head = _text("MQTT") + bytes([_VERSION, _CLEAN_START | _WILL_RETAINED_AT_QOS_1])
    # No properties: a session expiry interval that is absent is 0. Source: 3.1.2.11.2.
    body = head + keepalive_s.to_bytes(2, "big") + b"\0"
    return _packet(Kind.CONNECT, 0, body + _text(client) + b"\0" + _text(will_topic) + _binary(will))


def publish(topic: str, payload: bytes, number: int, *, retain: bool = False, content: str = "") -> bytes:
    """A message at QoS 1 under this number, of a media type if one is given."""
    properties = bytes([_CONTENT_TYPE]) + _text(content) if content else b""
    body = _text(topic) + number.to_bytes(2, "big") + _length(len(properties)) + properties + payload
    return _packet(Kind.PUBLISH, _QOS_1 | (_RETAIN if retain else 0), body)


def puback(number: int) -> bytes:
    """The message of this number has come."""
    return _packet(Kind.PUBACK, 0, number.to_bytes(2, "big"))


def subscribe(filters: Sequence[str], number: int) -> bytes:
    """Everything that fits these filters, at QoS 1, with what is retained."""
    wanted = b"".join(_text(each) + b"\x01" for each in filters)
    return _packet(Kind.SUBSCRIBE, 0x02, number.to_bytes(2, "big") + b"\0" + wanted)


def ping() -> bytes:
    """A question whether the broker is there."""
    return _packet(Kind.PINGREQ, 0, b"")


def disconnect() -> bytes:
    """An orderly good-bye: the will is not published."""
    return _packet(Kind.DISCONNECT, 0, b"")


# What a table hears.


class Receiver:
    """Takes bytes as they come and gives the packets in them."""

    def __init__(self) -> None:
        self._held = bytearray()

    def take(self, data: bytes) -> Iterator[Packet]:
        """The packets that are complete with these bytes. Raises BadPacket."""
        self._held += data
        while (found := _measured(self._held)) is not None:
            begin, end = found
            first, body = self._held[0], bytes(self._held[begin:end])
            del self._held[:end]
            try:
                yield _parsed(first, body)
            except (IndexError, UnicodeDecodeError) as error:
                raise BadPacket(f"a packet of type {first >> 4} is broken: {error}") from None


def _measured(data: bytes | bytearray) -> tuple[int, int] | None:
    """Where the body of the first packet begins and ends; None while it is not all there."""
    length = 0
    for place, byte in enumerate(data[1 : 1 + _LONGEST_LENGTH]):
        length |= (byte & ~_MORE) << (7 * place)
        if not byte & _MORE:
            begin = 2 + place
            return (begin, begin + length) if len(data) >= begin + length else None
    if len(data) > _LONGEST_LENGTH:
        raise BadPacket("the length of a packet has no end")
    return None


def _parsed(first: int, body: bytes) -> Packet:
    match first >> 4:
        case Kind.PUBACK:
            # Without a code it is success. Source: 3.4.2.1.
            return Puback(_number(body, 0), body[2] if len(body) > 2 else SUCCESS)  # noqa: PLR2004 - as the line above
        case Kind.PUBLISH:
            return _published(first, body)
        case Kind.CONNACK:
            return Connack(body[1], _receive_maximum(body[2:]))
        case Kind.SUBACK:
            length, begin = _variable(body, 2)
            return Suback(_number(body, 0), tuple(body[begin + length :]))
        case Kind.PINGRESP:
            return Pong()
        case Kind.DISCONNECT:
            return Disconnect(body[0] if body else SUCCESS)
        case other:
            raise BadPacket(f"no broker sends a packet of type {other} to a table")


def _published(first: int, body: bytes) -> Published:
    end = 2 + _number(body, 0)
    topic = body[2:end].decode()
    number = None
    if first >> 1 & 3:
        number = _number(body, end)
        end += 2
    length, begin = _variable(body, end)
    return Published(topic, body[begin + length :], number, bool(first & _RETAIN))


def _receive_maximum(data: bytes) -> int:
    """The Receive Maximum among the properties of a CONNACK."""
    length, place = _variable(data, 0)
    end = place + length
    while place < end:
        key = data[place]
        if key == _RECEIVE_MAXIMUM:
            return _number(data, place + 1)
        place += 1
        if key in _FIXED:
            place += _FIXED[key]
        else:
            for _ in range(2 if key == _PAIR else 1):
                place += 2 + _number(data, place)
    return _MOST_WITHOUT_THAT


def _number(data: bytes, place: int) -> int:
    return data[place] << 8 | data[place + 1]


def _variable(data: bytes, place: int) -> tuple[int, int]:
    """A variable byte integer, and where what follows it begins. Source: 1.5.5."""
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & ~_MORE) << shift
        shift += 7
        if not byte & _MORE:
            return value, place


def _length(value: int) -> bytes:
    out = bytearray()
    while True:
        value, low = divmod(value, _MORE)
        out.append(low | (_MORE if value else 0))
        if not value:
            return bytes(out)


def _binary(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


def _text(text: str) -> bytes:
    return _binary(text.encode())


def _packet(kind: Kind, flags: int, body: bytes) -> bytes:
    return bytes([kind << 4 | flags]) + _length(len(body)) + body
