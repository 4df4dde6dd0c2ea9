"""The times that a machine jammed or stopped at work, and how often it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.truth import Stoppage

if TYPE_CHECKING:
    from felt_simulators.faults import Fault

# A double-fired jam is told again this long after it was told first: three times in 40 ms.
ECHOES_S = (0.02, 0.04)
ECHOES_WHILE_CLEARED = 2


class Stoppages:
    """A list of stoppages, of which the last may still be open, and the echoes of a bouncing sensor."""

    def __init__(self) -> None:
        self.all: list[Stoppage] = []
        self._echoes: list[float] = []
        self._bouncing = False

    @property
    def open(self) -> bool:
        """Whether the last one is not cleared yet."""
        return bool(self.all) and self.all[-1].cleared_at is None

    def begin(self, why: str, card: int, where: str, at: float, fault: Fault | None = None) -> Stoppage:
        """Note a stoppage at the card of this number; whoever tells of it counts that in `told`."""
        self._bouncing = fault is not None and fault.name == "double-jam"
        self._echoes = [at + echo for echo in ECHOES_S] if self._bouncing else []
        self.all.append(Stoppage(why, card, where, at))
        return self.all[-1]

    def next_at(self) -> float | None:
        """When the sensor fires again."""
        return self._echoes[0] if self._echoes else None

    def echo(self, at: float) -> Stoppage | None:
        """The stoppage if its sensor fires again now."""
        if not self._echoes or self._echoes[0] > at:
            return None
        del self._echoes[0]
        return self.all[-1]

    def clear(self, at: float) -> int:
        """Note that it is cleared; give how often the sensor fires while that is done."""
        times = ECHOES_WHILE_CLEARED if self._bouncing else 0
        for stoppage in self.all:
            stoppage.cleared_at = at if stoppage.cleared_at is None else stoppage.cleared_at
        self.forget()
        return times

    def forget(self) -> None:
        """Stop the sensor's firing: the power is off."""
        self._echoes = []
        self._bouncing = False
