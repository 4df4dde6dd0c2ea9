"""What silence, loss and disobedience do: rules of our own, each in the table of doubts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device

if TYPE_CHECKING:
    from collections.abc import Callable

    from .felt_bench import Bench


@pytest.mark.rule("device-silent")
def test_a_silent_shaker_locks_nothing_and_is_told_once(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.unplug("shaker-1")
    opened.run(20.0)
    assert [one.row for one in opened.rulings()] == ["device-silent"]
    assert [type(one).__name__ for one in opened.rows_of(device.DeviceFact)[-2:]] == [
        "DeviceStale",
        "DeviceLost",
    ]
    opened.deal()
    opened.take_rest()
    assert opened.state.round.phase == "playing"
    opened.plug("shaker-1")
    opened.run(10.0)
    assert opened.holds() == set()


@pytest.mark.rule("device-silent")
def test_an_idle_shuffler_that_is_lost_does_not_keep_the_deck_in_the_shoe_from_being_dealt(
    opened: Bench,
) -> None:
    opened.unplug("shuffler-1")
    opened.run(20.0)
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1
    assert opened.holds() == {("device-silent", "shuffler-1")}


@pytest.mark.rule("shuffler-lost-in-shuffle")
def test_a_shuffler_lost_in_the_middle_of_a_shuffle_holds_its_deck(opened: Bench) -> None:
    opened.finish_round()
    opened.to_shoe()
    opened.load(opened.rack)
    opened.rack = []
    opened.run(2.0)
    assert opened.state.devices["shuffler-1"].working
    opened.unplug("shuffler-1")
    opened.run(20.0)
    assert ("shuffler-lost-in-shuffle", "red") in opened.holds()
    # The deck in the shoe is another one and is dealt.
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 2
    # What the shuffler kept is told when it is heard again, and a right count ends the hold.
    opened.plug("shuffler-1")
    opened.run(60.0)
    assert opened.holds() == set()


@pytest.mark.rule("shuffler-restarted")
def test_a_shuffler_that_restarts_with_a_deck_inside_has_counted_nothing(opened: Bench) -> None:
    opened.shuffler.power_cycle(opened.now)
    opened.run(10.0)
    assert [one.row for one in opened.rulings()] == ["device-silent", "shuffler-restarted"]
    assert opened.rulings()[-1].subject_id == "blue"
    assert opened.holds() == {("shuffler-restarted", "blue")}


@pytest.mark.rule("shoe-lost-in-deal")
def test_a_shoe_lost_in_the_deal_finishes_it_and_tells_afterwards(dealing: Bench) -> None:
    dealing.unplug("shoe-1")
    dealing.run(4.0)
    dealing.deal(4)
    dealing.run(5.0)
    assert ("shoe-lost-in-deal", "shoe-1") in dealing.holds()
    assert dealing.state.round.stacks == 3
    dealing.plug("shoe-1")
    dealing.run(10.0)
    assert dealing.state.round.stacks == 7
    dealing.take_rest()
    assert dealing.state.round.phase == "playing"
    assert dealing.holds() == set()


@pytest.mark.rule("device-restarted")
def test_an_empty_shuffler_that_restarts_spoils_nothing(bench: Bench) -> None:
    bench.until(lambda: all(one.link == "ready" for one in bench.state.devices.values()))
    bench.shuffler.power_cycle(bench.now)
    bench.run(10.0)
    assert [one.row for one in bench.rulings()] == ["device-silent", "device-restarted"]
    assert bench.holds() == set()


@pytest.mark.rule("interlock-unconfirmed", "shoe-jam")
def test_a_shoe_that_ignores_its_inhibit_is_stopped_by_hand(dealing: Bench) -> None:
    dealing.fault("shoe-1", "ignore-inhibit,lasting")
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(10.0)
    assert [one.row for one in dealing.rulings()] == ["shoe-jam", "interlock-unconfirmed"]
    assert dealing.rulings()[-1].directives == ("stop-by-hand", "call-technician")


@pytest.mark.rule("inhibit-unexplained", "shoe-jam")
def test_an_inhibit_that_no_hold_explains_is_told_after_a_restart(dealing: Bench) -> None:
    dealing.fault("shoe-1", "jam=24")
    dealing.shoe.press_deal(dealing.now)
    dealing.run(5.0)
    # The journal is lost: this table knows of no jam, and its shoe stands inhibited.
    dealing.lose_history()
    dealing.run(5.0)
    told = [one for one in dealing.rulings() if one.row == "inhibit-unexplained"]
    assert [(one.effect, one.subject_id) for one in told] == [("advise", "shoe-1")]


@pytest.mark.rule("order-leaked")
def test_a_device_that_offers_the_order_of_the_cards_is_not_accepted_any_more(opened: Bench) -> None:
    opened.finish_round()
    opened.fault("shuffler-1", "leak-order")
    opened.to_shoe()
    opened.load(opened.rack)
    opened.run(40.0)
    ruling = opened.only_ruling("order-leaked")
    assert ruling.effect == "no-new-round"
    assert opened.state.devices["shuffler-1"].link == "refused"
    public = " ".join(one.event.model_dump_json() for one in opened.rows)
    assert 'order":[' not in public


@pytest.mark.rule("device-refused")
def test_a_device_that_is_not_the_configured_one_is_refused(bench: Bench) -> None:
    bench.expect_serial("shoe-1", "so-9999")
    bench.run(5.0)
    assert {(one.row, one.subject_id) for one in bench.rulings()} == {("device-refused", "shoe-1")}
    assert bench.state.devices["shoe-1"].link == "refused"


@pytest.mark.rule("order-failed")
def test_an_order_that_a_device_does_not_carry_out_is_told(opened: Bench) -> None:
    opened.ready_to_deal()
    order = opened.rows_of_orders("shoe-1")[-1]
    opened.take(device.OrderAnswered(device="shoe-1", order=order, result="failed", why="stopped"))
    assert opened.only_ruling("order-failed").directives == ("call-technician",)


@pytest.mark.rule("driver-fault")
def test_a_bug_in_a_driver_is_no_fault_of_the_device(opened: Bench) -> None:
    opened.take(device.DeviceFaulted(device="shuffler-1", code="driver", where="ValueError"))
    ruling = opened.only_ruling("driver-fault")
    assert (ruling.cite, ruling.effect) == ((), "advise")
    opened.take(device.DeviceCleared(device="shuffler-1", code="driver"))
    assert opened.holds() == set()


@pytest.mark.rule("driver-fault")
def test_a_driver_that_failed_is_forgotten_when_the_program_has_started_again(opened: Bench) -> None:
    opened.take(device.DeviceFaulted(device="shuffler-1", code="driver", where="ValueError"))
    assert opened.holds() == {("driver-fault", "shuffler-1")}
    opened.connect()
    opened.run(2.0)
    assert opened.holds() == set()


def test_nothing_is_permitted_before_every_device_was_heard_or_given_up(
    table_of: Callable[..., Bench],
) -> None:
    bench = table_of(absent="shaker-1")
    bench.run(3.0)
    bench.command(commands.ChangeDeck(deck="red"))
    bench.load(bench.cards["red"])
    assert bench.permits("shuffler-1") == []
    bench.run(10.0)
    assert bench.state.devices["shaker-1"].link == "lost"
    assert bench.permits("shuffler-1") == [{"cycle": 1, "batch": 1}]


@pytest.mark.rule("device-restarted")
def test_an_empty_shuffler_that_restarts_does_not_hold_the_deck_that_it_shuffled_last(opened: Bench) -> None:
    opened.take_from_shuffler()
    assert opened.state.devices["shuffler-1"].deck == "blue"
    opened.shuffler.power_cycle(opened.now)
    opened.run(10.0)
    assert [one.row for one in opened.rulings()] == ["device-silent", "device-restarted"]
    assert opened.holds() == set()
