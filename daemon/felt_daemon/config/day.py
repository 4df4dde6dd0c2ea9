"""Which gaming day a moment belongs to: casinos count their day from an hour of the morning."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from felt_daemon.config.model import Table


def gaming_day(table: Table, utc_us: int) -> dt.date:
    """The gaming day of a moment, `utc_us` microseconds since 1970, by the table's own clock on the wall.

    What happens before the day's beginning belongs to the day before, whatever daylight saving does.
    """
    moment = dt.datetime.fromtimestamp(0, dt.UTC) + dt.timedelta(microseconds=utc_us)
    there = moment.astimezone(table.zone)
    begun = there.time() >= table.gaming_day_start
    return there.date() if begun else there.date() - dt.timedelta(days=1)
