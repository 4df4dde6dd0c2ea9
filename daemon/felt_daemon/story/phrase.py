"""Small parts of sentences that several rows share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from felt_daemon.story.span import plural

Body = dict[str, Any]
Sentence = Callable[[Body], str]


def where(body: Body) -> str:
    """Where in the device, in brackets."""
    return f" ({body['where']})" if body.get("where") else ""


def counted(body: Body) -> str:
    """How many cards, where the device can count them."""
    count = body.get("count")
    return "" if count is None else f", {plural(count, 'card')}"


def of_deck(body: Body) -> str:
    """Of which deck, where that is known."""
    name = body.get("deck") or body["context"].get("deck")
    return f" of deck {name}" if name else ""


def seat_words(seat: int) -> str:
    """A seat in words; 0 is the dealer."""
    return f"seat {seat}" if seat else "the dealer"


def seats_words(seats: list[int]) -> str:
    """Several seats in words: seat 1; seats 1, 4 and 5; no seat."""
    if len(seats) < 2:  # noqa: PLR2004 - one has no plural
        return seat_words(seats[0]) if seats else "no seat"
    first = ", ".join(str(seat) for seat in seats[:-1])
    return f"seats {first} and {seats[-1]}"
