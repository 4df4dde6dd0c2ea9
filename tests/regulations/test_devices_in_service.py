"""Devices that are repaired, tested, taken out of use, brought back; cards withdrawn and replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import card, deck, device, incident, person
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from .felt_bench import Bench

SHUFFLER = "shuffler-1"


def begin(bench: Bench, name: str = SHUFFLER) -> None:
    bench.command(commands.ServiceBegin(device=name, why="jam, roller changed"), "tech", name="Kim")


def end(bench: Bench, name: str = SHUFFLER) -> None:
    bench.command(commands.ServiceEnd(device=name, shown_empty=True), "tech", name="Kim")
    bench.run(10.0)


# ---- service ---------------------------------------------------------------------------------------------


@pytest.mark.rule("shuffler-jam", chapters=("659a",))
def test_a_jam_is_cleared_in_service_and_the_deck_is_reshuffled_after_it(opened: Bench) -> None:
    opened.finish_round()
    opened.change_over("jam=20")
    before = len(opened.rulings())
    begin(opened)
    red = opened.shuffler.clear_jam(opened.now)
    opened.run(1.0)
    # A shuffle of test cards jams too: a test is no part of any game and makes no ruling.
    opened.fault(SHUFFLER, "jam=20")
    opened.shuffle(red)
    assert opened.shuffler.state.value == "interrupted"
    opened.shuffler.clear_jam(opened.now)
    opened.run(1.0)
    assert len(opened.rulings()) == before
    tests = [row for row in opened.rows if isinstance(row.event, deck.ShufflerFact) and row.context]
    assert tests[-1].context == {"test": SHUFFLER}
    assert opened.state.devices[SHUFFLER].service == "on"
    end(opened)
    assert opened.state.devices[SHUFFLER].service == ""
    [over] = opened.rows_of(device.ServiceEnded)
    assert over.device == SHUFFLER
    assert ("shuffler-jam", "red") in opened.holds()
    opened.shuffle(red)
    assert ("shuffler-jam", "red") not in opened.holds()


def test_a_test_shuffle_is_permitted_and_counts_for_no_deck(opened: Bench) -> None:
    blue = opened.take_from_shuffler()
    begin(opened)
    decks = dict(opened.state.decks)
    opened.shuffle(blue[:30])
    assert opened.shuffler.state.value == "shuffled"
    opened.take_from_shuffler()
    assert dict(opened.state.decks) == decks
    assert opened.rulings() == []
    end(opened)
    assert opened.rulings() == []


def test_a_service_ends_with_the_device_shown_empty_and_its_selftest_passed(opened: Bench) -> None:
    opened.take_from_shuffler()
    begin(opened)
    assert opened.refused(commands.ServiceBegin(device=SHUFFLER, why="again"), "tech") == (
        "shuffler-1 is in service already"
    )
    assert opened.refused(commands.ServiceEnd(device=SHUFFLER), "tech") == (
        "open shuffler-1, show that no card is inside, and say so (shown_empty)"
    )
    assert opened.refused(commands.ServiceEnd(device=SHUFFLER, shown_empty=True), "dealer") == (
        "service-end is for floor, tech; you are dealer"
    )
    opened.command(commands.ServiceEnd(device=SHUFFLER, shown_empty=True), "tech", name="Kim")
    [order] = [one for one in opened.rows_of(device.OrderIssued) if one.order == "selftest"]
    assert order.device == SHUFFLER
    opened.run(10.0)
    assert [type(one).__name__ for one in opened.rows_of(device.ServiceEnded)] == ["ServiceEnded"]
    people = opened.rows_of(person.ServiceBegun) + opened.rows_of(person.ServiceEnding)
    assert [(one.by.role, one.by.name, one.device) for one in people] == [("tech", "Kim", SHUFFLER)] * 2


def test_a_service_ends_only_when_the_selftests_answer_has_come(opened: Bench) -> None:
    opened.take_from_shuffler()
    begin(opened)
    opened.unplug(SHUFFLER)
    end(opened)
    assert (opened.state.devices[SHUFFLER].service, opened.state.devices[SHUFFLER].link) == ("ending", "lost")
    opened.plug(SHUFFLER)
    opened.run(10.0)
    assert opened.state.devices[SHUFFLER].service == ""


def test_a_selftest_that_fails_leaves_the_device_in_service_until_one_is_passed(opened: Bench) -> None:
    opened.take_from_shuffler()
    begin(opened)
    opened.unplug(SHUFFLER)
    opened.command(commands.ServiceEnd(device=SHUFFLER, shown_empty=True), "tech")
    order = opened.rows_of_orders(SHUFFLER)[-1]
    opened.take(device.OrderAnswered(device=SHUFFLER, order=order, result="failed", why="drum"))
    opened.plug(SHUFFLER)
    opened.run(10.0)
    assert opened.state.devices[SHUFFLER].service == "on"
    assert opened.rows_of(device.ServiceEnded) == []
    end(opened)
    assert opened.state.devices[SHUFFLER].service == ""


def test_a_device_at_work_is_not_taken_into_service(dealing: Bench) -> None:
    told = dealing.refused(commands.ServiceBegin(device="shoe-1", why="rollers"), "tech")
    assert told == "shoe-1 deals round 1; begin the service after it"


@pytest.mark.rule("service-left-cards", chapters=("659a",))
def test_sixteen_cards_that_stayed_inside_are_missed_when_the_service_ends(opened: Bench) -> None:
    opened.finish_round()
    opened.fault(SHUFFLER, "cards-left=16")
    blue = opened.take_from_shuffler()
    assert opened.state.decks["blue"].places["shuffler"] == 16
    begin(opened)
    end(opened)
    left = opened.rulings("service-left-cards")
    assert [(one.subject_id, one.directives) for one in left] == [("blue", ("search-device", "count-deck"))]
    assert ("service-left-cards", "blue") in opened.holds()
    # Found and counted by hand with the others, the deck is whole again.
    assert len(blue) + len(opened.look_inside()) == 53
    opened.command(commands.CountCards(deck="blue", count=53), "dealer")
    assert opened.holds() == set()


def test_a_device_in_service_holds_no_round_up_but_its_own_work(opened: Bench) -> None:
    opened.take_from_shuffler()
    begin(opened)
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1
    opened.deal()
    opened.take_rest()
    assert opened.state.phase == "playing"


def test_a_shoe_in_service_is_given_no_round(opened: Bench) -> None:
    begin(opened, "shoe-1")
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []


# ---- out of use and back ---------------------------------------------------------------------------------


@pytest.mark.rule("cards-left-inside", chapters=("659a",))
def test_a_device_is_not_taken_out_of_use_with_sixteen_cards_inside(opened: Bench) -> None:
    opened.finish_round()
    opened.fault(SHUFFLER, "cards-left=16")
    opened.take_from_shuffler()
    retire = commands.DeviceRetire(device=SHUFFLER, shown_empty=True)
    assert opened.refused(retire, "dealer") == "device-retire is for floor, tech; you are dealer"
    assert opened.refused(retire, "tech") == (
        "16 cards of blue are believed to be in shuffler-1: take them out, count the deck by hand"
        " and report it with count, or bring another deck with change-deck"
    )
    assert len(opened.look_inside()) == 16
    opened.command(commands.CountCards(deck="blue", count=53), "dealer")
    opened.command(retire, "tech", name="Kim")
    assert opened.state.devices[SHUFFLER].retired
    [gone] = opened.rows_of(person.DeviceRetired)
    assert (gone.by.name, gone.device) == ("Kim", SHUFFLER)
    assert opened.holds() == set()


def test_a_device_comes_back_into_use_with_the_serial_number_on_its_plate(opened: Bench) -> None:
    opened.take_from_shuffler()
    opened.command(commands.DeviceRetire(device=SHUFFLER, shown_empty=True), "tech")
    assert opened.refused(commands.DeviceRetire(device=SHUFFLER, shown_empty=True), "tech") == (
        "shuffler-1 is out of use already"
    )
    assert opened.refused(commands.DeviceAccept(device=SHUFFLER, serial="x", shown_empty=True), "tech") == (
        "shuffler-1 says its serial number is sh-0001, not x"
    )
    opened.command(commands.DeviceAccept(device=SHUFFLER, serial="sh-0001", shown_empty=True), "tech")
    opened.shuffle(opened.cards["blue"])
    assert opened.rows_of(deck.ShuffleCompleted)[-1].count == 53
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1


def test_what_a_device_out_of_use_tells_is_no_part_of_any_game(opened: Bench) -> None:
    opened.take_from_shuffler()
    opened.command(commands.DeviceRetire(device=SHUFFLER, shown_empty=True), "tech")
    opened.fault(SHUFFLER, "unusable=motor")
    opened.run(1.0)
    assert opened.rulings() == []
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1


@pytest.mark.rule("device-unusable")
def test_659a_13_n_a_broken_shuffler_that_leaves_the_table_takes_its_hold_along(opened: Bench) -> None:
    opened.take_from_shuffler()
    opened.fault(SHUFFLER, "unusable=motor")
    opened.run(1.0)
    opened.command(commands.Sign(device=SHUFFLER, sign="out-of-order"), "tech")
    opened.command(commands.Method(shuffle="hand"))
    opened.command(commands.DeviceRetire(device=SHUFFLER, shown_empty=True), "tech")
    assert opened.holds() == set()
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1


# ---- cards and decks -------------------------------------------------------------------------------------


@pytest.mark.rule("card-withdrawn", chapters=("659a",))
def test_a_damaged_card_keeps_its_deck_out_of_play_until_it_is_replaced(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    withdraw = commands.WithdrawCard(deck="red", place="table", why="torn corner", card="9D")
    assert opened.refused(withdraw, "dealer") == "withdraw-card is for floor; you are dealer"
    opened.command(withdraw)
    ruling = opened.only_ruling("card-withdrawn")
    assert (ruling.subject_id, ruling.directives) == ("red", ("replace-card",))
    assert opened.state.decks["red"].places["withdrawn"] == 1
    opened.cover_and_shake_once()
    opened.end_round()
    # The other deck is played meanwhile, round after round, and the hold keeps count.
    opened.to_shoe()
    opened.finish_round()
    opened.shuffle(opened.cards["blue"])
    opened.to_shoe()
    opened.finish_round()
    [hold] = opened.state.holds.values()
    assert (hold.subject_id, hold.rounds, hold.hands) == ("red", 2, 12)
    opened.command(commands.ReplaceCard(deck="red", card="9D"))
    assert opened.holds() == set()
    [ended] = opened.rows_of(incident.HoldEnded)
    assert (ended.how, ended.rounds, ended.hands) == ("reported", 2, 12)
    assert opened.state.decks["red"].places["withdrawn"] == 0
    assert [one.outcome for one in opened.rows_of(rounds.RoundClosed)] == ["completed"] * 3


@pytest.mark.rule("card-withdrawn", chapters=("659a",))
def test_a_deck_that_two_cards_are_missing_of_waits_for_both(opened: Bench) -> None:
    opened.finish_round()
    for _ in range(2):
        opened.command(commands.WithdrawCard(deck="red", place="discard", why="marked backs"))
    opened.command(commands.ReplaceCard(deck="red"))
    assert ("card-withdrawn", "red") in opened.holds()
    opened.command(commands.ReplaceCard(deck="red"))
    assert opened.holds() == set()
    assert opened.refused(commands.ReplaceCard(deck="red")) == "no card of red was withdrawn"


def test_a_card_is_withdrawn_from_where_one_is(opened: Bench) -> None:
    told = opened.refused(commands.WithdrawCard(deck="red", place="table", why="torn"))
    assert told == "no card of red is in table; there are: 53 in shoe"


@pytest.mark.rule("deck-not-in-order", chapters=("659a",))
def test_a_deck_that_was_inspected_and_is_not_in_order_leaves_the_table(opened: Bench) -> None:
    opened.finish_round()
    opened.command(commands.Inspect(deck="red", result="not-in-order", note="two backs are marked"))
    ruling = opened.only_ruling("deck-not-in-order")
    assert (ruling.subject_id, ruling.directives) == ("red", ("remove-deck",))
    opened.take_from_shuffler()
    opened.load(opened.rack)
    opened.run(30.0)
    # It is not even shuffled.
    assert opened.shuffler.state.value == "loaded"
    opened.take_from_shuffler()
    opened.bring("red")
    assert opened.holds() == set()


def test_an_inspection_says_of_what(opened: Bench) -> None:
    neither = opened.refused(commands.Inspect(result="in-order"))
    both = opened.refused(commands.Inspect(result="in-order", device="shoe-1", deck="red"))
    assert neither == both == "say what was inspected: a device or a deck"
    opened.command(commands.Inspect(result="in-order", deck="red"), name="Lee")
    [looked] = opened.rows_of(person.Inspected)
    assert (looked.by.name, looked.deck, looked.result) == ("Lee", "red", "in-order")


def test_stacks_of_a_shoe_in_service_are_dealt_to_nobody(opened: Bench) -> None:
    begin(opened, "shoe-1")
    opened.inject("shoe-1", "stack", size=7)
    assert opened.state.round.stacks == 0
    assert len(opened.rows_of(card.StackDispensed)) == 1
    assert opened.rulings() == []
