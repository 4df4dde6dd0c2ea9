"""One law for every device of the catalogue, on lines that split, delay, drop, corrupt and repeat.

No line makes a driver raise, grow, lose an event, tell one twice or change their order; silence is told
in time; it recovers from all of it, and leaves nothing behind when it is stopped.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from felt_drivers.catalogue import CATALOGUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.drivers.conftest import Bench, FarEnd

pytestmark = pytest.mark.asyncio

PLAYED: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "shuffler": [
        ("loaded", {"batch": 1, "count": 53}),
        ("started", {"batch": 1}),
        ("interrupted", {"batch": 1, "why": "jam", "where": "elevator"}),
        ("light", {"colour": "red"}),
        ("door", {"open": True}),
        ("cleared", {"where": "elevator"}),
        ("completed", {"batch": 1, "mode": "shuffle", "count": 53}),
        ("unloaded", {"batch": 1, "count": 53}),
    ],
    "shoe": [
        ("loaded", {"count": 53}),
        ("stack", {"size": 7}),
        ("card", {"face_up": False}),
        ("card", {"face_up": True, "rank": "T", "suit": "S"}),
        ("jam", {"where": "gate"}),
        ("cleared", {"where": "gate"}),
        ("stopped", {}),
        ("removed", {"count": 4}),
    ],
    "continuous-shuffler": [
        ("loaded", {"count": 312}),
        ("inside", {"count": 312}),
        ("card", {"face_up": False}),
        ("card", {"face_up": False, "shown": True, "rank": "T", "suit": "S"}),
        ("interrupted", {"why": "jam", "where": "feeder"}),
        ("cleared", {"where": "feeder"}),
        ("jam", {"where": "mouth"}),
        ("removed", {"count": 311}),
    ],
    "shaker": [
        ("covered", {}),
        ("shaken", {"quality": 80}),
        ("shaken", {}),
        ("shaken", {}),
        ("uncovered", {}),
        ("dice", {"faces": [1, 2, 3], "flat": True, "inside": True}),
        ("unattended", {"seconds": 60}),
        ("fault", {"code": "E1"}),
    ],
    "hole-card-reader": [
        ("inserted", {}),
        ("result", {"blackjack": False}),
        ("removed", {}),
        ("inserted", {}),
        ("unreadable", {"why": "dirty"}),
        ("removed", {}),
        ("tamper", {"open": True}),
        ("fault", {"code": "E1"}),
    ],
    "progressive-station": [
        ("bet", {"seat": 3, "present": True}),
        ("start_game", {}),
        ("locked", {"seats": [3]}),
        ("late_bet", {"seat": 1}),
        ("bet_removed", {"seat": 3}),
        ("hand", {"seat": 3, "rank": "flush"}),
        ("key", {"which": "reset", "on": True}),
        ("fault", {"code": "E1"}),
    ],
    "rng": [
        ("health", {"state": "good", "test": "startup"}),
        ("drawn", {"number": 5, "draw": 1}),
        ("drawn", {"number": 5, "draw": 2}),
        ("drawn", {"number": 1, "draw": 3}),
        ("health", {"state": "failed", "test": "repetition"}),
        ("fault", {"code": "E1"}),
        ("cleared", {"code": "E1"}),
        ("health", {"state": "good"}),
    ],
    "dealers-panel": [
        ("no_more_bets", {}),
        ("round_end", {}),
        ("round_end", {}),
        ("report", {"what": "cards-exposed"}),
        ("call_floor", {}),
        ("acknowledge", {}),
        ("new_dealer", {}),
        ("fault", {"code": "E1"}),
    ],
}


def _split(data: bytes, rng: random.Random) -> list[bytes]:
    cuts = sorted({0, len(data), *(rng.randrange(len(data)) for _ in range(5))})
    return [data[start:end] for start, end in itertools.pairwise(cuts)]


def _drop(data: bytes, rng: random.Random) -> list[bytes]:
    if rng.random() < 0.75:
        return [data]
    start, many = rng.randrange(len(data)), rng.randrange(1, 9)
    return [data[:start] + data[start + many :]]


def _corrupt(data: bytes, rng: random.Random) -> list[bytes]:
    if rng.random() < 0.75:
        return [data]
    spoilt = bytearray(data)
    spoilt[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return [bytes(spoilt)]


def _repeat(data: bytes, rng: random.Random) -> list[bytes]:
    return [data] * rng.randrange(1, 4)


def _noise(data: bytes, rng: random.Random) -> list[bytes]:
    return [rng.randbytes(rng.randrange(40)), data]


def _whole(data: bytes, _rng: random.Random) -> list[bytes]:
    return [data]


# What happens to a message, and how far apart its pieces arrive, in seconds of real time.
LINES: dict[str, tuple[list[Callable[[bytes, random.Random], list[bytes]]], float]] = {
    "clean": ([_whole], 0.0),
    "split": ([_split], 0.001),
    "delayed": ([_whole], 0.004),
    "dropping": ([_drop], 0.0),
    "corrupting": ([_corrupt], 0.0),
    "repeating": ([_repeat], 0.0),
    "noisy": ([_noise], 0.0),
    "all of it": ([_repeat, _noise, _drop, _corrupt, _split], 0.0005),
}


class Spoilt:
    """A way for bytes on which things happen to them."""

    def __init__(self, far: FarEnd, line: str, seed: int) -> None:
        self.far = far
        self.changes, self.gap_s = LINES[line]
        self.rng = random.Random(seed)  # noqa: S311 - a fault that a test can repeat
        self.free_s = 0.0

    def to_host(self, data: bytes) -> Iterable[bytes]:
        """Let the pieces arrive, each at its time, never one before another."""
        pieces = self._changed(data)
        if not self.gap_s:
            return pieces
        loop = asyncio.get_running_loop()
        for piece in pieces:
            self.free_s = max(self.free_s, loop.time()) + self.gap_s
            loop.call_at(self.free_s, self.far.say, piece)
        return []

    def to_device(self, data: bytes) -> bytes:
        """The same without the delay."""
        return b"".join(self._changed(data))

    def _changed(self, data: bytes) -> list[bytes]:
        pieces = [data]
        for change in self.changes:
            pieces = [part for piece in pieces if piece for part in change(piece, self.rng)]
        return pieces


async def test_every_entry_of_the_catalogue_is_played_here() -> None:
    assert {family for family, _ in CATALOGUE} == set(PLAYED)


def _marks(family: str, line: str) -> tuple[pytest.MarkDecorator, ...]:
    """The short form leaves out what a worse line shows as well."""
    short = family in {"shuffler", "shoe"} or line in {"clean", "all of it"}
    return () if short else (pytest.mark.long,)


@pytest.mark.parametrize("speed", [10], indirect=True)
@pytest.mark.parametrize(
    ("family", "line", "seed"),
    [
        pytest.param(family, line, seed, marks=_marks(family, line))
        for family in PLAYED
        for line, seed in [*((line, 1) for line in LINES), ("all of it", 2)]
    ],
)
async def test_every_event_is_told_once_and_in_order_on_any_line(
    bench: Bench, family: str, line: str, seed: int
) -> None:
    far = bench.far("device", family)
    spoilt = Spoilt(far, line, seed)
    far.line, far.ears = spoilt.to_host, spoilt.to_device
    far.plug()
    supervisor = bench.supervise(bench.driver("device", family))
    for turn in (1, 2, 3):
        for name, fields in PLAYED[family]:
            far.happen(name, **fields)
        await _counted(bench, 8 * turn)
    await bench.until(lambda: far.session.due() == float("inf"))
    assert _numbers(bench) == list(range(1, 25))
    first: Any = supervisor.health()["device"]["first_failure"]
    # At this speed half a second of a busy test machine is a silence of five.
    assert first is None or first["why"].startswith("silent: ")


@pytest.mark.parametrize("speed", [8], indirect=True)
@pytest.mark.parametrize("line", ["clean", "all of it"])
@pytest.mark.parametrize("family", PLAYED)
async def test_silence_is_told_in_time_and_ends_with_the_line_as_it_was(
    bench: Bench, family: str, line: str
) -> None:
    far = bench.far("device", family)
    far.plug()
    bench.supervise(bench.driver("device", family))
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    spoilt = Spoilt(far, line, 3)
    far.line, far.ears = spoilt.to_host, spoilt.to_device
    far.turn_deaf()
    silent = bench.clock.link_now()
    await bench.until(lambda: "DeviceStale" in bench.ledger.names())
    assert bench.clock.link_now() - silent < 2.3
    await bench.until(lambda: "DeviceLost" in bench.ledger.names())
    assert bench.clock.link_now() - silent < 5.8
    far.listen()
    await bench.until(lambda: bench.ledger.names().count("DeviceDrained") == 2)
    assert bench.ledger.names().count("DeviceLost") == 1
    assert bench.ledger.names().count("DeviceBack") >= 1


@pytest.mark.parametrize("speed", [20], indirect=True)
@pytest.mark.parametrize("family", PLAYED)
async def test_hang_ups_in_play_lose_and_double_nothing(bench: Bench, family: str) -> None:
    far = bench.far("device", family)
    far.plug()
    made = bench.driver("device", family)
    bench.supervise(made)
    for turn in range(1, 4):
        await _counted(bench, (turn - 1) * 4)
        await bench.pass_time(6)
        for name, fields in PLAYED[family][:3]:
            far.happen(name, **fields)
        await _counted(bench, turn * 4 - 1)
        name, fields = PLAYED[family][3]
        far.happen(name, **fields)
        far.pull()
        await bench.until(lambda: made.links() is None)
        far.plug()
    await _counted(bench, 12)
    assert _numbers(bench) == list(range(1, 13))
    standing = [name for name in bench.ledger.names() if name in {"DeviceStale", "DeviceLost", "DeviceBack"}]
    # A busy test machine may make it stale as well.
    gone = " ".join(standing).replace("DeviceStale DeviceBack", "").split()
    assert gone == ["DeviceLost", "DeviceBack"] * 3


@pytest.mark.parametrize("speed", [20], indirect=True)
@pytest.mark.parametrize("family", PLAYED)
async def test_a_megabyte_of_noise_makes_nothing_grow(bench: Bench, family: str) -> None:
    far = bench.far("device", family)
    far.plug()
    far.turn_deaf()
    made = bench.driver("device", family)
    supervisor = bench.supervise(made)
    rng = random.Random(5)  # noqa: S311 - noise that a test can repeat
    await bench.until(lambda: made.links() is not None)
    for _ in range(300):
        far.say(rng.randbytes(4000))
        await asyncio.sleep(0)
    assert len(json.dumps(supervisor.health())) < 2000
    frames: Any = supervisor.health()["device"]["frames"]
    assert frames["count"] == 0
    assert set(frames["garbled"]) <= {"cobs", "crc", "too short", "too long"}
    assert bench.ledger.names() in ([], ["DeviceLost"])


async def _counted(bench: Bench, many: int) -> None:
    await bench.until(lambda: len(_numbers(bench)) >= many, within_s=15)


def _numbers(bench: Bench) -> list[int]:
    return [told.mark.n for told in bench.ledger.told if told.mark is not None]
