"""When to try again after a connection failed or was lost. Pure: the dice are the caller's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from felt_mqtt.way import SESSION_TAKEN_OVER

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_S: Final = 0.25
MOST_S: Final = 30.0
# A connection that lived so long ends the series of failures.
STABLE_S: Final = 30.0
# Connections that ended sooner than this, so many in a row, are signs of a second client with our id.
SHORT_S: Final = 5.0
SHORT_IN_A_ROW: Final = 3
TAKEN_OVER_S: Final = (45.0, 90.0)
# The suspicion stays until a connection has lived so long.
CLEARED_S: Final = 180.0


class Backoff:
    """Full jitter: each pause is anything between nothing and a limit that doubles, for ever.

    `dice(low, high)` gives a number between the two. After `taken_over` the pauses are long: two clients
    with one id would otherwise throw each other out without end.
    """

    def __init__(self, dice: Callable[[float, float], float]) -> None:
        self._dice = dice
        self._failures = 0
        self._short = 0
        self.taken_over = False

    def failed(self) -> float:
        """No connection came about; seconds to wait. A broker that is not there has thrown nobody out."""
        self._short = 0
        return self._pause_s()

    def _pause_s(self) -> float:
        limit = min(MOST_S, FIRST_S * 2.0 ** min(self._failures, 16))
        self._failures += 1
        return self._dice(0.0, limit)

    def died(self, lived_s: float) -> float:
        """A process ended; seconds to wait before it is started again."""
        if lived_s >= STABLE_S:
            self._failures = 0
        return self._pause_s()

    def ended(self, lived_s: float, code: int | None, *, blamed: bool = False) -> float:
        """A connection ended, with the broker's reason if it gave one; seconds to wait.

        `blamed`: it is known what broke it, and that was no other client.
        """
        if blamed:
            return self.died(lived_s)
        self._short = self._short + 1 if lived_s < SHORT_S else 0
        self.taken_over = (
            code == SESSION_TAKEN_OVER
            or self._short >= SHORT_IN_A_ROW
            or (self.taken_over and lived_s < CLEARED_S)
        )
        return self._dice(*TAKEN_OVER_S) if self.taken_over else self.died(lived_s)
