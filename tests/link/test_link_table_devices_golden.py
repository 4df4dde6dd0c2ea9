"""Golden frames of hole-card readers, progressive stations and generators, typed in by hand.

Computed once and checked with a CRC, a COBS and a CBOR of other hands: every event and every order.
"""

from __future__ import annotations

import pytest

from felt_protocols.link import (
    FAMILIES,
    Done,
    Event,
    Failed,
    Frame,
    FrameDecoder,
    Message,
    Order,
    Pong,
    check,
    check_order,
    encode,
    parse,
)

READER: list[tuple[Message, str]] = [
    (
        Event(1, 61000, "inserted", {}),
        "00 03 01 10 19 A3 61 65 68 69 6E 73 65 72 74 65 64 61 6E 01 61 74 19 EE 48 3E F7 82 C5 00",
    ),
    (
        Event(2, 61400, "result", {"blackjack": True}),
        """
        00 03 01 10 22 A4 61 65 66 72 65 73 75 6C 74 61 6E 02 61 74 19 EF D8 69 62 6C 61 63 6B 6A
        61 63 6B F5 51 33 14 59 00
        """,
    ),
    (
        Event(3, 63000, "removed", {}),
        "00 03 01 10 18 A3 61 65 67 72 65 6D 6F 76 65 64 61 6E 03 61 74 19 F6 18 DD 73 42 18 00",
    ),
    (
        # The uptime 64000 is FA 00: its second byte ends a piece of the stuffing.
        Event(4, 64000, "unreadable", {"why": "upside-down"}),
        """
        00 03 01 10 16 A4 61 65 6A 75 6E 72 65 61 64 61 62 6C 65 61 6E 04 61 74 19 FA 15 63 77 68
        79 6B 75 70 73 69 64 65 2D 64 6F 77 6E 64 E7 CF F4 00
        """,
    ),
    (
        Event(5, 65000, "tamper", {"open": True}),
        """
        00 03 01 10 1D A4 61 65 66 74 61 6D 70 65 72 61 6E 05 61 74 19 FD E8 64 6F 70 65 6E F5 83
        09 40 08 00
        """,
    ),
    (
        Event(6, 66000, "fault", {"code": "stuck-card", "where": "slot"}),
        """
        00 03 01 10 10 A5 61 65 65 66 61 75 6C 74 61 6E 06 61 74 1A 23 01 01 D0 64 63 6F 64 65 6A
        73 74 75 63 6B 2D 63 61 72 64 65 77 68 65 72 65 64 73 6C 6F 74 FA F2 A4 EB 00
        """,
    ),
    (
        Event(7, 67000, "cleared", {"code": "stuck-card"}),
        """
        00 03 01 10 12 A4 61 65 67 63 6C 65 61 72 65 64 61 6E 07 61 74 1A 18 01 05 B8 64 63 6F 64
        65 6A 73 74 75 63 6B 2D 63 61 72 64 6A 23 CC BA 00
        """,
    ),
    (
        Order("permit", {}, 7, ("e1", 301)),
        """
        00 03 01 20 26 A3 61 6F 66 70 65 72 6D 69 74 66 6E 75 6D 62 65 72 82 62 65 31 19 01 2D 67
        73 65 73 73 69 6F 6E 07 62 65 5E CE 00
        """,
    ),
    (
        Order("inhibit", {"why": "round-end", "when": "now"}, 7),
        """
        00 03 01 20 30 A4 61 6F 67 69 6E 68 69 62 69 74 63 77 68 79 69 72 6F 75 6E 64 2D 65 6E 64
        64 77 68 65 6E 63 6E 6F 77 67 73 65 73 73 69 6F 6E 07 5D EB 92 FB 00
        """,
    ),
    (
        Order("selftest", {}, 7, ("e1", 302)),
        """
        00 03 01 20 28 A3 61 6F 68 73 65 6C 66 74 65 73 74 66 6E 75 6D 62 65 72 82 62 65 31 19 01
        2E 67 73 65 73 73 69 6F 6E 07 B6 70 E4 EB 00
        """,
    ),
    (
        Failed("selftest", ("e1", 302), "case-open"),
        """
        00 03 01 22 2D A3 61 6F 68 73 65 6C 66 74 65 73 74 63 77 68 79 69 63 61 73 65 2D 6F 70 65
        6E 66 6E 75 6D 62 65 72 82 62 65 31 19 01 2E 35 D9 EF C8 00
        """,
    ),
    (
        Pong(state="empty", inhibited=False, why=None, permit={}, n=3, up_ms=68000),
        """
        00 03 01 31 09 A5 61 6E 03 62 75 70 1A 27 01 09 A0 65 73 74 61 74 65 65 65 6D 70 74 79 66
        70 65 72 6D 69 74 A0 69 69 6E 68 69 62 69 74 65 64 F4 88 59 2A 17 00
        """,
    ),
]
STATION: list[tuple[Message, str]] = [
    (
        Event(1, 61000, "bet", {"seat": 3, "present": True}),
        """
        00 03 01 10 23 A5 61 65 63 62 65 74 61 6E 01 61 74 19 EE 48 64 73 65 61 74 03 67 70 72 65
        73 65 6E 74 F5 DA 7C 0D F1 00
        """,
    ),
    (
        Event(2, 62000, "start_game", {}),
        """
        00 03 01 10 1B A3 61 65 6A 73 74 61 72 74 5F 67 61 6D 65 61 6E 02 61 74 19 F2 30 FF E7 67
        7C 00
        """,
    ),
    (
        Event(3, 62000, "locked", {"seats": [1, 3]}),
        """
        00 03 01 10 20 A4 61 65 66 6C 6F 63 6B 65 64 61 6E 03 61 74 19 F2 30 65 73 65 61 74 73 82
        01 03 3D 83 13 05 00
        """,
    ),
    (
        Event(4, 63000, "late_bet", {"seat": 5}),
        """
        00 03 01 10 1F A4 61 65 68 6C 61 74 65 5F 62 65 74 61 6E 04 61 74 19 F6 18 64 73 65 61 74
        05 50 FC C5 B5 00
        """,
    ),
    (
        Event(5, 65000, "bet_removed", {"seat": 1}),
        """
        00 03 01 10 22 A4 61 65 6B 62 65 74 5F 72 65 6D 6F 76 65 64 61 6E 05 61 74 19 FD E8 64 73
        65 61 74 01 4C DC 49 D6 00
        """,
    ),
    (
        Event(6, 66000, "hand", {"seat": 3, "rank": "flush"}),
        """
        00 03 01 10 0F A5 61 65 64 68 61 6E 64 61 6E 06 61 74 1A 19 01 01 D0 64 72 61 6E 6B 65 66
        6C 75 73 68 64 73 65 61 74 03 BA 7C 78 46 00
        """,
    ),
    (
        Event(7, 67000, "key", {"which": "reset", "on": True}),
        """
        00 03 01 10 0E A5 61 65 63 6B 65 79 61 6E 07 61 74 1A 18 01 05 B8 62 6F 6E F5 65 77 68 69
        63 68 65 72 65 73 65 74 B0 A3 2E 34 00
        """,
    ),
    (
        Event(8, 68000, "fault", {"code": "E4", "where": "seat-4"}),
        """
        00 03 01 10 10 A5 61 65 65 66 61 75 6C 74 61 6E 08 61 74 1A 1D 01 09 A0 64 63 6F 64 65 62
        45 34 65 77 68 65 72 65 66 73 65 61 74 2D 34 7D 94 08 B4 00
        """,
    ),
    (
        Event(9, 69000, "cleared", {"code": "E4"}),
        """
        00 03 01 10 12 A4 61 65 67 63 6C 65 61 72 65 64 61 6E 09 61 74 1A 10 01 0D 88 64 63 6F 64
        65 62 45 34 62 BC 7A 08 00
        """,
    ),
    (
        Order("lock", {}, 7, ("e1", 303)),
        """
        00 03 01 20 24 A3 61 6F 64 6C 6F 63 6B 66 6E 75 6D 62 65 72 82 62 65 31 19 01 2F 67 73 65
        73 73 69 6F 6E 07 F8 BF ED 7E 00
        """,
    ),
    (
        Order("unlock", {}, 7, ("e1", 304)),
        """
        00 03 01 20 26 A3 61 6F 66 75 6E 6C 6F 63 6B 66 6E 75 6D 62 65 72 82 62 65 31 19 01 30 67
        73 65 73 73 69 6F 6E 07 94 0D 77 FF 00
        """,
    ),
    (
        Order("lamp", {"seat": 3, "pattern": "slow"}, 7),
        """
        00 03 01 20 29 A4 61 6F 64 6C 61 6D 70 64 73 65 61 74 03 67 70 61 74 74 65 72 6E 64 73 6C
        6F 77 67 73 65 73 73 69 6F 6E 07 45 5B C2 2E 00
        """,
    ),
    (
        Order("show", {"meter": "main", "cents": 1234567}, 7, ("e1", 305)),
        """
        00 03 01 20 10 A5 61 6F 64 73 68 6F 77 65 63 65 6E 74 73 1A 2A 12 D6 87 65 6D 65 74 65 72
        64 6D 61 69 6E 66 6E 75 6D 62 65 72 82 62 65 31 19 01 31 67 73 65 73 73 69 6F 6E 07 04 70
        2B FA 00
        """,
    ),
    (
        Failed("lamp", None, "no-such-seat"),
        """
        00 03 01 22 1E A2 61 6F 64 6C 61 6D 70 63 77 68 79 6C 6E 6F 2D 73 75 63 68 2D 73 65 61 74
        2A 0F 24 8E 00
        """,
    ),
]
GENERATOR: list[tuple[Message, str]] = [
    (
        Event(1, 0, "health", {"state": "good", "test": "startup"}),
        """
        00 03 01 10 10 A5 61 65 66 68 65 61 6C 74 68 61 6E 01 61 74 1D 64 74 65 73 74 67 73 74 61
        72 74 75 70 65 73 74 61 74 65 64 67 6F 6F 64 9E BB 6A BA 00
        """,
    ),
    (
        Event(2, 62500, "drawn", {"number": 5, "draw": 12}),
        """
        00 03 01 10 24 A5 61 65 65 64 72 61 77 6E 61 6E 02 61 74 19 F4 24 64 64 72 61 77 0C 66 6E
        75 6D 62 65 72 05 D9 35 96 22 00
        """,
    ),
    (
        Event(3, 63000, "fault", {"code": "E1"}),
        """
        00 03 01 10 1E A4 61 65 65 66 61 75 6C 74 61 6E 03 61 74 19 F6 18 64 63 6F 64 65 62 45 31
        1D 87 4E 68 00
        """,
    ),
    (
        # The uptime 64000 is FA 00: its second byte ends a piece of the stuffing.
        Event(4, 64000, "cleared", {"code": "E1"}),
        """
        00 03 01 10 13 A4 61 65 67 63 6C 65 61 72 65 64 61 6E 04 61 74 19 FA 0D 64 63 6F 64 65 62
        45 31 FE 38 A4 D8 00
        """,
    ),
    (
        Order("draw", {"draw": 12}, 7, ("e1", 306)),
        """
        00 03 01 20 2A A4 61 6F 64 64 72 61 77 64 64 72 61 77 0C 66 6E 75 6D 62 65 72 82 62 65 31
        19 01 32 67 73 65 73 73 69 6F 6E 07 5A A1 BA A4 00
        """,
    ),
    (
        Done("draw", ("e1", 306)),
        """
        00 03 01 21 1B A2 61 6F 64 64 72 61 77 66 6E 75 6D 62 65 72 82 62 65 31 19 01 32 81 70 D8
        E2 00
        """,
    ),
    (
        Failed("draw", ("e1", 307), "unhealthy"),
        """
        00 03 01 22 29 A3 61 6F 64 64 72 61 77 63 77 68 79 69 75 6E 68 65 61 6C 74 68 79 66 6E 75
        6D 62 65 72 82 62 65 31 19 01 33 93 06 12 F1 00
        """,
    ),
    (
        Order("selftest", {}, 7, ("e1", 308)),
        """
        00 03 01 20 28 A3 61 6F 68 73 65 6C 66 74 65 73 74 66 6E 75 6D 62 65 72 82 62 65 31 19 01
        34 67 73 65 73 73 69 6F 6E 07 1F CC CB B3 00
        """,
    ),
]
OF_FAMILY = {"hole-card-reader": READER, "progressive-station": STATION, "rng": GENERATOR}
GOLDEN = [*READER, *STATION, *GENERATOR]
NAMES = [f"{type(message).__name__}-{at}" for at, (message, _) in enumerate(GOLDEN)]


@pytest.mark.parametrize(("message", "frame"), GOLDEN, ids=NAMES)
def test_a_frame_of_a_table_device_is_written_byte_for_byte(message: Message, frame: str) -> None:
    assert encode(message) == bytes.fromhex(frame)


@pytest.mark.parametrize(("message", "frame"), GOLDEN, ids=NAMES)
def test_a_frame_of_a_table_device_is_read(message: Message, frame: str) -> None:
    (read,) = FrameDecoder().receive(bytes.fromhex(frame))
    assert isinstance(read, Frame)
    assert parse(read) == message


@pytest.mark.parametrize("family", OF_FAMILY)
def test_the_golden_frames_are_of_the_families_tables_and_leave_none_out(family: str) -> None:
    events = {message.name for message, _ in OF_FAMILY[family] if isinstance(message, Event)}
    orders = {message.name for message, _ in OF_FAMILY[family] if isinstance(message, Order)}
    assert events == set(FAMILIES[family].events) - {"lost"}
    assert orders == set(FAMILIES[family].orders)
    for message, _ in OF_FAMILY[family]:
        if isinstance(message, Event):
            assert check(family, message.name, message.fields) is None
        if isinstance(message, Order):
            assert check_order(family, message.name, message.fields) is None
