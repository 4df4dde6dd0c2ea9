"""Whatever the way does to events, an application gets each once and in order, and memory has a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from felt_floor import Position
from felt_floor.reception import Reception
from felt_protocols.topics import Place

if TYPE_CHECKING:
    from collections.abc import Callable

EVENT = Place("asia-1", "event", "card")
REPLAY = Place("asia-1", "replay", "pit")
EPOCH = "271807caf0e4ea9b"
LENGTH, MOST = 12, 6


class Application:
    """Takes some events, acknowledges some, dies now and then and begins again with what it has stored."""

    def __init__(self, payloads: list[bytes]) -> None:
        self._payloads = payloads
        self.stored: list[int] = []
        self.now = 0.0
        self.begin()

    def begin(self) -> None:
        """Start with what is stored; what was only in memory is gone."""
        positions = {"asia-1": Position(EPOCH, len(self.stored))}
        self.reception = Reception(
            "pit",
            positions=positions,
            begin="earliest",
            most=MOST,
            on_trouble=lambda _: None,
            on_ack=lambda: None,
        )
        self.reception.connected(self.now)

    def hear(self, place: Place, sequence: int) -> None:
        """An event comes, or comes again."""
        self.reception.receive(place, self._payloads[sequence - 1], self.now)
        waiting = len(self.reception.ready) + self.reception.tables()["asia-1"].early
        assert waiting <= MOST

    def take(self, *, acknowledge: bool) -> None:
        """Store the next event, if one waits."""
        if self.reception.ready:
            event = self.reception.next()
            assert not event.faults
            self.stored.append(event.sequence)
            if acknowledge:
                self.reception.acknowledge(event)

    def lacking_from(self) -> int | None:
        """Let time go by; the position behind which the table is asked for everything, if it is."""
        self.now += 100.0
        self.reception.elapsed(self.now)
        told = [position.sequence for _, position in self.reception.acks.take(self.now, 100)]
        return told[-1] if told else None


moves: st.SearchStrategy[Callable[[Application], None]] = st.one_of(
    st.integers(1, LENGTH).map(lambda n: lambda one: one.hear(EVENT, n)),
    st.integers(1, LENGTH).map(lambda n: lambda one: one.hear(REPLAY, n)),
    st.booleans().map(lambda yes: lambda one: one.take(acknowledge=yes)),
    st.just(lambda one: one.begin()),
    st.just(lambda one: one.reception.disconnected()),
    st.just(lambda one: one.reception.connected(one.now)),
)


@given(way=st.lists(moves, max_size=60))
def test_every_event_is_stored_once_and_in_order_and_none_is_lacking_in_the_end(
    twelve: list[bytes], way: list[Callable[[Application], None]]
) -> None:
    application = Application(twelve)
    for move in way:
        move(application)
        assert application.stored == list(range(1, len(application.stored) + 1))
    # From here on the table answers, and the application takes.
    application.hear(EVENT, LENGTH)
    for _ in range(LENGTH + 1):
        after = application.lacking_from()
        for sequence in range(0 if after is None else after + 1, LENGTH + 1 if after is not None else 0):
            application.hear(REPLAY, sequence)
        for _ in range(MOST):
            application.take(acknowledge=True)
    assert application.stored == list(range(1, LENGTH + 1))
