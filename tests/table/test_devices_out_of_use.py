"""Devices that are retired and accepted again: their cards are accounted for, and they tell of no game."""

from __future__ import annotations

import pytest

from felt_daemon.table import picture
from felt_protocols import commands
from felt_protocols.events import Fact, card, deck, device, person

from .felt import DEALER, FLOOR, PACK, Felt, connected, refused, started

BEGIN = {name: commands.ServiceBegin(device=name, why="a new belt") for name in ("shuffler-1", "shoe-1")}
RETIRE = commands.DeviceRetire(device="shoe-1", shown_empty=True, note="worn out")


# ---- counting what a device cannot give back ---------------------------------------------------------------


@pytest.mark.parametrize(
    "fact",
    [
        device.DeviceLost(device="shuffler-1", why="silent"),
        device.DeviceFaulted(device="shuffler-1", code="motor"),
        deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"),
        person.ServiceBegun(by=FLOOR, device="shuffler-1", why="a new belt"),
    ],
)
def test_a_deck_that_people_took_out_of_a_broken_device_is_counted(opened: Felt, fact: Fact) -> None:
    count = commands.CountCards(deck="blue", count=53)
    assert refused(opened, count, DEALER) == (
        "blue is in use; take all its cards out of devices and off the table first"
    )
    opened.tell(fact)
    opened.command(count, "dealer")
    assert opened.state.decks["blue"].places["hand"] == 53


# ---- retired and accepted ----------------------------------------------------------------------------------


def test_a_device_is_retired_once_all_cards_are_accounted_for_and_it_was_shown_empty(opened: Felt) -> None:
    assert refused(opened, RETIRE) == (
        "53 cards of red are believed to be in shoe-1: take them out, count the deck by hand and report it"
        " with count, or bring another deck with change-deck"
    )
    opened.empty_shoe()
    assert refused(opened, RETIRE.model_copy(update={"shown_empty": False})) == (
        "open shoe-1, show that no card is inside, and say so (shown_empty)"
    )
    opened.command(RETIRE)
    assert opened.state.devices["shoe-1"].retired
    assert refused(opened, RETIRE) == "shoe-1 is out of use already"
    assert refused(opened, BEGIN["shoe-1"]) == "shoe-1 is out of use already"


def test_a_device_without_any_place_for_cards_is_retired_at_once(opened: Felt) -> None:
    opened.command(commands.DeviceRetire(device="shaker-1", shown_empty=True))
    assert opened.state.devices["shaker-1"].retired


def test_a_dead_shuffler_is_retired_after_its_deck_was_counted(opened: Felt) -> None:
    opened.tell(device.DeviceLost(device="shuffler-1", why="silent"))
    retire = commands.DeviceRetire(device="shuffler-1", shown_empty=True)
    assert refused(opened, retire).startswith("53 cards of blue are believed to be in shuffler-1")
    opened.command(commands.CountCards(deck="blue", count=53), "dealer")
    opened.command(retire)
    one = opened.state.devices["shuffler-1"]
    assert (one.retired, one.batch, one.deck, one.working, one.jam) == (True, None, "", False, "")
    # What bound the device has left the table with it.
    assert opened.holds() == set()


def test_a_retired_device_tells_nothing_of_any_game_and_nobody_waits_for_it(opened: Felt) -> None:
    opened.empty_shoe()
    opened.command(RETIRE)
    rows = opened.tell(card.ShoeJammed(device="shoe-1"), device.DeviceLost(device="shoe-1", why="silent"))
    assert {dict(row.context)["test"] for row in rows} == {"shoe-1"}
    assert opened.rulings() == []
    opened.tell(started())
    for name in ("shuffler-1", "shaker-1"):
        opened.tell(connected(name, same_boot=True), device.DeviceDrained(device=name, upto=0))
    opened.tell(deck.DeckUnloaded(device="shuffler-1", batch=2, count=53))
    opened.load()
    assert opened.permits("shuffler-1")[-1] == {"cycle": 3, "batch": 3}
    (waits,) = [
        one["waits_for"]
        for one in picture(PACK, opened.state)["state"]["interlocks"]
        if one["device"] == "shoe-1"
    ]
    assert waits == ["shoe-1 is awaiting", "shoe-1 is out of use"]


def test_a_hold_of_another_device_stays_when_one_is_retired(opened: Felt) -> None:
    opened.tell(
        person.Inspected(by=FLOOR, device="shuffler-1", result="not-in-order"),
        person.Inspected(by=FLOOR, device="shaker-1", result="not-in-order"),
    )
    opened.command(commands.DeviceRetire(device="shaker-1", shown_empty=True))
    assert opened.holds() == {("device-not-in-order", "shuffler-1")}


def test_a_device_is_accepted_again_by_its_plate_shown_empty_and_switched_on(opened: Felt) -> None:
    accept = commands.DeviceAccept(device="shoe-1", serial="s-1", shown_empty=True)
    assert refused(opened, accept) == "shoe-1 is in use"
    opened.empty_shoe()
    opened.tell(person.SignMoved(by=FLOOR, device="shoe-1", sign="covered"))
    opened.command(RETIRE)
    opened.tell(device.DeviceLost(device="shoe-1", why="silent"))
    assert refused(opened, accept) == "shoe-1 is lost; switch it on and plug it in first"
    opened.tell(connected("shoe-1", "00000000000000b2"))
    assert refused(opened, accept.model_copy(update={"serial": "s-2"})) == (
        "shoe-1 says its serial number is s-1, not s-2"
    )
    assert refused(opened, accept.model_copy(update={"shown_empty": False})) == (
        "open shoe-1, show that no card is inside, and say so (shown_empty)"
    )
    opened.tell(device.DeviceDrained(device="shoe-1", upto=0))
    opened.command(accept)
    one = opened.state.devices["shoe-1"]
    assert (one.retired, one.sign, one.inspected, one.link) == (False, "", "", "ready")


def test_a_service_that_ends_of_a_device_that_nobody_knows_ends_nothing(opened: Felt) -> None:
    before = opened.state
    opened.tell(person.ServiceEnding(by=FLOOR, device="ghost-9"))
    assert opened.state.devices == before.devices
    assert opened.state.decks == before.decks
