"""Card shufflers: their events as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_drivers.facts import EVERY
from felt_protocols.events import deck, device

if TYPE_CHECKING:
    from felt_drivers.facts import Table

FACTS: Table = {
    **EVERY,
    "loaded": deck.DeckLoaded.model_validate,
    "started": deck.ShuffleStarted.model_validate,
    "completed": deck.ShuffleCompleted.model_validate,
    "interrupted": deck.ShuffleInterrupted.model_validate,
    "unloaded": deck.DeckUnloaded.model_validate,
    "inside": deck.InsideCounted.model_validate,
    "door": device.DoorMoved.model_validate,
    "light": device.LightShown.model_validate,
}
