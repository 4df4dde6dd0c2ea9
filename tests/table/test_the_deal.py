"""Who gets which card when: patterns of stacks and of single cards, and who plays."""

from __future__ import annotations

import pytest

from felt_daemon.table import blank
from felt_daemon.table.deal import (
    Share,
    all_dealt,
    begun,
    cards_due,
    hands_due,
    last_share,
    next_share,
    players,
    players_dealt,
    shares,
    wrong_stack,
)
from felt_protocols import commands
from felt_protocols.events import card, draw, person
from felt_protocols.events import round as rounds

from .felt import DEALER, FLOOR, Felt, setup_of, told, why_not
from .small_games import FROM_START, SINGLES, STACKS, end_round, open_small, small_felt

BY_NUMBER = FROM_START.replace('start = "button"', 'start = "generator"')


def plays(felt: Felt, *seats: int) -> None:
    """These positions play."""
    felt.report("seats-playing", seats=seats)


def stacks(felt: Felt, *sizes: int) -> None:
    """Stacks of these sizes come out."""
    felt.tell(*(card.StackDispensed(device="shoe-1", size=size) for size in sizes))


def cards(felt: Felt, count: int) -> None:
    """Single cards come out face down."""
    felt.tell(*(card.CardDrawn(device="shoe-1", face_up=False) for _ in range(count)))


def seats_of(felt: Felt, kind: type[card.ShoeFact]) -> list[object]:
    """Whose each stack or card was, as the rows say."""
    return [row.context.get("seat") for row in felt.rows if isinstance(row.event, kind)]


def shoe_felt(*seats: int) -> Felt:
    """A table of single cards with its shoe loaded and the first card of it burnt."""
    felt = open_small(SINGLES, shoe_1="shoe")
    felt.tell(card.ShoeLoaded(device="shoe-1", count=104))
    if seats:
        plays(felt, *seats)
    cards(felt, 1)
    return felt


def test_nothing_is_known_of_the_deal_until_somebody_says_who_plays() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    assert (shares(felt.state), cards_due(felt.state), hands_due(felt.state)) == (None, None, None)
    assert (next_share(felt.state), last_share(felt.state), players(felt.state)) == (None, None, 3)
    assert all_dealt(felt.state) is False


def test_positions_that_play_get_their_stacks_from_the_left_then_the_dealer() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    plays(felt, 3, 1)
    assert shares(felt.state) == (
        Share("seats", 1, 2, "down"),
        Share("seats", 3, 2, "down"),
        Share("dealer", 0, 2, "down"),
        Share("extra", None, 1, "down"),
    )
    assert (cards_due(felt.state), hands_due(felt.state), players(felt.state)) == (7, 4, 2)
    stacks(felt, 2, 2, 2)
    assert not all_dealt(felt.state)
    stacks(felt, 1)
    assert all_dealt(felt.state)
    assert (next_share(felt.state), felt.round.wrong_hands) == (None, 0)
    assert last_share(felt.state) == Share("extra", None, 1, "down")
    assert seats_of(felt, card.StackDispensed) == [1, 3, 0, None]


def test_a_stack_is_wrong_by_whose_it_is() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    plays(felt, 2)
    stacks(felt, 1)
    assert (felt.round.wrong_hands, felt.round.last_wrong) == (1, True)
    stacks(felt, 2, 2)
    # The extra card has two, and what comes after the last stack is no hand.
    assert (felt.round.wrong_hands, felt.round.last_wrong) == (2, True)
    stacks(felt, 9)
    assert (felt.round.wrong_hands, felt.round.last_wrong) == (2, False)
    assert last_share(felt.state) is None


def test_where_nobody_has_said_who_plays_any_size_of_some_hand_is_right() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    wrong = [wrong_stack(felt.state, felt.round, size) for size in (0, 1, 2, 3)]
    assert wrong == [True, False, False, True]


def test_a_permit_says_the_number_of_stacks_once_it_is_known() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    assert felt.permits("shoe-1") == [{"round": 1, "size": 2}]
    end = open_small(STACKS, shoe_1="shoe")
    plays(end, 1, 2)
    stacks(end, 2, 2, 2, 1)
    end_round(end)
    assert end.permits("shoe-1")[-1] == {"round": 2, "size": 2}


def test_all_positions_are_dealt_from_the_starting_position_round_to_it() -> None:
    felt = open_small(FROM_START, shoe_1="shoe")
    assert [share.seat for share in shares(felt.state) or ()] == [None, None, None, None]
    assert (cards_due(felt.state), hands_due(felt.state)) == (8, 4)
    felt.tell(person.BetsClosed(by=DEALER))
    assert [share.seat for share in shares(felt.state) or ()] == [0, 1, 2, 3]
    stacks(felt, 2, 2, 2, 2)
    assert seats_of(felt, card.StackDispensed) == [0, 1, 2, 3]


def test_the_button_goes_clockwise_by_one_after_each_round_with_cards() -> None:
    felt = open_small(FROM_START, shoe_1="shoe")
    found = []
    for _ in range(5):
        felt.tell(person.BetsClosed(by=DEALER))
        stacks(felt, 2, 2, 2, 2)
        end_round(felt)
        found.append([(one.total, one.seat) for one in felt.of(draw.StartPositionSet)][-1])
    # The dealer is one; clockwise from there is the highest count.
    assert found == [(1, 0), (4, 1), (3, 2), (2, 3), (1, 0)]


def test_the_positions_have_their_cards_whatever_the_dealer_has() -> None:
    felt = open_small(FROM_START, shoe_1="shoe")
    found = []
    # In the first round the dealer is the first to get his stack, in the second the last.
    for _ in range(2):
        felt.tell(person.BetsClosed(by=DEALER))
        stacks(felt, 2, 2, 2)
        found.append(players_dealt(felt.state))
        stacks(felt, 2)
        found.append(players_dealt(felt.state))
        end_round(felt)
    assert found == [False, True, True, True]
    singles = shoe_felt(1, 3)
    cards(singles, 4)
    assert players_dealt(singles.state) is False
    cards(singles, 1)
    assert players_dealt(singles.state) is True


def test_a_generators_number_is_the_start_and_the_first_of_a_round_stands() -> None:
    felt = open_small(BY_NUMBER, shoe_1="shoe", rng_1="rng")
    felt.tell(draw.NumberDrawn(device="rng-1", number=3, draw=7))
    assert felt.round.start_seat is None
    felt.tell(
        draw.NumberDrawn(device="rng-1", number=3, draw=1),
        draw.NumberDrawn(device="rng-1", number=2, draw=1),
    )
    assert [(one.total, one.count, one.seat) for one in felt.of(draw.StartPositionSet)] == [(3, 3, 2)]


def test_a_number_that_nobody_asked_for_is_the_start_too() -> None:
    felt = open_small(BY_NUMBER, shoe_1="shoe", rng_1="rng")
    felt.tell(draw.NumberDrawn(device="rng-1", number=5, draw=0))
    assert [(one.count, one.seat) for one in felt.of(draw.StartPositionSet)] == [(1, 0)]


def test_the_other_ways_start_nothing() -> None:
    felt = open_small(FROM_START, shoe_1="shoe", rng_1="rng", shaker_1="shaker")
    felt.tell(
        draw.NumberDrawn(device="rng-1", number=5, draw=0),
        *(draw.ShakerShaken(device="shaker-1") for _ in range(3)),
        draw.DiceRead(device="shaker-1", faces=(1, 2, 3), flat=True, inside=True),
    )
    assert felt.of(draw.StartPositionSet) == []


def test_single_cards_go_round_the_table_and_the_first_of_a_shoe_is_burnt() -> None:
    felt = shoe_felt(1, 3)
    assert (felt.round.cards, felt.state.burns, felt.state.drawn) == (0, 0, "burn")
    assert last_share(felt.state) is None
    assert felt.state.decks["red"].places["discard"] == 1
    cards(felt, 6)
    assert (felt.round.cards, felt.state.drawn) == (6, "deal")
    assert last_share(felt.state) == Share("dealer", 0, 1, "down")
    assert (cards_due(felt.state), hands_due(felt.state), all_dealt(felt.state)) == (6, 3, True)
    cards(felt, 1)
    assert (felt.state.drawn, last_share(felt.state)) == ("more", None)
    assert seats_of(felt, card.CardDrawn) == [None, 0, 1, 3, 1, 3, 0, None]
    assert felt.state.decks["red"].places["table"] == 7


def test_single_cards_of_a_deal_that_nobody_knows_are_cards() -> None:
    felt = shoe_felt()
    cards(felt, 2)
    assert (felt.state.drawn, felt.round.cards, all_dealt(felt.state)) == ("card", 2, False)


def test_a_card_found_face_up_is_in_no_hand_and_is_the_one_to_be_burnt() -> None:
    felt = open_small(SINGLES, shoe_1="shoe")
    felt.tell(card.ShoeLoaded(device="shoe-1", count=104))
    plays(felt, 1)
    felt.tell(card.CardDrawn(device="shoe-1", face_up=True, rank="K", suit="clubs"))
    assert (felt.state.drawn, felt.state.burns, felt.round.cards, felt.round.face_up) == ("face-up", 0, 0, 1)
    assert last_share(felt.state) is None
    cards(felt, 1)
    assert (felt.state.drawn, felt.round.cards) == ("deal", 1)


def test_a_new_dealer_and_an_order_of_the_floor_burn_a_card_each() -> None:
    felt = shoe_felt(1)
    felt.command(commands.NewDealer(dealer="Eve"), "dealer")
    felt.command(commands.Order(what="burn"))
    felt.command(commands.Order(what="reshuffle"))
    cards(felt, 3)
    assert (felt.state.burns, felt.round.cards) == (0, 1)
    assert felt.state.decks["red"].places["discard"] == 3


def test_a_shoe_that_is_emptied_owes_no_burn() -> None:
    felt = open_small(SINGLES, shoe_1="shoe")
    felt.tell(card.ShoeLoaded(device="shoe-1", count=104), card.ShoeUnloaded(device="shoe-1", count=104))
    assert felt.state.burns == 0


def test_no_game_without_burns_burns() -> None:
    felt = Felt()
    felt.open()
    felt.command(commands.NewDealer(dealer="Eve"), "dealer")
    assert felt.state.burns == 0


def test_a_card_in_no_round_is_in_no_deal() -> None:
    felt = small_felt(SINGLES.replace("new_shoe = true, ", ""), shoe_1="shoe")
    felt.start()
    cards(felt, 1)
    assert (felt.state.drawn, next_share(felt.state), last_share(felt.state)) == ("", None, None)
    assert begun(felt.state) is False


def test_a_stack_in_no_round_is_in_no_deal() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    plays(felt, 2)
    felt.tell(card.StackDispensed(device="shoe-1", size=2))
    assert felt.state.drawn == "stack"
    felt.tell(person.RoundEnded(by=DEALER), person.TableClosed(by=FLOOR))
    felt.tell(card.StackDispensed(device="shoe-1", size=2))
    assert (felt.state.phase, felt.state.drawn) == ("none", "")


def test_another_way_to_deal_has_no_pattern_and_the_numbers_of_the_game() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    felt.tell(person.MethodChosen(by=FLOOR, shuffle="device", deal="other", start="left"))
    assert (shares(felt.state), hands_due(felt.state)) == (None, 4)
    felt.report("hands-out", deck="red")
    assert [one.cards for one in felt.of(rounds.CardsDealt)] == [8]


def test_hands_that_people_deal_are_those_who_play() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    plays(felt, 2)
    felt.report("hands-out", deck="red")
    assert [one.cards for one in felt.of(rounds.CardsDealt)] == [5]
    assert (felt.round.cards, felt.round.stacks) == (5, 3)
    end_round(felt)
    unsaid = open_small(STACKS, shoe_1="shoe")
    unsaid.report("hands-out", deck="red")
    assert [one.cards for one in unsaid.of(rounds.CardsDealt)] == [0]
    assert unsaid.round.stacks == 4


def test_a_table_without_a_round_has_no_deal() -> None:
    state = blank(setup_of())
    assert (shares(state), all_dealt(state), begun(state)) == (None, False, False)


@pytest.mark.parametrize(
    ("what", "about", "said"),
    [
        ("seats-playing", {}, "seats-playing: say which positions play"),
        ("seats-playing", {"seats": (1, 4)}, "there is no position 4; positions are 1 to 3"),
        ("seats-playing", {"seats": (0, 1)}, "there is no position 0; positions are 1 to 3"),
        ("nothing-new", {"seats": (1,)}, "nothing-new says nothing of the positions that play"),
    ],
)
def test_who_plays_is_said_in_full_and_where_it_is_asked(
    what: str, about: dict[str, object], said: str
) -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    assert why_not(felt, what, **about) == said


def test_nobody_joins_a_round_that_is_dealt() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    stacks(felt, 2)
    assert why_not(felt, "seats-playing", seats=(1,)) == "cards of this round are dealt already"


def test_each_position_is_told_once_and_in_order() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    assert told(felt, "seats-playing", seats=(3, 1, 3)).seats == (1, 3)


JAM = """
[[rules]]
id = "jam"
cite = ["998a.1"]
since = 2030-01-01
on = ["shoe-jammed"]
subject = "device"
effect = "stop"
says = "The shoe jammed."
void = true

[[rules.holds]]
binds = "device"
gates = ["deal"]
stops = true
cause_gone = [{ on = ["shoe-unloaded"] }]
ends = [{ on = ["shoe-unloaded"] }]
until = "the shoe is empty"
"""


def test_a_row_that_asks_for_nothing_stops_whatever_else_is_so() -> None:
    felt = open_small(STACKS.replace("rules = []\n", "") + JAM, shoe_1="shoe")
    felt.tell(card.ShoeJammed(device="shoe-1"))
    assert felt.stops == [("shoe-1", "jam")]
