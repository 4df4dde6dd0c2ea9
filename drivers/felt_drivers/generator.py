"""Random number generators: their events as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_drivers.facts import EVERY
from felt_protocols.events import draw

if TYPE_CHECKING:
    from felt_drivers.facts import Table

FACTS: Table = {
    **EVERY,
    "drawn": draw.NumberDrawn.model_validate,
    "health": draw.GeneratorHealthTold.model_validate,
}
