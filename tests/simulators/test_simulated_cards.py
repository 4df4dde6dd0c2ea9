"""Cards are objects that lie in one place, and a deck is 53 of them."""

from __future__ import annotations

from collections import Counter

import pytest

from felt_simulators.cards import (
    CardsAstray,
    Custody,
    backs,
    composition,
    count,
    cover_card,
    in_sequence,
    new_deck,
)


def test_659a_3_a_a_deck_is_52_cards_and_one_joker() -> None:
    deck = new_deck("a", "red", "table-1")
    assert len(deck.cards) == 53
    assert len({id(card) for card in deck.cards}) == 53
    assert Counter(card.code for card in deck.cards)["JK"] == 1
    assert Counter(card.rank for card in deck.cards) == {**dict.fromkeys("A23456789TJQK", 4), "JK": 1}
    assert {card.suit for card in deck.cards} == {"C", "D", "H", "S", ""}
    assert deck.owner == "table-1"


def test_two_cards_of_the_same_rank_and_suit_are_two_cards() -> None:
    ours, theirs = new_deck("a", "red", "table-1").cards[0], new_deck("a", "red", "table-1").cards[0]
    assert ours.code == theirs.code == "AC"
    assert ours != theirs


def test_a_composition_does_not_tell_the_order() -> None:
    stack = new_deck("a", "red", "table-1").stack()
    assert composition(stack) == composition(reversed(stack))
    assert list(composition(stack)["red"]) == sorted(composition(stack)["red"])
    assert composition(stack[:2] + new_deck("b", "blue", "table-1").stack()[:1]) == {
        "blue": {"AC": 1},
        "red": {"2C": 1, "AC": 1},
    }


def test_a_cover_card_is_none_of_the_cards() -> None:
    stack = [*new_deck("a", "red", "table-1").stack(), cover_card()]
    assert len(stack) == 54
    assert count(stack) == 53
    assert backs(stack) == {"red": 53, "yellow": 1}


def test_sorting_restores_the_order_of_the_box() -> None:
    deck = new_deck("a", "red", "table-1")
    assert in_sequence(reversed(deck.cards)) == deck.stack()


def test_custody_finds_a_card_that_is_nowhere_twice_or_not_its_own() -> None:
    deck = new_deck("a", "red", "table-1")
    custody = Custody()
    custody.take(deck.cards[:3])
    custody.check({"feeder": deck.cards[:1], "drum": deck.cards[1:3]})
    with pytest.raises(CardsAstray, match="3C is nowhere"):
        custody.check({"feeder": deck.cards[:1], "drum": deck.cards[1:2]})
    with pytest.raises(CardsAstray, match="2C is in feeder and in drum"):
        custody.check({"feeder": deck.cards[:2], "drum": deck.cards[1:3]})
    with pytest.raises(CardsAstray, match="4C is in drum and nobody brought it"):
        custody.check({"feeder": deck.cards[:1], "drum": deck.cards[1:4]})
    with pytest.raises(CardsAstray, match="AC comes in and is here already"):
        custody.take(deck.cards[:1])
    with pytest.raises(CardsAstray, match="4C goes out and was never here"):
        custody.give(deck.cards[3:4])
