"""Rows of Asia Poker to the letter: when they have nothing to say, what they tell people, what ends them."""

from __future__ import annotations

import pytest

from felt_daemon.table import inhibits
from felt_protocols import commands
from felt_protocols.events import card, deck, device, draw, ruling

from .felt import DEALER, Felt


def directives(felt: Felt, row: str) -> tuple[str, ...]:
    """What people were told to do by a row that was ruled on once."""
    [found] = [one.directives for one in felt.of(ruling.RulingMade) if one.row == row]
    return found


@pytest.mark.rule("order-leaked")
def test_a_device_that_offers_the_order_is_stopped_by_hand_and_a_technician_comes(opened: Felt) -> None:
    opened.tell(device.OrderLeaked(device="shoe-1"))
    assert directives(opened, "order-leaked") == ("stop-by-hand", "call-floor", "call-technician")


@pytest.mark.rule("red-light")
def test_a_red_light_beside_a_jam_says_nothing_new(opened: Felt) -> None:
    opened.tell(device.LightShown(device="shuffler-1", colour="red"))
    assert opened.rulings() == ["red-light"]
    other = Felt()
    other.open()
    batch = other.load()
    other.tell(
        deck.ShuffleStarted(device="shuffler-1", batch=batch),
        deck.ShuffleInterrupted(device="shuffler-1", batch=batch, why="jam"),
        device.LightShown(device="shuffler-1", colour="red"),
    )
    assert "red-light" not in other.rulings()


@pytest.mark.rule("dealt-before-start-position")
def test_a_deal_before_the_start_position_is_for_the_floor_to_look_at(opened: Felt) -> None:
    opened.command(commands.NoMoreBets(), "dealer")
    opened.deal(7)
    assert directives(opened, "dealt-before-start-position") == ("call-floor",)


@pytest.mark.rule("second-reading")
def test_uncovering_is_a_second_reading_only_between_the_first_one_and_the_deal(opened: Felt) -> None:
    opened.ready_to_deal()
    assert "second-reading" not in opened.rulings()
    opened.tell(draw.ShakerUncovered(device="shaker-1"))
    assert opened.rulings().count("second-reading") == 1
    opened.deal()
    opened.tell(draw.ShakerUncovered(device="shaker-1"))
    assert opened.rulings().count("second-reading") == 1


@pytest.mark.rule("empty-shuffler-jam")
def test_a_jam_is_one_of_an_empty_shuffler_only_where_no_deck_is_inside(opened: Felt) -> None:
    opened.report("shuffler-jam", DEALER.role)
    assert "empty-shuffler-jam" not in opened.rulings()
    opened.tell(deck.DeckUnloaded(device="shuffler-1", batch=opened.batch, count=53))
    opened.report("shuffler-jam", DEALER.role)
    assert "empty-shuffler-jam" in opened.rulings()


@pytest.mark.rule("shoe-stops-dealing")
def test_a_shoe_that_stopped_is_let_go_once_it_is_cleared_and_stays_held_until_it_is_empty(
    opened: Felt,
) -> None:
    opened.ready_to_deal()
    opened.deal(7, 7, 7)
    opened.tell(card.ShoeStopped(device="shoe-1"))
    assert inhibits(opened.state) == {"shoe-1": "shoe-stops-dealing"}
    opened.tell(device.DeviceCleared(device="shoe-1"))
    assert inhibits(opened.state) == {}
    assert ("shoe-stops-dealing", "shoe-1") in opened.holds()
    opened.tell(card.ShoeUnloaded(device="shoe-1", count=32))
    assert ("shoe-stops-dealing", "shoe-1") not in opened.holds()


@pytest.mark.rule("shoe-jam-outside-a-deal")
def test_a_shoe_that_stops_between_deals_is_held_as_one_that_jams(opened: Felt) -> None:
    opened.tell(card.ShoeStopped(device="shoe-1"))
    assert opened.rulings() == ["shoe-jam-outside-a-deal"]


@pytest.mark.rule("shoe-lost-in-deal")
def test_a_shoe_that_is_heard_again_after_a_deal_is_no_cause_any_more_and_waits_to_be_emptied(
    opened: Felt,
) -> None:
    opened.ready_to_deal()
    opened.deal(7, 7)
    opened.tell(device.DeviceLost(device="shoe-1", why="silent"))
    [hold] = [one for one in opened.state.holds.values() if one.row == "shoe-lost-in-deal"]
    assert hold.cause
    opened.connect("shoe-1")
    assert not opened.state.holds[hold.id].cause
