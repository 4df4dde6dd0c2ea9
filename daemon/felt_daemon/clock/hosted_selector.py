"""Where a hosted program rests: rest is told to the host here, and time and links' bytes are received."""

from __future__ import annotations

import fcntl
import math
import os
import selectors
import struct
import termios
import time
from typing import TYPE_CHECKING, Any

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _typeshed import FileDescriptorLike

    from felt_daemon.clock.hosted import Host

_Selected = list[tuple[selectors.SelectorKey, int]]

_S_IN_NS = 1_000_000_000
# A timer rings this much late, so that no sum of floats makes its own clock say that it is early.
_ROUNDING_NS = 1_000
# Whoever waits longer than this in real time waits for another process.
_GRACE_S = 0.1
# Bytes that the host has written come out within this real time, or never; a terminal holds 4 KiB.
_ARRIVAL_LIMIT_S = 1.0
_MUCH = 2048


class HostedSelector(selectors.BaseSelector):
    """A selector that never waits for time: it tells the host how long it could wait, and waits for it.

    Links, which are terminals, are looked at from the beginning of a turn until the loop rests again, so that
    what devices have sent is read whole, and in the same order each time.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._links = selectors.EpollSelector()
        self._others = selectors.EpollSelector()
        self._key = self._others.register(host.fileno(), selectors.EVENT_READ)
        self._in_turn = True
        # Work that was given to threads: it is runnable although the loop rests.
        self.away = 0
        # How far the loop's own time has crept on while it waited for another process.
        self.crept_s = 0.0

    @override
    def select(self, timeout: float | None = None) -> _Selected:
        """The descriptors that are ready. Returns without any after time has moved."""
        busy = bool(self.away) or self._host.clock.busy()
        if self.crept_s and not busy:
            # Back to the host's time; the loop looks at its timers again.
            self.crept_s = 0.0
            return self._ready(0)
        ready = self._ready(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if busy:
            return self._wait_outside(timeout)
        due_ns = None
        if timeout is not None:
            due_ns = self._host.clock.reading.now_ns + math.ceil(timeout * _S_IN_NS) + _ROUNDING_NS
        self._host.tell(due_ns)
        self._in_turn = False
        return self._heard(self._others.select(None))

    def _wait_outside(self, timeout: float | None) -> _Selected:
        """Wait for a thread or another process.

        A commit is a matter of milliseconds, for which time stands still. Other processes take their time,
        which is real, and so are the pauses and limits of whoever waits for them: the loop's own time then
        creeps on. What devices and journal are told of does not.
        """
        began = time.monotonic()
        wait_s = timeout if self.crept_s or timeout is None else max(timeout, _GRACE_S)
        ready = self._others.select(wait_s)
        if not ready:
            self.crept_s += time.monotonic() - began
        return self._heard(ready)

    def _ready(self, timeout: float | None) -> _Selected:
        """What is ready; in a turn, the links too, in the order of their descriptors."""
        ready = self._heard(self._others.select(timeout))
        if self._in_turn:
            ready += sorted(self._links.select(0), key=lambda item: item[0].fd)
        return ready

    def _heard(self, ready: _Selected) -> _Selected:
        """What is ready but the host's socket, which is read at once."""
        others = [item for item in ready if item[0] is not self._key]
        if len(others) != len(ready):
            turn = self._host.listen()
            if turn is not None:
                self._await_bytes(turn.coming)
                self._in_turn = True
        return others

    def _await_bytes(self, coming: int) -> None:
        """Wait until so many bytes have come out of the links, which is a matter of microseconds."""
        limit_s = time.monotonic() + _ARRIVAL_LIMIT_S
        while coming and time.monotonic() < limit_s:
            found = [_waiting_in(key.fd) for key in self._links.get_map().values()]
            if sum(found) >= coming or max(found, default=0) >= _MUCH:
                return
            self._links.select(0 if any(found) else _ARRIVAL_LIMIT_S)

    @override
    def register(self, fileobj: FileDescriptorLike, events: int, data: Any = None) -> selectors.SelectorKey:
        """Watch a descriptor."""
        descriptor = fileobj if isinstance(fileobj, int) else fileobj.fileno()
        keeper = self._links if os.isatty(descriptor) else self._others
        return keeper.register(fileobj, events, data)

    @override
    def unregister(self, fileobj: FileDescriptorLike) -> selectors.SelectorKey:
        """Watch it no more. Raises `KeyError` for one that is not watched."""
        return self._keeper(fileobj).unregister(fileobj)

    @override
    def modify(self, fileobj: FileDescriptorLike, events: int, data: Any = None) -> selectors.SelectorKey:
        """Watch it for something else. Raises `KeyError` for one that is not watched."""
        return self._keeper(fileobj).modify(fileobj, events, data)

    @override
    def get_key(self, fileobj: FileDescriptorLike) -> selectors.SelectorKey:
        """What is known of one descriptor. Raises `KeyError` for one that is not watched."""
        return self._keeper(fileobj).get_key(fileobj)

    @override
    def get_map(self) -> Mapping[FileDescriptorLike, selectors.SelectorKey]:
        """Every descriptor that is watched."""
        return {**self._others.get_map(), **self._links.get_map()}

    @override
    def close(self) -> None:
        """Watch nothing any more."""
        self._links.close()
        self._others.close()

    def _keeper(self, fileobj: FileDescriptorLike) -> selectors.EpollSelector:
        return self._links if fileobj in self._links.get_map() else self._others


def _waiting_in(descriptor: int) -> int:
    """How many bytes can be read from a terminal; 0 when it is gone."""
    try:
        (count,) = struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)))
    except OSError:
        return 0
    return int(count)
