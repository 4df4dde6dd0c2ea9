"""A device on Felt Link, from its bytes to the table's facts and back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from felt_drivers.contract import Mark
from felt_protocols.events import card, device

if TYPE_CHECKING:
    from tests.drivers.conftest import Bench, Told

pytestmark = pytest.mark.asyncio


async def test_a_device_says_hello_is_connected_and_drained(bench: Bench) -> None:
    bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    assert bench.ledger.told[0].fact == device.DeviceConnected(
        device="shoe",
        family="shoe",
        model="test bench",
        serial="shoe-7",
        firmware="1.2.3",
        digest="00" * 32,
        device_boot="0000000000001000",
        same_boot=False,
    )
    assert bench.ledger.names() == ["DeviceConnected", "DeviceDrained"]


@pytest.mark.parametrize("speed", [4], indirect=True)
async def test_an_event_becomes_its_fact_once_and_is_acknowledged_after_the_commit(bench: Bench) -> None:
    _, [shoe] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    bench.ledger.committing = False
    shoe.happen("jam", where="gate")
    await bench.until(lambda: "ShoeJammed" in bench.ledger.names())
    await bench.pass_time(0.6)
    assert bench.ledger.facts("ShoeJammed") == [card.ShoeJammed(device="shoe", where="gate", n=1)]
    assert shoe.session.due() < float("inf"), "the device still has its event"
    bench.ledger.commit()
    await bench.until(lambda: shoe.session.due() == float("inf"))


async def test_an_inhibit_leaves_in_the_callback_that_read_the_jam(bench: Bench) -> None:
    _, [shoe] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    links: list[tuple[int, int] | None] = []

    def stop(told: Told) -> None:
        if told.name == "ShoeJammed":
            links.append(bench.ledger.drivers["shoe"].links())
            bench.ledger.drivers["shoe"].inhibit("shoe-jammed")
            links.append(bench.ledger.drivers["shoe"].links())

    bench.ledger.when = stop
    shoe.happen("jam", where="gate")
    await bench.until(lambda: shoe.session.why == "shoe-jammed")
    assert links[0] is not None
    assert links[1] is not None
    assert links[1][1] > links[0][1], "nothing was written within the call"
    await bench.pass_time(0.8)
    assert "InterlockUnconfirmed" not in bench.ledger.names()


@pytest.mark.parametrize("speed", [4], indirect=True)
async def test_an_inhibit_that_the_device_does_not_show_is_told(bench: Bench) -> None:
    _, [shoe] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    shoe.turn_deaf()
    bench.ledger.drivers["shoe"].inhibit("shoe-jammed")
    await bench.until(lambda: "InterlockUnconfirmed" in bench.ledger.names())
    fact = bench.ledger.only(device.InterlockUnconfirmed)
    assert 500 <= fact.after_ms < 1000
    shoe.listen()
    await bench.until(lambda: shoe.session.why == "shoe-jammed")


async def test_a_permit_is_answered_by_its_row(bench: Bench) -> None:
    bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    bench.ledger.drivers["shoe"].order(("epoch-1", 412), "permit", {"round": 3, "stacks": 7, "size": 7})
    await bench.until(lambda: "OrderAnswered" in bench.ledger.names())
    assert bench.ledger.facts("OrderAnswered") == [
        device.OrderAnswered(device="shoe", order=412, result="done")
    ]


async def test_a_permit_for_a_device_that_is_not_there_fails_at_once(bench: Bench) -> None:
    bench.supervise(bench.driver("shoe"))
    bench.ledger.drivers["shoe"].order(("epoch-1", 412), "permit", {"round": 3})
    await bench.until(lambda: "OrderAnswered" in bench.ledger.names())
    assert bench.ledger.facts("OrderAnswered") == [
        device.OrderAnswered(device="shoe", order=412, result="failed", why="not-connected")
    ]


async def test_the_identity_of_a_face_down_card_stays_in_the_driver(bench: Bench) -> None:
    _, [shoe] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    shoe.happen("card", face_up=False, rank="Q", suit="H")
    shoe.happen("card", face_up=True, rank="T", suit="S")
    await bench.until(lambda: len(bench.ledger.facts("CardDrawn")) == 2)
    assert bench.ledger.facts("CardDrawn") == [
        card.CardDrawn(device="shoe", face_up=False, n=1),
        card.CardDrawn(device="shoe", face_up=True, rank="10", suit="spades", n=2),
    ]


async def test_what_is_no_event_of_the_family_is_a_fault_and_the_next_event_follows(bench: Bench) -> None:
    supervisor, [shoe] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    shoe.happen("jam", where=7)
    shoe.happen("explodes")
    shoe.happen("stack", size=7)
    await bench.until(lambda: "StackDispensed" in bench.ledger.names())
    await bench.until(lambda: shoe.session.due() == float("inf"))
    faults = bench.ledger.facts("DeviceFaulted")
    assert [fault.model_dump(include={"code", "n"}) for fault in faults] == [
        {"code": "not-understood", "n": 1},
        {"code": "not-understood", "n": 2},
    ]
    facts = supervisor.health()["shoe"]["facts"]
    assert isinstance(facts, dict)
    assert facts["not_understood"] == 2


@pytest.mark.parametrize("speed", [4], indirect=True)
async def test_a_device_that_offers_the_order_of_cards_is_accepted_no_more(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor, [shuffler] = bench.table(shuffler="shuffler")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    shuffler.happen("completed", batch=1, mode="shuffle", order=["QH", "2C", "AS"])
    await bench.until(lambda: "DeviceRefused" in bench.ledger.names())
    shuffler.happen("loaded", batch=2)
    await bench.pass_time(1.2)
    assert bench.ledger.names()[2:] == ["OrderLeaked", "DeviceRefused"]
    everything = caplog.text + repr(supervisor.health()) + repr(bench.ledger.told)
    assert "QH" not in everything
    assert "2C" not in everything


@pytest.mark.parametrize("speed", [4], indirect=True)
async def test_a_restarted_device_is_told_and_its_old_marks_acknowledge_nothing(bench: Bench) -> None:
    _, [shoe] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    bench.ledger.committing = False
    shoe.happen("stack", size=7)
    shoe.happen("stack", size=7)
    await bench.until(lambda: len(bench.ledger.facts("StackDispensed")) == 2)
    shoe.boot(0x2000)
    shoe.happen("stack", size=6)
    await bench.until(lambda: len(bench.ledger.facts("StackDispensed")) == 3)
    assert bench.ledger.facts("DeviceRestarted") == [
        device.DeviceRestarted(
            device="shoe", device_boot="0000000000002000", previous_boot="0000000000001000"
        )
    ]
    bench.ledger.drivers["shoe"].acknowledge(Mark(0x1000, 2))
    await bench.pass_time(0.4)
    assert shoe.session.due() < float("inf"), "the new boot's event 1 is not committed"
    bench.ledger.drivers["shoe"].acknowledge(Mark(0x2000, 1))
    await bench.until(lambda: shoe.session.due() == float("inf"))


async def test_events_from_before_the_connection_come_once_and_are_late(bench: Bench) -> None:
    shoe = bench.far("shoe")
    shoe.plug()
    shoe.happen("stack", size=7)
    shoe.happen("jam", where="gate")
    await bench.pass_time(0.3)
    bench.supervise(bench.driver("shoe"))
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    told = [each for each in bench.ledger.told if each.mark is not None]
    assert [(each.name, each.late) for each in told] == [("StackDispensed", True), ("ShoeJammed", True)]
    assert 0.25 < told[0].age_s < 2.0


async def test_a_known_boot_goes_on_after_the_last_committed_event(bench: Bench) -> None:
    shoe = bench.far("shoe")
    for size in (7, 6, 5):
        shoe.happen("stack", size=size)
    shoe.plug()
    bench.supervise(bench.driver("shoe", last=Mark(0x1000, 2)))
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    assert bench.ledger.facts("StackDispensed") == [card.StackDispensed(device="shoe", size=5, n=3)]
    assert bench.ledger.only(device.DeviceConnected).same_boot


@pytest.mark.parametrize("speed", [5], indirect=True)
async def test_another_device_at_the_port_is_refused_once(bench: Bench) -> None:
    far = bench.far("shoe", "shaker")
    far.plug()
    bench.supervise(bench.driver("shoe", "shoe"))
    await bench.until(lambda: "DeviceRefused" in bench.ledger.names())
    await bench.pass_time(2.5)
    assert bench.ledger.facts("DeviceRefused") == [device.DeviceRefused(device="shoe", why="wrong-family")]


@pytest.mark.parametrize("speed", [5], indirect=True)
async def test_a_silent_device_is_stale_then_lost_then_back(bench: Bench) -> None:
    _, [shoe] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    shoe.turn_deaf()
    await bench.until(lambda: "DeviceLost" in bench.ledger.names())
    assert bench.ledger.names()[2:] == ["DeviceStale", "DeviceLost"]
    assert bench.ledger.facts("DeviceLost") == [device.DeviceLost(device="shoe", why="silent")]
    shoe.listen()
    await bench.until(lambda: bench.ledger.names()[-1] == "DeviceDrained")
    assert bench.ledger.names()[4:] == ["DeviceConnected", "DeviceBack", "DeviceDrained"]


@pytest.mark.parametrize("speed", [10], indirect=True)
async def test_a_leap_of_the_loops_time_is_no_silence(bench: Bench) -> None:
    _, [shoe] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    with bench.clock.leaping():
        written = bench.ledger.drivers["shoe"].links()
        await asyncio.sleep(0.8)
        assert bench.ledger.drivers["shoe"].links() == written, "nothing was due"
        assert bench.ledger.drivers["shoe"].overdue_s() == 0
    assert bench.ledger.names() == ["DeviceConnected", "DeviceDrained"]
    shoe.turn_deaf()
    await bench.until(lambda: "DeviceStale" in bench.ledger.names())


@pytest.mark.parametrize("speed", [10], indirect=True)
async def test_a_leap_brings_no_attempt_forward(bench: Bench) -> None:
    supervisor = bench.supervise(bench.driver("shoe"))
    await bench.until(lambda: supervisor.health()["shoe"]["attempts"] == 4)
    with bench.clock.leaping():
        await asyncio.sleep(0.6)
        assert supervisor.health()["shoe"]["attempts"] == 4
    await bench.until(lambda: supervisor.health()["shoe"]["attempts"] == 5)


async def test_a_released_device_is_inhibited_no_more_by_its_next_permit(bench: Bench) -> None:
    _, [shoe] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    made = bench.ledger.drivers["shoe"]
    made.inhibit("shoe-jammed", after_round=True)
    await bench.until(lambda: shoe.session.why == "shoe-jammed")
    made.release()
    assert shoe.session.why == "shoe-jammed", "nothing is sent"
    made.order(("epoch", 9), "permit", {"round": 1})
    await bench.until(lambda: not shoe.session.inhibited)


async def test_an_unexplained_inhibit_is_told(bench: Bench) -> None:
    _, [shoe] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    bench.ledger.drivers["shoe"].inhibit("key-switch")
    await bench.until(lambda: shoe.session.why == "key-switch")
    await bench.stop_drivers()
    bench.ledger.told.clear()
    bench.supervise(bench.driver("shoe"))
    await bench.until(lambda: "InhibitFound" in bench.ledger.names())
    assert bench.ledger.facts("InhibitFound") == [device.InhibitFound(device="shoe", why="key-switch")]


async def test_events_that_the_device_lost_are_told(bench: Bench) -> None:
    shoe = bench.far("shoe")
    for _ in range(70):
        shoe.happen("stack", size=7)
    shoe.plug()
    bench.supervise(bench.driver("shoe"))
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    lost = bench.ledger.only(device.EventsLost)
    taken = [each.mark.n for each in bench.ledger.told if each.mark is not None]
    assert taken == sorted(set(taken))
    assert lost.first not in taken
    assert taken[-1] == 70 or lost.last == 70


async def test_health_tells_each_level(bench: Bench) -> None:
    supervisor, [shoe] = bench.table(shoe="shoe")
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names())
    shoe.happen("stack", size=7)
    await bench.until(lambda: "StackDispensed" in bench.ledger.names())
    health = supervisor.health()["shoe"]
    link, heard = health["link"], health["bytes"]
    assert isinstance(link, dict)
    assert isinstance(heard, dict)
    assert (link["open"], link["session"], link["standing"], link["diagnosis"]) == (
        True,
        "accepted",
        "heard",
        "",
    )
    assert heard["read"] > 0
    assert heard["written"] > 0
    assert health["stale"] is False
    assert (health["attempts"], health["failures"], health["first_failure"]) == (1, 0, None)
    assert (health["firmware"], health["inhibited"]) == ("1.2.3", True)
    assert max(supervisor.progress().values()) < 0.5
