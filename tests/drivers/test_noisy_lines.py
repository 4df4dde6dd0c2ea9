"""Lines that say something else than frames: boot messages, another speed, drips, floods, old news."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.drivers.conftest import Bench

pytestmark = pytest.mark.asyncio


async def test_noise_at_boot_is_counted_and_the_hello_behind_it_is_heard(bench: Bench) -> None:
    far = bench.far("shoe")
    noise = bytes.fromhex("AA 65 D1 B9 F1 00 FF 99") + random.Random(4).randbytes(200)  # noqa: S311 - repeatable
    spoken = {"times": 0}

    def boots(data: bytes) -> Iterable[bytes]:
        spoken["times"] += 1
        return [noise + data] if spoken["times"] == 2 else [data]

    supervisor = bench.supervise(bench.driver("shoe"))
    far.line = boots
    far.plug()
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    frames: Any = supervisor.health()["shoe"]["frames"]
    assert sum(frames["garbled"].values()) >= 1
    link: Any = supervisor.health()["shoe"]["link"]
    assert link["diagnosis"] == ""


async def test_what_waited_in_the_port_before_it_was_opened_is_late_and_comes_once(bench: Bench) -> None:
    far = bench.far("shoe")
    far.plug()
    for _ in range(40):
        far.happen("stack", size=7)
        far.say(b"\x00\x13old\x00")
    bench.supervise(bench.driver("shoe"))
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    far.happen("stack", size=6)
    await bench.until(lambda: len(bench.ledger.facts("StackDispensed")) == 41)
    told = [each for each in bench.ledger.told if each.mark is not None]
    assert [each.mark.n for each in told if each.mark] == list(range(1, 42))
    assert [each.late for each in told] == [True] * 40 + [False]


@pytest.mark.parametrize("speed", [40], indirect=True)
async def test_a_minute_of_garbage_is_one_diagnosis_with_its_statistics(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    far = bench.far("shoe")
    far.plug()
    far.turn_deaf()
    made = bench.driver("shoe")
    supervisor = bench.supervise(made)
    rng = random.Random(6)  # noqa: S311 - noise that a test can repeat
    end = bench.clock.link_now() + 60
    while bench.clock.link_now() < end:
        far.say(rng.randbytes(100) + b"\xff" * 100)
        await asyncio.sleep(0.01)
    link: Any = supervisor.health()["shoe"]["link"]
    assert link["diagnosis"].startswith("no valid frame for")
    assert "check speed/parity" in link["diagnosis"]
    assert "most often ff 50 %" in link["diagnosis"]
    lines = [record.message for record in caplog.records]
    assert len([line for line in lines if "check speed/parity" in line]) == 1
    assert len(lines) <= 3, "the loss of the silent device, and the diagnosis"
    assert bench.ledger.names() == ["DeviceLost"]
    assert supervisor.health()["shoe"]["stale"] is True
    far.listen()
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    link = supervisor.health()["shoe"]["link"]
    assert link["diagnosis"] == ""


async def test_a_drip_of_single_bytes_is_read_as_if_it_came_whole(bench: Bench) -> None:
    far = bench.far("shoe")
    loop = asyncio.get_running_loop()
    free_s = 0.0

    def drip(data: bytes) -> Iterable[bytes]:
        nonlocal free_s
        for place in range(len(data)):
            free_s = max(free_s, loop.time()) + 0.002
            loop.call_at(free_s, far.say, data[place : place + 1])
        return []

    far.plug()
    supervisor = bench.supervise(bench.driver("shoe"))
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    far.line = drip
    far.happen("stack", size=7)
    far.happen("jam", where="gate")
    await bench.until(lambda: "ShoeJammed" in bench.ledger.names())
    assert [each.mark.n for each in bench.ledger.told if each.mark is not None] == [1, 2]
    frames: Any = supervisor.health()["shoe"]["frames"]
    assert frames["garbled"] == {}


async def test_a_flood_from_one_device_delays_no_other(bench: Bench) -> None:
    supervisor, [shoe, shaker] = bench.table(shoe="shoe", shaker="shaker")
    await bench.until(lambda: bench.ledger.names().count("DeviceDrained") == 2)
    rng = random.Random(8)  # noqa: S311 - noise that a test can repeat
    flood = rng.randbytes(4000)
    loop = asyncio.get_running_loop()
    slowest_s = 0.0
    for turn in range(1, 40):
        shoe.say(flood)
        start = loop.time()
        shaker.happen("shaken")
        while len(bench.ledger.facts("ShakerShaken")) < turn:
            shoe.say(flood)
            await asyncio.sleep(0)
        slowest_s = max(slowest_s, loop.time() - start)
    assert slowest_s < 0.25
    assert supervisor.health()["shaker"]["failures"] == 0
    shoe.happen("jam", where="gate")
    await bench.until(lambda: "ShoeJammed" in bench.ledger.names())
