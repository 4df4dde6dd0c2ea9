"""The table's state as the publisher folds it, row by row, for the retained picture."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from felt_daemon.journal import Head
from felt_daemon.journal.chain import FIRST_PREVIOUS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_daemon.publisher.source import Source
    from felt_protocols.events import Row

State = TypeVar("State")
Payload = dict[str, Any]

BEFORE_THE_FIRST = Head(0, FIRST_PREVIOUS)
# So many rows are folded before the loop may answer a ping.
_AT_ONCE = 200


class Fold(Generic[State]):
    """`evolve` over the rows of one stream; `seq` and `hash` are the last folded row's.

    `begun` is the state after the row `after`: of a snapshot, or the blank one before the first.
    """

    def __init__(
        self,
        source: Source,
        begun: State,
        evolve: Callable[[State, Row], State],
        picture: Callable[[State], Mapping[str, Payload]],
        after: Head = BEFORE_THE_FIRST,
    ) -> None:
        self._source = source
        self._state = begun
        self._evolve = evolve
        self._picture = picture
        self.seq, self.hash = after

    def advance(self, head: int) -> bool:
        """Fold some of the rows up to `head`; whether there are more."""
        if self.seq < head:
            for row, digest in self._source.rows(self.seq, min(_AT_ONCE, head - self.seq)):
                self._state = self._evolve(self._state, row)
                self.seq = row.seq
                self.hash = digest
        return self.seq < head

    async def catch_up(self, head: int) -> None:
        """Fold every row up to `head`, and let others run meanwhile."""
        while self.advance(head):  # noqa: ASYNC110 - it gives way to others and waits for nothing
            await asyncio.sleep(0)

    def picture(self) -> Mapping[str, Payload]:
        """The payloads of `state`, `hold/{id}` and `device/{id}` as they are now."""
        return self._picture(self._state)
