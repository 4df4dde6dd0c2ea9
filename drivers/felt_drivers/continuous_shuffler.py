"""Continuous shufflers: their events as facts. One box shuffles and deals, and works on no batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_drivers import shoe
from felt_drivers.facts import EVERY
from felt_protocols.events import card, deck, device

if TYPE_CHECKING:
    from felt_drivers.facts import Fields, Table
    from felt_protocols.events import Fact

# The batch of a machine that counts none.
_NO_BATCH = 0


def _interrupted(fields: Fields) -> Fact:
    return deck.ShuffleInterrupted.model_validate({**fields, "batch": _NO_BATCH})


FACTS: Table = {
    **EVERY,
    "loaded": card.CardsReturned.model_validate,
    "card": shoe.drawn,
    "inside": deck.InsideCounted.model_validate,
    "interrupted": _interrupted,
    "jam": card.ShoeJammed.model_validate,
    "stopped": card.ShoeStopped.model_validate,
    "empty": card.ShoeEmptied.model_validate,
    "removed": card.ShoeUnloaded.model_validate,
    "door": device.DoorMoved.model_validate,
    "light": device.LightShown.model_validate,
}
