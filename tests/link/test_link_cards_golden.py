"""Golden frames of devices that give one card at a time, typed in by hand: cards, counts and stops.

Computed once and checked with a CRC, a COBS and a CBOR of other hands.
"""

from __future__ import annotations

import pytest

from felt_protocols.link import (
    Event,
    Frame,
    FrameDecoder,
    Message,
    Order,
    check,
    check_order,
    encode,
    parse,
)

# Message, the families that may say it or be asked it, frame.
GOLDEN: list[tuple[Message, tuple[str, ...], str]] = [
    (
        Event(1, 61000, "card", {"face_up": False}),
        ("shoe", "continuous-shuffler"),
        """
        00 03 01 10 1E A4 61 65 64 63 61 72 64 61 6E 01 61 74 19 EE 48 67 66 61 63 65 5F 75 70 F4
        3E 96 F4 86 00
        """,
    ),
    (
        Event(2, 62000, "card", {"face_up": False, "shown": True, "rank": "K", "suit": "S", "back": "red"}),
        ("shoe", "continuous-shuffler"),
        """
        00 03 01 10 3C A8 61 65 64 63 61 72 64 61 6E 02 61 74 19 F2 30 64 62 61 63 6B 63 72 65 64
        64 72 61 6E 6B 61 4B 64 73 75 69 74 61 53 65 73 68 6F 77 6E F5 67 66 61 63 65 5F 75 70 F4
        43 A0 50 0A 00
        """,
    ),
    (
        Event(3, 63000, "card", {"face_up": True, "rank": "T", "suit": "D", "back": "blue"}),
        ("shoe", "continuous-shuffler"),
        """
        00 03 01 10 36 A7 61 65 64 63 61 72 64 61 6E 03 61 74 19 F6 18 64 62 61 63 6B 64 62 6C 75
        65 64 72 61 6E 6B 61 54 64 73 75 69 74 61 44 67 66 61 63 65 5F 75 70 F5 50 E2 9E 8F 00
        """,
    ),
    (
        Event(4, 64000, "cover_card", {}),
        ("shoe",),
        """
        00 03 01 10 16 A3 61 65 6A 63 6F 76 65 72 5F 63 61 72 64 61 6E 04 61 74 19 FA 05 CD E1 B0
        5E 00
        """,
    ),
    (
        Event(5, 65000, "loaded", {"count": 312}),
        ("shoe", "continuous-shuffler"),
        """
        00 03 01 10 20 A4 61 65 66 6C 6F 61 64 65 64 61 6E 05 61 74 19 FD E8 65 63 6F 75 6E 74 19
        01 38 1D 66 86 71 00
        """,
    ),
    (
        Event(6, 66000, "inside", {"count": 311}),
        ("continuous-shuffler",),
        """
        00 03 01 10 11 A4 61 65 66 69 6E 73 69 64 65 61 6E 06 61 74 1A 11 01 01 D0 65 63 6F 75 6E
        74 19 01 37 E7 14 A7 2E 00
        """,
    ),
    (
        Event(7, 67000, "interrupted", {"why": "jam", "where": "feeder"}),
        ("continuous-shuffler",),
        """
        00 03 01 10 16 A5 61 65 6B 69 6E 74 65 72 72 75 70 74 65 64 61 6E 07 61 74 1A 1D 01 05 B8
        63 77 68 79 63 6A 61 6D 65 77 68 65 72 65 66 66 65 65 64 65 72 6F F4 1D 5E 00
        """,
    ),
    (
        Event(8, 68000, "jam", {"where": "mouth"}),
        ("shoe", "continuous-shuffler"),
        """
        00 03 01 10 0E A4 61 65 63 6A 61 6D 61 6E 08 61 74 1A 14 01 09 A0 65 77 68 65 72 65 65 6D
        6F 75 74 68 38 E0 F7 38 00
        """,
    ),
    (
        Event(9, 69000, "cleared", {"where": "mouth"}),
        ("shoe", "continuous-shuffler"),
        """
        00 03 01 10 12 A4 61 65 67 63 6C 65 61 72 65 64 61 6E 09 61 74 1A 14 01 0D 88 65 77 68 65
        72 65 65 6D 6F 75 74 68 39 2E 8B 4A 00
        """,
    ),
    (
        Event(10, 70000, "removed", {"count": 312}),
        ("shoe", "continuous-shuffler"),
        """
        00 03 01 10 12 A4 61 65 67 72 65 6D 6F 76 65 64 61 6E 0A 61 74 1A 11 01 11 70 65 63 6F 75
        6E 74 19 01 38 67 84 58 40 00
        """,
    ),
    (
        Order("permit", {"round": 41}, session=7, number=("e1", 412)),
        ("shoe", "continuous-shuffler"),
        """
        00 03 01 20 2E A4 61 6F 66 70 65 72 6D 69 74 65 72 6F 75 6E 64 18 29 66 6E 75 6D 62 65 72
        82 62 65 31 19 01 9C 67 73 65 73 73 69 6F 6E 07 9B C5 41 A1 00
        """,
    ),
]
NAMES = [f"{type(message).__name__}-{at}" for at, (message, _, _) in enumerate(GOLDEN)]


@pytest.mark.parametrize(("message", "_families", "frame"), GOLDEN, ids=NAMES)
def test_a_frame_is_written_byte_for_byte(message: Message, _families: tuple[str, ...], frame: str) -> None:
    assert encode(message) == bytes.fromhex(frame)


@pytest.mark.parametrize(("message", "_families", "frame"), GOLDEN, ids=NAMES)
def test_a_frame_is_read(message: Message, _families: tuple[str, ...], frame: str) -> None:
    (read,) = FrameDecoder().receive(bytes.fromhex(frame))
    assert isinstance(read, Frame)
    assert parse(read) == message


@pytest.mark.parametrize(("message", "families", "_frame"), GOLDEN, ids=NAMES)
def test_a_golden_frame_is_of_its_families_tables_and_of_no_other(
    message: Message, families: tuple[str, ...], _frame: str
) -> None:
    assert isinstance(message, (Event, Order))
    judge = check if isinstance(message, Event) else check_order
    known = [
        family
        for family in ("shoe", "continuous-shuffler")
        if judge(family, message.name, message.fields) is None
    ]
    assert known == list(families)
