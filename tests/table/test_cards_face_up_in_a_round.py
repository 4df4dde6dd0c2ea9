"""Each card of a round that is found face up is in no hand, whoever tells of it: 686a.9(a) and its like."""

from __future__ import annotations

import pytest

from felt_protocols.events import card
from felt_protocols.events.ruling import RulingMade

from .any_game import MANUAL, AnyGame, opened
from .any_situation import playing

SEEN = card.CardDrawn(device="shoe-1", face_up=True, rank="6", suit="clubs")


def told(felt: AnyGame) -> tuple[int, int]:
    """A blind shoe gives a card, which people find face up: cards of the deal so far, and face up."""
    felt.draw()
    felt.report("card-face-up")
    return felt.round.cards, felt.round.face_up


@pytest.mark.parametrize("chapter", ["665a", "672a", "673a", "686a"])
def test_two_cards_that_people_find_face_up_are_both_in_no_hand(chapter: str) -> None:
    felt = opened(chapter, MANUAL)
    felt.report("seats-playing", seats=(1, 2))
    assert [told(felt), told(felt)] == [(0, 1), (0, 2)]
    felt.draw(6)
    assert (felt.round.cards, felt.state.phase) == (6, "playing")
    places = felt.state.decks["red"].places
    # The burnt card, and the two.
    assert (places["table"], places["discard"]) == (6, 3)
    assert "more-than-three-cards" not in [one.row for one in felt.of(RulingMade)]


def test_a_third_card_at_baccarat_is_the_first_that_is_in_a_hand() -> None:
    felt = opened("627a", MANUAL)
    playing(felt)
    assert felt.round.cards == 4
    assert [told(felt), told(felt)] == [(4, 1), (4, 2)]


def test_what_the_shoe_has_shown_and_people_tell_is_one_card() -> None:
    felt = opened("672a", MANUAL)
    felt.report("seats-playing", seats=(1, 2))
    felt.draw()
    felt.tell(SEEN)
    felt.report("card-face-up")
    assert (felt.round.cards, felt.round.face_up) == (1, 1)
    # The next one it does not see.
    assert told(felt) == (1, 2)
    felt.tell(SEEN)
    assert (felt.round.cards, felt.round.face_up) == (1, 3)
    # Which people tell as well.
    felt.report("card-face-up")
    assert (felt.round.cards, felt.round.face_up) == (1, 3)


def test_a_burnt_card_that_lay_face_up_was_in_no_hand() -> None:
    felt = opened("672a", MANUAL)
    felt.report("seats-playing", seats=(1, 2))
    felt.draw(2)
    felt.report("shoe-too-short")
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None), card.ShoeLoaded(device="shoe-1", count=None))
    assert felt.state.burns == 1
    assert told(felt) == (2, 1)
