"""The short way from a commit to the publisher."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from felt_daemon.publisher.bell import Bell, listen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.mqtt.conftest import Book, Broker, Hall

# More than a pipe holds, of 8 bytes each.
MANY = 10_000


@pytest.fixture
def bell() -> Iterator[Bell]:
    """A bell that is taken down in the end."""
    one = Bell()
    yield one
    one.close()


class Listener:
    """What a publisher hears of its bell."""

    def __init__(self, fd: int) -> None:
        self.heard: list[int] = []
        self._news = asyncio.Event()
        listen(fd, self._hear)

    async def until(self, seq: int) -> None:
        """Wait until this was heard."""
        async with asyncio.timeout(5.0):
            while self.heard[-1:] != [seq]:
                self._news.clear()
                await self._news.wait()

    def _hear(self, seq: int) -> None:
        self.heard.append(seq)
        self._news.set()


@pytest.mark.asyncio
async def test_whoever_listens_hears_the_last_commit_and_never_an_older_one_after_it(bell: Bell) -> None:
    listener = Listener(bell.hang())
    for seq in (7, 8, 300):
        bell.ring(seq)
    await listener.until(300)
    bell.ring(301)
    await listener.until(301)
    assert listener.heard == sorted(listener.heard)
    assert bell.rung == 301


@pytest.mark.asyncio
async def test_a_publisher_that_does_not_listen_keeps_nobody_waiting_and_hears_the_rest_later(
    bell: Bell,
) -> None:
    theirs = bell.hang()
    for seq in range(1, MANY + 1):
        bell.ring(seq)
    fitted = bell.rung
    assert 0 < fitted < MANY
    listener = Listener(theirs)
    await listener.until(fitted)
    bell.ring(MANY)
    await listener.until(MANY)


def test_a_publisher_that_is_gone_was_told_nothing(bell: Bell) -> None:
    os.close(bell.hang())
    bell.ring(5)
    assert bell.rung == 0


def test_a_new_publisher_has_not_heard_what_the_one_before_has(bell: Bell) -> None:
    first = bell.hang()
    bell.ring(5)
    assert bell.rung == 5
    os.close(bell.hang())
    assert bell.rung == 0
    os.close(first)


def test_a_bell_that_is_taken_down_tells_nobody(bell: Bell) -> None:
    theirs = bell.hang()
    bell.close()
    bell.ring(5)
    assert bell.rung == 0
    assert os.read(theirs, 8) == b""
    os.close(theirs)


@pytest.mark.asyncio
async def test_listening_ends_with_the_device_process(bell: Bell) -> None:
    theirs = bell.hang()
    listener = Listener(theirs)
    bell.ring(5)
    await listener.until(5)
    bell.close()
    for _ in range(10):
        await asyncio.sleep(0)
    assert not asyncio.get_running_loop().remove_reader(theirs)
    assert listener.heard == [5]
    os.close(theirs)


@pytest.mark.asyncio
async def test_a_commit_that_only_the_bell_tells_goes_out(any_broker: Broker, book: Book, hall: Hall) -> None:
    async with hall.listening(any_broker.port) as listener, hall.publishing(book, any_broker.port) as floor:
        await listener.until(lambda: "felt/1/asia-1/status" in listener.retained, 15.0)
        for _ in range(20):
            floor.process.ring(book.add_cards(1))
        await listener.until(lambda: listener.sequences == list(range(1, 21)), 15.0)
        assert (listener.doubles, listener.early, listener.unproved) == (0, 0, 0)


@pytest.mark.asyncio
@pytest.mark.long
async def test_what_the_bell_could_not_tell_is_told_the_long_way(
    any_broker: Broker, book: Book, hall: Hall
) -> None:
    async with hall.listening(any_broker.port) as listener, hall.publishing(book, any_broker.port) as floor:
        await listener.until(lambda: "felt/1/asia-1/status" in listener.retained, 15.0)
        assert floor.process.pid is not None
        os.kill(floor.process.pid, signal.SIGSTOP)
        before = book.add_cards(1)
        for _ in range(MANY):
            floor.process.ring(before)
        last = book.add_cards(1)
        floor.process.ring(last)
        floor.process.tell_committed({"asia-1": last})
        os.kill(floor.process.pid, signal.SIGCONT)
        await listener.until(lambda: listener.sequences == [before, last], 15.0)
