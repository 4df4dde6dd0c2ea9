"""Where events are handed to the application, at its own pace."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from felt_floor.event import Event
    from felt_floor.reception import Reception

# After so many events in a row the network gets its turn.
TURN: Final = 50


class Counter:
    """Hands out what is ready in the reception. `on_handed` is called after each event.

    Events are taken in one place, or they would not be in order for anybody. That is where the last one began
    to take: a loop that was left is often closed much later, and must not stand in the way of the next.
    """

    def __init__(self, reception: Reception, on_handed: Callable[[], None]) -> None:
        self._reception = reception
        self._on_handed = on_handed
        self._arrived = asyncio.Event()
        self._over: asyncio.Task[None] | None = None
        self._taker: object = None

    def open(self, bringing: asyncio.Task[None]) -> None:
        """Events come as long as this task runs; its exception is raised where they are taken."""
        self._over = bringing
        bringing.add_done_callback(lambda _: self._arrived.set())

    def look(self) -> None:
        """Let whoever waits see whether there is something."""
        if self._reception.ready:
            self._arrived.set()

    async def one_by_one(self) -> AsyncIterator[Event]:
        """Every event; raises RuntimeError when somebody else has begun to take."""
        taker = self._begin()
        taken = 0
        while await self._ready(taker):
            yield self._next()
            taken += 1
            if taken % TURN == 0:
                await asyncio.sleep(0)

    async def in_batches(self, most: int) -> AsyncIterator[list[Event]]:
        """The same, as many at a time as wait. Raises alike."""
        taker = self._begin()
        while await self._ready(taker):
            yield [self._next() for _ in range(min(most, len(self._reception.ready)))]
            await asyncio.sleep(0)

    def _begin(self) -> object:
        taker = self._taker = object()
        self._arrived.set()  # who took before hears that it is over
        return taker

    async def _ready(self, taker: object) -> bool:
        """Wait for an event; False where none will come, and an exception where that is for a mistake."""
        while True:
            if self._taker is not taker:
                raise RuntimeError("the events of one Floor are taken in one place, and another has begun to")
            if self._reception.ready:
                return True
            if self._over is None or self._over.done():
                if self._over is not None and not self._over.cancelled():
                    self._over.result()
                return False
            self._arrived.clear()
            await self._arrived.wait()

    def _next(self) -> Event:
        event = self._reception.next()
        self._on_handed()
        return event
