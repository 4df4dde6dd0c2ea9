"""The way of the bytes from a device to its host, and what can happen to them on it: pure."""

from __future__ import annotations

from collections import deque
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from felt_simulators.faults import Faults

# A USB serial adapter hands its bytes on every 16 ms when it has few: how far apart split pieces go out.
PIECE_GAP_S = 0.016
# For this long `line-merge` waits for more before it sends what it has.
MERGE_WAIT_S = 0.1


class Wire:
    """Takes what a device sends and gives out pieces, each to be written by itself at its time.

    Pieces never overtake each other. Without faults every message goes out at once, as it is.
    """

    def __init__(self, faults: Faults, rng: random.Random) -> None:
        self._faults = faults
        self._rng = rng
        self._pieces: deque[tuple[float, bytes]] = deque()
        self._merging: list[bytes] = []
        self._merge_until = 0.0
        self._free_at = -inf

    def send(self, data: bytes, now: float) -> None:
        """Take one message of the device."""
        merge = self._faults.waiting("line-merge")
        if merge is None and not self._merging:
            self._distort(data, now)
            return
        if not self._merging:
            self._merge_until = now + MERGE_WAIT_S
        self._merging.append(data)
        if merge is None or len(self._merging) >= merge.number:
            self._end_merge(now)

    def due(self) -> float | None:
        """When the next piece goes out."""
        moments = [self._pieces[0][0]] if self._pieces else []
        if self._merging:
            moments.append(self._merge_until)
        return min(moments, default=None)

    def elapsed(self, now: float) -> list[bytes]:
        """The pieces whose time has come."""
        if self._merging and self._merge_until <= now:
            self._end_merge(now)
        out: list[bytes] = []
        while self._pieces and self._pieces[0][0] <= now:
            out.append(self._pieces.popleft()[1])
        return out

    def cut(self) -> None:
        """Forget what is under way: the line is gone."""
        self._pieces.clear()
        self._merging.clear()
        self._free_at = -inf

    def _end_merge(self, now: float) -> None:
        whole = b"".join(self._merging)
        self._merging.clear()
        self._faults.strike("line-merge", now)
        self._distort(whole, now)

    def _distort(self, data: bytes, now: float) -> None:
        whole = data
        for name, distort in self._distortions():
            fault = self._faults.strike(name, now)
            if fault is not None:
                whole = distort(whole, fault.number)
        split = self._faults.strike("line-split", now)
        size = max(1, split.number) if split else max(1, len(whole))
        gap = PIECE_GAP_S if split else 0.0
        when = max(now, self._free_at)
        for start in range(0, len(whole), size):
            self._pieces.append((when, whole[start : start + size]))
            when += gap
        self._free_at = when

    def _distortions(self) -> tuple[tuple[str, Callable[[bytes, int], bytes]], ...]:
        return (
            ("line-drop", self._drop),
            ("line-flip", self._flip),
            ("line-duplicate", _duplicate),
            ("line-noise", self._noise),
        )

    def _drop(self, data: bytes, how_many: int) -> bytes:
        start = self._rng.randrange(len(data))
        return data[:start] + data[start + how_many :]

    def _flip(self, data: bytes, how_many: int) -> bytes:
        flipped = bytearray(data)
        for _ in range(how_many if flipped else 0):
            flipped[self._rng.randrange(len(flipped))] ^= 1 << self._rng.randrange(8)
        return bytes(flipped)

    def _noise(self, data: bytes, how_many: int) -> bytes:
        return self._rng.randbytes(how_many) + data


def _duplicate(data: bytes, how_often: int) -> bytes:
    return data * (1 + how_often)
