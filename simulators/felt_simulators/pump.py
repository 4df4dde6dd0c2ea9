"""Keeps a station going in real time: asyncio waits on its descriptor and on its next moment."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from felt_simulators.station import Station


class Pump:
    """An async context in which a station runs; leaving it leaves the line open.

    After a hand has acted, call `turn`: what it made the device say then goes out.
    """

    def __init__(self, station: Station, clock: Callable[[], float]) -> None:
        self.station = station
        self._clock = clock
        self._watched: int | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> Self:
        self.turn()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._watch(None)
        if self._timer is not None:
            self._timer.cancel()

    def turn(self) -> None:
        """Let the station do what it has to do now, and wait for what comes next."""
        # A line that hangs up in this turn closes its descriptor, which must not be watched then.
        self._watch(None)
        self.station.turn(self._clock())
        self._watch(self.station.fileno())
        if self._timer is not None:
            self._timer.cancel()
        due = self.station.due()
        self._timer = None
        if due is not None:
            wait_s = max(0.0, due - self._clock())
            self._timer = asyncio.get_running_loop().call_later(wait_s, self.turn)

    def _watch(self, descriptor: int | None) -> None:
        if descriptor == self._watched:
            return
        loop = asyncio.get_running_loop()
        if self._watched is not None:
            loop.remove_reader(self._watched)
        if descriptor is not None:
            loop.add_reader(descriptor, self.turn)
        self._watched = descriptor
