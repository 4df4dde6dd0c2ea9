"""An event loop that lives in simulated time: when it has nothing to run, somebody else says what is next."""

from __future__ import annotations

import asyncio
import math
import selectors
from typing import TYPE_CHECKING, Any, Protocol

from typing_extensions import override

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

S_IN_NS = 1_000_000_000
Selected = list[tuple[selectors.SelectorKey, int]]


class Rest(Protocol):
    """Decides what happens while nothing is runnable here."""

    @property
    def now_ns(self) -> int:
        """The simulated time."""
        ...

    def rest(self, due_ns: int | None) -> Selected:
        """The descriptors that are ready; none when time has moved or a callback was scheduled.

        `due_ns` is when the loop has something to run by itself.
        """
        ...


class TimelineSelector(selectors.EpollSelector):
    """Hands every wait to `Rest`, which looks at the descriptors through `ready` when it wants to."""

    def __init__(self, master: Rest) -> None:
        super().__init__()
        self._master = master
        # The first descriptor that a loop registers is its self-pipe, which signals and threads write to.
        self.wake_fd = -1

    @override
    def register(self, fileobj: FileDescriptorLike, events: int, data: Any = None) -> selectors.SelectorKey:
        """Watch a descriptor."""
        key = super().register(fileobj, events, data)
        if self.wake_fd < 0:
            self.wake_fd = key.fd
        return key

    @override
    def select(self, timeout: float | None = None) -> Selected:
        """Let the master say what is next, unless there is something to run now."""
        if timeout is not None and timeout <= 0:
            return []
        due_ns = None if timeout is None else self._master.now_ns + math.ceil(timeout * S_IN_NS)
        return self._master.rest(due_ns)

    def ready(self) -> Selected:
        """The descriptors that are ready, without waiting."""
        return super().select(0)


class Timeline(asyncio.SelectorEventLoop):
    """The loop."""

    def __init__(self, master: Rest) -> None:
        self._master = master
        self.selector = TimelineSelector(master)
        super().__init__(self.selector)

    @override
    def time(self) -> float:
        """Seconds of simulated time."""
        return self._master.now_ns / S_IN_NS
