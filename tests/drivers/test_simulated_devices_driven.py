"""The simulated machines, driven over a real pseudo-terminal: what is told is what really happened."""

from __future__ import annotations

import contextlib
import random
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.events import card, deck, device, draw
from felt_simulators.cards import new_deck
from felt_simulators.devices.shaker import Shaker, ShakerBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild
from felt_simulators.faults import Fault
from felt_simulators.line import Line
from felt_simulators.pump import Pump
from felt_simulators.station import Station

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.drivers.conftest import Bench, Told

    from felt_simulators.station import Device

pytestmark = pytest.mark.asyncio


@contextlib.asynccontextmanager
async def driven(bench: Bench, family: str, machine: Device) -> AsyncGenerator[Pump]:
    """The machine on its line, with its driver, connected."""
    line = Line(bench.folder / family, random.Random(1))  # noqa: S311 - a simulation that can be repeated
    line.open()
    try:
        async with Pump(Station(machine, line), bench.clock.link_now) as pump:
            bench.supervise(bench.driver(family, family))
            await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
            bench.ledger.drivers[family].renew(True)  # noqa: FBT003 - as it is meant
            yield pump
            await bench.stop_drivers()
    finally:
        line.close()


def _dispensed(bench: Bench, stacks: int) -> bool:
    return len(bench.ledger.facts("StackDispensed")) == stacks


def _rng() -> random.Random:
    return random.Random(2)  # noqa: S311 - a simulation that can be repeated


async def test_a_shoe_deals_a_round_and_jams_in_the_third_stack(bench: Bench) -> None:
    shoe = Shoe(ShoeBuild(stack_s=0.05, boot_s=0.1), _rng(), bench.clock.link_now())
    inhibited: list[float] = []

    def stop(told: Told) -> None:
        if told.name == "ShoeJammed":
            bench.ledger.drivers["shoe"].inhibit("shoe-jammed")
            inhibited.append(told.age_s)

    bench.ledger.when = stop
    async with driven(bench, "shoe", shoe) as pump:
        shoe.load(new_deck("red", "red", "table").stack(), bench.clock.link_now())
        pump.turn()
        bench.ledger.drivers["shoe"].order(("epoch", 1), "permit", {"round": 1, "stacks": 7, "size": 7})
        await bench.until(lambda: "OrderAnswered" in bench.ledger.names())
        shoe.set_fault(Fault.parse("jam=17"), bench.clock.link_now())
        for dealt in (1, 2):
            shoe.press_deal(bench.clock.link_now())
            pump.turn()
            await bench.until(partial(_dispensed, bench, dealt))
            shoe.take_stack(bench.clock.link_now())
        shoe.press_deal(bench.clock.link_now())
        pump.turn()
        await bench.until(lambda: "ShoeJammed" in bench.ledger.names())
        truth: Any = shoe.truth
        assert [stack["told"] for stack in truth["stacks"]] == [7, 7, None]
        assert bench.ledger.facts("StackDispensed") == [
            card.StackDispensed(device="shoe", size=7, n=2),
            card.StackDispensed(device="shoe", size=7, n=3),
        ]
        assert [stoppage["told"] for stoppage in truth["stoppages"]] == [1]
        assert inhibited[0] < 0.1
        await bench.pass_time(0.7)
        assert "InterlockUnconfirmed" not in bench.ledger.names()


async def test_a_shoe_that_ignores_its_inhibit_is_told(bench: Bench) -> None:
    shoe = Shoe(ShoeBuild(), _rng(), bench.clock.link_now())
    async with driven(bench, "shoe", shoe) as pump:
        bench.ledger.drivers["shoe"].order(("epoch", 1), "permit", {"round": 1})
        await bench.until(lambda: "OrderAnswered" in bench.ledger.names())
        shoe.set_fault(Fault.parse("ignore-inhibit,lasting"), bench.clock.link_now())
        pump.turn()
        bench.ledger.drivers["shoe"].inhibit("shoe-jammed")
        await bench.until(lambda: "InterlockUnconfirmed" in bench.ledger.names())


async def test_a_shuffler_that_recognises_tells_its_composition(bench: Bench) -> None:
    shuffler = Shuffler(ShufflerBuild(recognises=True, shuffle_s=0.5), _rng(), bench.clock.link_now())
    async with driven(bench, "shuffler", shuffler) as pump:
        shuffler.load(new_deck("red", "red", "table").stack(), bench.clock.link_now())
        pump.turn()
        await bench.until(lambda: "DeckLoaded" in bench.ledger.names())
        bench.ledger.drivers["shuffler"].order(("epoch", 1), "permit", {"cycle": 1, "batch": 1})
        await bench.until(lambda: "ShuffleStarted" in bench.ledger.names())
        await bench.until(lambda: "ShuffleCompleted" in bench.ledger.names())
        done = bench.ledger.only(deck.ShuffleCompleted)
        assert done.composition is not None
        assert (done.batch, done.mode, done.count) == (1, "shuffle", 53)
        assert sum(done.composition["red"].values()) == 53
        assert set(done.composition["red"].values()) == {1}
        assert "DeviceFaulted" not in bench.ledger.names()


async def test_a_machine_that_offers_the_order_of_its_cards_is_refused(bench: Bench) -> None:
    shoe = Shoe(ShoeBuild(), _rng(), bench.clock.link_now())
    async with driven(bench, "shoe", shoe) as pump:
        shoe.set_fault(Fault.parse("leak-order"), bench.clock.link_now())
        shoe.load(new_deck("red", "red", "table").stack(), bench.clock.link_now())
        pump.turn()
        await bench.until(lambda: "DeviceRefused" in bench.ledger.names())
        assert bench.ledger.names()[2:] == ["OrderLeaked", "DeviceRefused"]


async def test_dice_that_lie_wrong_are_a_reading_and_no_fault(bench: Bench) -> None:
    shaker = Shaker(ShakerBuild(read_s=0.05), _rng(), bench.clock.link_now())
    async with driven(bench, "shaker", shaker) as pump:
        shaker.set_fault(Fault.parse("die-outside=1"), bench.clock.link_now())
        for _ in range(3):
            shaker.shake(bench.clock.link_now())
        shaker.uncover(bench.clock.link_now())
        pump.turn()
        await bench.until(lambda: "DiceRead" in bench.ledger.names())
        assert bench.ledger.names()[2:6] == [*["ShakerShaken"] * 3, "ShakerUncovered"]
        read = bench.ledger.only(draw.DiceRead)
        assert not read.inside
        truth: Any = shaker.truth
        assert sorted(read.faces) == sorted(
            die["face"] if die["inside"] and die["flat"] else 0 for die in truth["dice"]
        )


async def test_a_machine_that_loses_its_supply_is_told_as_restarted(bench: Bench) -> None:
    shoe = Shoe(ShoeBuild(boot_s=0.2), _rng(), bench.clock.link_now())
    async with driven(bench, "shoe", shoe) as pump:
        shoe.set_fault(Fault.parse("reboot"), bench.clock.link_now())
        pump.turn()
        await bench.until(lambda: bench.ledger.names().count("DeviceDrained") == 2)
        restarted = bench.ledger.only(device.DeviceRestarted)
        truth: Any = shoe.truth
        assert int(restarted.device_boot, 16) == truth["boots"][1]["boot"]
        assert int(restarted.previous_boot, 16) == truth["boots"][0]["boot"]
