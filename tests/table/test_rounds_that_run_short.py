"""A round for which too few cards are left: the rest and the rack are loaded, and one card is burnt."""

from __future__ import annotations

import pytest

from felt_protocols import commands
from felt_protocols.events import card, deck, person
from felt_protocols.events.ruling import RulingMade

from .any_game import ENDLESS, MANUAL, AnyGame, opened
from .any_situation import playing
from .felt import DEALER


def places(felt: AnyGame) -> dict[str, int]:
    """Where red's cards are believed to be."""
    return {place: count for place, count in felt.state.decks["red"].places.items() if count}


def dealing(chapter: str, drawn: int, deal: str = MANUAL) -> AnyGame:
    """A table with two players, of whose round so many cards are out."""
    felt = opened(chapter, deal)
    felt.report("seats-playing", seats=(1, 2))
    felt.draw(drawn)
    return felt


def ninth_round() -> AnyGame:
    """One deck of 52: one burnt, eight rounds of six, two cards of the ninth; one card is in the shoe."""
    felt = dealing("673a", 6)
    for _ in range(7):
        felt.tell(person.RoundEnded(by=DEALER))
        felt.report("seats-playing", seats=(1, 2))
        felt.draw(6)
    felt.tell(person.RoundEnded(by=DEALER))
    felt.report("seats-playing", seats=(1, 2))
    felt.draw(2)
    return felt


def rows(felt: AnyGame) -> list[str]:
    """The rows that were ruled on so far."""
    return [one.row for one in felt.of(RulingMade)]


def test_the_rack_is_loaded_with_the_few_cards_that_were_taken_out_and_its_first_card_is_burnt() -> None:
    felt = ninth_round()
    felt.report("shoe-too-short")
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=1), card.ShoeLoaded(device="shoe-1", count=50))
    assert (rows(felt)[-1], places(felt), felt.state.burns) == ("burn-due", {"shoe": 50, "table": 2}, 1)
    felt.draw(5)
    assert (felt.round.cards, felt.state.burns, places(felt)) == (
        6,
        0,
        {"shoe": 45, "table": 6, "discard": 1},
    )
    felt.tell(person.RoundEnded(by=DEALER))
    felt.report("seats-playing", seats=(1, 2))
    felt.draw()
    assert "drawn-without-permit" not in rows(felt)
    assert places(felt) == {"shoe": 44, "table": 1, "discard": 7}


def test_so_it_is_where_nobody_says_so_and_the_shoe_counts_every_card() -> None:
    felt = ninth_round()
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=1), card.ShoeLoaded(device="shoe-1", count=50))
    assert (places(felt), felt.state.burns) == ({"shoe": 50, "table": 2}, 1)


@pytest.mark.parametrize("count", [1, None, 49])
def test_the_rest_alone_in_another_shoe_owes_no_burn(count: int | None) -> None:
    felt = ninth_round()
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=1), card.ShoeLoaded(device="shoe-1", count=count))
    assert (places(felt), felt.state.burns) == ({"shoe": 1, "table": 2, "discard": 49}, 0)


def test_a_card_that_came_for_a_bent_one_is_loaded_with_the_rack() -> None:
    felt = ninth_round()
    felt.command(commands.WithdrawCard(deck="red", place="discard", why="bent"))
    felt.command(commands.ReplaceCard(deck="red"))
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=1))
    assert places(felt) == {"table": 2, "discard": 49, "hand": 1}
    felt.tell(card.ShoeLoaded(device="shoe-1", count=50))
    assert (places(felt), felt.state.burns) == ({"shoe": 50, "table": 2}, 1)


def test_the_rest_is_a_rest_where_the_rack_has_no_other_card() -> None:
    felt = dealing("673a", 2)
    felt.command(commands.WithdrawCard(deck="red", place="discard", why="the burnt card is bent"))
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=49), card.ShoeLoaded(device="shoe-1", count=49))
    assert (places(felt), felt.state.burns) == ({"shoe": 49, "table": 2, "withdrawn": 1}, 0)


def test_a_shoe_that_was_found_empty_before_the_deal_is_filled_and_its_first_card_burnt() -> None:
    felt = dealing("673a", 0)
    felt.tell(card.ShoeEmptied(device="shoe-1"), card.ShoeLoaded(device="shoe-1"))
    assert (places(felt), felt.state.burns) == ({"shoe": 52}, 1)


def test_the_rack_may_be_loaded_on_what_is_left_in_the_shoe() -> None:
    felt = ninth_round()
    felt.report("shoe-too-short")
    felt.tell(card.ShoeLoaded(device="shoe-1", count=50))
    assert (places(felt), felt.state.burns) == ({"shoe": 50, "table": 2}, 1)


def test_the_rack_may_be_shuffled_by_the_device_meanwhile() -> None:
    felt = ninth_round()
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=felt.batch, count=52))
    felt.report("shoe-too-short")
    felt.tell(deck.DeckLoaded(device="shuffler-1", batch=9, count=49))
    assert places(felt) == {"shoe": 1, "table": 2, "shuffler": 49}
    felt.tell(
        deck.ShuffleCompleted(device="shuffler-1", batch=9, mode="shuffle", count=49),
        deck.DeckUnloaded(device="shuffler-1", batch=9, count=49),
        card.ShoeUnloaded(device="shoe-1", count=1),
        card.ShoeLoaded(device="shoe-1", count=50),
    )
    assert (places(felt), felt.state.burns) == ({"shoe": 50, "table": 2}, 1)


def test_after_it_the_rest_of_a_shoe_is_a_rest_again() -> None:
    felt = ninth_round()
    felt.report("shoe-too-short")
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=1), card.ShoeLoaded(device="shoe-1", count=50))
    felt.draw(3)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=47), card.ShoeLoaded(device="shoe-1", count=47))
    assert (places(felt), felt.state.burns) == ({"shoe": 47, "table": 4, "discard": 1}, 0)


@pytest.mark.parametrize("told", [True, False])
def test_the_rack_goes_back_into_a_shuffler_without_end_and_its_first_card_is_burnt(told: bool) -> None:  # noqa: FBT001 - a case
    felt = dealing("686a", 4, ENDLESS)
    if told:
        felt.report("shoe-too-short")
    else:
        felt.tell(card.ShoeEmptied(device=felt.box))
    felt.tell(card.CardsReturned(device=felt.box, count=40))
    assert (rows(felt)[-1], felt.state.burns) == ("burn-due", 1)
    felt.draw(3)
    assert (felt.round.cards, felt.state.burns) == (6, 0)
    felt.tell(card.CardsReturned(device=felt.box, count=4))
    assert felt.state.burns == 0


def test_the_discards_of_badugi_are_loaded_and_dealt_with_the_round_s_permit() -> None:
    felt = opened("637a", MANUAL)
    playing(felt)
    felt.report("first-draw")
    felt.draw(5)
    felt.report("deck-short")
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=39), card.ShoeLoaded(device="shoe-1", count=43))
    # Thirteen were on the table, and four of them are the discards of the others.
    assert places(felt) == {"shoe": 43, "table": 9}
    felt.draw()
    assert "drawn-without-permit" not in rows(felt)
    assert felt.state.burns == 0


def test_a_shoe_that_counts_nothing_tells_of_no_card_that_was_on_the_table() -> None:
    felt = opened("637a", MANUAL)
    playing(felt)
    felt.report("first-draw")
    felt.draw(felt.total - felt.round.cards)
    felt.report("deck-short")
    assert places(felt) == {"table": 52}
    felt.tell(card.ShoeLoaded(device="shoe-1"))
    assert places(felt) == {"table": 52}
