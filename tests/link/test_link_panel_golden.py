"""Golden frames of the dealer's panel, typed in by hand: every button, and both of its orders.

Computed once and checked with a CRC, a COBS and a CBOR of other hands.
"""

from __future__ import annotations

import pytest

from felt_protocols.link import (
    Done,
    Event,
    Failed,
    Frame,
    FrameDecoder,
    Message,
    Order,
    check,
    check_order,
    encode,
    parse,
)

PANEL = "dealers-panel"
GOLDEN: list[tuple[Message, str]] = [
    (
        Event(1, 61000, "no_more_bets", {}),
        """
        00 03 01 10 1D A3 61 65 6C 6E 6F 5F 6D 6F 72 65 5F 62 65 74 73 61 6E 01 61 74 19 EE 48 8F
        42 CE DB 00
        """,
    ),
    (
        Event(2, 62000, "round_end", {}),
        """
        00 03 01 10 1A A3 61 65 69 72 6F 75 6E 64 5F 65 6E 64 61 6E 02 61 74 19 F2 30 61 08 20 89
        00
        """,
    ),
    (
        Event(3, 63000, "new_dealer", {}),
        """
        00 03 01 10 1B A3 61 65 6A 6E 65 77 5F 64 65 61 6C 65 72 61 6E 03 61 74 19 F6 18 07 6A 94
        C6 00
        """,
    ),
    (
        # The uptime 64000 is FA 00: its second byte ends a piece of the stuffing.
        Event(4, 64000, "call_floor", {}),
        """
        00 03 01 10 16 A3 61 65 6A 63 61 6C 6C 5F 66 6C 6F 6F 72 61 6E 04 61 74 19 FA 05 C0 51 C9
        50 00
        """,
    ),
    (
        Event(5, 65000, "acknowledge", {}),
        """
        00 03 01 10 1C A3 61 65 6B 61 63 6B 6E 6F 77 6C 65 64 67 65 61 6E 05 61 74 19 FD E8 DA 36
        38 D1 00
        """,
    ),
    (
        Event(6, 66000, "report", {"what": "cards-exposed"}),
        """
        00 03 01 10 11 A4 61 65 66 72 65 70 6F 72 74 61 6E 06 61 74 1A 1B 01 01 D0 64 77 68 61 74
        6D 63 61 72 64 73 2D 65 78 70 6F 73 65 64 12 69 E0 23 00
        """,
    ),
    (
        Event(7, 67000, "fault", {"code": "display"}),
        """
        00 03 01 10 10 A4 61 65 65 66 61 75 6C 74 61 6E 07 61 74 1A 15 01 05 B8 64 63 6F 64 65 67
        64 69 73 70 6C 61 79 BE 64 66 70 00
        """,
    ),
    (
        Event(8, 68000, "cleared", {"code": "display"}),
        """
        00 03 01 10 12 A4 61 65 67 63 6C 65 61 72 65 64 61 6E 08 61 74 1A 15 01 09 A0 64 63 6F 64
        65 67 64 69 73 70 6C 61 79 E9 F3 EE 77 00
        """,
    ),
    (
        Order("text", {"lines": ["HOLD: wrong count", "Call the floor"]}, session=7),
        """
        00 03 01 20 3E A3 61 6F 64 74 65 78 74 65 6C 69 6E 65 73 82 71 48 4F 4C 44 3A 20 77 72 6F
        6E 67 20 63 6F 75 6E 74 6E 43 61 6C 6C 20 74 68 65 20 66 6C 6F 6F 72 67 73 65 73 73 69 6F
        6E 07 81 6E 78 C8 00
        """,
    ),
    (
        Order("lamp", {"which": "hold", "pattern": "fast"}, session=7),
        """
        00 03 01 20 2B A4 61 6F 64 6C 61 6D 70 65 77 68 69 63 68 64 68 6F 6C 64 67 70 61 74 74 65
        72 6E 64 66 61 73 74 67 73 65 73 73 69 6F 6E 07 1D 03 AE 80 00
        """,
    ),
    (Done("text"), "00 03 01 21 0D A1 61 6F 64 74 65 78 74 3B 5C 94 71 00"),
    (Done("lamp"), "00 03 01 21 0D A1 61 6F 64 6C 61 6D 70 CF B5 1D 55 00"),
    (
        Failed("text", None, "display"),
        """
        00 03 01 22 19 A2 61 6F 64 74 65 78 74 63 77 68 79 67 64 69 73 70 6C 61 79 4D CD D7 A8 00
        """,
    ),
]
NAMES = [f"{type(message).__name__}-{at}" for at, (message, _) in enumerate(GOLDEN)]


@pytest.mark.parametrize(("message", "frame"), GOLDEN, ids=NAMES)
def test_a_frame_of_a_panel_is_written_byte_for_byte(message: Message, frame: str) -> None:
    assert encode(message) == bytes.fromhex(frame)


@pytest.mark.parametrize(("message", "frame"), GOLDEN, ids=NAMES)
def test_a_frame_of_a_panel_is_read(message: Message, frame: str) -> None:
    (read,) = FrameDecoder().receive(bytes.fromhex(frame))
    assert isinstance(read, Frame)
    assert parse(read) == message


def test_the_golden_frames_are_of_the_panels_tables() -> None:
    for message, _ in GOLDEN:
        if isinstance(message, Event):
            assert check(PANEL, message.name, message.fields) is None
        if isinstance(message, Order):
            assert check_order(PANEL, message.name, message.fields) is None
