"""What one consumer gets beside the common stream: events that it lacks, or that were asked for again.

Two pure machines; the caller has the clock, the connection and the window.
"""

from __future__ import annotations

from typing import Final, Literal

# Source: MQTT 5.0, 2.4.
_SUCCESS: Final = 0x00
_UNHEARD: Final = 0x10

# Of what was ordered nothing is acknowledged: so many a second fill no queue of a broker's.
ORDERED_PER_S: Final = 500.0
ORDERED_BURST: Final = 50
_AT_ONCE: Final = 10

Stopped = Literal["", "unheard", "refused"]


class CatchUp:
    """Sends what follows a consumer's position, never more than `ahead` beyond it, until it is ended.

    `on` while it is at work; `out` is the last seq that the broker took since it began. It is `stopped`
    where nobody listens or the broker refuses, until it begins again.
    """

    def __init__(self, ahead: int) -> None:
        self._ahead = ahead
        # The same seq twice, where it was begun again meanwhile.
        self._on_their_way: list[int] = []
        self.on = False
        self.next = 0
        self.out = 0
        self.stopped: Stopped = ""

    @property
    def on_their_way(self) -> int:
        """How many have no PUBACK yet."""
        return len(self._on_their_way)

    def begin(self, position: int) -> None:
        """Send what follows this position, from the first on."""
        self.on = True
        self.next = position + 1
        self.out = 0
        self.stopped = ""

    def end(self) -> None:
        """Nothing lacks: send no more."""
        self.on = False
        self.stopped = ""

    def moved(self, position: int) -> None:
        """The consumer has more now: what it has need not be sent."""
        self.next = max(self.next, position + 1)

    def ready(self, room: int, position: int, until: int) -> range:
        """The seqs that may go out now, in order, none after `until`."""
        if not self.on or self.stopped:
            return range(0)
        last = min(until, position + self._ahead)
        return range(self.next, self.next + max(0, min(room, last + 1 - self.next)))

    def sent(self, seq: int) -> None:
        """The event went out; it must be the first of `ready`."""
        self._on_their_way.append(seq)
        self.next = seq + 1

    def answered(self, seq: int, code: int) -> None:
        """A PUBACK came for the event, with this reason code."""
        if seq in self._on_their_way:
            self._on_their_way.remove(seq)
        if code == _SUCCESS:
            self.out = max(self.out, seq)
        else:
            self.on = True
            self.stopped = "unheard" if code == _UNHEARD else "refused"

    def lost(self) -> None:
        """The connection is gone, and with it whatever was on its way."""
        self._on_their_way.clear()
        self.out = 0


class Ordered:
    """The events from `first` to `last`, which somebody asked for, at a pace of their own."""

    def __init__(self, first: int, last: int, now: float) -> None:
        self._next = first
        self._last = last
        self._since = now - ORDERED_BURST / ORDERED_PER_S
        self._count = 0
        self._on_their_way: set[int] = set()

    @property
    def on_their_way(self) -> int:
        """How many have no PUBACK yet."""
        return len(self._on_their_way)

    @property
    def over(self) -> bool:
        """Whether every one of them was taken."""
        return self._next > self._last and not self._on_their_way

    def ready(self, room: int, now: float) -> range:
        """The seqs that may go out now, in order."""
        paced = int((now - self._since) * ORDERED_PER_S + 1e-6) - self._count
        return range(self._next, self._next + max(0, min(room, paced, self._last + 1 - self._next)))

    def sent(self, seq: int, now: float) -> None:
        """The event went out; it must be the first of `ready`."""
        # Time in which nothing could be sent gives no right to a flood.
        self._since = max(self._since, now - (self._count + ORDERED_BURST) / ORDERED_PER_S)
        self._count += 1
        self._on_their_way.add(seq)
        self._next = seq + 1

    def answered(self, seq: int, code: int) -> None:
        """A PUBACK came for the event. What is not taken ends it: whoever asked can ask again."""
        self._on_their_way.discard(seq)
        if code != _SUCCESS:
            self._last = 0

    def lost(self) -> None:
        """The connection is gone: what was on its way goes again on the next one."""
        self._next = min(self._on_their_way, default=self._next)
        self._on_their_way.clear()

    def due(self) -> float | None:
        """When there may be more to send though nothing happens; None where all went out."""
        if self._next > self._last:
            return None
        return self._since + (self._count + min(_AT_ONCE, self._last + 1 - self._next)) / ORDERED_PER_S
