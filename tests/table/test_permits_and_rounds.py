"""When a device is permitted what, what it waits for, and how a table and its rounds live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table import picture
from felt_daemon.table.starts import seat_of
from felt_protocols import commands
from felt_protocols.events import card, deck, device, draw, person, system
from felt_protocols.events import round as rounds

from .felt import DEALER, FLOOR, PACK, connected

if TYPE_CHECKING:
    from .felt import Felt

DEAL = {"round": 1, "stacks": 7, "size": 7}


def waits_for(felt: Felt, gate: str) -> list[str]:
    """What a gate waits for, as the picture tells it."""
    shown = picture(PACK, felt.state)["state"]["interlocks"]
    (one,) = [entry for entry in shown if entry["gate"] == gate]
    found: list[str] = one["waits_for"]
    return found


def test_the_shuffler_is_permitted_each_batch_once(felt: Felt) -> None:
    felt.start()
    felt.connect()
    felt.change_deck("red")
    felt.load()
    assert felt.permits("shuffler-1") == [{"cycle": 1, "batch": 1}]
    felt.tell(deck.ShuffleStarted(device="shuffler-1", batch=1), system.ClockTrusted())
    felt.tell(deck.ShuffleCompleted(device="shuffler-1", batch=1, mode="shuffle", count=53))
    assert felt.permits("shuffler-1") == [{"cycle": 1, "batch": 1}]
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=1))
    felt.load()
    assert felt.permits("shuffler-1") == [{"cycle": 1, "batch": 1}, {"cycle": 2, "batch": 2}]


def test_a_batch_of_no_known_deck_is_not_shuffled(felt: Felt) -> None:
    felt.start()
    felt.connect()
    felt.load()
    assert felt.permits("shuffler-1") == []
    assert waits_for(felt, "shuffle") == ["no deck is known to be in the shuffler"]


def test_nothing_is_permitted_before_every_device_was_heard_and_drained(felt: Felt) -> None:
    felt.start()
    felt.change_deck("red")
    felt.connect("shuffler-1", "shoe-1")
    felt.load()
    assert waits_for(felt, "shuffle") == ["shaker-1 is awaiting"]
    felt.tell(connected("shaker-1"))
    assert waits_for(felt, "shuffle") == ["shaker-1 is connected"]
    assert felt.permits("shuffler-1") == []
    felt.tell(device.DeviceDrained(device="shaker-1", upto=0))
    assert felt.permits("shuffler-1") == [{"cycle": 1, "batch": 1}]


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (device.DeviceStale(device="shoe-1", silent_ms=1500), "shoe-1 is stale"),
        (device.DeviceRefused(device="shoe-1", why="serial"), "shoe-1 is refused"),
        (connected("shoe-1", same_boot=True), "shoe-1 is connected"),
    ],
)
def test_a_device_that_is_not_ready_is_permitted_nothing(
    opened: Felt, fact: device.DeviceFact, said: str
) -> None:
    opened.start_position()
    opened.tell(fact, person.BetsClosed(by=DEALER))
    assert opened.permits("shoe-1") == []
    assert said in waits_for(opened, "deal")


def test_a_deal_waits_for_all_that_it_needs_and_says_so(felt: Felt) -> None:
    felt.start()
    felt.connect()
    felt.change_deck("red", "blue")
    felt.command(commands.OpenTable())
    assert waits_for(felt, "deal") == [
        "no deck is in the shoe",
        "the deck in the shoe has not been shuffled",
        "the starting position is not determined",
        "no more bets has not been announced",
    ]
    felt.shuffle()
    felt.to_shoe()
    assert waits_for(felt, "deal") == [
        "the starting position is not determined",
        "no more bets has not been announced",
    ]
    felt.start_position()
    assert waits_for(felt, "deal") == ["no more bets has not been announced"]
    felt.command(commands.NoMoreBets())
    assert felt.permits("shoe-1") == [DEAL]
    assert waits_for(felt, "deal") == []


@pytest.mark.parametrize("order", ["bets first", "dice first"])
def test_the_order_of_bets_and_dice_is_the_houses(opened: Felt, order: str) -> None:
    if order == "bets first":
        opened.command(commands.NoMoreBets())
    opened.start_position()
    if order == "dice first":
        assert opened.permits("shoe-1") == []
        opened.command(commands.NoMoreBets())
    assert opened.permits("shoe-1") == [DEAL]


def test_a_round_is_permitted_once_to_a_boot_and_again_to_the_next(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.tell(system.ClockTrusted(), device.DeviceBack(device="shoe-1"))
    assert opened.permits("shoe-1") == [DEAL]
    opened.tell(
        device.DeviceRestarted(device="shoe-1", device_boot="b2", previous_boot="a1"),
        connected("shoe-1", "b2"),
        device.DeviceDrained(device="shoe-1", upto=0),
    )
    assert opened.permits("shoe-1") == [DEAL, DEAL]


def test_a_permit_whose_result_nobody_knows_is_given_again(opened: Felt) -> None:
    opened.ready_to_deal()
    order = opened.state.grants["deal/shoe-1"].order
    opened.tell(device.OrderAnswered(device="shoe-1", order=order, result="failed"))
    assert opened.permits("shoe-1") == [DEAL]
    opened.tell(device.OrderAnswered(device="shoe-1", order=order, result="unknown"))
    assert opened.permits("shoe-1") == [DEAL, DEAL]


def test_a_permit_that_lapsed_before_the_first_stack_is_given_again(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.tell(device.LeaseLapsed(device="shuffler-1"))
    assert opened.permits("shoe-1") == [DEAL]
    opened.tell(device.LeaseLapsed(device="shoe-1"))
    assert opened.permits("shoe-1") == [DEAL, DEAL]
    opened.deal(7)
    opened.tell(device.LeaseLapsed(device="shoe-1"))
    assert opened.permits("shoe-1") == [DEAL, DEAL]


def test_a_round_that_has_begun_to_be_dealt_is_not_permitted_any_more(opened: Felt) -> None:
    opened.command(commands.NoMoreBets())
    opened.deal(7)
    opened.start_position()
    assert opened.permits("shoe-1") == []


def test_a_held_deck_in_the_shoe_closes_the_deal_and_the_other_ones_hold_does_not(opened: Felt) -> None:
    opened.tell(device.LightShown(device="shuffler-1", colour="red"))
    assert opened.holds() == {("red-light", "blue")}
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == [DEAL]


def test_a_hold_in_words_is_what_a_gate_waits_for(opened: Felt) -> None:
    opened.command(commands.Order(what="shuffle", deck="red"))
    opened.ready_to_deal()
    assert waits_for(opened, "deal") == ["hold 1 (shuffle-ordered): the deck has been shuffled"]


def test_a_hold_of_the_shoe_does_not_keep_the_shuffler_from_its_work(opened: Felt) -> None:
    opened.tell(
        device.DeviceFaulted(device="shoe-1", code="motor"),
        deck.DeckUnloaded(device="shuffler-1", batch=2, count=53),
    )
    opened.load()
    assert opened.permits("shuffler-1")[-1] == {"cycle": 3, "batch": 3}
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []


def test_an_unusable_shuffler_keeps_its_own_gate_closed_while_the_fault_is_there(opened: Felt) -> None:
    opened.tell(
        device.DeviceFaulted(device="shuffler-1", code="motor"),
        deck.DeckUnloaded(device="shuffler-1", batch=2, count=53),
    )
    opened.load()
    assert len(opened.permits("shuffler-1")) == 2
    opened.tell(device.DeviceCleared(device="shuffler-1", code="motor"))
    assert len(opened.permits("shuffler-1")) == 3


def test_a_table_opens_with_a_round_in_its_first_phase(felt: Felt) -> None:
    felt.change_deck("red", "blue")
    assert felt.state.phase == "none"
    rows = felt.command(commands.OpenTable())
    assert [row.event.what() for row in rows] == [
        "table-opened",
        "table-state-changed",
        "round-opened",
        "phase-changed",
    ]
    assert (felt.state.table, felt.round.number, felt.state.phase) == ("open", 1, "betting")
    # A second opening of an open table, which admission refuses, would open nothing.
    assert [row.event.what() for row in felt.tell(person.TableOpened(by=FLOOR))] == ["table-opened"]


def test_a_table_closes_at_once_while_no_card_is_out(opened: Felt) -> None:
    opened.command(commands.NoMoreBets())
    opened.command(commands.CloseTable())
    assert (opened.state.table, opened.state.round) == ("closed", None)
    assert [(one.outcome, one.hands) for one in opened.of(rounds.RoundClosed)] == [("completed", 0)]


def test_a_table_closes_after_the_round_that_is_on_and_opens_with_the_next_number(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.command(commands.CloseTable())
    assert opened.state.table == "open"
    opened.finish()
    assert (opened.state.table, opened.state.round, opened.state.closing) == ("closed", None, False)
    opened.command(commands.OpenTable())
    assert opened.round.number == 2


def test_a_round_goes_through_its_phases(opened: Felt) -> None:
    seen = [opened.state.phase]
    opened.command(commands.NoMoreBets())
    seen.append(opened.state.phase)
    opened.start_position()
    opened.deal(7)
    seen.append(opened.state.phase)
    opened.deal(*(7,) * 6)
    seen.append(opened.state.phase)
    opened.tell(card.ShoeUnloaded(device="shoe-1", count=4))
    seen.append(opened.state.phase)
    opened.command(commands.RoundEnd())
    assert [*seen, opened.state.phase] == ["betting", "closed", "dealing", "dealt", "playing", "betting"]
    assert opened.round.number == 2


def test_a_void_round_waits_for_its_release_whatever_comes(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(6)
    assert opened.state.phase == "void"
    opened.tell(person.RoundEnded(by=DEALER), person.BetsClosed(by=DEALER), person.TableClosed(by=FLOOR))
    assert (opened.state.phase, opened.round.number) == ("void", 1)
    opened.tell(card.ShoeUnloaded(device="shoe-1"))
    opened.command(commands.ReleaseRound())
    (over,) = opened.of(rounds.RoundClosed)
    assert (over.outcome, over.hands) == ("void", 6)
    assert opened.state.table == "closed"


def test_facts_at_a_closed_table_open_no_round(felt: Felt) -> None:
    felt.start()
    felt.connect()
    felt.change_deck("red")
    felt.shuffle()
    felt.to_shoe()
    felt.start_position()
    felt.deal(7)
    felt.tell(person.RoundReleased(by=FLOOR, round=1))
    assert felt.state.round is None
    assert felt.rulings() == []
    assert felt.permits("shoe-1") == []


@pytest.mark.parametrize(
    ("number", "count", "seat"), [(1, 1, 0), (2, 2, 6), (7, 7, 1), (8, 1, 0), (18, 4, 4)]
)
def test_count_and_seat_of_a_number(number: int, count: int, seat: int) -> None:
    assert seat_of(number, 7) == (count, seat)


def test_the_first_valid_reading_of_a_round_stands(opened: Felt) -> None:
    dice = draw.DiceRead(device="shaker-1", faces=(6, 6, 6), flat=True, inside=True)
    opened.tell(dice)
    assert opened.of(draw.StartPositionSet) == []
    opened.start_position(1, 2, 3)
    opened.tell(dice)
    (one,) = opened.of(draw.StartPositionSet)
    assert (one.round, one.total, one.count, one.seat) == (1, 6, 6, 2)


def test_a_reading_after_the_first_card_or_of_a_void_round_determines_nothing(opened: Felt) -> None:
    opened.deal(7)
    opened.start_position()
    assert opened.of(draw.StartPositionSet) == []


def test_a_reading_of_two_dice_determines_nothing(opened: Felt) -> None:
    opened.start_position(1, 2)
    assert opened.of(draw.StartPositionSet) == []


def test_new_dice_wind_their_clock_anew(opened: Felt) -> None:
    opened.tell(person.DiceChanged(by=FLOOR, device="shaker-1"))
    set_ = [one for one in opened.of(system.TimerSet) if one.timer == "dice-age/shaker-1"]
    assert [one.after_s for one in set_] == [86400, 86400]
    assert opened.state.timers["dice-age/shaker-1"].since.mono_ns == opened.rows[-1].at.mono_ns


def test_a_new_deck_winds_its_clocks(felt: Felt) -> None:
    felt.change_deck("red")
    assert {one.timer: one.after_s for one in felt.of(system.TimerSet)} == {
        "deck-age/red": 8 * 3600,
        "deck-age-by-hand/red": 4 * 3600,
    }


def test_the_clocks_of_a_device_that_is_retired_stop(opened: Felt) -> None:
    opened.tell(person.DeviceRetired(by=FLOOR, device="shaker-1"))
    assert opened.of(system.TimerCancelled) == [system.TimerCancelled(timer="dice-age/shaker-1")]
    assert "dice-age/shaker-1" not in opened.state.timers
    assert "deck-age/red" in opened.state.timers
