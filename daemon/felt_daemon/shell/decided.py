"""Which requests of this run were decided, and how: none is decided twice, whoever sends it again.

Pure: the caller gives the time of day, in microseconds since 1970, where it can be trusted.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from felt_daemon.shell.commands import Outcome

# A client's requests without an end are remembered until the run ends, which may be months: this many.
MOST_PER_CLIENT: Final = 10_000
# A request whose time is over is refused for that; its id is kept a while longer, as clocks are set.
KEPT_AFTER_END_US: Final = 3600 * 1_000_000

_Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Known:
    """A request that came before: what it said, as a digest, and its outcome; None while that is awaited."""

    digest: bytes
    outcome: Outcome | None


class Decided:
    """The requests of a run by client and id, and what became of each."""

    def __init__(self, most_per_client: int = MOST_PER_CLIENT) -> None:
        self._most = most_per_client
        self._known: dict[_Key, Known] = {}
        self._counts: Counter[str] = Counter()
        self._ends: list[tuple[int, _Key]] = []

    def find(self, client: str, request: str) -> Known | None:
        """The request of this client with this id, None if there was none."""
        return self._known.get((client, request))

    def full(self, client: str) -> bool:
        """Whether no further request of this client can be remembered, so that none may be decided."""
        return self._counts[client] >= self._most

    def begin(self, client: str, request: str, digest: bytes, end_us: int | None) -> None:
        """A request is being decided; it is remembered for an hour after `end_us`, or for ever."""
        key = client, request
        self._known[key] = Known(digest, None)
        self._counts[client] += 1
        if end_us is not None:
            heapq.heappush(self._ends, (end_us + KEPT_AFTER_END_US, key))

    def end(self, client: str, request: str, outcome: Outcome) -> None:
        """It is decided."""
        known = self._known.get((client, request))
        if known is not None:
            self._known[client, request] = Known(known.digest, outcome)

    def forget(self, now_us: int | None) -> None:
        """Let go of what can come no more."""
        while now_us is not None and self._ends and self._ends[0][0] <= now_us:
            _, (client, request) = heapq.heappop(self._ends)
            del self._known[client, request]
            self._counts[client] -= 1
