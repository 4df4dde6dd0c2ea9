"""How long to wait before the next connection. Pure: the dice are the caller's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from felt_mqtt.way import SESSION_TAKEN_OVER

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_S: Final = 0.25
MOST_S: Final = 30.0
# A connection that lived so long ends the series of failures.
STABLE_S: Final = 30.0
# Of a second client with our id a broker that does not say 0x8E leaves one sign only: connections that ended
# sooner than this, so many in a row. A broker that dies again and again is away some time when we come.
SHORT_S: Final = 5.0
SHORT_IN_A_ROW: Final = 6
TAKEN_OVER_S: Final = (45.0, 90.0)


class Pauses:
    """Full jitter: each pause is anything between nothing and a limit that doubles, for ever.

    `dice(low, high)` gives a number between the two. Once another client seems to have this one's id the
    pauses are long, for the two would otherwise throw each other out without end.
    """

    def __init__(self, dice: Callable[[float, float], float]) -> None:
        self._dice = dice
        self._failures = 0
        self._short = 0
        self.taken_over = False

    def failed(self) -> float:
        """No connection came about, so that it was no other client that ended the last; seconds to wait."""
        self._short = 0
        self.taken_over = False
        return self._pause()

    def ended(self, lived_s: float, code: int | None) -> float:
        """A connection ended, with the broker's reason if it gave one; seconds to wait."""
        self._short = self._short + 1 if lived_s < SHORT_S else 0
        self.taken_over = code == SESSION_TAKEN_OVER or self._short >= SHORT_IN_A_ROW
        if self.taken_over:
            return self._dice(*TAKEN_OVER_S)
        if lived_s >= STABLE_S:
            self._failures = 0
        return self._pause()

    def _pause(self) -> float:
        limit = min(MOST_S, FIRST_S * 2.0 ** min(self._failures, 16))
        self._failures += 1
        return self._dice(0.0, limit)
