"""Felt Link frames: every cutting of the stream gives the same items, and nothing raises."""

from __future__ import annotations

import pytest
from fastcrc.crc32 import iscsi as crc32c
from hypothesis import given
from hypothesis import strategies as st

from felt_protocols.link.frame import (
    MAX_CODED,
    RAW_KEPT,
    Frame,
    FrameDecoder,
    Garbled,
    encode_frame,
)

PING = bytes.fromhex("00 03 01 30 16 A2 65 72 65 6E 65 77 F5 67 73 65 73 73 69 6F 6E 07 B6 3C 71 E2 00")
PING_FRAME = Frame(0x30, 0, bytes.fromhex("A2 65 72 65 6E 65 77 F5 67 73 65 73 73 69 6F 6E 07"), version=1)
ACK = bytes.fromhex("00 03 01 11 09 A1 61 6E 03 45 C7 B6 40 00")
ACK_FRAME = Frame(0x11, 0, bytes.fromhex("A1 61 6E 03"), version=1)


def read(*pieces: bytes) -> list[Frame | Garbled]:
    decoder = FrameDecoder()
    return [item for piece in pieces for item in decoder.receive(piece)]


def test_the_check_value_of_crc_32c_is_e3069283() -> None:
    assert crc32c(b"123456789") == 0xE3069283


@pytest.mark.parametrize(
    ("covered", "crc"),
    [
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
        (bytes(range(31, -1, -1)), 0x113FDB5C),
    ],
)
def test_the_crc_is_that_of_rfc_3720(covered: bytes, crc: int) -> None:
    assert crc32c(covered) == crc


def run(first: int, last: int) -> bytes:
    return bytes(range(first, last + 1))


# The table of COBS vectors: plain bytes, and how they are stuffed.
STUFFED = [
    ("", "01"),
    ("00", "01 01"),
    ("00 00", "01 01 01"),
    ("00 11 00", "01 02 11 01"),
    ("11 22 00 33", "03 11 22 02 33"),
    ("11 22 33 44", "05 11 22 33 44"),
    ("11 00 00 00", "02 11 01 01 01"),
    (run(1, 254).hex(), "FF" + run(1, 254).hex()),
    ("00" + run(1, 254).hex(), "01 FF" + run(1, 254).hex()),
    (run(1, 255).hex(), "FF" + run(1, 254).hex() + "02 FF"),
    (run(2, 255).hex() + "00", "FF" + run(2, 255).hex() + "01 01"),
    (run(3, 255).hex() + "00 01", "FE" + run(3, 255).hex() + "02 01"),
]


@pytest.mark.parametrize(("plain", "stuffed"), STUFFED)
def test_a_body_is_stuffed_as_the_table_of_cobs_says(plain: str, stuffed: str) -> None:
    body = bytes.fromhex(plain)
    # A zero before the body starts its first block, a zero after it ends its last.
    frame = encode_frame(0x10, 0, body + b"\0")
    assert frame.startswith(b"\0\x03\x01\x10")
    inside = frame[4 : 4 + len(bytes.fromhex(stuffed))]
    assert inside == bytes.fromhex(stuffed)
    assert read(frame) == [Frame(0x10, 0, body + b"\0")]


def test_a_last_block_of_254_bytes_needs_no_zero_after_it() -> None:
    # Header, 247 bytes and a CRC without a zero: one full block FF and nothing behind it.
    body = b"\x01" * 244 + (11).to_bytes(3, "big").replace(b"\0", b"\x01")
    frame = encode_frame(0x10, 1, body)
    assert (len(frame), frame[1]) == (1 + 1 + 254 + 1, 0xFF)
    assert read(frame) == [Frame(0x10, 1, body)]


def test_a_frame_is_read_whole() -> None:
    assert read(PING) == [PING_FRAME]


def test_a_frame_is_read_byte_by_byte() -> None:
    assert read(*(PING[i : i + 1] for i in range(len(PING)))) == [PING_FRAME]


def test_a_frame_cut_at_any_byte_is_the_same_frame() -> None:
    for cut in range(len(PING) + 1):
        assert read(PING[:cut], PING[cut:]) == [PING_FRAME]


def test_two_frames_may_share_the_zero_between_them() -> None:
    assert read(PING[:-1] + ACK) == [PING_FRAME, ACK_FRAME]


@pytest.mark.long
def test_a_flood_of_nul_bytes_is_nothing() -> None:
    assert read(bytes(100_000)) == []
    assert read(bytes(100_000), PING, bytes(100_000)) == [PING_FRAME]


def test_noise_before_a_frame_costs_only_itself() -> None:
    noise = bytes.fromhex("FF 13 37 C0 FF EE")
    assert read(noise + PING) == [Garbled("cobs", noise), PING_FRAME]


def test_noise_without_a_zero_behind_it_spoils_no_frame_but_its_own() -> None:
    assert read(PING, b"\x05\x06", ACK) == [PING_FRAME, Garbled("cobs", b"\x05\x06"), ACK_FRAME]


def test_half_a_frame_is_held_until_its_other_half_comes() -> None:
    decoder = FrameDecoder()
    assert decoder.receive(PING[:9]) == []
    assert decoder.held == 8
    assert decoder.receive(PING[9:]) == [PING_FRAME]
    assert decoder.held == 0


def test_half_a_frame_ends_at_the_zero_of_the_next() -> None:
    assert read(PING[:9] + ACK) == [Garbled("cobs", PING[1:9]), ACK_FRAME]


def test_every_flipped_bit_is_seen() -> None:
    for at in range(1, len(PING) - 1):
        for bit in range(8):
            spoiled = bytearray(PING)
            spoiled[at] ^= 1 << bit
            assert all(isinstance(item, Garbled) for item in read(bytes(spoiled)))


def test_a_wrong_crc_is_garbled() -> None:
    wrong = bytes.fromhex("00 03 01 11 09 A1 61 6E 03 45 C7 B6 41 00")
    assert read(wrong, ACK) == [
        Garbled("crc", bytes.fromhex("01 11 00 A1 61 6E 03 45 C7 B6 41")),
        ACK_FRAME,
    ]


def test_a_crc_with_its_most_significant_byte_first_is_garbled() -> None:
    assert read(bytes.fromhex("00 03 01 11 09 A1 61 6E 03 40 B6 C7 45 00")) == [
        Garbled("crc", bytes.fromhex("01 11 00 A1 61 6E 03 40 B6 C7 45"))
    ]


def test_fewer_than_seven_bytes_are_too_short_for_a_frame() -> None:
    assert read(bytes.fromhex("00 07 01 02 03 04 05 06 00")) == [
        Garbled("too short", bytes.fromhex("01 02 03 04 05 06"))
    ]


def test_a_frame_without_a_body_is_a_frame() -> None:
    # 01 30 00 and its CRC, 7 bytes: nothing shorter can be.
    assert read(encode_frame(0x30, 0, b"")) == [Frame(0x30, 0, b"")]


def test_the_longest_body_is_1024_bytes() -> None:
    assert read(encode_frame(0x10, 0, b"\xaa" * 1024)) == [Frame(0x10, 0, b"\xaa" * 1024)]
    with pytest.raises(ValueError, match="a body of 1025 bytes; the most is 1024"):
        encode_frame(0x10, 0, b"\xaa" * 1025)


@pytest.mark.parametrize("address", [-1, 32, 255])
def test_there_is_no_address_over_31(address: int) -> None:
    with pytest.raises(ValueError, match="addresses are 0 to 31"):
        encode_frame(0x10, address, b"")


def test_the_address_31_is_read() -> None:
    assert read(encode_frame(0x10, 31, b"")) == [Frame(0x10, 31, b"")]


def test_between_two_zeros_there_are_at_most_1036_bytes() -> None:
    assert MAX_CODED == 1036
    assert len(encode_frame(0x10, 1, b"\xaa" * 1024)) == 1 + 1036 + 1


def test_an_over_long_frame_is_dropped_and_counted_once_up_to_the_next_zero() -> None:
    long = b"\x01" * 50_000
    assert read(b"\0" + long + PING + ACK) == [
        Garbled("too long", b"\x01" * 16),
        PING_FRAME,
        ACK_FRAME,
    ]


def test_1037_bytes_are_over_long_and_1036_are_not() -> None:
    full = (b"\xff" + b"\x02" * 254) * 4 + b"\x10" + b"\x02" * 15
    assert len(full) == 1036
    assert read(b"\0" + full + b"\0") == [Garbled("crc", b"\x02" * 16)]
    assert read(b"\0" + full + b"\x02") == [Garbled("too long", full[:16])]


def test_a_frame_that_is_over_long_only_when_opened_is_refused() -> None:
    # 1033 bytes that stand for 1032 zeros, one byte more than there may be.
    assert read(b"\0" + b"\x01" * 1033 + b"\0") == [Garbled("too long", bytes(16))]
    assert read(b"\0" + b"\x01" * 1032 + b"\0") == [Garbled("crc", bytes(16))]


def test_never_more_than_one_half_frame_is_held() -> None:
    decoder = FrameDecoder()
    for _ in range(1000):
        decoder.receive(b"\x55" * 997)
        assert decoder.held <= MAX_CODED


def test_what_is_kept_of_garbled_bytes_is_bounded() -> None:
    assert all(
        isinstance(item, Garbled) and len(item.raw) <= RAW_KEPT == 16
        for item in read(b"\x77" * 900 + b"\0", b"\x99" * 4000 + b"\0")
    )


PIECES = st.one_of(
    st.sampled_from([PING, ACK, PING[:-1], ACK[:5], b"\0", b"\0\0\0", b"\x01" * 1100]),
    st.binary(max_size=40),
    st.builds(encode_frame, st.integers(0, 255), st.integers(0, 31), st.binary(max_size=300)),
)
STREAMS = st.lists(PIECES, max_size=8).map(b"".join)


@given(STREAMS, st.data())
def test_any_cutting_of_the_stream_gives_the_same_items(stream: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=20)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert read(*pieces) == read(stream) == read(*(bytes((byte,)) for byte in stream))


@given(st.binary(max_size=3000))
def test_no_bytes_raise(data: bytes) -> None:
    read(data, PING)


@given(st.integers(0, 255), st.integers(0, 31), st.binary(max_size=1024))
def test_what_is_written_is_read(kind: int, address: int, body: bytes) -> None:
    assert read(encode_frame(kind, address, body)) == [Frame(kind, address, body)]
