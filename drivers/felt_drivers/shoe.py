"""Dealing shoes: their events as facts. What a face-down card is ends here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_drivers.facts import EVERY
from felt_protocols.events import card, device

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_drivers.facts import Fields, Table
    from felt_protocols.events import Fact

# Where the wire and the facts name a card differently.
_RANKS: Mapping[object, str] = {"T": "10", "JK": "joker"}
_SUITS: Mapping[object, str] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def drawn(fields: Fields) -> Fact:
    """The fact that a card was drawn; its rank and suit only where everybody sees them."""
    rank, suit = fields.pop("rank", None), fields.pop("suit", None)
    if fields.get("face_up") is True or fields.get("shown") is True:
        fields["rank"], fields["suit"] = _RANKS.get(rank, rank), _SUITS.get(suit)
    return card.CardDrawn.model_validate(fields)


FACTS: Table = {
    **EVERY,
    "loaded": card.ShoeLoaded.model_validate,
    "card": drawn,
    "stack": card.StackDispensed.model_validate,
    "cover_card": card.CoverCardDrawn.model_validate,
    "jam": card.ShoeJammed.model_validate,
    "stopped": card.ShoeStopped.model_validate,
    "empty": card.ShoeEmptied.model_validate,
    "removed": card.ShoeUnloaded.model_validate,
    "door": device.DoorMoved.model_validate,
}
