"""What every command becomes, who may give it, and in which words it is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from felt_daemon.table import admit
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import card, deck, device, person
from felt_protocols.events.person import Person, Role

from .felt import DEALER, FLOOR, PACK, refused

if TYPE_CHECKING:
    from .felt import Felt

# Who may give a command; every other role is refused.
MAY = {
    "open-table": {"floor"},
    "close-table": {"floor"},
    "no-more-bets": {"dealer", "floor"},
    "round-end": {"dealer", "floor"},
    "change-deck": {"floor"},
    "change-dice": {"floor"},
    "order": {"floor"},
    "count": {"dealer", "floor"},
    "acknowledge": {"floor"},
    "override": {"floor"},
    "release-round": {"floor"},
    "call-floor": {"dealer", "floor"},
    "new-dealer": {"dealer", "floor"},
    "report": {"dealer", "floor", "tech", "floor-system"},
    "inspect": {"floor", "tech"},
    "method": {"floor"},
    "sign": {"dealer", "floor", "tech"},
    "withdraw-card": {"floor"},
    "replace-card": {"floor"},
    "service-begin": {"floor", "tech"},
    "service-end": {"floor", "tech"},
    "device-retire": {"floor", "tech"},
    "device-accept": {"floor", "tech"},
    "jackpot-verify": {"floor"},
    "jackpot-paid": {"floor"},
    "meter-reset": {"floor", "tech"},
    "meter-correct": {"finance"},
    "replay": {"floor-system"},
    "snapshot": {"floor-system"},
}
GIVEN: dict[str, commands.Command] = {
    "open-table": commands.OpenTable(),
    "close-table": commands.CloseTable(),
    "no-more-bets": commands.NoMoreBets(),
    "round-end": commands.RoundEnd(),
    "change-deck": commands.ChangeDeck(deck="red"),
    "change-dice": commands.ChangeDice(device="shaker-1"),
    "order": commands.Order(what="reshuffle", deck="red"),
    "count": commands.CountCards(deck="red", count=53),
    "acknowledge": commands.Acknowledge(hold=1),
    "override": commands.Override(hold=1, reason="looked at it"),
    "release-round": commands.ReleaseRound(),
    "call-floor": commands.CallFloor(),
    "new-dealer": commands.NewDealer(dealer="Deb"),
    "report": commands.Report(what="shoe-jam"),
    "inspect": commands.Inspect(device="shoe-1", result="in-order"),
    "method": commands.Method(shuffle="hand"),
    "sign": commands.Sign(device="shoe-1", sign="covered"),
    "withdraw-card": commands.WithdrawCard(deck="red", place="hand", why="bent"),
    "replace-card": commands.ReplaceCard(deck="red"),
    "service-begin": commands.ServiceBegin(device="shoe-1", why="a new belt"),
    "service-end": commands.ServiceEnd(device="shoe-1", shown_empty=True),
    "device-retire": commands.DeviceRetire(device="shoe-1", shown_empty=True),
    "device-accept": commands.DeviceAccept(device="shoe-1", serial="s-1", shown_empty=True),
    "jackpot-verify": commands.JackpotVerify(meter="major", hit=1),
    "jackpot-paid": commands.JackpotPaid(meter="major", hit=1, by="table"),
    "meter-reset": commands.MeterReset(meter="major"),
    "meter-correct": commands.MeterCorrect(meter="major", cents=100, reason="counted anew"),
    "replay": commands.Replay(consumer="rating", after=0),
    "snapshot": commands.Snapshot(consumer="rating"),
}
BEA = Person(role="floor", name="Bea")


def test_every_command_is_tried_here() -> None:
    assert set(MAY) == set(GIVEN) == set(commands.COMMANDS)


@pytest.mark.parametrize(
    ("name", "role"),
    [(name, role) for name in sorted(MAY) for role in sorted(set(get_args(Role)) - MAY[name])],
)
def test_a_command_is_refused_to_every_role_that_may_not_give_it(felt: Felt, name: str, role: Role) -> None:
    assert refused(felt, GIVEN[name], Person(role=role, name="Eve")) == (
        f"{name} is for {', '.join(sorted(MAY[name]))}; you are {role}"
    )


@pytest.mark.parametrize(
    ("name", "role"), [(name, role) for name in sorted(MAY) for role in sorted(MAY[name])]
)
def test_a_role_that_may_give_a_command_is_not_told_that_it_may_not(
    opened: Felt, name: str, role: Role
) -> None:
    by = Person(role=role, name="Eve")
    try:
        answer = admit(PACK, opened.state, GIVEN[name], by).what()
    except CommandRefused as refusal:
        answer = str(refusal)
    assert not answer.startswith(f"{name} is for")


def test_a_closed_table_with_its_decks_opens(felt: Felt) -> None:
    felt.change_deck("red", "blue")
    assert admit(PACK, felt.state, commands.OpenTable(), FLOOR) == person.TableOpened(by=FLOOR)


def test_a_table_without_its_cards_does_not_open(felt: Felt) -> None:
    said = refused(felt, commands.OpenTable())
    assert said == "no cards yet for red, blue: report each with change-deck first"
    felt.change_deck("red")
    assert refused(felt, commands.OpenTable()) == (
        "no cards yet for blue: report each with change-deck first"
    )


def test_an_open_table_does_not_open_again(opened: Felt) -> None:
    assert refused(opened, commands.OpenTable()) == "the table is open already"


def test_an_open_table_closes_and_a_closed_one_does_not(felt: Felt, opened: Felt) -> None:
    assert admit(PACK, opened.state, commands.CloseTable(), FLOOR) == person.TableClosed(by=FLOOR)
    assert refused(felt, commands.CloseTable()) == "the table is closed already"


@pytest.mark.parametrize("name", ["no-more-bets", "round-end"])
def test_what_belongs_to_a_round_is_refused_while_none_is_on(felt: Felt, name: str) -> None:
    assert refused(felt, GIVEN[name], DEALER) == "no round is on; the table is closed"


def test_bets_are_closed_once(opened: Felt) -> None:
    assert admit(PACK, opened.state, commands.NoMoreBets(), DEALER) == person.BetsClosed(by=DEALER)
    opened.command(commands.NoMoreBets(), "dealer")
    assert refused(opened, commands.NoMoreBets(), DEALER) == (
        "no-more-bets does not fit: round 1 is in phase closed"
    )


@pytest.mark.parametrize("name", ["no-more-bets", "round-end"])
def test_a_void_round_is_released_before_anything_else_of_a_round(opened: Felt, name: str) -> None:
    opened.ready_to_deal()
    opened.deal(6)
    assert refused(opened, GIVEN[name], DEALER) == (
        "round 1 is void (wrong-number-of-cards); release it first"
    )


def test_a_round_ends_after_the_deal_and_not_before(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal()
    assert refused(opened, commands.RoundEnd(), DEALER) == (
        "round-end does not fit: round 1 is in phase dealt"
    )
    opened.tell(card.ShoeUnloaded(device="shoe-1", count=4))
    assert admit(PACK, opened.state, commands.RoundEnd(), DEALER) == person.RoundEnded(by=DEALER)


@pytest.mark.parametrize("name", ["change-deck", "order", "count"])
def test_a_deck_that_is_not_configured_is_refused_by_name(felt: Felt, name: str) -> None:
    command = GIVEN[name].model_copy(update={"deck": "green"})
    assert refused(felt, command) == "there is no deck green; there are: red, blue"


def test_a_deck_in_play_is_changed_after_the_round_and_the_other_one_at_once(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7)
    assert refused(opened, commands.ChangeDeck(deck="red")) == (
        "red is being played in round 1; change it after the round"
    )
    assert admit(PACK, opened.state, commands.ChangeDeck(deck="blue"), FLOOR) == person.DeckChanged(
        by=FLOOR, deck="blue"
    )
    opened.deal(6)
    assert opened.round.void == "wrong-number-of-cards"
    assert admit(PACK, opened.state, commands.ChangeDeck(deck="red"), FLOOR) == person.DeckChanged(
        by=FLOOR, deck="red"
    )


@pytest.mark.parametrize("name", ["shoe-1", "shaker-2"])
def test_dice_are_changed_in_a_shaker_and_nowhere_else(felt: Felt, name: str) -> None:
    said = refused(felt, commands.ChangeDice(device=name))
    assert said == f"{name} is no shaker of this table; there are: shaker-1"
    assert admit(PACK, felt.state, GIVEN["change-dice"], FLOOR) == person.DiceChanged(
        by=FLOOR, device="shaker-1"
    )


def test_a_table_without_a_shaker_says_so(without_shaker: Felt) -> None:
    said = refused(without_shaker, commands.ChangeDice(device="shaker-1"))
    assert said == "shaker-1 is no shaker of this table; there are: none"


@pytest.mark.parametrize("name", ["red", None])
def test_the_floor_orders_a_shuffle_of_a_deck_or_of_the_one_in_play(felt: Felt, name: str | None) -> None:
    command = commands.Order(what="shuffle", deck=name)
    assert admit(PACK, felt.state, command, FLOOR) == person.FloorOrdered(
        by=FLOOR, what_ordered="shuffle", deck=name
    )


def test_a_deck_is_counted_when_all_of_it_lies_in_the_hand(felt: Felt) -> None:
    felt.change_deck("red")
    assert admit(PACK, felt.state, GIVEN["count"], DEALER) == person.DeckCounted(
        by=DEALER, deck="red", count=53, part="deck"
    )


def test_a_deck_in_a_device_or_on_the_table_is_not_counted(opened: Felt) -> None:
    for name in ("red", "blue"):
        assert refused(opened, commands.CountCards(deck=name, count=53)) == (
            f"{name} is in use; take all its cards out of devices and off the table first"
        )
    opened.ready_to_deal()
    opened.deal()
    opened.tell(card.ShoeUnloaded(device="shoe-1", count=4))
    assert opened.state.decks["red"].places["shoe"] == 0
    assert refused(opened, GIVEN["count"]) == (
        "red is in use; take all its cards out of devices and off the table first"
    )


def test_what_remains_is_counted_of_the_deck_that_was_dealt(opened: Felt) -> None:
    red = commands.CountCards(deck="red", count=4, part="remaining")
    assert refused(opened, red, DEALER) == "no cards of red remain from a deal now"
    opened.ready_to_deal()
    assert refused(opened, red, DEALER) == "no cards of red remain from a deal now"
    opened.deal()
    assert admit(PACK, opened.state, red, DEALER) == person.DeckCounted(
        by=DEALER, deck="red", count=4, part="remaining"
    )
    blue = commands.CountCards(deck="blue", count=4, part="remaining")
    assert refused(opened, blue, DEALER) == "no cards of blue remain from a deal now"


def test_nothing_remains_of_a_deal_at_a_closed_table(felt: Felt) -> None:
    red = commands.CountCards(deck="red", count=4, part="remaining")
    assert refused(felt, red, DEALER) == "no cards of red remain from a deal now"


def test_the_dealer_counts_what_remains_of_cards_that_nobody_can_name(opened: Felt) -> None:
    # The shoe is taken for empty and deals all the same: a load of it was never told.
    opened.tell(card.ShoeUnloaded(device="shoe-1"))
    opened.deal()
    assert (opened.round.deck, opened.state.phase) == ("", "dealt")
    opened.command(commands.CountCards(deck="blue", count=4, part="remaining"), "dealer")
    assert opened.state.phase == "playing"


@pytest.mark.parametrize("name", ["acknowledge", "override"])
def test_a_hold_that_is_not_open_is_refused_with_those_that_are(opened: Felt, name: str) -> None:
    assert refused(opened, GIVEN[name]) == "there is no open hold 1; open: none"
    opened.tell(device.OrderLeaked(device="shuffler-1"), device.DeviceLost(device="shoe-1", why="silent"))
    command = GIVEN[name].model_copy(update={"hold": 9})
    assert refused(opened, command) == "there is no open hold 9; open: 1, 2"


def test_an_open_hold_is_owned_or_overridden(opened: Felt) -> None:
    opened.tell(device.LightShown(device="shuffler-1", colour="red"))
    assert admit(PACK, opened.state, GIVEN["acknowledge"], FLOOR) == person.HoldAcknowledged(by=FLOOR, hold=1)
    assert admit(PACK, opened.state, GIVEN["override"], FLOOR, BEA) == person.HoldOverridden(
        by=FLOOR, hold=1, reason="looked at it", second=BEA
    )


def test_a_round_that_is_not_void_is_not_released(felt: Felt, opened: Felt) -> None:
    assert refused(felt, commands.ReleaseRound()) == "no round is void"
    assert refused(opened, commands.ReleaseRound()) == "no round is void"


def test_a_void_round_is_released_when_what_voided_it_is_gone(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.tell(card.ShoeJammed(device="shoe-1", where="exit"))
    assert refused(opened, commands.ReleaseRound()) == ("the cause is still there: shoe-1, shoe-jam (hold 1)")
    opened.tell(device.DeviceCleared(device="shoe-1", where="exit"))
    assert admit(PACK, opened.state, commands.ReleaseRound(), FLOOR) == person.RoundReleased(
        by=FLOOR, round=1
    )


def test_players_of_a_void_round_do_not_wait_for_other_troubles_of_it(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.tell(card.ShoeJammed(device="shoe-1"))
    opened.tell(
        device.DeviceLost(device="shaker-1", why="silent"),
        deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"),
        card.ShoeUnloaded(device="shoe-1", count=53),
    )
    there = {hold.row for hold in opened.state.holds.values() if hold.cause}
    assert there == {"device-silent", "shuffler-jam"}
    opened.command(commands.ReleaseRound())
    assert (opened.round.number, opened.state.phase) == (2, "betting")


def test_a_deck_is_counted_although_cards_of_it_may_have_stayed_in_the_shuffler(felt: Felt) -> None:
    felt.change_deck("red")
    felt.load()
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=1, count=37))
    assert felt.holds() == {("cards-left-inside", "red")}
    felt.command(commands.CountCards(deck="red", count=52))
    assert felt.state.decks["red"].places["shuffler"] == 16
    felt.command(commands.CountCards(deck="red", count=53))
    assert felt.state.decks["red"].places["hand"] == 53
    assert felt.holds() == set()
