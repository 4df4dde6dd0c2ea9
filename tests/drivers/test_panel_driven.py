"""A dealer's panel over a real pseudo-terminal: one press is one fact, and people see the last wish."""

from __future__ import annotations

import contextlib
import random
from typing import TYPE_CHECKING, Any

import pytest

from felt_drivers.contract import Mark
from felt_drivers.dealers_panel import FACTS
from felt_protocols.events import device, panel
from felt_protocols.link.frame import Frame, FrameDecoder
from felt_protocols.link.messages import Order, parse
from felt_simulators.devices.dealers_panel import ALONE, BUTTONS, DealersPanel, PanelBuild
from felt_simulators.faults import Fault
from felt_simulators.line import Line
from felt_simulators.pump import Pump
from felt_simulators.station import Station

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.drivers.conftest import Bench, FarEnd

    from felt_drivers.contract import Driver
    from felt_drivers.facts import Fields
    from felt_protocols.events import Fact

pytestmark = pytest.mark.asyncio

LINES = ("HOLD: wrong count", "Call the floor")
LAMPS = {"call": "slow", "hold": "on"}
SHOWN = {"call": "slow", "hold": "on", "deal": "off"}


class Driven:
    """A simulated panel on its line, and its driver."""

    def __init__(self, bench: Bench, machine: DealersPanel, line: Line, pump: Pump, driver: Driver) -> None:
        self.bench = bench
        self.machine = machine
        self.line = line
        self.pump = pump
        self.driver = driver

    @property
    def now(self) -> float:
        """The time."""
        return self.bench.clock.link_now()

    @property
    def pressed(self) -> list[object]:
        """What the table was told was pressed."""
        return list(self.bench.ledger.facts("PanelPressed"))

    def orders(self, name: str) -> list[Any]:
        """What came to the panel."""
        return [order for order in self.machine.truth["orders"] if order["name"] == name]

    def sees(self, lines: tuple[str, ...], lamps: dict[str, str]) -> bool:
        """Whether people see this."""
        return self.machine.display == lines and dict(self.machine.lamps) == lamps


@contextlib.asynccontextmanager
async def driven(bench: Bench, *faults: str) -> AsyncGenerator[Driven]:
    """A panel with its driver, connected."""
    rng = random.Random(2)  # noqa: S311 - a simulation that can be repeated
    machine = DealersPanel(PanelBuild(boot_s=0.1), rng, bench.clock.link_now())
    line = Line(bench.folder / "panel", random.Random(1))  # noqa: S311 - a simulation that can be repeated
    line.open()
    try:
        async with Pump(Station(machine, line), bench.clock.link_now) as pump:
            for fault in faults:
                pump.station.set_fault(Fault.parse(fault), bench.clock.link_now())
            driver = bench.driver("panel", "dealers-panel")
            bench.supervise(driver)
            await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
            yield Driven(bench, machine, line, pump, driver)
            await bench.stop_drivers()
    finally:
        line.close()


async def test_each_button_is_one_fact(bench: Bench) -> None:
    async with driven(bench) as d:
        for button in BUTTONS:
            d.machine.press(button, d.now)
            d.pump.turn()
        d.machine.press_report("cards-exposed", d.now)
        d.pump.turn()
        await bench.until(lambda: len(d.pressed) == 6)
        assert d.pressed == [
            panel.PanelPressed(device="panel", button="no-more-bets", n=1),
            panel.PanelPressed(device="panel", button="round-end", n=2),
            panel.PanelPressed(device="panel", button="new-dealer", n=3),
            panel.PanelPressed(device="panel", button="call-floor", n=4),
            panel.PanelPressed(device="panel", button="acknowledge", n=5),
            panel.PanelPressed(device="panel", button="report", report="cards-exposed", n=6),
        ]
        await bench.pass_time(0.6)
        assert len(d.pressed) == 6
        assert "InhibitFound" not in bench.ledger.names()


async def test_a_press_that_is_sent_again_is_one_fact(bench: Bench) -> None:
    async with driven(bench, "line-duplicate,lasting") as d:
        bench.ledger.committing = False
        d.machine.press("round-end", d.now)
        d.pump.turn()
        await bench.until(lambda: d.pressed)
        # Not acknowledged, it comes every 250 ms.
        await bench.pass_time(1.1)
        assert d.pressed == [panel.PanelPressed(device="panel", button="round-end", n=1)]
        bench.ledger.commit()
        d.machine.press("round-end", d.now)
        d.pump.turn()
        await bench.until(lambda: len(d.pressed) == 2)
        truth: Any = d.machine.truth
        assert [press["told"] for press in truth["presses"]] == [1, 1]


async def test_a_press_that_bounces_is_one_fact(bench: Bench) -> None:
    async with driven(bench) as d:
        d.machine.set_fault(Fault.parse("bounce"), d.now)
        d.machine.press("call-floor", d.now)
        d.pump.turn()
        await bench.pass_time(0.3)
        truth: Any = d.machine.truth
        # Five as it goes down, and one as it is let go.
        assert [press["edges"] for press in truth["presses"]] == [6]
        assert d.pressed == [panel.PanelPressed(device="panel", button="call-floor", n=1)]


async def test_the_text_appears_and_is_there_again_after_the_panel_was_off(bench: Bench) -> None:
    async with driven(bench) as d:
        d.driver.show(LINES, LAMPS)
        await bench.until(lambda: d.sees(LINES, SHOWN))
        d.machine.power_cycle(d.now)
        d.pump.turn()
        assert d.machine.display == ()
        await bench.until(lambda: d.sees(LINES, SHOWN))
        # A PING that meets the panel before it is welcomed is answered by a second HELLO.
        assert len(d.orders("text")) in {2, 3}
        assert bench.ledger.names().count("DeviceRestarted") == 1


async def test_nothing_is_repeated_when_nothing_has_changed(bench: Bench) -> None:
    async with driven(bench) as d:
        d.driver.show(LINES, LAMPS)
        await bench.until(lambda: d.sees(LINES, SHOWN))
        for _ in range(5):
            d.driver.show(LINES, dict(LAMPS))
        # The same lines, written differently.
        d.driver.show((LINES[0] + " ", LINES[1]), {**LAMPS, "deal": "off"})
        await bench.pass_time(1.2)
        assert (len(d.orders("text")), len(d.orders("lamp"))) == (1, 3)
        d.driver.show(LINES, {})
        await bench.until(lambda: d.sees(LINES, dict.fromkeys(SHOWN, "off")))
        assert (len(d.orders("text")), len(d.orders("lamp"))) == (1, 5)


async def test_only_the_last_wish_is_written_when_the_line_is_back(bench: Bench) -> None:
    async with driven(bench) as d:
        d.driver.show(("one",), {})
        await bench.until(lambda: d.machine.display == ("one",))
        d.line.hang_up(d.now)
        await bench.until(lambda: d.driver.links() is None)
        for text in ("two", "three", "four"):
            d.driver.show((text,), {})
        d.line.come_back()
        d.pump.turn()
        await bench.until(lambda: d.machine.display == ("four",))
        assert [order["lines"] for order in d.orders("text")] == [["one"], ["four"]]


async def test_an_order_that_is_lost_on_the_way_is_written_again(bench: Bench) -> None:
    far = bench.far("panel", "dealers-panel")
    far.plug()
    driver = bench.driver("panel", "dealers-panel")
    bench.supervise(driver)
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    far.ears = lambda _data: b""
    driver.show(LINES, {})
    await bench.pass_time(0.2)
    far.ears = lambda data: data
    await bench.until(lambda: _texts(far))


async def test_a_dead_display_is_told_and_shows_again_when_it_is_repaired(bench: Bench) -> None:
    async with driven(bench) as d:
        d.machine.set_fault(Fault("dead-display"), d.now)
        d.pump.turn()
        await bench.until(lambda: "DeviceFaulted" in bench.ledger.names())
        assert bench.ledger.only(device.DeviceFaulted).code == "display"
        d.driver.show(LINES, LAMPS)
        await bench.until(lambda: d.sees((), SHOWN))
        assert [order["shown"] for order in d.orders("text")] == [False]
        d.machine.repair(d.now)
        d.pump.turn()
        await bench.until(lambda: d.sees(LINES, SHOWN), within_s=2.0)
        assert "DeviceCleared" in bench.ledger.names()


async def test_bad_words_are_counted_skipped_and_do_not_stand_in_the_way(bench: Bench) -> None:
    supervisor, [far] = bench.table(panel="dealers-panel")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    far.happen("deal_now")
    far.happen("report", what="Not A Word")
    far.happen("call_floor", who="Ann")
    far.happen("acknowledge")
    await bench.until(lambda: "PanelPressed" in bench.ledger.names())
    await bench.until(lambda: far.session.due() == float("inf"))
    assert [told.mark for told in bench.ledger.told if told.mark] == [Mark(0x1000, n) for n in (1, 2, 3, 4)]
    faulted = bench.ledger.facts("DeviceFaulted")
    assert [getattr(fact, "code", "") for fact in faulted] == ["not-understood"] * 3
    assert "Ann" not in str(faulted)
    health: Any = supervisor.health()["panel"]
    assert health["facts"]["not_understood"] == 3
    assert health["inhibited"] is False


@pytest.mark.parametrize("speed", [8], indirect=True)
async def test_a_silent_panel_is_stale_then_lost_and_shows_the_wish_when_it_is_back(bench: Bench) -> None:
    async with driven(bench) as d:
        d.driver.show(LINES, LAMPS)
        await bench.until(lambda: d.sees(LINES, SHOWN))
        d.machine.set_fault(Fault("silent"), d.now)
        await bench.until(lambda: "DeviceStale" in bench.ledger.names())
        await bench.until(lambda: "DeviceLost" in bench.ledger.names())
        assert bench.ledger.only(device.DeviceLost).why == "silent"
        await bench.until(lambda: d.machine.display == ALONE)
        d.driver.show(("Deal",), {"deal": "on"})
        d.machine.lift_fault("silent", d.now)
        await bench.until(lambda: d.machine.display == ("Deal",))
        assert "DeviceBack" in bench.ledger.names()


@pytest.mark.parametrize("speed", [10], indirect=True)
async def test_a_bug_in_the_driver_does_not_lose_the_wish(bench: Bench) -> None:
    bugs = [RuntimeError("trial")]

    def acknowledge(fields: Fields) -> Fact:
        if bugs:
            raise bugs.pop()
        return panel.PanelPressed.model_validate({**fields, "button": "acknowledge"})

    far = bench.far("panel", "dealers-panel")
    far.plug()
    driver = bench.driver("panel", "dealers-panel", table={**FACTS, "acknowledge": acknowledge})
    supervisor = bench.supervise(driver)
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    driver.show(LINES, {})
    await bench.until(lambda: _texts(far))
    far.happen("acknowledge")
    await bench.until(lambda: "PanelPressed" in bench.ledger.names())
    far.heard = b""
    await bench.until(lambda: _texts(far))
    assert _texts(far)[0].fields == {"lines": list(LINES)}
    why: Any = supervisor.health()["panel"]["last_failure"]
    assert "RuntimeError" in why["why"]


async def test_nothing_can_be_stopped_at_a_panel_and_nothing_be_shown_at_a_shoe(bench: Bench) -> None:
    _, [panel_end, shoe_end] = bench.table(panel="dealers-panel", shoe="shoe")
    await bench.until(lambda: bench.ledger.names().count("DeviceDrained") == 2)
    drivers = bench.ledger.drivers
    drivers["panel"].prepare("shoe-jammed")
    drivers["panel"].inhibit("shoe-jammed")
    drivers["panel"].release()
    drivers["shoe"].show(LINES, {"no such lamp": "on"})
    await bench.pass_time(0.7)
    for end in (panel_end, shoe_end):
        assert not _orders(end)
    assert "InterlockUnconfirmed" not in bench.ledger.names()


def _orders(far: FarEnd) -> list[Order]:
    """The orders that came to a far end."""
    frames = FrameDecoder().receive(far.heard)
    found = [parse(frame) for frame in frames if isinstance(frame, Frame)]
    return [message for message in found if isinstance(message, Order)]


def _texts(far: FarEnd) -> list[Order]:
    return [order for order in _orders(far) if order.name == "text"]
