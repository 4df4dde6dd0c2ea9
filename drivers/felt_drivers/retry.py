"""When to try again, and what to say about it meanwhile: pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 30.0
# Of each delay this much is left to chance, so that devices lost together do not all come back at once.
JITTER = 0.25
# How often the same trouble is mentioned again.
REMIND_S = 300.0


class Backoff:
    """Doubling delays between attempts, 0.25 s to 30 s. `chance` gives numbers from 0 to 1."""

    def __init__(self, chance: Callable[[], float]) -> None:
        self._chance = chance
        self._failures = 0

    def failed(self) -> float:
        """Note a failure; the seconds to wait before the next attempt."""
        # Past this exponent every delay is the longest one, and powers of two must not grow for ever.
        delay_s = min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** min(self._failures, 10))
        self._failures += 1
        return max(FIRST_DELAY_S, delay_s * (1 - JITTER * self._chance()))

    def worked(self) -> None:
        """Note an attempt that worked: the next failure begins anew."""
        self._failures = 0


class Complaints:
    """Turns a stream of troubles into few lines: a new one at once, the same one counted and summed up."""

    def __init__(self) -> None:
        self._text = ""
        self._count = 0
        self._since = 0.0
        self._told = 0.0

    def note(self, text: str, now: float) -> list[str]:
        """The lines to say about a trouble."""
        if text == self._text:
            self._count += 1
            if now - self._told < REMIND_S:
                return []
            self._told = now
            return [self._summary("still", now)]
        lines = self.over(now)
        self._text, self._count, self._since, self._told = text, 1, now, now
        return [*lines, text]

    def over(self, now: float) -> list[str]:
        """The lines to say about the end of the trouble, if there was one."""
        lines = [self._summary("over", now)] if self._count > 1 else []
        self._text, self._count = "", 0
        return lines

    def _summary(self, state: str, now: float) -> str:
        return f"{state}: {self._text} ({self._count} times in {now - self._since:.0f} s)"
