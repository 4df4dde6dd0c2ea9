"""What goes to whom, and when: the common stream, its consumers, and what they are sent beside it.

A pure machine made of three: `lane.py`, `consumers.py` and `catch_up.py`. The caller has the clock and the
connection. What is live goes first: what goes out beside it has at most half of the window.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from felt_daemon.publisher.catch_up import Ordered
from felt_daemon.publisher.lane import MOST_ON_THEIR_WAY, DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from felt_daemon.publisher.consumers import Consumer, Consumers
    from felt_daemon.publisher.consumers import Item as Word
    from felt_daemon.publisher.lane import Item as LaneItem
    from felt_daemon.publisher.lane import Lane

    Item = LaneItem | Word

# Names of cursors in the journal. How far the floor has got; how far the broker has got...
FLOOR: Final = "floor"
BROKER: Final = "broker"
# ...and how far each consumer. The next two hold the seq of the row that says so; 0 says "no longer".
CONSUMER: Final = "consumer:"
SUSPENDED: Final = "suspended:"
DEAD: Final = "dead:"

# So many replays that were asked for may wait for one consumer; more is somebody's mistake.
MOST_ORDERED: Final = 8


@dataclass(frozen=True, slots=True)
class Beside:
    """An event that one consumer is sent again; `ordered` where a command asked for it."""

    consumer: str
    seq: int
    ordered: Ordered | None


class Delivery:
    """One table's events on their way to the floor. Times are seconds on the caller's monotonic clock."""

    def __init__(self, lane: Lane, consumers: Consumers) -> None:
        self.lane = lane
        self.consumers = consumers
        self._ordered: dict[str, deque[Ordered]] = {one.id: deque() for one in consumers}
        self._window = 0
        self._flows = False
        # Who is served first beside the common stream; it goes round.
        self._turn: deque[str] = deque(one.id for one in consumers)

    @property
    def on_their_way(self) -> int:
        """How many events have no PUBACK yet."""
        return self.lane.on_their_way + self._beside_on_their_way()

    def cursors(self) -> dict[str, int]:
        """How far everybody is, by the names of the journal's cursors."""
        found = {FLOOR: self.consumers.delivered(), BROKER: self.consumers.reached}
        return found | {f"{CONSUMER}{one.id}": one.position for one in self.consumers}

    def standings(self) -> dict[str, str]:
        """How each consumer stands."""
        return {one.id: one.standing for one in self.consumers}

    # What happens.

    def connected(self, receive_maximum: int) -> None:
        """A new connection is ready. Events wait until it is `resumed`."""
        self._window = min(MOST_ON_THEIR_WAY, receive_maximum)

    def resumed(self, now: float) -> list[Item]:
        """Consumers have had the time to say where they are: events go on behind the lowest of them."""
        self._flows = True
        after = self.consumers.resume_after()
        items = self.lane.connected(self._window, now, after)
        self.consumers.resumed(after, now)
        return [*items]

    def lost(self, now: float, code: int | None, *, others: bool) -> list[Item]:
        """The connection is gone; `others`: messages that are no events were on their way, too."""
        others = others or self._beside_on_their_way() > 0
        items = self.lane.lost(now, code, others=others)
        self._window = 0
        self._flows = False
        self.consumers.lost(now)
        for waiting in self._ordered.values():
            for one in waiting:
                one.lost()
        return [*items]

    def sent(self, seq: int, now: float) -> None:
        """An event of the common stream went out."""
        self.lane.sent(seq, now)
        self.consumers.went(self.lane.up_to, self.lane.taken, now)

    def answered(self, seq: int, code: int, now: float) -> list[Item]:
        """A PUBACK came for an event of the common stream, with this reason code."""
        return self._after(self.lane.answered(seq, code, now), now)

    def unsendable(self, seq: int, now: float) -> list[Item]:
        """The next event of the common stream is larger than anything that the broker takes."""
        return [*self.lane.unsendable(seq, now)]

    def skip(self, seq: int, now: float) -> list[Item]:
        """The dead letter is recorded: a notice goes out in its place."""
        return self._after(self.lane.skip(seq), now)

    def acked(self, consumer: str, seq: int, now: float, *, retained: bool) -> list[Item]:
        """A consumer says that it has everything up to `seq`."""
        return [*self.consumers.acked(consumer, seq, now, retained=retained)]

    def order(self, consumer: str, after: int, now: float) -> bool:
        """Send a consumer again what stands behind `after`; false where that is not possible."""
        waiting = self._ordered.get(consumer)
        if waiting is None or len(waiting) >= MOST_ORDERED or after >= self.lane.head:
            return False
        waiting.append(Ordered(after + 1, self.lane.head, now))
        return True

    def elapsed(self, now: float) -> list[Item]:
        """Time went by."""
        return [*self.lane.elapsed(now), *self.consumers.elapsed(now)]

    def due(self, now: float, others: int) -> float | None:
        """When there is something to do though nothing happens; `others` as for `common`."""
        waits = self._room(others) <= 0 or (self.lane.alone and self._others(others) > 0)
        lane = None if waits else self.lane.due(self.consumers.limit())
        times = [lane, self.consumers.due()]
        if self._flows and self._beside_room(others, now) > 0:
            times += [waiting[0].due() for waiting in self._ordered.values() if waiting]
        return min((when for when in times if when is not None), default=None)

    # What may go out, at once and in this order.

    def room(self, others: int) -> int:
        """How many more messages of any kind may be on their way; `others` are and are no events."""
        return self._room(others)

    def common(self, others: int, now: float, *, first: bool = False) -> range:
        """Events of the common stream that may go out.

        What is live goes `first`, before anything else: never more than have half of the window, so that a
        backlog leaves room for all else.
        """
        # One that goes alone is judged alone: whatever follows it at once would share the blame.
        if self.lane.alone and (first or self._others(others) > 0):
            return range(0)
        room = self._room(others)
        if first:
            room = min(room, max(1, self._window // 2) - self.lane.on_their_way)
        return self.lane.ready(room, now, self.consumers.limit())

    def beside(self, others: int, now: float) -> Iterator[Beside]:
        """Events for single consumers that may go out; for each, `beside_sent` comes before the next."""
        if not self._flows:
            return
        turn = tuple(self._turn)
        self._turn.rotate(-1)
        for name in turn:
            yield from self._for(self.consumers.of(name), others, now)

    def beside_sent(self, beside: Beside, now: float) -> None:
        """An event for one consumer went out."""
        if beside.ordered is None:
            self.consumers.of(beside.consumer).catch_up.sent(beside.seq)
            self.consumers.went(self.lane.up_to, self.lane.taken, now)
        else:
            beside.ordered.sent(beside.seq, now)

    def beside_answered(self, beside: Beside, code: int, now: float) -> None:
        """A PUBACK came for an event for one consumer."""
        if beside.ordered is None:
            self.consumers.caught(self.consumers.of(beside.consumer), beside.seq, code, now)
        else:
            beside.ordered.answered(beside.seq, code)

    def beside_unsendable(self, beside: Beside) -> list[Item]:
        """An event for one consumer is larger than anything that the broker takes: a notice will go."""
        self.lane.dead.add(beside.seq)
        return [DeadLetter(beside.seq)]

    # ----------------------------------------------------------------------------------------------------

    def _after(self, items: Iterable[LaneItem], now: float) -> list[Item]:
        self.consumers.went(self.lane.up_to, self.lane.taken, now)
        return [*items]

    def _beside_on_their_way(self) -> int:
        caught = sum(one.catch_up.on_their_way for one in self.consumers)
        return caught + sum(one.on_their_way for waiting in self._ordered.values() for one in waiting)

    def _others(self, others: int) -> int:
        return others + self._beside_on_their_way()

    def _room(self, others: int) -> int:
        return self._window - self.on_their_way - others

    def _beside_room(self, others: int, now: float) -> int:
        """None while an event of the common stream is judged alone, or waits for that."""
        lane = self.lane
        if lane.alone and (lane.on_their_way or lane.ready(1, now, self.consumers.limit())):
            return 0
        half = max(1, self._window // 2) - self._beside_on_their_way()
        return min(half, self._room(others))

    def _for(self, one: Consumer, others: int, now: float) -> Iterator[Beside]:
        share = max(1, self._window // 2 // len(self._turn))
        waiting = self._ordered[one.id]
        while waiting and waiting[0].over:
            waiting.popleft()
        if waiting:
            room = min(share, self._beside_room(others, now))
            for seq in waiting[0].ready(room, now):
                yield Beside(one.id, seq, waiting[0])
        room = min(share, self._beside_room(others, now))
        for seq in one.catch_up.ready(room, one.position, self.lane.up_to):
            yield Beside(one.id, seq, None)
