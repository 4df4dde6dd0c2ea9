"""What simulated people know of each game, held against the regulation."""

from __future__ import annotations

from collections import Counter

import pytest

from felt_simulators.cards import Card, Content, new_deck
from felt_simulators.games.game import GAMES
from felt_simulators.games.values import baccarat, badugi, banker_draws, blackjack, total, up_card
from felt_simulators.games.ways import turns


def hand(codes: str) -> list[Card]:
    return [Card(code[:-1], code[-1], "red", "red") for code in codes.split()]


@pytest.mark.parametrize(
    ("chapter", "cards"),
    [
        ("637a", 52),
        ("659a", 53),
        ("663a", 52),
        ("665a", 384),
        ("671a", 52),
        ("672a", 312),
        ("686a", 312),
        ("687a", 53),
    ],
)
def test_section_3_a_what_a_game_is_dealt_from(chapter: str, cards: int) -> None:
    content = GAMES[chapter].content
    assert content.size == cards
    assert len(new_deck("red", "red", "table", content).cards) == cards


def test_665a_3_a_eight_decks_without_their_tens() -> None:
    ranks = Counter(card.rank for card in new_deck("red", "red", "table", GAMES["665a"].content).cards)
    assert ranks == dict.fromkeys("A23456789JQK", 32)


def test_a_batch_without_jokers_has_none() -> None:
    assert Content(decks=2).size == 104
    assert "JK" not in {card.rank for card in new_deck("red", "red", "table", Content(decks=2)).cards}


@pytest.mark.parametrize(
    ("chapter", "most"), [("659a", 6), ("671a", 5), ("673a", 6), ("627a", 9), ("631a", 14), ("637a", 9)]
)
def test_section_2_a_so_many_positions_at_most(chapter: str, most: int) -> None:
    assert GAMES[chapter].positions == most


def test_the_reader_is_asked_under_these_up_cards() -> None:
    assert GAMES["665a"].reads == set("AKQJ")
    assert GAMES["672a"].reads == GAMES["673a"].reads == set("AKQJT")
    assert GAMES["633a"].reads == set("AKQJT")
    # 635a.8 has the reader after insurance alone.
    assert GAMES["635a"].reads == set("A")
    assert GAMES["686a"].reads == set()


@pytest.mark.parametrize(
    ("codes", "worth"),
    [("AC KD", 21), ("AC AD", 12), ("AC AD 9H", 21), ("TC 6D AH", 17), ("KC QD 5H", 25), ("AS 6S", 17)],
)
def test_an_ace_is_eleven_where_that_busts_nobody(codes: str, worth: int) -> None:
    assert total(hand(codes)) == worth


def test_a_blackjack_has_two_cards() -> None:
    assert blackjack(hand("AC JD"))
    assert not blackjack(hand("7C 7D 7H"))
    assert [up_card(card) for card in hand("AC TD JD 9D")] == ["ace", "ten", "ten", "other"]


@pytest.mark.parametrize(("codes", "worth"), [("KC 9D", 9), ("8C 7D", 5), ("AC TD", 1), ("5C 5D KH", 0)])
def test_a_baccarat_hand_counts_its_last_figure(codes: str, worth: int) -> None:
    assert baccarat(hand(codes)) == worth


@pytest.mark.parametrize(
    ("banker", "on"),
    [
        (0, "0123456789-"),
        (2, "0123456789-"),
        (3, "012345679-"),
        (4, "234567-"),
        (5, "4567-"),
        (6, "67"),
        (7, ""),
    ],
)
def test_the_banker_draws_by_the_usual_tableau(banker: int, on: str) -> None:
    """`-`: the player stands."""
    drawn = "".join(str(third) for third in range(10) if banker_draws(banker, third))
    assert drawn + ("-" if banker_draws(banker, None) else "") == on


def test_cards_come_round_by_round_and_in_dj_wild_hand_by_hand() -> None:
    hands = [(1, 2), (4, 2), (0, 2), (-1, 1)]
    assert turns(hands, in_stacks=False) == [1, 4, 0, -1, 1, 4, 0]
    assert turns(hands, in_stacks=True) == [1, 1, 4, 4, 0, 0, -1]
    # 687a.8(d) deals stacks; 659a.8(c), 663a.8(d) and 671a.8(c) one card at a time.
    assert [chapter for chapter, game in GAMES.items() if game.in_stacks] == ["687a"]


@pytest.mark.parametrize(
    ("cards", "kept"),
    [
        ("AC 2D 3H 4S", "AC 2D 3H 4S"),
        # Two clubs: the lower one stays.
        ("9C 2D 3H 4C", "2D 3H 4C"),
        # Two of one rank, and of one suit.
        ("KC KD 5H 6H", "KC 5H"),
        ("KC KD KH KS", "KC"),
        ("2C 5C 9C KC", "2C"),
        ("8C JK", "8C JK"),
        ("", ""),
    ],
)
def test_637a_21_k_a_badugi_hand_has_different_suits_and_ranks(cards: str, kept: str) -> None:
    assert " ".join(card.code for card in badugi(hand(cards))) == kept
