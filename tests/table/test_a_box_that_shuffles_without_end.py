"""What the table keeps of a box that shuffles without end: what is in its feeder, and whether it is empty."""

from __future__ import annotations

from felt_protocols.events import card, deck

from .felt import Felt, setup_of

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


def test_the_stack_that_went_into_the_shoe_last_is_kept_whatever_moves_elsewhere() -> None:
    felt = Felt(setup=setup_of(method={"shuffle": "hand", "deal": "automated-shoe", "start": "shaker"}))
    felt.change_deck("red")
    assert felt.state.shoe_stack is None
    felt.tell(card.ShoeLoaded(device="shoe-1", count=53))
    assert felt.state.shoe_stack == 53
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=53))
    assert felt.state.shoe_stack == 53
