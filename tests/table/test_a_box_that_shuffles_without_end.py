"""What the table keeps of a box that shuffles without end: what is in its feeder, and whether it is empty."""

from __future__ import annotations

import pytest

from felt_protocols.events import card, deck, person

from .felt import FLOOR, Felt, setup_of
from .small_games import SINGLES, open_small
from .test_cards_and_decks import places

BOX = "shoe-1"


def _filled() -> Felt:
    felt = Felt(setup=setup_of(devices={BOX: "continuous-shuffler"}))
    felt.change_deck("red")
    felt.tell(card.CardsReturned(device=BOX, count=53))
    return felt


def _emptied(felt: Felt) -> bool:
    return felt.state.devices[BOX].emptied


def test_a_box_that_told_it_was_emptied_is_empty_until_cards_go_in() -> None:
    felt = _filled()
    assert not _emptied(felt)
    felt.tell(card.ShoeUnloaded(device=BOX, count=50))
    assert _emptied(felt)
    # None inside is what it said already.
    felt.tell(deck.InsideCounted(device=BOX, count=0))
    assert _emptied(felt)
    felt.tell(card.CardsReturned(device=BOX, count=53))
    assert not _emptied(felt)


def test_a_box_that_counts_a_single_card_inside_is_not_empty() -> None:
    felt = _filled()
    felt.tell(card.ShoeUnloaded(device=BOX, count=53), deck.InsideCounted(device=BOX, count=1))
    assert not _emptied(felt)
    # And one that was never emptied is not, whatever it counts.
    felt.tell(deck.InsideCounted(device=BOX, count=0))
    assert not _emptied(felt)


def test_what_goes_into_a_feeder_again_is_what_was_taken_out_of_it() -> None:
    felt = _filled()
    felt.tell(deck.ShuffleInterrupted(device=BOX, batch=0, why="jam"))
    felt.tell(card.CardsReturned(device=BOX, count=50))
    box = felt.state.devices[BOX]
    assert (box.fed, box.fresh, box.stuck) == (50, 0, False)
    felt.tell(card.CardsReturned(device=BOX, count=3))
    assert felt.state.devices[BOX].fresh == 3


def test_cards_that_people_took_out_of_a_feeder_are_not_taken_from_the_rack_once_more() -> None:
    felt = open_small(SINGLES.replace("new_shoe = true, ", ""), csm_1="continuous-shuffler")
    felt.tell(card.CardsReturned(device="csm-1", count=104))
    felt.tell(*(card.CardDrawn(device="csm-1", face_up=number < 6) for number in range(6)))
    felt.tell(card.CardsReturned(device="csm-1", count=4))
    assert places(felt, "red") == {"shuffler": 102, "discard": 2}
    # Its works stop with these four in the feeder; they and one of the rack go in.
    felt.tell(deck.ShuffleInterrupted(device="csm-1", batch=0, why="jam"))
    felt.tell(card.CardsReturned(device="csm-1", count=5))
    assert places(felt, "red") == {"shuffler": 103, "discard": 1}


def test_of_a_feeder_that_was_not_counted_nobody_knows_what_was_taken_out() -> None:
    felt = _filled()
    felt.tell(card.CardsReturned(device=BOX))
    felt.tell(deck.ShuffleInterrupted(device=BOX, batch=0, why="jam"))
    felt.tell(card.CardsReturned(device=BOX, count=5))
    assert felt.state.devices[BOX].fresh == 5


@pytest.mark.parametrize(("count", "burns", "shuffled"), [(0, 0, False), (104, 1, True)])
def test_a_box_into_which_nothing_was_put_is_not_filled_and_owes_no_burn(
    count: int,
    burns: int,
    shuffled: bool,  # noqa: FBT001 - a case
) -> None:
    felt = open_small(SINGLES, csm_1="continuous-shuffler")
    felt.tell(person.DeckChanged(by=FLOOR, deck="red"), card.CardsReturned(device="csm-1", count=count))
    assert (felt.state.burns, felt.state.decks["red"].shuffled) == (burns, shuffled)


def test_the_stack_that_went_into_the_shoe_last_is_kept_whatever_moves_elsewhere() -> None:
    felt = Felt(setup=setup_of(method={"shuffle": "hand", "deal": "automated-shoe", "start": "shaker"}))
    felt.change_deck("red")
    assert felt.state.shoe_stack is None
    felt.tell(card.ShoeLoaded(device="shoe-1", count=53))
    assert felt.state.shoe_stack == 53
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=53))
    assert felt.state.shoe_stack == 53
