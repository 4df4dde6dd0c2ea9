"""The floor's consumers: what each has stored, and whether the common stream waits for it. A pure machine.

    current     the common stream goes no more than `ahead` events beyond what it has acknowledged
    behind      the common stream does not wait for it; what it lacks is sent to it beside
    suspended   not heard for a day: nothing is sent to it until it is heard again

Times are seconds on the caller's monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from felt_daemon.publisher.catch_up import CatchUp

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

Standing = Literal["current", "behind", "suspended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is asked of consumers.

    `ahead`: events that go out beyond what a consumer has acknowledged; a broker's queue must hold them.
    `reach`: who is farther behind than this is waited for by nobody. `stall_s`: an acknowledgement that
    stands still for so long, with events out, holds nobody else; what is sent in vain is sent again with
    pauses that double up to `longest_s`. `rewind_s`: nobody is sent the same twice in this time.
    `silent_s`: not heard for so long, with a connection, is suspended.
    """

    ahead: int = 500
    reach: int = 2_000
    stall_s: float = 30.0
    longest_s: float = 600.0
    rewind_s: float = 2.0
    silent_s: float = 86_400.0


TERMS: Final = Terms()


@dataclass(frozen=True, slots=True)
class Suspended:
    """The consumer was not heard for too long; it has everything up to `seq`."""

    consumer: str
    seq: int


@dataclass(frozen=True, slots=True)
class Returned:
    """The consumer, which was suspended, is heard again and has everything up to `seq`."""

    consumer: str
    seq: int


Item = Suspended | Returned


@dataclass(slots=True)
class Consumer:
    """One consumer.

    `high`: the position that it must pass to count as moving. `mark`: behind this event it gets everything by
    the common stream; None while that is not so.
    """

    id: str
    position: int
    catch_up: CatchUp
    patience_s: float
    heard: float
    standing: Standing = "current"
    high: int = 0
    # Since when its acknowledgement stands still with events out; None while nothing is.
    still: float | None = None
    rewound: float = float("-inf")
    rewind_due: float | None = None
    mark: int | None = None


@dataclass(slots=True)
class Consumers:
    """All consumers of one table's events.

    `positions` are those known from before, `reached` the last event that the broker ever took. Until
    `resumed` and after `lost` there is no connection.
    """

    positions: Mapping[str, int]
    suspended: Collection[str]
    reached: int
    now: float
    terms: Terms = TERMS
    # Of the common stream on this connection: the last event that went out, and the last that was taken.
    _sent: int = 0
    _taken: int = 0
    _resumed: bool = False
    _lost: float = field(init=False)
    _all: dict[str, Consumer] = field(init=False)

    def __post_init__(self) -> None:
        self._lost = self.now
        self._all = {
            name: Consumer(name, position, CatchUp(self.terms.ahead), self.terms.stall_s, self.now)
            for name, position in self.positions.items()
        }
        for one in self._all.values():
            one.high = one.position
            if one.id in self.suspended:
                one.standing = "suspended"
            elif self._far(one):
                self._fall_behind(one)

    def __contains__(self, name: object) -> bool:
        return name in self._all

    def __iter__(self) -> Iterator[Consumer]:
        return iter(self._all.values())

    def of(self, name: str) -> Consumer:
        """The consumer of this name; raises KeyError."""
        return self._all[name]

    # What follows from where they stand.

    def limit(self) -> int | None:
        """The last event that the common stream may send now; None: it waits for nobody."""
        lowest = min((one.position for one in self if one.standing == "current"), default=None)
        return None if lowest is None else lowest + self.terms.ahead

    def resume_after(self) -> int:
        """Where the common stream goes on, on a new connection."""
        return min((one.position for one in self if one.standing == "current"), default=self.reached)

    def delivered(self) -> int:
        """Every consumer that is not suspended has all up to here; without any, the broker has."""
        return min((one.position for one in self if one.standing != "suspended"), default=self.reached)

    # What happens.

    def resumed(self, after: int, now: float) -> None:
        """The common stream begins on a new connection, behind this event."""
        self._resumed = True
        self._sent = self._taken = after
        for one in self:
            one.heard += now - self._lost
            one.still = None
            if one.standing == "current":
                one.catch_up.end()
            elif one.standing == "behind":
                self._begin(one)
        self._meet(now)

    def lost(self, now: float) -> None:
        """The connection is gone."""
        if self._resumed:
            self._resumed = False
            self._lost = now
        for one in self:
            one.catch_up.lost()
            one.still = None

    def went(self, sent: int, taken: int, now: float) -> None:
        """Of the common stream all up to `sent` went out, and the broker has all up to `taken`."""
        self._sent, self._taken = sent, taken
        self.reached = max(self.reached, taken)
        for one in self:
            self._watch(one, now)
        self._meet(now)

    def acked(self, name: str, seq: int, now: float, *, retained: bool) -> list[Item]:
        """A consumer says that it has all up to `seq`; `retained`: it said so at some time before.

        The same again, or less, says that what follows is lacking. What was said before is no sign of life,
        and nothing if it is the same; but whoever was set back while nobody listened lacks what follows.
        """
        one = self._all[name]
        if retained:
            if seq > one.position:
                self._move(one, seq, now)
            elif seq < one.position:
                one.position = seq
                if one.standing != "suspended":
                    self._asks(one, now)
            self._meet(now)
            return []
        one.heard = now
        items: list[Item] = []
        if one.standing == "suspended":
            items.append(Returned(name, seq))
            one.standing = "current"
            one.position = one.high = seq
            self._rewind(one, now)
        elif seq > one.position:
            self._move(one, seq, now)
            if one.catch_up.stopped:
                self._begin(one)
        else:
            one.position = seq
            self._asks(one, now)
        self._meet(now)
        return items

    def caught(self, one: Consumer, seq: int, code: int, now: float) -> None:
        """A PUBACK came for an event that was sent to this consumer beside."""
        one.catch_up.answered(seq, code)
        if one.standing == "suspended" or self._has_all(one):
            one.catch_up.end()
        elif one.catch_up.stopped and one.standing == "current":
            # It is subscribed to nothing that would bring it what it lacks.
            self._fall_behind(one)
        self._watch(one, now)
        self._meet(now)

    def elapsed(self, now: float) -> list[Item]:
        """Time went by."""
        items: list[Item] = []
        for one in self:
            if not self._resumed or one.standing == "suspended":
                continue
            if now >= one.heard + self.terms.silent_s:
                one.standing = "suspended"
                one.catch_up.end()
                items.append(Suspended(one.id, one.position))
            elif one.still is not None and now >= one.still + one.patience_s:
                self._stalled(one, now)
            elif one.rewind_due is not None and now >= one.rewind_due:
                self._rewind(one, now)
        self._meet(now)
        return items

    def due(self) -> float | None:
        """When `elapsed` has something to do though nothing happens."""
        if not self._resumed:
            return None
        times = [
            when
            for one in self
            if one.standing != "suspended"
            for when in (
                one.heard + self.terms.silent_s,
                None if one.still is None else one.still + one.patience_s,
                one.rewind_due,
            )
        ]
        return min((when for when in times if when is not None), default=None)

    # ----------------------------------------------------------------------------------------------------

    def _far(self, one: Consumer) -> bool:
        return one.position < self.reached - self.terms.reach

    def _has_all(self, one: Consumer) -> bool:
        """Whether it has whatever went out on this connection: the rest comes by the common stream."""
        return one.position >= self._sent

    def _move(self, one: Consumer, seq: int, now: float) -> None:
        one.position = seq
        one.rewind_due = None
        one.catch_up.moved(seq)
        if seq > one.high:
            one.high = seq
            one.still = None
            one.patience_s = self.terms.stall_s
        self._watch(one, now)

    def _asks(self, one: Consumer, now: float) -> None:
        if now >= one.rewound + self.terms.rewind_s:
            self._rewind(one, now)
        else:
            one.rewind_due = one.rewound + self.terms.rewind_s

    def _rewind(self, one: Consumer, now: float) -> None:
        """Send it what follows its position, beside the common stream if that has sent it before."""
        one.rewind_due = None
        if self._far(one):
            self._fall_behind(one)
        elif not self._resumed:
            one.standing = "current"
        if self._resumed and not self._has_all(one):
            one.rewound = now
            self._begin(one)

    def _stalled(self, one: Consumer, now: float) -> None:
        if one.standing == "behind":
            one.patience_s = min(2.0 * one.patience_s, self.terms.longest_s)
        else:
            self._fall_behind(one)
        one.rewound = now
        self._begin(one)
        one.still = None

    def _fall_behind(self, one: Consumer) -> None:
        one.standing = "behind"
        one.high = one.position

    def _begin(self, one: Consumer) -> None:
        one.mark = None
        one.catch_up.begin(one.position)

    def _watch(self, one: Consumer, now: float) -> None:
        """Begin to count how long its acknowledgement stands still, or count no more."""
        catch_up = one.catch_up
        if one.standing == "suspended":
            waits = False
        elif one.standing == "behind":
            waits = catch_up.stopped == "refused" or (not catch_up.stopped and catch_up.out > one.position)
        else:
            waits = max(self._taken, catch_up.out) > one.position
        if not waits:
            one.still = None
        elif one.still is None:
            one.still = now

    def _meet(self, now: float) -> None:
        """Whoever was sent all that went out gets the rest by the common stream.

        It is current once it has acknowledged that.
        """
        if not self._resumed:
            return
        for one in self:
            catch_up = one.catch_up
            if catch_up.on and not catch_up.stopped and catch_up.next > self._sent:
                catch_up.end()
                one.mark = self._sent
            met = self._sent if one.mark is None else one.mark
            if one.standing == "behind" and one.position >= met:
                catch_up.end()
                one.standing = "current"
                one.high = one.position
                # From here on the common stream waits for it, perhaps with events out already.
                self._watch(one, now)
