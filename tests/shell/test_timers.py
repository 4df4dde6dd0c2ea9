"""Timers of the table: durations by the kernel's clock, and what is left of them after a restart."""

from __future__ import annotations

import asyncio

import pytest

from felt_daemon.shell.timers import Timers, remaining_s
from felt_daemon.table.state import Timer
from felt_protocols.events import Fact, Moment, Row, system

HOUR_NS = 3600 * 10**9
HOUR_US = 3600 * 10**6


def at(hours: float, *, boot: str = "b1", utc_hours: float | None = None, trusted: bool = True) -> Moment:
    utc = hours if utc_hours is None else utc_hours
    return Moment(boot, "run", round(hours * HOUR_NS), round(utc * HOUR_US), trusted)


SET = at(10.0, utc_hours=100.0)
TIMER = Timer("dice-age/shaker-1", 24 * 3600, SET)


@pytest.mark.parametrize(
    ("now", "left_h"),
    [
        pytest.param(at(10.0), 24.0, id="just set"),
        pytest.param(at(33.0), 1.0, id="an hour before"),
        pytest.param(at(35.0), -1.0, id="an hour over"),
        # Within a boot the wall clock may say what it likes.
        pytest.param(at(33.0, utc_hours=0.0), 1.0, id="wall clock fell back"),
        pytest.param(at(33.0, trusted=False), 1.0, id="wall clock not trusted, same boot"),
        # Over a boot only the wall clock counts; the kernel's clock began anew.
        pytest.param(at(0.1, boot="b2", utc_hours=101.0), 23.0, id="another boot, an hour later"),
        pytest.param(at(0.1, boot="b2", utc_hours=130.0), -6.0, id="another boot, long overdue"),
        pytest.param(at(0.1, boot="b2", utc_hours=101.0, trusted=False), None, id="another boot, no time"),
    ],
)
def test_what_is_left_of_a_timer(now: Moment, left_h: float | None) -> None:
    left = remaining_s(TIMER, now)
    assert left == (None if left_h is None else left_h * 3600)


def test_a_timer_that_was_set_without_trusted_time_is_unknown_in_another_boot() -> None:
    untrusted = Timer("dice-age/shaker-1", 24 * 3600, at(10.0, trusted=False))
    assert remaining_s(untrusted, at(0.1, boot="b2", utc_hours=200.0)) is None


async def looked(timers: dict[str, Timer], now: Moment) -> list[Fact]:
    taken: list[Fact] = []
    watch = Timers(asyncio.get_running_loop(), lambda: now, taken.append)
    watch.sync(timers)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    watch.close()
    return taken


@pytest.mark.asyncio
async def test_an_overdue_timer_falls_due_at_once_and_says_by_how_much() -> None:
    taken = await looked({TIMER.id: TIMER}, at(0.1, boot="b2", utc_hours=130.0))
    assert taken == [system.TimerDue(timer="dice-age/shaker-1", overdue_s=6 * 3600)]


@pytest.mark.asyncio
async def test_a_timer_of_unknown_age_is_told_once() -> None:
    now = at(0.1, boot="b2", trusted=False)
    assert await looked({TIMER.id: TIMER}, now) == [system.TimerUnknown(timer="dice-age/shaker-1")]
    told = Timer(TIMER.id, TIMER.after_s, TIMER.since, unknown=True)
    assert await looked({told.id: told}, now) == []


@pytest.mark.asyncio
async def test_a_timer_wound_anew_does_not_fall_due_at_its_old_time() -> None:
    loop = asyncio.get_running_loop()
    taken: list[Fact] = []
    now = at(10.0)
    watch = Timers(loop, lambda: now, taken.append)
    watch.sync({"a": Timer("a", 0, at(10.0))})
    row = Row("t-1", 1, system.TimerSet(timer="a", after_s=3600), now)
    watch.watch([row], {"a": Timer("a", 3600, now)})
    await asyncio.sleep(0.01)
    watch.close()
    assert taken == []
