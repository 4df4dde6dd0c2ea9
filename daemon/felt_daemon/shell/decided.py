"""Which requests of this run were decided, and how: none is decided twice, whoever sends it again.

Pure: the caller gives the time of day, in microseconds since 1970, where it can be trusted.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, replace
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
    # Until when it is remembered; None: until the run ends.
    until_us: int | None = None


class Decided:
    """The requests of a run by client and id, and what became of each."""

    def __init__(self, most_per_client: int = MOST_PER_CLIENT) -> None:
        self._most = most_per_client
        self._known: dict[_Key, Known] = {}
        self._counts: Counter[str] = Counter()
        self._ends: list[tuple[int, _Key]] = []
        # All that was to be remembered until then may be forgotten, whatever the clock says later.
        self._forgotten_us = 0

    def find(self, client: str, request: str) -> Known | None:
        """The request of this client with this id, None if there was none."""
        return self._known.get((client, request))

    def full(self, client: str) -> bool:
        """Whether no further request of this client can be remembered, so that none may be decided."""
        return self._counts[client] >= self._most

    def begin(self, client: str, request: str, digest: bytes, end_us: int | None) -> None:
        """A request is being decided; it is remembered for an hour after `end_us`, or for ever."""
        self._known[client, request] = Known(digest, None, _until(end_us))
        self._counts[client] += 1
        self._push((client, request))

    def again(self, client: str, request: str, end_us: int | None) -> None:
        """A request that is known came again with this end: it is remembered after the later of its ends."""
        key, until_us = (client, request), _until(end_us)
        known = self._known[key]
        if known.until_us is not None and (until_us is None or until_us > known.until_us):
            self._known[key] = replace(known, until_us=until_us)
            self._push(key)

    def end(self, client: str, request: str, outcome: Outcome) -> None:
        """It is decided."""
        known = self._known.get((client, request))
        if known is not None:
            self._known[client, request] = replace(known, outcome=outcome)

    def forget(self, now_us: int | None) -> None:
        """Let go of what can come no more."""
        if now_us is None:
            return
        self._forgotten_us = max(self._forgotten_us, now_us)
        while self._ends and self._ends[0][0] <= now_us:
            until_us, key = heapq.heappop(self._ends)
            # Of a request that came again with a later end, the earlier one means nothing.
            if self._known[key].until_us == until_us:
                del self._known[key]
                self._counts[key[0]] -= 1

    def gone(self, end_us: int | None) -> bool:
        """Whether a request with this end may be one that was forgotten: the clock was set back since."""
        until_us = _until(end_us)
        return until_us is not None and until_us <= self._forgotten_us

    def _push(self, key: _Key) -> None:
        until_us = self._known[key].until_us
        if until_us is not None:
            heapq.heappush(self._ends, (until_us, key))


def _until(end_us: int | None) -> int | None:
    return None if end_us is None else end_us + KEPT_AFTER_END_US
