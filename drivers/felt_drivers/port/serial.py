"""A serial port on the event loop: no thread, no polling, nothing that waits."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from typing import TYPE_CHECKING

from felt_drivers.port.terminal import FAULTS, close_terminal, open_terminal
from felt_protocols.errors import LinkLost

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_drivers.contract import Clock

READ_SIZE = 4096
# A frame that waits longer than this is not worth sending: the device would act on old news.
WRITE_TIMEOUT_S = 1.0
QUEUE_LIMIT = 64 * 1024
# Two clocks may differ by this much when a timer rings.
_TICK_S = 1e-6


class SerialPort:
    """One open port. `received` gets bytes as they come; `lost` gets one `LinkLost`, at most once.

    Both are called by the event loop and must not raise. After `lost` or `close` nothing is called any
    more and `write` does nothing. Raises `LinkLost` when the port cannot be opened.
    """

    def __init__(
        self,
        path: str,
        baud: int,
        clock: Clock,
        *,
        received: Callable[[bytes], None],
        lost: Callable[[LinkLost], None],
    ) -> None:
        self.path = path
        self.bytes_read = 0
        self.bytes_written = 0
        self._clock = clock
        self._received = received
        self._lost = lost
        # What is left of each frame, and the link time until which it must be out.
        self._queue: deque[tuple[float, memoryview]] = deque()
        self._queued = 0
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._fd = open_terminal(path, baud)
        self._loop.add_reader(self._fd, self._readable)

    @property
    def open(self) -> bool:
        """Whether bytes can still come and go."""
        return self._fd >= 0

    @property
    def queued(self) -> int:
        """Bytes that the kernel has not taken yet."""
        return self._queued

    def fileno(self) -> int:
        """The descriptor; -1 after `close`."""
        return self._fd

    def write(self, data: bytes) -> None:
        """Send `data` whole, in order, or lose the link; usually within this call."""
        if self._fd < 0 or not data:
            return
        rest = memoryview(data)
        if not self._queue:
            sent = self._push(rest)
            if sent == len(data) or self._fd < 0:
                return
            rest = rest[sent:]
            self._loop.add_writer(self._fd, self._writable)
        if self._queued + len(rest) > QUEUE_LIMIT:
            self._lose("write queue full", f"{self._queued} bytes wait")
            return
        self._queue.append((self._clock.link_now() + WRITE_TIMEOUT_S, rest))
        self._queued += len(rest)
        if self._timer is None:
            self._watch()

    def close(self) -> None:
        """Let go of the port at once; what is unsent is thrown away."""
        if self._fd < 0:
            return
        fd, self._fd = self._fd, -1
        self._loop.remove_reader(fd)
        self._loop.remove_writer(fd)
        self._forget_queue()
        close_terminal(fd)

    def _readable(self) -> None:
        try:
            data = os.read(self._fd, READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except FAULTS as fault:
            self._lose("hung up", str(fault))
            return
        if not data:
            self._lose("hung up", "readable, but no bytes")
            return
        self.bytes_read += len(data)
        self._received(data)

    def _push(self, data: memoryview) -> int:
        """Hand the kernel what it takes now; the number of bytes it took."""
        try:
            sent = os.write(self._fd, data)
        except (BlockingIOError, InterruptedError):
            return 0
        except FAULTS as fault:
            self._lose("hung up", str(fault))
            return 0
        self.bytes_written += sent
        return sent

    def _writable(self) -> None:
        deadline, rest = self._queue[0]
        sent = self._push(rest)
        if self._fd < 0:
            return
        self._queued -= sent
        if sent < len(rest):
            self._queue[0] = (deadline, rest[sent:])
            return
        self._queue.popleft()
        if not self._queue:
            self._forget_queue()

    def _watch(self) -> None:
        """Ring when the oldest frame's time is up; the link is lost if it still waits then."""
        self._timer = None
        if not self._queue:
            return
        deadline = self._queue[0][0]
        if self._clock.link_now() < deadline - _TICK_S:
            self._timer = self._loop.call_at(self._clock.loop_time(deadline), self._watch)
            return
        self._lose("write timed out", f"{self._queued} bytes wait, the oldest for {WRITE_TIMEOUT_S:g} s")

    def _forget_queue(self) -> None:
        self._queue.clear()
        self._queued = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._fd >= 0:
            self._loop.remove_writer(self._fd)

    def _lose(self, why: str, evidence: str) -> None:
        self.close()
        self._lost(LinkLost(why, f"{self.path}: {evidence}"))
