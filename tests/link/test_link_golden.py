"""Golden frames of Felt Link, typed in by hand: every kind, read and written.

Computed once and checked with a CRC and a COBS of other hands; docs/felt-link.md explains each byte.
"""

from __future__ import annotations

import re

import pytest

from felt_protocols.link import (
    Ack,
    Done,
    Event,
    Failed,
    Frame,
    FrameDecoder,
    Garbled,
    Hello,
    HostHello,
    Message,
    Order,
    Ping,
    Pong,
    Refused,
    Welcome,
    encode,
    encode_frame,
    parse,
)
from felt_protocols.link.cbor import encode_map
from felt_protocols.link.messages import CHALLENGE, PROOF

HELLO = Hello(
    family="shuffler",
    model="M1",
    serial="S-7",
    firmware="2.0",
    digest=bytes.fromhex("000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F"),
    boot=0x1122334455667788,
    capabilities=("count",),
    first=1,
    up_ms=1500,
)

GOLDEN: list[tuple[Message, str]] = [
    (
        HELLO,
        """
        00 03 01 01 2F A9 62 75 70 19 05 DC 64 62 6F 6F 74 1B 11 22 33 44 55 66 77 88 65 66 69 72
        73 74 01 65 6D 6F 64 65 6C 62 4D 31 66 64 69 67 65 73 74 58 20 60 01 02 03 04 05 06 07 08
        09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F 66 66 61 6D 69 6C 79
        68 73 68 75 66 66 6C 65 72 66 73 65 72 69 61 6C 63 53 2D 37 68 66 69 72 6D 77 61 72 65 63
        32 2E 30 6C 63 61 70 61 62 69 6C 69 74 69 65 73 81 65 63 6F 75 6E 74 9C 65 0A 16 00
        """,
    ),
    (
        HostHello(session=0x0102030405060708),
        "00 03 01 01 17 A1 67 73 65 73 73 69 6F 6E 1B 01 02 03 04 05 06 07 08 82 4A E2 27 00",
    ),
    (Welcome(session=7), "00 03 01 02 0F A1 67 73 65 73 73 69 6F 6E 07 40 AA 0B 76 00"),
    (
        Refused(why="unknown-serial"),
        """
        00 03 01 03 19 A1 63 77 68 79 6E 75 6E 6B 6E 6F 77 6E 2D 73 65 72 69 61 6C 78 7A 29 9C 00
        """,
    ),
    (
        Event(3, 61000, "interrupted", {"batch": 12, "why": "jam", "where": "output"}),
        """
        00 03 01 10 38 A6 61 65 6B 69 6E 74 65 72 72 75 70 74 65 64 61 6E 03 61 74 19 EE 48 63 77
        68 79 63 6A 61 6D 65 62 61 74 63 68 0C 65 77 68 65 72 65 66 6F 75 74 70 75 74 1B 51 56 E2
        00
        """,
    ),
    (Ack(3), "00 03 01 11 09 A1 61 6E 03 45 C7 B6 40 00"),
    (
        Order("inhibit", {"why": "jam", "when": "now"}, session=7),
        """
        00 03 01 20 2A A4 61 6F 67 69 6E 68 69 62 69 74 63 77 68 79 63 6A 61 6D 64 77 68 65 6E 63
        6E 6F 77 67 73 65 73 73 69 6F 6E 07 7F D1 33 BF 00
        """,
    ),
    (
        Order("permit", {"cycle": 5, "batch": 12}, session=7, number=("e1", 300)),
        """
        00 03 01 20 34 A5 61 6F 66 70 65 72 6D 69 74 65 62 61 74 63 68 0C 65 63 79 63 6C 65 05 66
        6E 75 6D 62 65 72 82 62 65 31 19 01 2C 67 73 65 73 73 69 6F 6E 07 87 C7 97 AC 00
        """,
    ),
    (Done("inhibit"), "00 03 01 21 10 A1 61 6F 67 69 6E 68 69 62 69 74 D2 23 EB 12 00"),
    (
        Done("permit", ("e1", 300)),
        """
        00 03 01 21 1D A2 61 6F 66 70 65 72 6D 69 74 66 6E 75 6D 62 65 72 82 62 65 31 19 01 2C 53
        B3 35 EC 00
        """,
    ),
    (
        Failed("permit", ("e1", 300), "busy"),
        """
        00 03 01 22 26 A3 61 6F 66 70 65 72 6D 69 74 63 77 68 79 64 62 75 73 79 66 6E 75 6D 62 65
        72 82 62 65 31 19 01 2C 37 F5 EC 82 00
        """,
    ),
    (
        Ping(session=7, renew=True),
        "00 03 01 30 16 A2 65 72 65 6E 65 77 F5 67 73 65 73 73 69 6F 6E 07 B6 3C 71 E2 00",
    ),
    (
        Pong("idle", inhibited=True, why="jam", permit=None, n=3, up_ms=62000),
        """
        00 03 01 31 2D A5 61 6E 03 62 75 70 19 F2 30 63 77 68 79 63 6A 61 6D 65 73 74 61 74 65 64
        69 64 6C 65 69 69 6E 68 69 62 69 74 65 64 F5 87 1A 3C 9C 00
        """,
    ),
    (
        Pong(
            "shuffling",
            inhibited=False,
            why=None,
            permit={"cycle": 5, "batch": 12},
            n=4,
            up_ms=70000,
        ),
        """
        00 03 01 31 09 A5 61 6E 04 62 75 70 1A 39 01 11 70 65 73 74 61 74 65 69 73 68 75 66 66 6C
        69 6E 67 66 70 65 72 6D 69 74 A2 65 62 61 74 63 68 0C 65 63 79 63 6C 65 05 69 69 6E 68 69
        62 69 74 65 64 F4 CE 28 0C 8C 00
        """,
    ),
]
NAMES = [f"{type(message).__name__}-{at}" for at, (message, _) in enumerate(GOLDEN)]


@pytest.mark.parametrize(("message", "frame"), GOLDEN, ids=NAMES)
def test_a_golden_frame_is_written_byte_for_byte(message: Message, frame: str) -> None:
    assert encode(message) == bytes.fromhex(frame)


@pytest.mark.parametrize(("message", "frame"), GOLDEN, ids=NAMES)
def test_a_golden_frame_is_read(message: Message, frame: str) -> None:
    (read,) = FrameDecoder().receive(bytes.fromhex(frame))
    assert isinstance(read, Frame)
    assert parse(read) == message


def test_a_message_goes_to_an_address() -> None:
    (frame,) = FrameDecoder().receive(encode(Ack(3), address=31))
    assert frame == Frame(0x11, 31, bytes.fromhex("A1 61 6E 03"))


def parsed(kind: int, body: dict[str, object]) -> object:
    return parse(Frame(kind, 0, encode_map(body)))


def test_challenge_and_proof_are_reserved() -> None:
    assert (CHALLENGE, PROOF) == (0x04, 0x05)
    for kind in (CHALLENGE, PROOF):
        assert parse(Frame(kind, 0, b"\xa0")) == Garbled("kind", bytes((1, kind, 0, 0xA0)))


def test_no_kind_but_the_listed_ones_is_read() -> None:
    listed = {0x01, 0x02, 0x03, 0x10, 0x11, 0x20, 0x21, 0x22, 0x30, 0x31}
    for kind in range(256):
        found = parse(Frame(kind, 0, b"\xa0"))
        assert isinstance(found, Garbled)
        assert (found.why == "kind") is (kind not in listed)


def test_another_version_is_garbled() -> None:
    assert parse(Frame(0x11, 0, bytes.fromhex("A1 61 6E 03"), version=2)) == Garbled(
        "version", bytes.fromhex("02 11 00 A1 61 6E 03")
    )


def test_a_message_without_a_body_is_garbled() -> None:
    assert parse(Frame(0x11, 0, b"")) == Garbled("cbor", bytes.fromhex("01 11 00"))


def test_what_is_kept_of_a_garbled_body_is_its_beginning() -> None:
    frame = Frame(0x10, 0, encode_map({"e": "loaded", "n": 1, "t": 0, "order": [1.5] * 52}))
    found = parse(frame)
    assert isinstance(found, Garbled)
    assert found.raw == bytes.fromhex("01 10 00 A4 61 65 66 6C 6F 61 64 65 64 61 6E 01")


def hello(**changed: object) -> dict[str, object]:
    return {**HELLO.body(), **changed}


def without(body: dict[str, object], key: str) -> dict[str, object]:
    return {name: value for name, value in body.items() if name != key}


BAD_BODIES: list[tuple[int, dict[str, object], str]] = [
    *((0x01, without(HELLO.body(), key), f"hello has no {key}") for key in HELLO.body()),
    (0x01, hello(colour="red"), "hello has a key of its own"),
    (0x01, hello(session=1), "host hello has a key of its own"),
    (0x01, hello(family="Shuffler"), "family of hello is not a word"),
    (0x01, hello(model=""), "model of hello is not 1 to 64 printable"),
    (0x01, hello(model="x" * 65), "model of hello is not 1 to 64 printable"),
    (0x01, hello(model="a\nb"), "model of hello is not 1 to 64 printable"),
    (0x01, hello(serial="S 7"), "serial of hello is not a token"),
    (0x01, hello(firmware=2), "firmware of hello is not 1 to 64 printable"),
    (0x01, hello(digest=bytes(31)), "digest of hello is not 32 bytes"),
    (0x01, hello(digest="0" * 32), "digest of hello is not 32 bytes"),
    (0x01, hello(boot=-1), r"boot of hello is not a whole number, 0 to 2\^64-1"),
    (0x01, hello(boot=True), r"boot of hello is not a whole number, 0 to 2\^64-1"),
    (0x01, hello(capabilities="count"), "capabilities of hello is not an array of 0 to 16"),
    (0x01, hello(capabilities=["a"] * 17), "capabilities of hello is not an array of 0 to 16"),
    (0x01, hello(capabilities=["a", 1]), "capabilities of hello is not an array of 0 to 16"),
    (0x01, hello(first=0), r"first of hello is not a whole number, 1 to 2\^63-1"),
    (0x01, hello(up=2**63), r"up of hello is not a whole number, 0 to 2\^63-1"),
    (0x01, {"session": -1}, "session of host hello is not a whole number"),
    (0x02, {"session": "7"}, "session of welcome is not a whole number"),
    (0x02, {}, "welcome has no session"),
    (0x03, {"why": "Not Known"}, "why of refused is not a word"),
    (0x03, {}, "refused has no why"),
    (0x10, {"n": 1, "t": 0}, "event has no e"),
    (0x10, {"n": 0, "t": 0, "e": "x"}, r"n of event is not a whole number, 1 to 2\^63-1"),
    (0x10, {"n": 1, "t": -1, "e": "x"}, "t of event is not a whole number"),
    (0x10, {"n": 1, "t": 0, "e": "X"}, "e of event is not a word"),
    (0x11, {"n": -1}, "n of ack is not a whole number"),
    (0x11, {"n": 1, "m": 2}, "ack has a key of its own"),
    (0x20, {"session": 7}, "order has no o"),
    (0x20, {"o": "permit"}, "order has no session"),
    (0x20, {"o": "permit", "session": 7, "number": ["e1"]}, "number of order is not an array"),
    (0x20, {"o": "permit", "session": 7, "number": ["e1", -1]}, "number of order is not an array"),
    (0x20, {"o": "permit", "session": 7, "number": [1, 1]}, "number of order is not an array"),
    (0x20, {"o": "permit", "session": 7, "number": "e1"}, "number of order is not an array"),
    (0x21, {"o": "permit", "why": "x"}, "done has a key of its own"),
    (0x21, {}, "done has no o"),
    (0x22, {"o": "permit"}, "failed has no why"),
    (0x30, {"session": 7, "renew": 1}, "renew of ping is not true or false"),
    (0x30, {"session": 7}, "ping has no renew"),
    (0x31, {"state": "idle", "inhibited": False, "n": 0}, "pong has no up"),
    (
        0x31,
        {"state": "idle", "inhibited": False, "n": 0, "up": 0, "permit": {"x": "y"}},
        "permit of pong is not a map",
    ),
    (
        0x31,
        {"state": "idle", "inhibited": False, "n": 0, "up": 0, "permit": [1]},
        "permit of pong is not a map",
    ),
    (
        0x31,
        {"state": "idle", "inhibited": True, "n": 0, "up": 0},
        "why of pong is there exactly when it is inhibited",
    ),
    (
        0x31,
        {"state": "idle", "inhibited": False, "n": 0, "up": 0, "why": "jam"},
        "why of pong is there exactly when it is inhibited",
    ),
]


@pytest.mark.parametrize(("kind", "body", "why"), BAD_BODIES)
def test_a_body_of_another_shape_is_garbled_with_its_reason(
    kind: int, body: dict[str, object], why: str
) -> None:
    found = parsed(kind, body)
    assert isinstance(found, Garbled)
    assert re.match(why, found.why), found.why


def test_a_message_that_is_too_long_for_a_frame_is_not_written() -> None:
    with pytest.raises(ValueError, match="the most is 1024"):
        encode(Event(1, 0, "loaded", {"text": "x" * 1024}))


def test_a_hello_of_the_shortest_and_highest_values_is_read() -> None:
    least = Hello("a", "b", "c", "d", bytes(32), 0)
    assert (least.first, least.up_ms, least.capabilities) == (1, 0, ())
    most = Hello(
        "a" * 32, "b" * 64, "c" * 64, "d" * 64, bytes(32), 2**64 - 1, ("e",) * 16, 2**63 - 1, 2**63 - 1
    )
    for message in (least, most):
        (frame,) = FrameDecoder().receive(encode(message))
        assert isinstance(frame, Frame)
        assert parse(frame) == message


def test_a_permit_without_fields_is_not_no_permit() -> None:
    pong = Pong("idle", inhibited=False, why=None, permit={}, n=0, up_ms=0)
    (frame,) = FrameDecoder().receive(encode(pong))
    assert isinstance(frame, Frame)
    assert parse(frame) == pong


def test_a_frame_of_any_kind_may_be_written() -> None:
    assert FrameDecoder().receive(encode_frame(0x04, 0, b"\xa0")) == [Frame(0x04, 0, b"\xa0")]
