"""Whether somebody else speaks for a table: its own status at the broker tells. Pure.

A broker of MQTT 5 must say 0x8E to the client that it throws out for another one with its id (MQTT-3.1.4-3);
mosquitto 2.0.11 and iotcore close the connection without a word. Then the status that the broker keeps, and
gives to whoever connects, is evidence: in the place of what this run has said stands another run's. iotcore
mixes up the wills at a takeover, and publishes that of the client that has just come.
"""

from __future__ import annotations

import json
from typing import Any, Final, cast

# Another client is back after its own long pause, 90 s, or is no more.
FORGOTTEN_S: Final = 180.0


class Rival:
    """Another client that uses a table's id. Times are seconds on the caller's monotonic clock.

    Until the broker has once given back what this run says, a status of another run is of one before it. What
    is not later than that is no evidence either: a broker that dies may fall back on what it kept long ago.
    """

    def __init__(self, start: str, epoch: str) -> None:
        self._ours = (start, epoch)
        self._since = ""
        self._born = False
        self._before = ""
        self._seen = float("-inf")

    def connecting(self, since: str) -> None:
        """A connection is about to be made whose statuses have this `since`."""
        self._since = since

    def heard(self, payload: bytes, now: float) -> None:
        """A status of the table came, kept by the broker or not."""
        try:
            said: object = json.loads(payload)
        except (ValueError, RecursionError):
            return
        if not isinstance(said, dict):
            return
        status = cast("dict[str, Any]", said)
        whose, since = (status.get("start"), status.get("epoch")), status.get("since")
        if whose == self._ours:
            self._born = True
            if (since, status.get("reason")) == (self._since, "lost"):
                self._seen = now
        elif not isinstance(since, str):
            return
        elif not self._born:
            self._before = max(self._before, since)
        elif since > self._before:
            self._seen = now

    def lately(self, now: float) -> bool:
        """Whether it was heard so short a time ago that it may be there."""
        return now < self._seen + FORGOTTEN_S
