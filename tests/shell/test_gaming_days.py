"""Gaming days that begin while the table runs."""

from __future__ import annotations

import asyncio
import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from felt_daemon.config.model import Table
from felt_daemon.shell import gaming_days
from felt_daemon.shell.gaming_days import GamingDays, next_day_us
from felt_protocols.events import Fact, Moment, system

ZONE = ZoneInfo("America/New_York")
TABLE = Table(id="t-1", name="T", game="659a", time_zone="America/New_York", gaming_day_start=dt.time(6))
ODD = TABLE.model_copy(update={"gaming_day_start": dt.time(1, 30)})


def us(text: str, fold: int = 0) -> int:
    """Microseconds of a local time."""
    return round(dt.datetime.fromisoformat(text).replace(tzinfo=ZONE, fold=fold).timestamp() * 1_000_000)


def at(utc_us: int, *, trusted: bool = True) -> Moment:
    return Moment("boot", "run", 0, utc_us, trusted)


@pytest.mark.parametrize(
    ("now", "begins"),
    [
        ("2026-11-30T05:59:59", "2026-11-30T06:00"),
        ("2026-11-30T06:00:00", "2026-12-01T06:00"),
        # The night in which the clock goes back has an hour more.
        ("2026-10-31T12:00:00", "2026-11-01T06:00"),
    ],
)
def test_when_the_next_gaming_day_begins(now: str, begins: str) -> None:
    assert next_day_us(TABLE, us(now)) == us(begins)


class World:
    """A wall clock that the test sets, and what is taken."""

    def __init__(self, now: Moment) -> None:
        self.now = now
        self.days: asyncio.Queue[str] = asyncio.Queue()

    def begin(self, told: str, table: Table = TABLE) -> GamingDays:
        """Watch from now on, when this day is known to have begun."""
        loop = asyncio.get_running_loop()
        return GamingDays(loop, table, lambda: self.now, self._take, dt.date.fromisoformat(told))

    def _take(self, fact: Fact) -> None:
        assert isinstance(fact, system.GamingDayBegan)
        self.days.put_nowait(fact.day)

    def told(self) -> list[str]:
        """The days that were taken since this was last asked."""
        return [self.days.get_nowait() for _ in range(self.days.qsize())]


@pytest.mark.asyncio
async def test_the_day_is_told_when_it_begins_and_once() -> None:
    world = World(at(us("2026-11-30T05:59:59.95")))
    days = world.begin("2026-11-29")
    world.now = at(us("2026-11-30T06:00"))
    async with asyncio.timeout(5):
        assert await world.days.get() == "2026-11-30"
    days.look()
    world.now = at(us("2026-12-02T06:00"))
    days.look()
    assert world.told() == ["2026-12-02"]
    days.close()


@pytest.mark.asyncio
async def test_a_wall_clock_that_is_set_is_noticed_without_waiting_for_the_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gaming_days, "LOOK_EVERY_S", 0.01)
    world = World(at(us("2026-11-30T07:00")))
    days = world.begin("2026-11-30")
    world.now = at(us("2026-12-01T08:00"))
    async with asyncio.timeout(5):
        assert await world.days.get() == "2026-12-01"
    days.close()


@pytest.mark.asyncio
async def test_nothing_is_told_by_a_clock_that_is_not_trusted() -> None:
    world = World(at(us("1970-01-01T12:00"), trusted=False))
    days = world.begin("1970-01-01")
    world.now = at(us("1970-01-03T12:00"), trusted=False)
    days.look()
    assert world.told() == []
    # Once it is, the day at the start turns out to have been another.
    world.now = at(us("2026-11-30T12:00"))
    days.look()
    assert world.told() == ["2026-11-30"]
    days.close()


@pytest.mark.asyncio
async def test_a_start_with_a_clock_in_the_future_is_put_right() -> None:
    world = World(at(us("2036-01-01T12:00"), trusted=False))
    days = world.begin("2036-01-01")
    world.now = at(us("2026-11-30T12:00"))
    days.look()
    assert world.told() == ["2026-11-30"]
    days.close()


@pytest.mark.asyncio
async def test_the_hour_that_comes_twice_begins_one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaming_days, "LOOK_EVERY_S", 3600.0)
    world = World(at(us("2026-11-01T01:29:00")))
    days = world.begin("2026-10-31", ODD)
    for text, fold in (("2026-11-01T01:30:00", 0), ("2026-11-01T01:10:00", 1), ("2026-11-01T01:40:00", 1)):
        world.now = at(us(text, fold))
        days.look()
    assert world.told() == ["2026-11-01"]
    days.close()
