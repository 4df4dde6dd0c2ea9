"""Cards that come out of a shoe while the house deals in another way: they are no part of the round."""

from __future__ import annotations

import pytest

from felt_protocols.events import card, person

from .felt import FLOOR, Felt, setup_of
from .test_cards_and_decks import places


@pytest.fixture
def opened() -> Felt:
    """An open table whose shoe is the automated one, and known for that."""
    felt = Felt(setup=setup_of(shoe_kind="automated-shoe"))
    felt.open()
    return felt


def dealing_by_hand(felt: Felt) -> None:
    """Bets are closed on a round that people deal, with red in the shoe."""
    felt.tell(person.MethodChosen(by=FLOOR, shuffle="device", deal="hand", start="shaker"))
    felt.ready_to_deal()


def test_a_card_of_it_is_no_card_of_the_round(opened: Felt) -> None:
    dealing_by_hand(opened)
    before = opened.round
    opened.tell(card.CardDrawn(device="shoe-1", face_up=False))
    assert opened.state.drawn == "stray"
    assert (opened.round.cards, opened.round.single, opened.round.face_up) == (0, 0, 0)
    assert opened.round.notices != before.notices
    assert places(opened, "red") == {"shoe": 52, "table": 1}
    # One that lies face up is no more one of the deal.
    opened.tell(card.CardDrawn(device="shoe-1", face_up=True))
    assert (opened.state.drawn, opened.round.face_up) == ("stray", 0)


def test_a_stack_of_it_is_no_hand_of_the_round(opened: Felt) -> None:
    opened.tell(card.CardDrawn(device="shoe-1", face_up=False))
    assert opened.round.single == 1
    dealing_by_hand(opened)
    opened.deal(7)
    assert opened.state.drawn == "stray"
    assert (opened.round.stacks, opened.round.hand, opened.round.void) == (0, 0, "")
    # The card that had come out before is one of the seven.
    assert (opened.round.single, opened.round.singles_before) == (0, 1)
    assert places(opened, "red") == {"shoe": 46, "table": 7}
