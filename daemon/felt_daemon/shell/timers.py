"""The table's timers: rows say what runs, this heap wakes when one falls due, also after a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.events import system

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping

    from felt_daemon.table.state import Timer
    from felt_protocols.events import Fact, Moment, Row

_NS_PER_S = 1_000_000_000
_US_PER_S = 1_000_000


def remaining_s(timer: Timer, now: Moment) -> float | None:
    """Seconds until the timer falls due, negative when it is overdue; none when nobody can say.

    Within a boot the kernel's clock counts. Over a boot only two trusted wall clocks can be compared.
    """
    since = timer.since
    if since.boot == now.boot:
        return timer.after_s - (now.mono_ns - since.mono_ns) / _NS_PER_S
    if since.trusted and now.trusted:
        return timer.after_s - (now.utc_us - since.utc_us) / _US_PER_S
    return None


class Timers:
    """Wakes for the table's timers. `take` gets `TimerDue` and `TimerUnknown`; `now` gives the moment."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, now: Callable[[], Moment], take: Callable[[Fact], None]
    ) -> None:
        self._loop = loop
        self._now = now
        self._take = take
        self._handles: dict[str, asyncio.Handle] = {}

    def watch(self, rows: list[Row], timers: Mapping[str, Timer]) -> None:
        """Look at what a step changed."""
        if any(isinstance(row.event, (system.TimerSet, system.TimerCancelled)) for row in rows):
            self.sync(timers)

    def sync(self, timers: Mapping[str, Timer]) -> None:
        """Wake for exactly these timers; those that are overdue fall due at once."""
        for handle in self._handles.values():
            handle.cancel()
        self._handles = {name: self._loop.call_soon(self._look, timer) for name, timer in timers.items()}

    def _look(self, timer: Timer) -> None:
        left = remaining_s(timer, self._now())
        if left is None:
            if not timer.unknown:
                self._take(system.TimerUnknown(timer=timer.id))
        elif left <= 0:
            del self._handles[timer.id]
            self._take(system.TimerDue(timer=timer.id, overdue_s=int(-left)))
        else:
            # Looked at again when it fires: the time in between may not have been what it seemed.
            self._handles[timer.id] = self._loop.call_later(left, self._look, timer)

    def close(self) -> None:
        """Wake no more."""
        for handle in self._handles.values():
            handle.cancel()
        self._handles.clear()
