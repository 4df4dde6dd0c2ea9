"""A device's events until the host has them safe: numbered, sent again, and never lost in silence."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import Final

from felt_protocols.link.families import LOST
from felt_protocols.link.messages import Event

RING_LEAST: Final = 64
RESEND_S: Final = 0.25

RESEND_MOST: Final = 8
"""Events sent again at a time, the oldest: a full ring would fill a slow line for half a second."""


@dataclass(slots=True)
class _Kept:
    event: Event
    due_s: float


class Ring:
    """Keeps at most `size` events; what does not fit is numbered, and told as `lost` later."""

    __slots__ = ("_kept", "_lost_from", "_size", "last")

    def __init__(self, size: int) -> None:
        if size < RING_LEAST:
            raise ValueError(f"a ring of {size} events; the least is {RING_LEAST}")
        self.last = 0
        self._size = size
        self._kept: deque[_Kept] = deque()
        self._lost_from: int | None = None

    @property
    def first(self) -> int:
        """The oldest number kept, or the next to come."""
        return self._kept[0].event.n if self._kept else self.last + 1

    @property
    def nearly_full(self) -> bool:
        """Whether more than three quarters are used, so that nothing new may be started."""
        return self._lost_from is not None or 4 * len(self._kept) > 3 * self._size

    def add(self, name: str, fields: Mapping[str, object], up_ms: int, now: float) -> Event | None:
        """Number an event and keep it; None when there is no room, and it will be told as lost."""
        self.last += 1
        if self._lost_from is None and len(self._kept) == self._size:
            self._lost_from = self.last
        if self._lost_from is not None:
            return None
        return self._keep(Event(self.last, up_ms, name, fields), now)

    def drop(self, n: int, up_ms: int) -> None:
        """Forget events up to `n`, which the host has safe; tell with the room what was lost."""
        if n > self.last:
            return
        while self._kept and self._kept[0].event.n <= n:
            self._kept.popleft()
        if self._lost_from is not None and len(self._kept) < self._size:
            lost = {"first": self._lost_from, "last": self.last}
            self._lost_from = None
            self.last += 1
            self._keep(Event(self.last, up_ms, LOST, lost), -inf)

    def hurry(self) -> None:
        """Make every event due at once: a host has just accepted this device."""
        for kept in self._kept:
            kept.due_s = -inf

    def due(self) -> float:
        """When the next event shall be sent again."""
        return min((kept.due_s for kept in islice(self._kept, RESEND_MOST)), default=inf)

    def resend(self, now: float) -> list[Event]:
        """Give the events that are due, among the oldest."""
        due = [kept for kept in islice(self._kept, RESEND_MOST) if kept.due_s <= now]
        for kept in due:
            kept.due_s = now + RESEND_S
        return [kept.event for kept in due]

    def leap(self, by_s: float) -> None:
        """Move every resend along with a simulated clock that leaps."""
        for kept in self._kept:
            kept.due_s += by_s

    def _keep(self, event: Event, now: float) -> Event:
        self._kept.append(_Kept(event, now + RESEND_S))
        return event
