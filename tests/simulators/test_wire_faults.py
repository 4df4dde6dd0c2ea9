"""What can happen to bytes on their way from a device to its host."""

from __future__ import annotations

import pytest

from felt_simulators.chance import seeded
from felt_simulators.faults import LINE, Fault, Faults
from felt_simulators.wire import Wire


def wire(*faults: str, seed: int = 1) -> Wire:
    there = Faults(LINE, seeded(seed))
    for fault in faults:
        there.set(Fault.parse(fault))
    return Wire(there, seeded(seed))


def test_without_faults_every_message_goes_out_at_once_as_it_is() -> None:
    line = wire()
    line.send(b"one", 1.0)
    line.send(b"two", 1.0)
    assert line.due() == 1.0
    assert line.elapsed(1.0) == [b"one", b"two"]
    assert line.due() is None


def test_a_split_message_goes_out_in_pieces_16_ms_apart() -> None:
    line = wire("line-split=2")
    line.send(b"abcde", 1.0)
    assert line.elapsed(1.0) == [b"ab"]
    assert line.due() == pytest.approx(1.016)
    assert line.elapsed(1.0161) == [b"cd"]
    assert line.elapsed(1.0321) == [b"e"]


def test_a_later_message_does_not_overtake_the_pieces_of_a_split_one() -> None:
    line = wire("line-split=1")
    line.send(b"abc", 1.0)
    line.send(b"Z", 1.001)
    assert line.elapsed(2.0) == [b"a", b"b", b"c", b"Z"]


def test_the_pieces_of_two_messages_keep_their_distance() -> None:
    line = wire("line-split=1,lasting")
    line.send(b"ab", 1.0)
    line.send(b"cd", 1.001)
    assert line.elapsed(1.017) == [b"a", b"b"]
    assert line.elapsed(1.033) == [b"c"]
    assert line.elapsed(1.049) == [b"d"]


def test_merged_messages_go_out_as_one() -> None:
    line = wire("line-merge=3")
    for message in (b"a", b"b"):
        line.send(message, 1.0)
    assert line.elapsed(1.0) == []
    line.send(b"c", 1.01)
    line.send(b"d", 1.01)
    assert line.elapsed(1.01) == [b"abc", b"d"]


def test_a_merge_does_not_wait_longer_than_100_ms() -> None:
    line = wire("line-merge=3,lasting")
    line.send(b"a", 1.0)
    assert line.due() == pytest.approx(1.1)
    assert line.elapsed(1.1) == [b"a"]


def test_dropped_bytes_are_missing() -> None:
    line = wire("line-drop=2")
    line.send(b"abcdefgh", 1.0)
    (piece,) = line.elapsed(1.0)
    lost = next(start for start in range(9) if b"abcdefgh"[:start] + b"abcdefgh"[start + 2 :] == piece)
    assert 0 <= lost < 8


def test_a_flipped_bit_changes_one_byte() -> None:
    line = wire("line-flip=1")
    line.send(bytes(8), 1.0)
    (piece,) = line.elapsed(1.0)
    assert sum(byte.bit_count() for byte in piece) == 1


def test_a_duplicate_goes_out_again() -> None:
    line = wire("line-duplicate=2")
    line.send(b"ab", 1.0)
    assert line.elapsed(1.0) == [b"ababab"]


def test_noise_goes_out_before_the_message() -> None:
    line = wire("line-noise=16")
    line.send(b"ab", 1.0)
    (piece,) = line.elapsed(1.0)
    assert len(piece) == 18
    assert piece.endswith(b"ab")


def test_a_cut_line_forgets_what_was_under_way() -> None:
    line = wire("line-split=1")
    line.send(b"abc", 1.0)
    line.cut()
    assert line.due() is None
    assert line.elapsed(9.0) == []
