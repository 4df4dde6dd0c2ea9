"""The short way from a commit to the publisher: a pipe that the journal's thread itself writes to.

On the long way, a line of `report.py`, an event would first wait for the event loop of the device process,
and for all that the loop does once rows are committed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import struct
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

# A seq. The kernel writes and reads so few bytes whole or not at all. Source: POSIX, write(), PIPE_BUF.
_SEQ: Final = struct.Struct("=Q")
_READ_BYTES: Final = 512 * _SEQ.size


class Bell:
    """The device process's end. Anybody may ring, from any thread; nobody is ever waited for."""

    def __init__(self) -> None:
        # A file descriptor that one thread closes while another writes might be somebody else's by then.
        self._lock = threading.Lock()
        self._fd: int | None = None
        self._rung = 0

    @property
    def rung(self) -> int:
        """The last seq that the publisher of now was told in this way, 0 if none."""
        return self._rung

    def hang(self) -> int:
        """Make a bell for a new publisher, and return the end that is its own, for the caller to close."""
        theirs, ours = os.pipe()
        os.set_blocking(ours, False)
        os.set_blocking(theirs, False)
        self.close()
        with self._lock:
            self._fd = ours
        return theirs

    def ring(self, seq: int) -> None:
        """The rows up to `seq` are committed. A publisher that does not listen is told the long way."""
        with self._lock, contextlib.suppress(BlockingIOError, BrokenPipeError):
            if self._fd is not None:
                os.write(self._fd, _SEQ.pack(seq))
                self._rung = seq

    def close(self) -> None:
        """Take the bell down; ringing it then tells nobody."""
        with self._lock:
            if self._fd is not None:
                os.close(self._fd)
            self._fd = None
            self._rung = 0


def listen(fd: int, committed: Callable[[int], None]) -> None:
    """In the publisher: hear the last seq of every ringing, until the device process is gone."""
    loop = asyncio.get_running_loop()

    def rings() -> None:
        said = os.read(fd, _READ_BYTES)
        if said:
            committed(*_SEQ.unpack(said[-_SEQ.size :]))
        else:
            loop.remove_reader(fd)

    loop.add_reader(fd, rings)
