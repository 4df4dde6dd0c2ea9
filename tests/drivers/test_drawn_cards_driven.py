"""A manual shoe and a continuous shuffler, driven over a pseudo-terminal: what is told is what happened."""

from __future__ import annotations

import contextlib
import random
from typing import TYPE_CHECKING, TypeAlias

import pytest

from felt_protocols.events import card, deck, device
from felt_simulators.cards import Card, cover_card, new_deck
from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.continuous_build import ContinuousBuild
from felt_simulators.devices.deal_keys import SETTINGS
from felt_simulators.devices.hands import CardSticks
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.faults import Fault
from felt_simulators.line import Line
from felt_simulators.pump import Pump
from felt_simulators.station import Station

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.drivers.conftest import Bench

    from felt_protocols.events import Fact

pytestmark = pytest.mark.asyncio

Machine: TypeAlias = ManualShoe | ContinuousShuffler
SHOE, BOX = "shoe", "continuous-shuffler"


class Driven:
    """A machine with its driver, and a dealer's hand at it."""

    def __init__(self, bench: Bench, family: str, machine: Machine, pump: Pump) -> None:
        self._bench = bench
        self._machine = machine
        self._pump = pump
        self.driver = bench.ledger.drivers[family]

    async def permit(self, number: int) -> None:
        """Permit a round, and wait until the machine has taken it."""
        self.driver.order(("epoch", number), "permit", {"round": number})
        await self.told("OrderAnswered", number)

    def draw(self, how_many: int) -> list[Card]:
        """Draw cards."""
        drawn = [self._machine.draw(self._bench.clock.link_now()) for _ in range(how_many)]
        self._pump.turn()
        return drawn

    def turn(self) -> None:
        """Let out what a hand made the machine say."""
        self._pump.turn()

    async def told(self, name: str, times: int = 1) -> list[Fact]:
        """The facts of one class, once there are so many."""
        await self._bench.until(lambda: len(self._bench.ledger.facts(name)) == times)
        return self._bench.ledger.facts(name)


@contextlib.asynccontextmanager
async def driven(bench: Bench, family: str, machine: Machine) -> AsyncGenerator[Driven]:
    """The machine on its line, with its driver, connected."""
    line = Line(bench.folder / family, random.Random(1))  # noqa: S311 - a simulation that can be repeated
    line.open()
    try:
        async with Pump(Station(machine, line), bench.clock.link_now) as pump:
            bench.supervise(bench.driver(family, family))
            await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
            bench.ledger.drivers[family].renew(True)  # noqa: FBT003 - as it is meant
            yield Driven(bench, family, machine, pump)
            await bench.stop_drivers()
    finally:
        line.close()


def shoe(bench: Bench, build: ManualShoeBuild) -> ManualShoe:
    """A manual shoe."""
    return ManualShoe(build, random.Random(2), bench.clock.link_now())  # noqa: S311 - as above


def box(bench: Bench) -> ContinuousShuffler:
    """A continuous shuffler that takes cards in fast."""
    rng = random.Random(2)  # noqa: S311 - as above
    return ContinuousShuffler(ContinuousBuild(card_s=0.001), rng, bench.clock.link_now())


def stack() -> list[Card]:
    """A deck as it comes out of its box: A, 2, 3, 4, 5 of clubs are the first cards."""
    return [one for one in new_deck("a", "red", "table").stack() if one.rank != "JK"]


async def test_672a_7_e_a_round_out_of_a_shoe_that_is_set_to_the_game(bench: Bench) -> None:
    machine = shoe(bench, ManualShoeBuild(set_to=SETTINGS["672a"]))
    cards = stack()
    cards.insert(2, cover_card())
    async with driven(bench, SHOE, machine) as t:
        machine.load(cards, bench.clock.link_now())
        await t.permit(1)
        machine.key_in(1, bench.clock.link_now(), burns=1)
        t.draw(6)
        assert await t.told("CardDrawn", 5) == [
            card.CardDrawn(device=SHOE, n=2, face_up=False),
            card.CardDrawn(device=SHOE, n=3, face_up=False, shown=True, rank="2", suit="clubs", back="red"),
            card.CardDrawn(device=SHOE, n=5, face_up=False, shown=True, rank="3", suit="clubs", back="red"),
            card.CardDrawn(device=SHOE, n=6, face_up=False, shown=True, rank="4", suit="clubs", back="red"),
            card.CardDrawn(device=SHOE, n=7, face_up=False),
        ]
        assert await t.told("CoverCardDrawn") == [card.CoverCardDrawn(device=SHOE, n=4)]
        machine.remove_rest(bench.clock.link_now())
        t.turn()
        assert await t.told("ShoeUnloaded") == [card.ShoeUnloaded(device=SHOE, count=47, n=8)]


async def test_a_shoe_without_a_lock_shows_its_inhibit_and_tells_what_is_drawn_under_it(bench: Bench) -> None:
    machine = shoe(bench, ManualShoeBuild(locks=False))
    async with driven(bench, SHOE, machine) as t:
        machine.load(stack(), bench.clock.link_now())
        await t.permit(1)
        assert not machine.lamp
        t.driver.inhibit("wrong-count")
        await bench.until(lambda: machine.lamp)
        t.draw(1)
        assert await t.told("CardDrawn") == [card.CardDrawn(device=SHOE, n=2, face_up=False)]
        await bench.pass_time(0.7)
        assert "InterlockUnconfirmed" not in bench.ledger.names()


async def test_a_card_that_sticks_is_a_jam_until_it_is_taken_out(bench: Bench) -> None:
    machine = shoe(bench, ManualShoeBuild())
    async with driven(bench, SHOE, machine) as t:
        machine.load(stack(), bench.clock.link_now())
        await t.permit(1)
        machine.set_fault(Fault.parse("jam=2"), bench.clock.link_now())
        with pytest.raises(CardSticks):
            t.draw(2)
        t.turn()
        assert await t.told("ShoeJammed") == [card.ShoeJammed(device=SHOE, where="mouth", n=3)]
        assert len(machine.clear_jam(bench.clock.link_now())) == 1
        t.turn()
        assert await t.told("DeviceCleared") == [device.DeviceCleared(device=SHOE, where="mouth", n=4)]


async def test_686a_a_continuous_shuffler_tells_its_cards_and_an_unsteady_count(bench: Bench) -> None:
    machine = box(bench)
    async with driven(bench, BOX, machine) as t:
        machine.put_back([one for _ in range(6) for one in stack()], bench.clock.link_now())
        t.turn()
        await t.told("InsideCounted")
        await t.permit(1)
        drawn = t.draw(3)
        await t.told("CardDrawn", 3)
        machine.set_fault(Fault.parse("miscount=-1"), bench.clock.link_now())
        machine.press_count(bench.clock.link_now())
        machine.put_back(drawn, bench.clock.link_now())
        t.turn()
        assert await t.told("InsideCounted", 3) == [
            deck.InsideCounted(device=BOX, count=312, n=2),
            deck.InsideCounted(device=BOX, count=308, n=6),
            deck.InsideCounted(device=BOX, count=312, n=8),
        ]
        assert await t.told("CardsReturned", 2) == [
            card.CardsReturned(device=BOX, count=312, n=1),
            card.CardsReturned(device=BOX, count=3, n=7),
        ]
        assert bench.ledger.facts("CardDrawn")[0] == card.CardDrawn(device=BOX, n=3, face_up=False)


async def test_a_continuous_shuffler_that_jams_is_interrupted_in_no_batch(bench: Bench) -> None:
    machine = box(bench)
    async with driven(bench, BOX, machine) as t:
        machine.set_fault(Fault.parse("jam=5"), bench.clock.link_now())
        machine.put_back(stack(), bench.clock.link_now())
        t.turn()
        assert await t.told("ShuffleInterrupted") == [
            deck.ShuffleInterrupted(device=BOX, batch=0, why="jam", where="feeder", n=2)
        ]
        assert len(machine.clear_jam(bench.clock.link_now())) == 48
        t.turn()
        assert await t.told("DeviceCleared") == [device.DeviceCleared(device=BOX, where="feeder", n=4)]


async def test_a_continuous_shuffler_that_offers_the_order_of_its_cards_is_refused(bench: Bench) -> None:
    machine = box(bench)
    async with driven(bench, BOX, machine) as t:
        machine.set_fault(Fault.parse("leak-order"), bench.clock.link_now())
        machine.press_count(bench.clock.link_now())
        t.turn()
        await t.told("DeviceRefused")
        assert bench.ledger.names()[2:] == ["OrderLeaked", "DeviceRefused"]
