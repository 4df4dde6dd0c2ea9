"""Dealing shoes: their events as facts. What a face-down card is ends here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_drivers.cards import RANKS, SUITS
from felt_drivers.facts import EVERY, plain
from felt_protocols.events import card, device

if TYPE_CHECKING:
    from felt_drivers.facts import Fields, Table
    from felt_protocols.events import Fact


def _card(name: str, fields: Fields) -> Fact:
    known: dict[str, Any] = {**fields, "device": name}
    rank, suit = known.pop("rank", None), known.pop("suit", None)
    if known.get("face_up") is True:
        known["rank"], known["suit"] = RANKS.get(rank, rank), SUITS.get(suit, suit)
    return card.CardDrawn.model_validate(known)


FACTS: Table = {
    **EVERY,
    "loaded": plain(card.ShoeLoaded),
    "card": _card,
    "stack": plain(card.StackDispensed),
    "cover_card": plain(card.CoverCardDrawn),
    "jam": plain(card.ShoeJammed),
    "stopped": plain(card.ShoeStopped),
    "empty": plain(card.ShoeEmptied),
    "removed": plain(card.ShoeUnloaded),
    "door": plain(device.DoorMoved),
}
