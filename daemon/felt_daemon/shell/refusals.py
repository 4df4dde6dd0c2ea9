"""How much of a flood is dealt with one by one; the rest is counted, and the count is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

BURST = 30
EVERY_S = 2.0
# After a flood there must be room for so many before the number of the others is told by itself.
_ROOM_AFTER = 2.0


class Room:
    """Room for `burst` at once and for one more every `every_s` seconds; all others are counted.

    Pure: time comes in as monotonic seconds.
    """

    def __init__(self, now: float, burst: int = BURST, every_s: float = EVERY_S) -> None:
        self._burst = float(burst)
        self._every_s = every_s
        self._left = float(burst)
        self._at = now
        self._uncounted = 0

    def take(self, now: float) -> bool:
        """Whether there is room for one; if not, it is counted."""
        self._fill(now)
        if self._left < 1.0:
            self._uncounted += 1
            return False
        self._left -= 1.0
        return True

    def uncounted(self) -> int:
        """How many found no room since this was last asked: to be told with the next that does."""
        count, self._uncounted = self._uncounted, 0
        return count

    def due(self, now: float) -> float | None:
        """When `uncounted` is to be told although none comes that would take it along.

        None while there is nothing to tell.
        """
        if not self._uncounted:
            return None
        self._fill(now)
        return now + max(0.0, _ROOM_AFTER - self._left) * self._every_s

    def _fill(self, now: float) -> None:
        self._left = min(self._burst, self._left + max(0.0, now - self._at) / self._every_s)
        self._at = now


class Gate:
    """A room on an event loop: `tell` gets how many were turned away, as soon as there is room to say it."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        tell: Callable[[int], None],
        burst: int = BURST,
        every_s: float = EVERY_S,
    ) -> None:
        self._loop = loop
        self._tell = tell
        self._room = Room(loop.time(), burst, every_s)
        self._timer: asyncio.TimerHandle | None = None

    def take(self) -> bool:
        """Whether there is room for one. If so, those that were turned away before it are told first."""
        if not self._room.take(self._loop.time()):
            self._wait()
            return False
        self._tell_uncounted()
        return True

    def close(self) -> None:
        """Wait no more, and tell what is left."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._tell_uncounted()

    def _tell_uncounted(self) -> None:
        if count := self._room.uncounted():
            self._tell(count)

    def _wait(self) -> None:
        due = self._room.due(self._loop.time())
        if due is not None and self._timer is None:
            self._timer = self._loop.call_at(due, self._look)

    def _look(self) -> None:
        """The flood is over, or goes on, or one that found room took the count along."""
        self._timer = None
        now = self._loop.time()
        due = self._room.due(now)
        if due is not None and due <= now:
            self._room.take(now)
            self._tell_uncounted()
        else:
            self._wait()
