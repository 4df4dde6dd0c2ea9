"""Which deck it is and where its cards are, when devices know neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import card, deck, device, person

from .felt import FLOOR

if TYPE_CHECKING:
    from .felt import Felt


def places(felt: Felt, name: str) -> dict[str, int]:
    """Where the cards of a deck are, places without any left out."""
    return {place: count for place, count in felt.state.decks[name].places.items() if count}


def mapped(felt: Felt) -> list[tuple[str, bool, str]]:
    """Every mapping of cards to a deck so far."""
    return [
        (one.deck, one.proved, one.how)
        for row in felt.rows
        if isinstance(one := row.event, (deck.BatchMapped, deck.ShoeMapped))
    ]


def test_cards_of_a_table_that_nobody_reported_are_no_deck(felt: Felt) -> None:
    felt.load()
    felt.tell(card.ShoeLoaded(device="shoe-1", count=53))
    assert mapped(felt) == []
    assert places(felt, "red") == places(felt, "blue") == {"withdrawn": 53}


def test_the_only_deck_is_proved_to_be_what_was_loaded(felt: Felt) -> None:
    felt.change_deck("red")
    felt.load()
    assert mapped(felt) == [("red", True, "the only deck not in use")]
    assert places(felt, "red") == {"shuffler": 53}


def test_one_of_two_decks_is_taken_and_not_proved(felt: Felt) -> None:
    felt.change_deck("red", "blue")
    felt.load()
    assert mapped(felt) == [("red", False, "one of several decks that it could be")]


def test_the_deck_that_was_dealt_last_is_taken_to_be_in_the_shuffler(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.finish()
    opened.tell(deck.DeckUnloaded(device="shuffler-1", batch=2, count=53))
    opened.load()
    assert mapped(opened)[-1] == ("red", False, "one of several decks that it could be")
    assert places(opened, "red") == {"shuffler": 53}


def test_the_deck_whose_shuffle_was_broken_off_is_taken_before_any_other(felt: Felt) -> None:
    felt.change_deck("red", "blue")
    felt.load()
    felt.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=1, why="jam", where="drum"))
    felt.load()
    assert mapped(felt)[-1] == ("red", False, "one of several decks that it could be")
    assert places(felt, "blue") == {"hand": 53}


def test_of_decks_in_the_hand_the_held_one_is_taken_before_the_one_dealt_last(opened: Felt) -> None:
    # Blue comes out of a service and is held until it is counted; red was dealt and lies in the rack.
    opened.ready_to_deal()
    opened.deal()
    opened.finish()
    opened.tell(person.ServiceBegun(by=FLOOR, device="shuffler-1", why="a new belt"))
    opened.tell(person.ServiceEnding(by=FLOOR, device="shuffler-1"))
    (selftest,) = [one.order for one in opened.state.grants.values() if one.gate == "service"]
    opened.tell(device.OrderAnswered(device="shuffler-1", order=selftest, result="done"))
    assert (places(opened, "blue"), places(opened, "red")) == ({"hand": 53}, {"discard": 53})
    opened.load()
    assert mapped(opened)[-1] == ("blue", False, "one of several decks that it could be")


def test_a_deck_that_was_dealt_last_and_shuffled_since_is_not_the_one_for_the_shuffler(felt: Felt) -> None:
    felt.start()
    felt.connect()
    felt.change_deck("red", "blue")
    felt.tell(person.MethodChosen(by=FLOOR, shuffle="hand", deal="manual-shoe", start="shaker"))
    felt.report("deck-shuffled", deck="blue")
    felt.tell(person.TableOpened(by=FLOOR), person.BetsClosed(by=FLOOR))
    felt.report("cards-dealt", deck="blue")
    felt.command(commands.CountCards(deck="blue", count=4, part="remaining"))
    felt.command(commands.RoundEnd())
    assert felt.state.last_deck == "blue"
    felt.report("deck-shuffled", deck="blue")
    felt.load()
    assert mapped(felt)[-1][0] == "red"


def test_a_cleared_jam_puts_the_cards_into_the_hand_and_a_cleared_fault_does_not(felt: Felt) -> None:
    felt.change_deck("red")
    felt.load()
    felt.tell(device.DeviceCleared(device="shuffler-1", code="motor"))
    assert places(felt, "red") == {"shuffler": 53}
    felt.tell(device.DeviceCleared(device="shoe-1"))
    assert places(felt, "red") == {"shuffler": 53}
    felt.tell(device.DeviceCleared(device="shuffler-1"))
    assert places(felt, "red") == {"hand": 53}
    # It goes on by itself: then it has them again.
    felt.tell(deck.ShuffleStarted(device="shuffler-1", batch=1))
    assert places(felt, "red") == {"shuffler": 53}


def test_a_shuffler_without_a_known_deck_moves_nothing(felt: Felt) -> None:
    felt.change_deck("red")
    felt.tell(
        device.DeviceCleared(device="shuffler-1"),
        deck.ShuffleStarted(device="shuffler-1", batch=1),
        deck.DeckUnloaded(device="shuffler-1", batch=1, count=53),
        deck.DeckUnloaded(device="ghost-9", batch=1, count=53),
    )
    assert felt.of(deck.CardsMoved) == []
    assert places(felt, "red") == {"hand": 53}


def test_what_the_shuffler_did_not_count_out_is_still_inside(felt: Felt) -> None:
    felt.change_deck("red")
    felt.load()
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=1, count=37))
    assert places(felt, "red") == {"hand": 37, "shuffler": 16}
    assert felt.rulings() == ["cards-left-inside"]


def test_a_shuffler_that_does_not_count_gives_all_its_cards(felt: Felt) -> None:
    felt.change_deck("red")
    felt.load()
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=1))
    assert places(felt, "red") == {"hand": 53}
    assert felt.rulings() == []


def test_a_device_that_counts_more_than_there_is_moves_what_there_is(felt: Felt) -> None:
    felt.change_deck("red")
    felt.load()
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=1, count=54))
    assert places(felt, "red") == {"hand": 53}


def test_the_shuffled_deck_that_left_the_shuffler_last_is_taken_to_be_in_the_shoe(felt: Felt) -> None:
    felt.change_deck("red")
    felt.shuffle()
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=1, count=53))
    felt.change_deck("blue")
    felt.tell(deck.DeckLoaded(device="shuffler-1", batch=2))
    assert mapped(felt)[-1][0] == "blue"
    felt.tell(
        deck.ShuffleCompleted(device="shuffler-1", batch=2, mode="shuffle", count=53),
        deck.DeckUnloaded(device="shuffler-1", batch=2, count=53),
        card.ShoeLoaded(device="shoe-1"),
    )
    assert mapped(felt)[-1] == ("blue", False, "one of several decks that it could be")
    assert places(felt, "blue") == {"shoe": 53}


def test_a_deck_from_the_rack_is_in_the_shoe_when_none_is_at_hand(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.finish()
    assert places(opened, "red") == {"discard": 53}
    opened.tell(card.ShoeLoaded(device="shoe-1"))
    assert mapped(opened)[-1] == ("red", True, "the only deck at hand")
    assert places(opened, "red") == {"shoe": 53}


def test_cards_go_from_the_shoe_to_the_table_and_a_face_up_one_to_the_rack(opened: Felt) -> None:
    opened.deal(7)
    assert places(opened, "red") == {"shoe": 46, "table": 7}
    opened.tell(card.CardDrawn(device="shoe-1", face_up=True))
    assert places(opened, "red") == {"shoe": 45, "table": 7, "discard": 1}
    opened.tell(card.CardDrawn(device="shoe-1", face_up=False))
    assert places(opened, "red") == {"shoe": 44, "table": 8, "discard": 1}
    opened.deal(7)
    assert places(opened, "red") == {"shoe": 38, "table": 14, "discard": 1}


def test_cards_that_come_out_of_an_empty_shoe_are_nobodys(felt: Felt) -> None:
    felt.change_deck("red")
    felt.deal(7)
    felt.tell(card.CardDrawn(device="shoe-1", face_up=False), card.ShoeUnloaded(device="shoe-1", count=3))
    assert places(felt, "red") == {"hand": 53}


@pytest.mark.parametrize(("dealt", "place"), [(True, "discard"), (False, "hand")])
def test_what_is_left_in_the_shoe_goes_to_the_rack_after_a_deal_and_else_to_the_hand(
    opened: Felt,
    dealt: bool,  # noqa: FBT001 - a row of a table
    place: str,
) -> None:
    if dealt:
        opened.deal(7)
    opened.tell(card.ShoeUnloaded(device="shoe-1"))
    assert places(opened, "red")[place] == (46 if dealt else 53)


def test_all_cards_of_a_round_go_to_the_rack_when_it_closes(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal()
    assert places(opened, "red") == {"shoe": 4, "table": 49}
    opened.finish()
    assert places(opened, "red") == {"discard": 53}


def test_the_next_deck_in_the_shoe_says_nothing_about_what_is_left_of_this_one(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.tell(card.ShoeUnloaded(device="shoe-1", count=4))
    opened.to_shoe()
    opened.tell(card.ShoeUnloaded(device="shoe-1", count=53))
    assert opened.round.removed == 4
    assert places(opened, "blue") == {"discard": 53}


def test_a_changed_deck_is_whole_again(opened: Felt) -> None:
    opened.deal(7)
    opened.tell(person.DeckChanged(by=FLOOR, deck="red"))
    assert places(opened, "red") == {"hand": 53}


def test_a_stack_smaller_than_the_single_cards_before_it_moves_nothing_back(opened: Felt) -> None:
    opened.tell(
        card.CardDrawn(device="shoe-1", face_up=False), card.CardDrawn(device="shoe-1", face_up=False)
    )
    opened.deal(1)
    assert places(opened, "red") == {"shoe": 51, "table": 2}
    assert (opened.round.cards, opened.round.void) == (2, "wrong-number-of-cards")


SHOE_IS_EMPTY = card.ShoeEmptied(device="shoe-1")
SHOE_STARTED_AGAIN = device.DeviceRestarted(device="shoe-1", device_boot="b", previous_boot="a")


def test_a_shoe_that_finds_itself_empty_before_a_deal_was_emptied_into_the_hand(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.tell(SHOE_IS_EMPTY)
    assert places(opened, "red") == {"hand": 53}
    assert places(opened, "blue") == {"shuffler": 53}
    assert opened.state.shoe_due == 53
    assert opened.state.decks["red"].shuffled


def test_a_shoe_is_found_empty_where_no_round_is_on(felt: Felt) -> None:
    felt.change_deck("red")
    felt.tell(card.ShoeLoaded(device="shoe-1", count=53), SHOE_IS_EMPTY)
    assert places(felt, "red") == {"hand": 53}


def test_the_last_card_of_a_deal_empties_the_shoe_of_no_other(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7)
    opened.tell(SHOE_IS_EMPTY)
    assert places(opened, "red") == {"shoe": 46, "table": 7}


def test_a_shoe_that_started_again_in_a_deal_and_is_empty_was_emptied_into_the_rack(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7)
    opened.tell(SHOE_STARTED_AGAIN, SHOE_IS_EMPTY)
    assert places(opened, "red") == {"table": 7, "discard": 46}


def test_an_empty_shoe_that_is_found_empty_again_says_nothing_of_what_was_taken_out(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.tell(card.ShoeUnloaded(device="shoe-1", count=4), SHOE_STARTED_AGAIN, SHOE_IS_EMPTY)
    assert opened.round.removed == 4
    opened.tell(card.ShoeEmptied(device="nobody-knows"))
    assert places(opened, "red") == {"table": 49, "discard": 4}
