"""The simulated machines, driven over a real pseudo-terminal: what is told is what really happened."""

from __future__ import annotations

import contextlib
import random
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.events import card, deck, device, draw, reader, station
from felt_simulators.cards import new_deck
from felt_simulators.devices.generator import Generator, GeneratorBuild
from felt_simulators.devices.hole_card_reader import HoleCardReader, ReaderBuild
from felt_simulators.devices.progressive_station import ProgressiveStation
from felt_simulators.devices.shaker import Shaker, ShakerBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild
from felt_simulators.devices.station_build import StationBuild
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


async def test_a_reader_says_whether_it_is_a_blackjack_and_never_which_card(bench: Bench) -> None:
    machine = HoleCardReader(ReaderBuild(read_s=0.05), _rng(), bench.clock.link_now())
    cards = {card.code: card for card in new_deck("red", "red", "table").cards}
    async with driven(bench, "hole-card-reader", machine) as pump:
        bench.ledger.drivers["hole-card-reader"].order(("epoch", 1), "permit", {})
        await bench.until(lambda: "OrderAnswered" in bench.ledger.names())
        machine.insert(cards["AS"], cards["KH"], bench.clock.link_now())
        pump.turn()
        await bench.until(lambda: "HoleCardRead" in bench.ledger.names())
        assert bench.ledger.only(reader.HoleCardRead).blackjack is True
        machine.remove(bench.clock.link_now())
        machine.set_fault(Fault.parse("leak-card"), bench.clock.link_now())
        machine.insert(cards["AS"], cards["KH"], bench.clock.link_now())
        pump.turn()
        await bench.until(lambda: "DeviceFaulted" in bench.ledger.names())
        assert bench.ledger.only(device.DeviceFaulted) == device.DeviceFaulted(
            device="hole-card-reader", code="not-understood", where="result has a key of its own", n=5
        )


async def test_a_reader_whose_slot_stays_open_is_told(bench: Bench) -> None:
    machine = HoleCardReader(ReaderBuild(), _rng(), bench.clock.link_now())
    async with driven(bench, "hole-card-reader", machine) as pump:
        made = bench.ledger.drivers["hole-card-reader"]
        made.order(("epoch", 1), "permit", {})
        await bench.until(lambda: "OrderAnswered" in bench.ledger.names())
        machine.set_fault(Fault.parse("ignore-inhibit,lasting"), bench.clock.link_now())
        pump.turn()
        made.inhibit("round-end")
        await bench.until(lambda: "InterlockUnconfirmed" in bench.ledger.names())


async def test_a_station_takes_the_wagers_and_tells_the_late_one(bench: Bench) -> None:
    machine = ProgressiveStation(StationBuild(), _rng(), bench.clock.link_now())
    async with driven(bench, "progressive-station", machine) as pump:
        for seat in (1, 3):
            machine.place_bet(seat, bench.clock.link_now())
        machine.press_start(bench.clock.link_now())
        machine.place_bet(4, bench.clock.link_now())
        pump.turn()
        await bench.until(lambda: "LateBetSeen" in bench.ledger.names())
        assert bench.ledger.only(station.ProgressiveBetsLocked).seats == (1, 3)
        assert bench.ledger.only(station.LateBetSeen).seat == 4
        made = bench.ledger.drivers["progressive-station"]
        made.order(("epoch", 1), "unlock", {})
        made.order(("epoch", 2), "show", {"meter": "main", "cents": 200_000})
        await bench.until(lambda: bench.ledger.names().count("OrderAnswered") == 2)
        assert machine.display == {"main": 200_000}
        # The late wager still lies there, and so do the two that nobody collected.
        await bench.until(lambda: bench.ledger.names().count("ProgressiveBet") == 5)


async def test_a_generator_draws_once_for_each_draw(bench: Bench) -> None:
    machine = Generator(GeneratorBuild(draw_s=0.05), _rng(), bench.clock.link_now())
    async with driven(bench, "rng", machine):
        made = bench.ledger.drivers["rng"]
        for row, number in enumerate((1, 1, 2)):
            made.order(("epoch", row), "draw", {"draw": number})
        await bench.until(lambda: len(bench.ledger.facts("NumberDrawn")) == 3)
        truth: Any = machine.truth
        first, second = (each["number"] for each in truth["draws"])
        assert bench.ledger.facts("NumberDrawn") == [
            draw.NumberDrawn(device="rng", number=first, draw=1, n=2),
            draw.NumberDrawn(device="rng", number=first, draw=1, n=3),
            draw.NumberDrawn(device="rng", number=second, draw=2, n=4),
        ]
        assert bench.ledger.only(draw.GeneratorHealthTold).state == "good"
