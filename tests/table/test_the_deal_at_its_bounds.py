"""The deal at its bounds: before the first card, at the last, and on a panel's last column."""

from __future__ import annotations

import pytest

from felt_daemon.table import blank
from felt_daemon.table.changes import changed
from felt_daemon.table.deal import Share, all_dealt, last_share, shares, wrong_stack
from felt_daemon.table.dealers_panel import _as_many_as_fit
from felt_protocols.events import card, person

from .felt import DEALER, Felt, setup_of
from .small_games import FROM_START, SINGLES, STACKS, open_small
from .test_the_deal import cards, plays, shoe_felt


def test_nobody_has_got_a_card_before_the_first_one() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    plays(felt, 2)
    assert last_share(felt.state) is None
    felt.tell(card.StackDispensed(device="shoe-1", size=2))
    assert last_share(felt.state) == Share("seats", 2, 2, "down")


def test_a_deal_that_starts_at_no_position_of_its_ring_starts_at_the_first() -> None:
    felt = open_small(FROM_START.replace('to = "positions"', 'to = "seats"'), shoe_1="shoe")
    plays(felt, 1, 3)
    felt.tell(person.BetsClosed(by=DEALER))
    assert felt.round.start_seat == 0
    assert [share.seat for share in shares(felt.state) or ()] == [1, 3]


@pytest.mark.parametrize(
    ("stacks", "size", "wrong"),
    [(0, 7, False), (0, 6, True), (5, 8, True), (6, 7, False), (6, 6, True), (7, 4, False), (7, 7, False)],
)
def test_without_a_pattern_each_hand_of_the_game_has_its_number_of_cards(
    opened: Felt,
    stacks: int,
    size: int,
    wrong: bool,  # noqa: FBT001 - a row of a table
) -> None:
    state = changed(blank(setup_of(patterns=())), round=changed(opened.round, stacks=stacks))
    assert wrong_stack(state, state.round or opened.round, size) is wrong


def test_single_cards_are_all_dealt_with_the_last_card_of_the_deal() -> None:
    # One position: a card to the dealer, two to the position, one more to the dealer.
    felt = shoe_felt(2)
    found = []
    for _ in range(4):
        cards(felt, 1)
        found.append(all_dealt(felt.state))
    assert found == [False, False, False, True]


def test_single_cards_of_a_deal_that_nobody_knows_are_never_all_dealt() -> None:
    felt = open_small(SINGLES, shoe_1="shoe")
    felt.tell(card.ShoeLoaded(device="shoe-1", count=104))
    cards(felt, 9)
    assert not all_dealt(felt.state)


@pytest.mark.parametrize(
    ("bound", "line"),
    [
        # Forty columns, and one more.
        (["device shuffler-left", "deck the-red"], "HELD: device shuffler-left, deck the-red"),
        (["device shuffler-left", "deck the-blue"], "HELD: device shuffler-left +1"),
        (["deck red", "deck blue", "device shuffler-left"], "HELD: deck red, deck blue +1"),
        (
            ["device with-a-name-that-no-line-has-room-for", "deck red"],
            "HELD: device with-a-name-that-no-line-has-room-for +1",
        ),
    ],
)
def test_a_panels_line_has_as_many_of_those_held_as_fit(bound: list[str], line: str) -> None:
    assert _as_many_as_fit(bound) == line
