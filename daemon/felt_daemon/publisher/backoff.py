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
TAKEN_OVER_S: Final = (45.0, 90.0)


class Backoff:
    """Full jitter: each pause is anything between nothing and a limit that doubles, for ever.

    `dice(low, high)` gives a number between the two. After `taken_over` the pause is long: two clients with
    one id would otherwise throw each other out without end. That connections are short is no sign of it, for
    a broker that dies again and again makes them so, too.
    """

    def __init__(self, dice: Callable[[float, float], float]) -> None:
        self._dice = dice
        self._failures = 0
        self.taken_over = False

    def failed(self) -> float:
        """No connection came about, so that it was no other client that ended the last; seconds to wait."""
        self.taken_over = False
        return self._pause_s()

    def died(self, lived_s: float) -> float:
        """A process ended; seconds to wait before it is started again."""
        if lived_s >= STABLE_S:
            self._failures = 0
        return self._pause_s()

    def ended(self, lived_s: float, code: int | None, *, rivalled: bool = False) -> float:
        """A connection ended, with the broker's reason if it gave one; seconds to wait.

        `rivalled`: another client with our id was there not long ago.
        """
        self.taken_over = rivalled or code == SESSION_TAKEN_OVER
        return self._dice(*TAKEN_OVER_S) if self.taken_over else self.died(lived_s)

    def _pause_s(self) -> float:
        limit = min(MOST_S, FIRST_S * 2.0 ** min(self._failures, 16))
        self._failures += 1
        return self._dice(0.0, limit)
