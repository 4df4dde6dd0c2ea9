"""The names of cards on the wire, and in facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.link.families import RANKS as WIRE_RANKS

if TYPE_CHECKING:
    from collections.abc import Mapping

RANKS: Mapping[str, str] = {**{rank: rank for rank in WIRE_RANKS}, "T": "10", "JK": "joker"}
SUITS: Mapping[str, str] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def composition(counts: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """How many of each card, `{"red": {"TH": 1}}` on the wire, as facts name them: `{"red:10-hearts": 1}`."""
    return {f"{back}:{_name(card)}": many for back, cards in counts.items() for card, many in cards.items()}


def _name(card: str) -> str:
    if card in RANKS:
        return RANKS[card]
    return f"{RANKS[card[:-1]]}-{SUITS[card[-1]]}"
