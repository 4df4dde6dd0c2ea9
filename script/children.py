"""Processes that try one thing each and end: forked, with limits, at most so many at a time."""

from __future__ import annotations

import os
import resource
import signal
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass

# A change may make a loop that has no end, or one that gathers without end.
LIMIT_BYTES = 6 * 2**30
LIMIT_S = 900

# What a child ends with.
SURVIVED, NOTICED, NOTHING, BROKEN = range(4)

# A child's way to say something to its parent, once.
Tell = Callable[[str], None]


class BrokenError(Exception):
    """Nothing can be told: the tests fail without any change, or a change could not be made."""


@dataclass(frozen=True)
class Child:
    """A process, and where it tells something."""

    number: int
    told: int

    def ended(self, status: int) -> tuple[int, str]:
        """What it ended with, and what it told; one that was stopped had no end and so was noticed."""
        with os.fdopen(self.told, "rb") as pipe:
            text = pipe.read().decode()
        if os.WIFSIGNALED(status):
            return NOTICED, text or f"stopped by signal {os.WTERMSIG(status)}"
        return os.waitstatus_to_exitcode(status), text

    def wait(self) -> tuple[int, str]:
        """Wait for its end."""
        return self.ended(os.waitpid(self.number, 0)[1])


def fork(work: Callable[[Tell], int]) -> Child:
    """Have a process of its own do `work`, which returns what it ends with. It tells no terminal anything."""
    read, write = os.pipe()
    number = os.fork()
    if number:
        os.close(write)
        return Child(number, read)
    try:
        os.close(read)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os._exit(work(lambda text: _write(write, text)))
    finally:
        # Whatever was raised, nothing of the parent's goes on here.
        _write(write, traceback.format_exc()[-3000:])
        os._exit(BROKEN)


def _write(pipe: int, text: str) -> None:
    os.write(pipe, text.encode())


def limit() -> None:
    """Limit what this process may use altogether."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    signal.alarm(LIMIT_S)


def limit_more(cpu_s: float) -> None:
    """From here on this process may compute for so many seconds."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + cpu_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def side_by_side(jobs: int, started: Iterator[tuple[int, Child]]) -> Iterator[tuple[int, int, str]]:
    """Each child's number in the caller's order with what it ended with and told, as they end.

    A child is started, by taking it from `started`, when one of `jobs` places is free.
    """
    running: dict[int, tuple[int, Child]] = {}
    more = True
    while more or running:
        while more and len(running) < jobs:
            index, child = next(started, (-1, None))
            more = child is not None
            if child is not None:
                running[child.number] = index, child
        if running:
            number, status = os.waitpid(-1, 0)
            index, child = running.pop(number)
            yield index, *child.ended(status)
