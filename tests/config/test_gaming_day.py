"""The gaming day: what happens after midnight belongs to the day before, until the hour comes."""

from __future__ import annotations

import datetime as dt

import pytest

from felt_daemon.config.day import gaming_day
from felt_daemon.config.model import Table

TABLE = Table(id="t-1", name="T", game="659a", time_zone="America/New_York", gaming_day_start=dt.time(6, 0))


@pytest.mark.parametrize(
    ("utc", "day"),
    [
        pytest.param("2026-11-30T11:00:00+00:00", "2026-11-30", id="six in the morning there"),
        pytest.param("2026-11-30T10:59:59+00:00", "2026-11-29", id="a second before six"),
        pytest.param("2026-12-01T04:30:00+00:00", "2026-11-30", id="half past eleven in the evening"),
        pytest.param("2026-12-01T06:00:00+00:00", "2026-11-30", id="an hour after midnight"),
        # Clocks go forward at two on 2026-03-08: six o'clock comes an hour earlier by UTC.
        pytest.param("2026-03-08T10:00:00+00:00", "2026-03-08", id="six, the night clocks went forward"),
        pytest.param("2026-03-08T09:59:59+00:00", "2026-03-07", id="before six, that night"),
        # Clocks go back at two on 2026-11-01.
        pytest.param("2026-11-01T10:59:59+00:00", "2026-10-31", id="before six, the night clocks went back"),
        pytest.param("2026-11-01T11:00:00+00:00", "2026-11-01", id="six, that night"),
    ],
)
def test_the_gaming_day_of_a_moment(utc: str, day: str) -> None:
    moment = dt.datetime.fromisoformat(utc)
    assert gaming_day(TABLE, round(moment.timestamp() * 1_000_000)).isoformat() == day
