"""A sensor that counts cards: rightly, unless a fault is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from felt_simulators.cards import Card
    from felt_simulators.faults import Faults


class Sensor:
    """Counts every piece that passes: a cover card is one too."""

    def __init__(self, faults: Faults, rng: random.Random) -> None:
        self._faults = faults
        self._rng = rng

    def count(self, cards: Sequence[Card], now: float) -> int:
        """What the sensor says, never less than 0."""
        reading = len(cards)
        if wrong := self._faults.strike("miscount", now):
            reading += wrong.number
        if unsteady := self._faults.strike("unsteady-count", now):
            reading += self._rng.choice((-unsteady.number, 0, unsteady.number))
        return max(0, reading)
