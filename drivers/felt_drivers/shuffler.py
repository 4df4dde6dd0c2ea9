"""Card shufflers: their events as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from felt_drivers.cards import composition
from felt_drivers.facts import EVERY, plain
from felt_protocols.events import deck, device

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_drivers.facts import Fields, Table
    from felt_protocols.events import Fact


def _completed(name: str, fields: Fields) -> Fact:
    known: dict[str, Any] = {**fields, "device": name}
    if "composition" in known:
        known["composition"] = composition(cast("Mapping[str, Mapping[str, int]]", known["composition"]))
    return deck.ShuffleCompleted.model_validate(known)


FACTS: Table = {
    **EVERY,
    "loaded": plain(deck.DeckLoaded),
    "started": plain(deck.ShuffleStarted),
    "completed": _completed,
    "interrupted": plain(deck.ShuffleInterrupted),
    "unloaded": plain(deck.DeckUnloaded),
    "inside": plain(deck.InsideCounted),
    "door": plain(device.DoorMoved),
    "light": plain(device.LightShown),
}
