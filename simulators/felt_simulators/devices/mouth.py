"""A mouth from which a hand draws one card at a time, past a sensor that tells of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.devices.deal_keys import DealKeys
from felt_simulators.truth import Draw

if TYPE_CHECKING:
    from felt_simulators.cards import Card
    from felt_simulators.devices.deal_keys import Setting
    from felt_simulators.devices.electronics import Electronics
    from felt_simulators.faults import Faults

# The code of the fault that says that the sensor sticks.
SENSOR = "sensor"


class Mouth:
    """Tells of the cards that pass, rightly unless a fault is in its sensor; `draws` is what did pass.

    A card is named only where everybody sees it: it lies face up, or goes face up by the keys.
    """

    def __init__(self, faults: Faults, electronics: Electronics, setting: Setting | None) -> None:
        self.keys = DealKeys(setting)
        self.draws: list[Draw] = []
        self.stuck = False
        self._recognises = setting is not None
        self._faults = faults
        self._electronics = electronics
        self._says_at: float | None = None

    def pass_card(self, card: Card, number: int | None, at: float, *, blind: bool = False) -> None:
        """Let one card out for the round of this number; `blind`: nothing sees it pass."""
        shown = card.counts and not card.face_up and self.keys.shown()
        times = 0 if blind else self._times(at)
        for _ in range(times):
            self._tell(card, at, shown=shown)
        self.draws.append(Draw(number, at, not card.counts, card.face_up, shown, times))

    def next_at(self) -> float | None:
        """When the machine finds that its sensor sticks."""
        return self._says_at

    def finds(self, at: float) -> bool:
        """Say whether the machine finds, at this moment, that its sensor sticks."""
        due = self._says_at is not None and self._says_at <= at
        if due:
            self._says_at = None
        return due

    def free(self) -> None:
        """Free the sensor."""
        self.stuck, self._says_at = False, None

    def _times(self, at: float) -> int:
        """How often the sensor tells of the card that passes."""
        if not self.stuck and (stuck := self._faults.strike("stuck-sensor", at)):
            self.stuck = True
            self._says_at = at + stuck.number if stuck.number else None
        if self.stuck or self._faults.strike("missed-card", at):
            return 0
        return 2 if self._faults.strike("double-card", at) else 1

    def _tell(self, card: Card, at: float, *, shown: bool) -> None:
        if not card.counts:
            self._electronics.say("cover_card", at)
        elif card.face_up or (shown and self._recognises):
            self._electronics.say(
                "card",
                at,
                face_up=card.face_up,
                shown=shown or None,
                rank=card.rank,
                suit=card.suit or None,
                back=card.back,
            )
        else:
            self._electronics.say("card", at, face_up=False)
