"""What reports do: decks prepared, tables idle, cards dealt, rolls withdrawn, shoes stopped, holds ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table.rulings import stops
from felt_protocols import commands
from felt_protocols.events import card, deck, device, draw, person, system
from felt_protocols.events import round as rounds
from felt_protocols.events.person import Person

from .felt import DEALER, FLOOR, PACK, Felt, changed, refused, told, why_not

if TYPE_CHECKING:
    from felt_protocols.events.person import Role


def test_people_say_in_order_what_they_reported_of_a_deck(felt: Felt) -> None:
    felt.change_deck("red")
    assert [(one.deck, one.mark) for one in felt.of(deck.DeckMarked)] == [
        ("red", "inspected"),
        ("red", "verified"),
        ("red", "spread"),
        ("red", "looked"),
        ("red", "washed"),
    ]
    assert not felt.state.decks["red"].shuffled


def test_a_step_of_a_deck_that_nobody_knows_moves_no_card(felt: Felt) -> None:
    felt.tell(person.Reported(by=DEALER, report="deck-inspected", deck="green"))
    assert felt.of(deck.DeckMarked) == [deck.DeckMarked(deck="green", mark="inspected")]
    assert felt.of(deck.CardsMoved) == []


def test_a_report_without_a_word_of_the_pack_marks_nothing(opened: Felt) -> None:
    # Such a row stands in a journal that an older pack wrote.
    rows = opened.tell(person.Reported(by=DEALER, report="of-another-pack", deck="red"))
    assert [row.event.what() for row in rows] == ["reported"]


def test_cards_spread_make_the_table_idle_and_every_deck_at_hand_spread(opened: Felt) -> None:
    opened.report("cards-spread")
    state = opened.state
    assert (state.table, state.round) == ("idle", None)
    assert opened.of(rounds.RoundClosed)[-1] == rounds.RoundClosed(round=1, outcome="completed", hands=0)
    red, blue = state.decks["red"], state.decks["blue"]
    assert (red.places["hand"], red.shuffled, red.marks) == (53, False, ("inspected", "verified", "spread"))
    # What is in the shuffler is not spread.
    assert (blue.places["shuffler"], blue.shuffled) == (53, True)
    assert why_not(opened, "cards-spread") == "cards-spread does not fit: the table is not open"


def test_play_resumes_with_a_new_round(opened: Felt) -> None:
    opened.report("cards-spread")
    opened.report("player-looked", deck="red")
    opened.report("deck-washed", deck="red")
    opened.report("play-resumes")
    assert (opened.state.table, opened.round.number, opened.state.phase) == ("open", 2, "betting")


def test_a_table_that_is_not_idle_is_not_opened_by_a_report(felt: Felt) -> None:
    # The admission refuses it; a row of the journal would do nothing.
    felt.tell(person.Reported(by=DEALER, report="play-resumes"))
    assert felt.state.table == "closed"


def test_cards_spread_at_a_table_without_a_round_close_none(felt: Felt) -> None:
    felt.tell(person.Reported(by=DEALER, report="cards-spread"))
    assert felt.state.table == "idle"
    assert felt.of(rounds.RoundClosed) == []


def test_nobody_spreads_cards_while_the_round_is_void(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.tell(card.ShoeJammed(device="shoe-1"))
    assert why_not(opened, "cards-spread") == "cards-spread: round 1 is void (shoe-jam); release it first"


def test_an_idle_table_closes(opened: Felt) -> None:
    opened.report("cards-spread")
    assert refused(opened, commands.OpenTable()) == "the table is idle already"
    opened.command(commands.CloseTable())
    assert (opened.state.table, opened.state.closing) == ("closed", False)


def test_what_is_done_with_cards_and_dice_at_an_idle_table_is_no_irregularity(opened: Felt) -> None:
    opened.report("cards-spread")
    opened.tell(
        draw.DiceRead(device="shaker-1", faces=(1, 2, 3), flat=False, inside=True),
        card.ShoeLoaded(device="shoe-1", count=53),
    )
    assert opened.rulings() == []


def test_a_machine_that_fails_and_old_dice_are_troubles_of_an_idle_table_too(opened: Felt) -> None:
    opened.report("cards-spread")
    opened.tell(
        deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"),
        device.DeviceFaulted(device="shoe-1", code="motor"),
        system.TimerDue(timer="dice-age/shaker-1", overdue_s=0),
    )
    assert opened.rulings() == ["shuffler-jam", "device-unusable", "dice-too-old"]
    assert opened.stops == [("shuffler-1", "shuffler-jam")]


def test_a_deal_by_hand_puts_seven_times_seven_cards_on_the_table(felt: Felt) -> None:
    felt.start()
    felt.connect()
    felt.change_deck("red", "blue")
    felt.by_hand()
    felt.report("deck-shuffled", deck="red")
    felt.tell(person.TableOpened(by=FLOOR), person.BetsClosed(by=DEALER))
    felt.report("cards-dealt", deck="red")
    assert felt.of(rounds.CardsDealt) == [rounds.CardsDealt(round=1, deck="red", cards=49)]
    assert (felt.round.deck, felt.round.stacks, felt.round.cards) == ("red", 7, 49)
    assert felt.state.phase == "dealt"
    assert felt.state.decks["red"].places == {
        "hand": 4,
        "shuffler": 0,
        "shoe": 0,
        "table": 49,
        "discard": 0,
        "withdrawn": 0,
    }
    felt.command(commands.CountCards(deck="red", count=4, part="remaining"), "dealer")
    assert felt.state.phase == "playing"
    felt.command(commands.RoundEnd(), "dealer")
    assert felt.state.last_deck == "red"


def test_a_deal_by_hand_takes_the_cards_from_wherever_they_were_believed_to_be(opened: Felt) -> None:
    # The shoe broke with part of the deck inside; people took all of it and dealt.
    opened.by_hand()
    opened.tell(
        card.CardDrawn(device="shoe-1", face_up=True),
        device.DeviceLost(device="shoe-1", why="silent"),
        person.Reported(by=DEALER, report="cards-dealt", deck="red"),
    )
    assert opened.state.decks["red"].places["table"] == 49
    assert sum(opened.state.decks["red"].places.values()) == 53


@pytest.mark.parametrize("name", ["red", "green"])
def test_cards_that_are_dealt_while_no_round_is_on_are_in_no_round(felt: Felt, name: str) -> None:
    felt.tell(person.Reported(by=DEALER, report="cards-dealt", deck=name))
    assert felt.of(rounds.CardsDealt) == []


def test_cards_of_a_deck_that_nobody_knows_are_moved_nowhere(opened: Felt) -> None:
    opened.tell(person.Reported(by=DEALER, report="cards-dealt", deck="green"))
    assert opened.of(deck.CardsMoved)[-1].deck != "green"
    assert opened.round.cards == 49


def test_one_card_reported_face_up_lies_in_the_rack_and_counts_as_left(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7, 7)
    opened.report("card-face-up")
    assert opened.round.face_up == 1
    opened.tell(card.CardDrawn(device="shoe-1", face_up=True))
    assert opened.round.face_up == 2


def test_the_card_that_the_shoe_has_shown_face_up_is_not_counted_again(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7, 7)
    opened.tell(card.CardDrawn(device="shoe-1", face_up=True))
    opened.report("card-face-up")
    assert opened.round.face_up == 1


# ---- no roll -----------------------------------------------------------------------------------------------


def test_a_roll_that_people_report_as_none_withdraws_its_starting_position(opened: Felt) -> None:
    opened.start_position()
    assert opened.round.start_seat == 2
    opened.report("dice-not-flat")
    (withdrawn,) = opened.of(draw.StartPositionWithdrawn)
    assert (withdrawn.round, withdrawn.row) == (1, "dice-not-flat")
    assert (opened.round.start_seat, opened.round.total, opened.round.shakes) == (None, None, 0)
    opened.start_position(6, 6, 2)
    assert opened.round.start_seat == 1


def test_a_second_look_at_the_dice_withdraws_nothing(opened: Felt) -> None:
    opened.start_position()
    opened.tell(draw.DiceRead(device="shaker-1", faces=(1, 2, 3), flat=False, inside=True))
    assert opened.of(draw.StartPositionWithdrawn) == []
    assert opened.round.start_seat == 2


def test_dice_find_no_starting_position_where_it_is_found_in_another_way(opened: Felt) -> None:
    opened.tell(person.MethodChosen(by=FLOOR, shuffle="device", deal="automated-shoe", start="button"))
    opened.start_position()
    assert opened.of(draw.StartPositionSet) == []


# ---- a report that stops a device --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "row"),
    [("wrong-total", "wrong-total"), ("dealers-card-exposed", "dealers-card-exposed-in-deal")],
)
def test_a_report_that_voids_the_deal_stops_the_shoe_and_no_other_report_does(
    opened: Felt, what: str, row: str
) -> None:
    opened.ready_to_deal()
    opened.deal(7)
    fact = told(opened, what)
    assert list(stops(PACK, opened.state, fact)) == [("shoe-1", row)]
    opened.tell(fact)
    assert opened.round.void == row
    assert ("shoe-1", row) in opened.stops


def test_a_report_of_something_else_stops_nothing(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7)
    assert list(stops(PACK, opened.state, told(opened, "card-face-up"))) == []


def test_a_rule_that_listens_to_reports_in_both_ways_fires_once() -> None:
    pack = changed("players-card-exposed", on=["reported"], when=["report == 'card-drawn-in-error'"])
    felt = Felt(pack)
    felt.open()
    felt.deal(7)
    felt.report("players-card-exposed")
    assert felt.rulings().count("players-card-exposed") == 1
    felt.report("card-drawn-in-error")
    assert felt.rulings().count("players-card-exposed") == 2
    felt.report("card-face-up")
    assert felt.rulings().count("players-card-exposed") == 2


# ---- who may let go ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("role", "ends"), [("dealer", False), ("floor", True), ("tech", True)])
def test_the_word_of_a_role_that_the_row_names_ends_its_hold_and_no_other(
    opened: Felt,
    role: Role,
    ends: bool,  # noqa: FBT001 - a row of a table
) -> None:
    opened.tell(person.Inspected(by=FLOOR, device="shoe-1", result="not-in-order"))
    assert opened.holds() == {("device-not-in-order", "shoe-1")}
    opened.tell(person.Inspected(by=Person(role=role, name="Eve"), device="shoe-1", result="in-order"))
    assert opened.holds() == (set() if ends else {("device-not-in-order", "shoe-1")})


def test_an_end_may_wait_until_the_cause_is_gone() -> None:
    hold = {
        "binds": "device",
        "while_cause": ["shuffle", "deal"],
        "cause_gone": [{"on": ["device-cleared"]}],
        "ends": [
            {"on": ["shoe-unloaded"], "once_gone": True},
            {"on": ["device-cleared"], "when": ["code == 'x'"], "once_gone": True},
        ],
        "until": "it works",
    }
    felt = Felt(changed("device-unusable", holds=[hold]))
    felt.open()
    held = {("device-unusable", "shoe-1")}
    felt.tell(device.DeviceFaulted(device="shoe-1", code="motor"), card.ShoeUnloaded(device="shoe-1"))
    assert felt.holds() == held
    felt.tell(device.DeviceCleared(device="shoe-1", code="motor"))
    assert felt.holds() == held
    felt.tell(card.ShoeUnloaded(device="shoe-1"))
    assert felt.holds() == set()
    # The very event that shows the cause gone counts too.
    felt.tell(
        device.DeviceFaulted(device="shoe-1", code="x"), device.DeviceCleared(device="shoe-1", code="x")
    )
    assert felt.holds() == set()
