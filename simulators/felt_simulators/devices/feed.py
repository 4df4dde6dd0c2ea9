"""Cards that pass one by one, evenly in time, and the card at which trouble strikes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from felt_simulators.faults import ANY

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from felt_simulators.faults import Fault, Faults

# Far below the time that a card takes, far above the rounding of a float of seconds.
_ROUNDING_S = 1e-6


class Feed:
    """Counts cards from the load on; `passed` have passed, the next is number `passed + 1`.

    `troubles` names the faults that strike at a card: their argument is the number of the card that does
    not pass. They may be put in before or during; one whose card is past strikes at the next.
    """

    def __init__(self, faults: Faults, rng: random.Random, troubles: Sequence[str]) -> None:
        self._faults = faults
        self._rng = rng
        self._troubles = troubles
        self._marks: dict[str, int] = {}
        self.passed = 0
        self._total = 0
        self._begun = 0.0
        self._base = 0
        self._card_s = 1.0

    def load(self, total: int) -> None:
        """Begin to count anew for `total` cards."""
        self.passed, self._total = 0, total
        self._marks.clear()
        for name in self._troubles:
            fault = self._faults.waiting(name)
            if fault is not None:
                self.mark(fault)

    def mark(self, fault: Fault) -> None:
        """Choose the card at which a fault strikes, if it is one of a card."""
        if fault.name not in self._troubles:
            return
        number = fault.number
        if fault.name == "incomplete":
            number = self._total - number + 1
        elif number == ANY:
            number = self._rng.randint(min(self.passed + 1, self._total), max(1, self._total))
        self._marks[fault.name] = number

    def run(self, now: float, card_s: float) -> None:
        """Let cards pass from now on, the first of them after `card_s`."""
        self._begun, self._base, self._card_s = now, self.passed, card_s

    def next_at(self, last: int | None = None) -> float:
        """When trouble strikes or the last card has passed: `last`, or the last one loaded."""
        end = self._total if last is None else last
        trouble = self._trouble()
        return self._time_of(end if trouble is None else min(end, trouble))

    def advance(self, now: float, last: int | None = None) -> int:
        """Let those cards pass whose time has come and whom no trouble stops; give how many."""
        end = self._total if last is None else last
        reached = self._base + math.floor((now - self._begun + _ROUNDING_S) / self._card_s)
        trouble = self._trouble()
        target = min(reached, end if trouble is None else min(end, trouble - 1))
        passing = max(0, target - self.passed)
        self.passed += passing
        return passing

    def _time_of(self, card: int) -> float:
        return self._begun + (card - self._base) * self._card_s

    def _trouble(self) -> int | None:
        marks = [number for name, number in self._marks.items() if self._faults.waiting(name)]
        return max(min(marks), self.passed + 1) if marks else None

    def strike(self, now: float) -> Fault | None:
        """The fault that strikes at the next card, if its time has come and it does."""
        if self._time_of(self.passed + 1) > now + _ROUNDING_S:
            return None
        for name, number in sorted(self._marks.items(), key=lambda mark: mark[1]):
            if number <= self.passed + 1:
                del self._marks[name]
                fault = self._faults.strike(name, now)
                if fault is not None:
                    return fault
        return None
