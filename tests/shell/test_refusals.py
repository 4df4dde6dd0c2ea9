"""A flood of refusals: some are told one by one, the others as a number."""

from __future__ import annotations

import asyncio

import pytest

from felt_daemon.shell.refusals import Gate, Room


def test_thirty_find_room_at_once_and_one_more_every_two_seconds() -> None:
    room = Room(100.0)
    assert [room.take(100.0) for _ in range(31)] == [True] * 30 + [False]
    assert not room.take(101.9)
    assert room.take(102.0)
    assert not room.take(102.1)


def test_room_grows_back_to_thirty_and_no_further() -> None:
    room = Room(0.0)
    assert all(room.take(0.0) for _ in range(30))
    assert [room.take(3600.0) for _ in range(31)] == [True] * 30 + [False]


def test_a_clock_that_stands_still_gives_no_room() -> None:
    room = Room(5.0, burst=1)
    assert room.take(5.0)
    assert not room.take(4.0)
    assert not room.take(5.0)


def test_those_without_room_are_counted_once() -> None:
    room = Room(0.0, burst=2)
    assert [room.take(0.0) for _ in range(5)] == [True, True, False, False, False]
    assert room.uncounted() == 3
    assert room.uncounted() == 0


def test_a_count_is_due_by_itself_once_there_is_room_for_two() -> None:
    room = Room(0.0, burst=3)
    assert room.due(0.0) is None
    for _ in range(4):
        room.take(0.0)
    # A flood that goes on takes each room as it comes, and the count along with it.
    assert room.due(0.0) == 4.0
    assert room.due(3.0) == 4.0
    assert room.take(3.0)
    assert room.due(3.0) == 6.0
    assert room.uncounted() == 1
    assert room.due(3.0) is None


@pytest.mark.asyncio
async def test_a_gate_tells_the_count_with_the_next_that_finds_room() -> None:
    told: list[int] = []
    gate = Gate(asyncio.get_running_loop(), told.append, burst=2, every_s=0.05)
    assert [gate.take() for _ in range(6)] == [True, True, False, False, False, False]
    async with asyncio.timeout(5):
        while not gate.take():  # noqa: ASYNC110 - room comes with time alone
            await asyncio.sleep(0.001)
    assert len(told) == 1
    assert told[0] >= 4
    gate.close()


@pytest.mark.asyncio
async def test_a_gate_tells_the_count_by_itself_when_the_flood_is_over() -> None:
    told: asyncio.Queue[int] = asyncio.Queue()
    gate = Gate(asyncio.get_running_loop(), told.put_nowait, burst=2, every_s=0.02)
    for _ in range(5):
        gate.take()
    async with asyncio.timeout(5):
        assert await told.get() == 3
    gate.close()
    assert told.empty()


@pytest.mark.asyncio
async def test_a_gate_that_closes_tells_what_is_left() -> None:
    told: list[int] = []
    gate = Gate(asyncio.get_running_loop(), told.append, burst=1, every_s=3600.0)
    for _ in range(3):
        gate.take()
    gate.close()
    assert told == [2]
