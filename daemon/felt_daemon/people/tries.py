"""How fast a PIN can be guessed: not fast."""

from __future__ import annotations

from dataclasses import dataclass

FREE = 5
FIRST_WAIT_S = 60.0
LONGEST_WAIT_S = 900.0


@dataclass(slots=True)
class _Row:
    """Tries since the last right one, and when the last was made."""

    count: int = 0
    last_s: float = 0.0


class Tries:
    """Counts wrong PINs in a row for each entry. Pure: time comes in as monotonic seconds.

    After 5 wrong ones an entry waits 1 minute, after each further one twice as long, 15 minutes at most. A
    try counts as wrong from when it is taken until `right` says otherwise: tries made side by side, and
    checks that never ended, are not free.
    """

    def __init__(self) -> None:
        self._rows: dict[str, _Row] = {}

    def take(self, entry: str, now_s: float) -> float:
        """0.0 if a PIN may be tried now, which is counted; else the seconds to wait, which is not."""
        row = self._rows.setdefault(entry, _Row())
        wait_s = row.last_s + _pause_s(row.count) - now_s
        if wait_s > 0:
            return wait_s
        row.count += 1
        row.last_s = now_s
        return 0.0

    def right(self, entry: str) -> None:
        """The PIN was right: the next wrong one is the first again."""
        self._rows.pop(entry, None)


def _pause_s(count: int) -> float:
    if count < FREE:
        return 0.0
    doublings = min(count - FREE, 10)
    return float(min(FIRST_WAIT_S * 2**doublings, LONGEST_WAIT_S))
