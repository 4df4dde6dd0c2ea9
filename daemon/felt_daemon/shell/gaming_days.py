"""Tells the table when the casino's next gaming day begins."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from felt_daemon.config.day import gaming_day
from felt_protocols.events import system

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from felt_daemon.config.model import Table
    from felt_protocols.events import Fact, Moment

# The wall clock is looked at again after so long at most: it may have been set meanwhile.
LOOK_EVERY_S = 600.0
_US_PER_S = 1_000_000


class GamingDays:
    """Wakes when a gaming day begins, and takes `GamingDayBegan` while the wall clock is trusted.

    A day is told once, and none before one that was told: at the end of daylight saving an hour comes twice.
    `told` is the day that the run's start told; where the clock was not trusted then, any other day is news
    once it is.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        table: Table,
        now: Callable[[], Moment],
        take: Callable[[Fact], None],
        told: dt.date,
    ) -> None:
        self._loop = loop
        self._table = table
        self._now = now
        self._take = take
        self._told = told
        self._sure = now().trusted
        self._timer: asyncio.TimerHandle | None = None
        self.look()

    def look(self) -> None:
        """Tell a day that has begun, and wake again when the next one does."""
        self.close()
        now = self._now()
        if now.trusted:
            day = gaming_day(self._table, now.utc_us)
            if day > self._told or (day != self._told and not self._sure):
                self._told = day
                self._take(system.GamingDayBegan(day=day.isoformat()))
            self._sure = True
        left_s = (next_day_us(self._table, now.utc_us) - now.utc_us) / _US_PER_S
        self._timer = self._loop.call_later(left_s if 0 < left_s < LOOK_EVERY_S else LOOK_EVERY_S, self.look)

    def close(self) -> None:
        """Wake no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def next_day_us(table: Table, utc_us: int) -> int:
    """When the gaming day after that of this moment begins, in microseconds since 1970.

    Where daylight saving leaves that time of the day out this is up to an hour late, and where it comes twice
    it may be past.
    """
    day = gaming_day(table, utc_us) + dt.timedelta(days=1)
    begins = dt.datetime.combine(day, table.gaming_day_start, table.zone)
    return round(begins.timestamp() * _US_PER_S)
