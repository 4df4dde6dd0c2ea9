"""Silence is data: says when a device has been quiet for too long, once, and when it is back."""

from math import inf
from typing import Final

from felt_protocols.link.items import Back, Lost, Stale

STALE_S: Final = 1.5
LOST_S: Final = 5.0


class Silence:
    """The time since a device was last heard."""

    __slots__ = ("_heard_s", "_told")

    def __init__(self, now: float) -> None:
        self._heard_s = now
        self._told: type[Stale | Lost] | None = None

    @property
    def quiet(self) -> bool:
        """Whether the device was told as stale or lost, and is not back."""
        return self._told is not None

    def heard(self, now: float) -> list[Back]:
        """Take that the device was heard."""
        self._heard_s = now
        if self._told is None:
            return []
        self._told = None
        return [Back()]

    def due(self) -> float:
        """When `elapsed` next has something to tell, if the device stays silent."""
        if self._told is Lost:
            return inf
        return self._heard_s + (STALE_S if self._told is None else LOST_S)

    def elapsed(self, now: float) -> list[Stale | Lost]:
        """Tell what has become due; after a long absence both at once."""
        told: list[Stale | Lost] = []
        silent_s = now - self._heard_s
        if self._told is None and now >= self.due():
            told.append(Stale(silent_s))
            self._told = Stale
        if self._told is Stale and now >= self.due():
            told.append(Lost(silent_s))
            self._told = Lost
        return told

    def leap(self, by_s: float) -> None:
        """Move the last time heard along with a simulated clock that leaps."""
        self._heard_s += by_s
