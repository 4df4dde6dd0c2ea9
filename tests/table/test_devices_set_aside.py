"""Devices in service: what they tell is a test, and how their service ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table import Table, admit, blank, inhibits, picture
from felt_daemon.table.rulings import stops
from felt_protocols import commands
from felt_protocols.events import Fact, card, deck, device, draw, person, system

from .felt import FLOOR, PACK, Felt, connected, refused, setup_of, started

if TYPE_CHECKING:
    from felt_protocols.events.deck import Place

BEGIN = {name: commands.ServiceBegin(device=name, why="a new belt") for name in ("shuffler-1", "shoe-1")}
END = {name: commands.ServiceEnd(device=name, shown_empty=True) for name in ("shuffler-1", "shoe-1")}


def answer(felt: Felt, result: str, name: str = "shuffler-1") -> None:
    """Let a device answer the order of its selftest."""
    order = felt.state.grants[f"service/{name}"].order
    fact = device.OrderAnswered.model_validate({"device": name, "order": order, "result": result})
    felt.tell(fact)


def service_of(felt: Felt, name: str = "shuffler-1") -> str:
    """What the service of a device has come to; empty where it is in none."""
    return felt.state.devices[name].service


# ---- service begins ----------------------------------------------------------------------------------------


def test_a_device_goes_into_service_once(opened: Felt) -> None:
    assert admit(PACK, opened.state, BEGIN["shuffler-1"], FLOOR) == person.ServiceBegun(
        by=FLOOR, device="shuffler-1", why="a new belt"
    )
    opened.command(BEGIN["shuffler-1"])
    assert refused(opened, BEGIN["shuffler-1"]) == "shuffler-1 is in service already"
    assert refused(opened, BEGIN["shoe-1"].model_copy(update={"device": "ghost-9"})) == (
        "there is no device ghost-9; there are: shuffler-1, shoe-1, shaker-1"
    )


def test_a_shuffle_that_is_on_is_waited_for_where_the_shuffler_is_heard(opened: Felt) -> None:
    opened.tell(deck.ShuffleStarted(device="shuffler-1", batch=2))
    assert refused(opened, BEGIN["shuffler-1"]) == (
        "shuffler-1 is in the middle of a shuffle; wait for its end or stop it"
    )
    opened.tell(device.DeviceLost(device="shuffler-1", why="silent"))
    opened.command(BEGIN["shuffler-1"])
    assert service_of(opened) == "on"


def test_a_shoe_that_deals_a_round_is_waited_for(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7)
    assert refused(opened, BEGIN["shoe-1"]) == "shoe-1 deals round 1; begin the service after it"
    opened.deal(6)
    assert opened.round.void == "wrong-number-of-cards"
    opened.command(BEGIN["shoe-1"])
    assert service_of(opened, "shoe-1") == "on"


def test_nobody_deals_from_a_shoe_in_service(opened: Felt) -> None:
    opened.command(BEGIN["shoe-1"])
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []
    (waits,) = [
        one["waits_for"]
        for one in picture(PACK, opened.state)["state"]["interlocks"]
        if one["device"] == "shoe-1"
    ]
    assert waits == ["shoe-1 is in service"]


def test_what_a_shoe_was_permitted_before_its_service_is_permitted_again_after_it(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.command(BEGIN["shoe-1"])
    assert opened.state.grants.keys() == {"shuffle/shuffler-1"}
    # It tells of cards that it deals by its old permit: nobody's.
    opened.tell(card.StackDispensed(device="shoe-1", size=7))
    assert opened.round.stacks == 0


# ---- what is told in service -------------------------------------------------------------------------------

TESTS: list[Fact] = [
    deck.DeckLoaded(device="shuffler-1", batch=7, count=53),
    deck.ShuffleStarted(device="shuffler-1", batch=7),
    deck.ShuffleCompleted(device="shuffler-1", batch=7, mode="sort", count=51),
    deck.ShuffleInterrupted(device="shuffler-1", batch=7, why="jam"),
    deck.DeckUnloaded(device="shuffler-1", batch=7, count=12),
    deck.InsideCounted(device="shuffler-1", count=12),
    card.ShoeLoaded(device="shoe-1", count=12),
    card.StackDispensed(device="shoe-1", size=3),
    card.CardDrawn(device="shoe-1", face_up=True),
    card.ShoeJammed(device="shoe-1", where="exit"),
    card.ShoeStopped(device="shoe-1"),
    card.ShoeEmptied(device="shoe-1"),
    card.ShoeUnloaded(device="shoe-1", count=12),
    draw.ShakerShaken(device="shaker-1"),
    draw.ShakerUncovered(device="shaker-1"),
    draw.DiceRead(device="shaker-1", faces=(1, 1, 1), flat=False, inside=False),
    draw.ShakerLeftUnattended(device="shaker-1", seconds=40),
    device.DeviceFaulted(device="shoe-1", code="motor"),
    device.LightShown(device="shuffler-1", colour="red"),
    device.OrderLeaked(device="shoe-1"),
    device.DeviceRestarted(device="shuffler-1", device_boot="b", previous_boot="a"),
]


@pytest.fixture
def aside(opened: Felt) -> Felt:
    """A table whose round is about to be dealt while every device is in service."""
    opened.ready_to_deal()
    for name in opened.setup.devices:
        opened.tell(person.ServiceBegun(by=FLOOR, device=name, why="tests"))
    return opened


@pytest.mark.parametrize("fact", TESTS, ids=lambda one: one.what())
def test_what_a_device_in_service_tells_is_labelled_and_no_part_of_any_game(aside: Felt, fact: Fact) -> None:
    before = aside.state
    assert list(stops(PACK, before, fact)) == []
    rows = aside.tell(fact)
    assert dict(rows[0].context) == {"test": getattr(fact, "device")}  # noqa: B009 - every one of them has it
    decided = {row.event.what() for row in rows[1:]}
    assert decided <= {"order-issued"}
    after = aside.state
    assert (after.decks, after.round, after.holds, after.incidents, after.last_deck) == (
        before.decks,
        before.round,
        before.holds,
        before.incidents,
        before.last_deck,
    )


def test_a_test_takes_no_notice_away(opened: Felt) -> None:
    opened.tell(draw.ShakerLeftUnattended(device="shaker-1", seconds=30))
    opened.tell(person.ServiceBegun(by=FLOOR, device="shaker-1", why="a new lid"))
    opened.tell(draw.ShakerShaken(device="shaker-1"))
    assert [one.row for one in opened.round.notices] == ["shaker-unattended"]


def test_a_test_shuffle_gets_its_permit_whatever_is_held(opened: Felt) -> None:
    opened.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"))
    opened.command(BEGIN["shuffler-1"])
    opened.tell(
        deck.DeckUnloaded(device="shuffler-1", batch=2), deck.DeckLoaded(device="shuffler-1", batch=3)
    )
    assert opened.permits("shuffler-1")[-1] == {"cycle": 3, "batch": 3}
    works = opened.state.devices["shuffler-1"]
    assert (works.batch, works.working, works.done, works.counted) == (3, False, False, None)
    opened.tell(deck.ShuffleStarted(device="shuffler-1", batch=3))
    assert opened.state.devices["shuffler-1"].working
    opened.tell(deck.ShuffleCompleted(device="shuffler-1", batch=3, mode="shuffle", count=9))
    works = opened.state.devices["shuffler-1"]
    assert (works.working, works.done) == (False, True)
    opened.tell(
        deck.DeckUnloaded(device="shuffler-1", batch=3, count=9),
        deck.DeckLoaded(device="shuffler-1", batch=4),
        deck.ShuffleInterrupted(device="shuffler-1", batch=4, why="stopped"),
    )
    assert (opened.state.devices["shuffler-1"].jam, opened.state.devices["shuffler-1"].batch) == (
        "stopped",
        4,
    )
    # None of it was the blue deck, which is held as before.
    assert opened.state.decks["blue"].places["shuffler"] == 53
    assert ("shuffler-jam", "blue") in opened.holds()


def test_a_lost_device_in_service_is_permitted_nothing(opened: Felt) -> None:
    opened.command(BEGIN["shuffler-1"])
    opened.tell(
        device.DeviceLost(device="shuffler-1", why="silent"), deck.DeckLoaded(device="shuffler-1", batch=3)
    )
    assert {one["batch"] for one in opened.permits("shuffler-1")} == {1, 2}


def test_a_jam_that_is_cleared_in_service_is_cleared(opened: Felt) -> None:
    opened.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"))
    opened.command(BEGIN["shuffler-1"])
    assert inhibits(opened.state) == {"shuffler-1": "shuffler-jam"}
    opened.tell(device.DeviceCleared(device="shuffler-1"))
    assert inhibits(opened.state) == {}
    # What it shuffles as a test ends no hold.
    opened.tell(deck.ShuffleCompleted(device="shuffler-1", batch=2, mode="shuffle", count=53))
    assert ("shuffler-jam", "blue") in opened.holds()


def test_people_s_word_about_a_device_in_service_is_no_test(opened: Felt) -> None:
    opened.command(BEGIN["shuffler-1"])
    rows = opened.command(
        commands.Inspect(device="shuffler-1", result="not-in-order"), role="tech", name="Tom"
    )
    assert "test" not in rows[0].context
    assert opened.holds() == {("device-not-in-order", "shuffler-1")}


def test_dice_grow_old_in_service_too(opened: Felt) -> None:
    opened.tell(person.ServiceBegun(by=FLOOR, device="shaker-1", why="a new lid"))
    opened.tell(system.TimerDue(timer="dice-age/shaker-1", overdue_s=0))
    assert opened.rulings() == ["dice-too-old"]


def test_the_service_goes_on_over_a_restart_of_the_daemon(opened: Felt) -> None:
    opened.command(BEGIN["shuffler-1"])
    again = Table(PACK, blank(opened.setup))
    for row in opened.rows:
        again.told(row)
    assert again.state == opened.state
    opened.table = again
    opened.tell(started(), connected("shuffler-1", same_boot=True))
    rows = opened.tell(deck.ShuffleCompleted(device="shuffler-1", batch=9, mode="sort", count=3))
    assert dict(rows[0].context) == {"test": "shuffler-1"}
    assert opened.rulings() == []


# ---- service ends ------------------------------------------------------------------------------------------


def test_a_service_ends_for_a_device_in_service_that_was_shown_empty(opened: Felt) -> None:
    assert refused(opened, END["shoe-1"]) == "shoe-1 is not in service"
    opened.command(BEGIN["shoe-1"])
    not_shown = END["shoe-1"].model_copy(update={"shown_empty": False})
    assert refused(opened, not_shown) == (
        "open shoe-1, show that no card is inside, and say so (shown_empty)"
    )
    rows = opened.command(END["shoe-1"])
    assert "service-ended" in [row.event.what() for row in rows]
    assert service_of(opened, "shoe-1") == ""


def test_a_device_that_can_test_itself_does_so_first(opened: Felt) -> None:
    opened.command(BEGIN["shuffler-1"])
    opened.command(END["shuffler-1"])
    (order,) = [one for one in opened.of(device.OrderIssued) if one.order == "selftest"]
    assert (order.device, order.args, order.gate) == ("shuffler-1", {}, "service")
    assert service_of(opened) == "ending"
    assert refused(opened, END["shuffler-1"]) == (
        "shuffler-1 tests itself; the service ends when that is passed"
    )
    # What it tells meanwhile is a test as before, and another order's answer is not this one's.
    opened.tell(device.OrderAnswered(device="shuffler-1", order=1, result="done"))
    assert service_of(opened) == "ending"
    answer(opened, "done")
    assert service_of(opened) == ""
    assert opened.of(device.ServiceEnded) == [device.ServiceEnded(device="shuffler-1")]


@pytest.mark.parametrize("result", ["failed", "unknown"])
def test_a_selftest_that_is_not_passed_leaves_the_device_in_service(opened: Felt, result: str) -> None:
    opened.command(BEGIN["shuffler-1"])
    opened.command(END["shuffler-1"])
    answer(opened, result)
    assert service_of(opened) == "on"
    assert opened.of(device.ServiceEnded) == []
    # It is repaired again, and passes.
    opened.command(END["shuffler-1"])
    answer(opened, "done")
    assert service_of(opened) == ""


@pytest.mark.parametrize(
    "fact",
    [
        device.DeviceRestarted(device="shuffler-1", device_boot="b", previous_boot="a"),
        device.LeaseLapsed(device="shuffler-1"),
    ],
)
def test_a_selftest_that_was_cut_short_is_ordered_again_by_people(
    opened: Felt, fact: device.DeviceFact
) -> None:
    opened.command(BEGIN["shuffler-1"])
    opened.command(END["shuffler-1"])
    opened.tell(fact)
    assert service_of(opened) == "on"
    opened.command(END["shuffler-1"])
    assert service_of(opened) == "ending"


def test_an_answer_that_comes_when_nobody_waits_for_it_ends_nothing(opened: Felt) -> None:
    opened.command(BEGIN["shuffler-1"])
    opened.command(END["shuffler-1"])
    answer(opened, "failed")
    order = opened.state.grants["service/shuffler-1"].order
    for name in ("shuffler-1", "shoe-1", "ghost-9"):
        opened.tell(device.OrderAnswered(device=name, order=order, result="done"))
    assert opened.of(device.ServiceEnded) == []
    # The same refusal twice changes nothing either.
    opened.tell(device.OrderAnswered(device="shuffler-1", order=order, result="failed"))
    assert service_of(opened) == "on"


def test_a_device_that_is_not_heard_cannot_test_itself(opened: Felt) -> None:
    opened.command(BEGIN["shuffler-1"])
    opened.tell(device.DeviceLost(device="shuffler-1", why="silent"))
    assert refused(opened, END["shuffler-1"]) == (
        "shuffler-1 is lost and cannot test itself; connect it, or retire it"
    )


@pytest.mark.parametrize(("name", "place"), [("shoe-1", "shoe"), ("shuffler-1", "shuffler")])
def test_cards_last_seen_in_a_device_are_with_people_after_its_service_and_counted_first(
    opened: Felt, name: str, place: Place
) -> None:
    about = "red" if name == "shoe-1" else "blue"
    assert opened.state.decks[about].places[place] == 53
    opened.command(BEGIN[name])
    opened.command(END[name])
    if name == "shuffler-1":
        answer(opened, "done")
    assert opened.holds() == {("service-left-cards", about)}
    it = opened.state.decks[about]
    assert (it.places["hand"], it.places[place], it.shuffled, it.count) == (53, 0, False, "not verified")
    opened.command(commands.CountCards(deck=about, count=53), "dealer")
    assert opened.holds() == set()


def test_a_service_of_an_empty_device_holds_nothing(opened: Felt) -> None:
    opened.empty_shoe()
    opened.command(BEGIN["shoe-1"])
    opened.command(END["shoe-1"])
    assert opened.holds() == set()
    assert opened.state.decks["red"].shuffled


def test_cards_in_another_place_stay_there(opened: Felt) -> None:
    # Sixteen of blue stayed in the shuffler, the others are in the shoe.
    opened.empty_shoe()
    opened.tell(
        deck.DeckUnloaded(device="shuffler-1", batch=2, count=37), card.ShoeLoaded(device="shoe-1", count=37)
    )
    opened.command(BEGIN["shuffler-1"])
    opened.command(END["shuffler-1"])
    answer(opened, "done")
    assert opened.state.decks["blue"].places["shoe"] == 37
    assert opened.state.decks["blue"].places["hand"] == 16


def test_of_two_shufflers_one_has_its_own_cards_alone() -> None:
    two = {"shuffler-1": "shuffler", "shuffler-2": "shuffler", "shoe-1": "shoe"}
    felt = Felt(setup=setup_of(devices=two))
    felt.start()
    felt.connect()
    felt.change_deck("red")
    felt.load()
    felt.change_deck("blue")
    felt.tell(deck.DeckLoaded(device="shuffler-2", batch=1))
    felt.tell(person.ServiceBegun(by=FLOOR, device="shuffler-2", why="a new belt"))
    felt.tell(person.ServiceEnding(by=FLOOR, device="shuffler-2"))
    assert felt.holds() == {("service-left-cards", "blue")}
    assert felt.state.decks["red"].places["shuffler"] == 53
    assert felt.state.decks["blue"].places["hand"] == 53


def test_a_jam_is_over_when_the_device_was_shown_empty(opened: Felt) -> None:
    opened.tell(card.ShoeJammed(device="shoe-1", where="exit"))
    opened.command(BEGIN["shoe-1"])
    opened.command(END["shoe-1"])
    assert opened.state.devices["shoe-1"].jam == ""
