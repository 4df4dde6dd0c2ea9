"""What hands of cards are worth, as every player knows."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from felt_simulators.cards import RANKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from felt_simulators.cards import Card

ACE = "A"
TENS = frozenset({"T", "J", "Q", "K"})
BEST = 21
NATURAL = 8
_BACCARAT = 10
# An ace is the lowest; a joker is whatever helps most.
_LOW = {rank: place for place, rank in enumerate(RANKS, 1)}
_SOFT = 10


def points(card: Card) -> int:
    """A card's own value, an ace 1."""
    if card.rank in TENS:
        return 10
    return 1 if card.rank == ACE else int(card.rank)


def total(cards: Sequence[Card]) -> int:
    """The best total of a blackjack hand: an ace is 11 where that busts nobody."""
    low = sum(points(card) for card in cards)
    soft = any(card.rank == ACE for card in cards) and low + _SOFT <= BEST
    return low + _SOFT if soft else low


def blackjack(cards: Sequence[Card]) -> bool:
    """Whether two cards are an ace and a card worth ten."""
    return len(cards) == 2 and total(cards) == BEST  # noqa: PLR2004 - a Blackjack has two cards


def up_card(card: Card) -> str:
    """What people call the dealer's up card: ace, ten or other."""
    return "ace" if card.rank == ACE else "ten" if card.rank in TENS else "other"


def baccarat(cards: Sequence[Card]) -> int:
    """The last figure of the sum; tens and pictures count nothing."""
    return sum(points(card) for card in cards) % _BACCARAT


def banker_draws(banker: int, third: int | None) -> bool:
    """Whether the banker takes a third card, by the tableau that every house hangs out.

    `banker` is the total of two cards, `third` the value of the player's third card, none without one.
    """
    if third is None:
        return banker <= 5  # noqa: PLR2004 - the tableau is figures
    draws_on = {3: range(10), 4: range(2, 8), 5: range(4, 8), 6: range(6, 8)}
    if banker == 3:  # noqa: PLR2004 - the tableau is figures
        return third != 8  # noqa: PLR2004 - the tableau is figures
    return banker < 3 or third in draws_on.get(banker, ())  # noqa: PLR2004 - the tableau is figures


def badugi(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of a hand that count in Badugi: most of different suits and ranks, and the lowest such.

    Source: 58 Pa. Code § 637a.21(k).
    """
    for size in range(len(cards), 0, -1):
        fit = [
            chosen
            for chosen in combinations(cards, size)
            if len({card.suit for card in chosen}) == len({card.rank for card in chosen}) == size
        ]
        if fit:
            return min(
                fit, key=lambda chosen: sorted((_LOW.get(card.rank, 0) for card in chosen), reverse=True)
            )
    return ()
