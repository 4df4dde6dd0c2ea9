"""The lane: which event of the common stream goes out next.

A pure machine; the caller has the clock and the connection. Events leave strictly in the order of the
journal. On a new connection, and after any trouble, one goes alone; its PUBACK with success opens the
window. An event that the broker will not take holds the lane: nothing overtakes it. Whatever was on its way
behind it, or had no PUBACK when the connection broke, is sent again, with the same id. A new connection may
begin farther back than that: where the consumers say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

# More than this gains nothing: the client is busy with twenty on their way.
MOST_ON_THEIR_WAY: Final = 20
# Nobody subscribes: people are told when it has lasted this long.
UNHEARD_ALARM_S: Final = 30.0
UNHEARD_RETRY_S: Final = 1.0
REFUSED_RETRY_S: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
POISON_RETRY_S: Final = 30.0
# A connection that breaks so soon after an event went out alone is counted against the event...
POISON_WITHIN_S: Final = 2.0
# ...and so often, in a row, makes it a dead letter.
POISON_BREAKS: Final = 3

# Source: MQTT 5.0, 2.4.
_SUCCESS: Final = 0x00
_UNHEARD: Final = 0x10
_TOO_LARGE: Final = 0x95
# The broker ended the connection for reasons that no message has given it: it shuts down, it is busy,
# it heard nothing, another client has our id, its operator or a move wanted it.
_INNOCENT: Final = frozenset({0x89, 0x8B, 0x8D, 0x8E, 0x98, 0x9C, 0x9D, 0xA0})

Why = Literal["no-subscriber", "refused", "poison"]


@dataclass(frozen=True, slots=True)
class Taken:
    """The broker has taken every event up to `seq`."""

    seq: int


@dataclass(frozen=True, slots=True)
class Held:
    """The lane has been held at `seq` for so long that people are told. `code`: the broker's reason."""

    seq: int
    why: Why
    code: int


@dataclass(frozen=True, slots=True)
class Freed:
    """The lane, whose being held people were told, goes on."""

    seq: int


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """The event `seq` breaks every connection. It waits; after `skip` a notice goes out in its place."""

    seq: int


Item = Taken | Held | Freed | DeadLetter


@dataclass(slots=True)
class _Stop:
    """Why the lane is held at its next event."""

    seq: int
    why: Why
    code: int
    since: float
    retry: float
    tries: int = 0
    told: bool = False


@dataclass(slots=True)
class Lane:
    """The order of one stream's events. Times are seconds on the caller's monotonic clock.

    `taken` is the seq up to which the broker has taken everything, from where the connection began; `head`
    the last committed one. Of the events in `dead` a notice is sent that there is one.
    """

    taken: int
    head: int = 0
    dead: set[int] = field(default_factory=set[int])
    _window: int = 0
    _next: int = field(init=False)
    # On their way: seq -> when it was sent. Python keeps the order of sending.
    _sent: dict[int, float] = field(default_factory=dict[int, float])
    # Have their PUBACK, and one before them has not.
    _ahead: set[int] = field(default_factory=set[int])
    # One at a time until this one is taken.
    _narrow: int = 0
    _stop: _Stop | None = None
    _breaks: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        self._next = self.taken + 1

    @property
    def on_their_way(self) -> int:
        """How many events have no PUBACK yet."""
        return len(self._sent)

    @property
    def idle(self) -> bool:
        """Whether the broker has taken every committed event."""
        return self.taken >= self.head

    @property
    def up_to(self) -> int:
        """The last event that went out, and that need not go again as things are."""
        return self._next - 1

    @property
    def alone(self) -> bool:
        """Whether the next event goes out with nothing else on its way, so that it can be judged."""
        return self._stop is not None or self.taken < self._narrow

    @property
    def held(self) -> bool:
        """Whether an event that the broker did not take stops the others."""
        return self._stop is not None

    def committed(self, seq: int) -> None:
        """The journal has the rows up to `seq`."""
        self.head = max(self.head, seq)

    def connected(self, receive_maximum: int, now: float, after: int | None = None) -> list[Item]:
        """A new connection is ready. What was held is tried again on it at once.

        It begins behind the event `after`, or where the last one ended.
        """
        if after is not None:
            self.taken = after
            self._next = after + 1
        self._window = min(MOST_ON_THEIR_WAY, receive_maximum)
        self._narrow = max(self._narrow, self._next)
        stop = self._stop
        if stop is None:
            return []
        if stop.seq < self._next:
            # Whoever it was for has it.
            self._stop = None
            return [Freed(stop.seq)] if stop.told else []
        if stop.why != "poison":
            stop.retry = now
        return []

    def lost(self, now: float, code: int | None, *, others: bool) -> list[Item]:
        """The connection is gone; `others`: messages of another kind were on their way, too."""
        suspects = list(self._sent.items())
        self._sent.clear()
        self._ahead.clear()
        self._window = 0
        self._next = self.taken + 1
        if not suspects or code in _INNOCENT:
            return []
        self._narrow = max(self._narrow, suspects[-1][0])
        seq, at = suspects[0]
        if len(suspects) > 1 or others or now - at > POISON_WITHIN_S:
            return []
        times = self._breaks[1] + 1 if self._breaks[0] == seq else 1
        self._breaks = (seq, times)
        return self._poisoned(seq, code or 0, now) if times >= POISON_BREAKS else []

    def ready(self, room: int, now: float, limit: int | None = None) -> range:
        """The seqs that may go out now, in order, none above `limit`.

        `room` is what others leave of the window.
        """
        window = min(self._window, room + len(self._sent))
        last = self.head if limit is None else min(self.head, limit)
        stop = self._stop
        if stop is not None and stop.seq <= self._next:
            alone = not self._sent and window > 0 and now >= stop.retry and stop.seq <= last
            return range(stop.seq, stop.seq + (1 if alone else 0))
        if stop is not None:
            # What stands before a held event had no PUBACK, or a consumer lacks it, and goes again first.
            last = min(last, stop.seq - 1)
        if self.alone:
            window = min(window, 1)
        count = min(window - len(self._sent), last + 1 - self._next)
        return range(self._next, self._next + max(count, 0))

    def sent(self, seq: int, now: float) -> None:
        """The event went out; it must be the first of `ready`."""
        self._sent[seq] = now
        self._next = seq + 1
        if self._stop is not None and self._stop.seq == seq:
            self._stop.tries += 1

    def unsendable(self, seq: int, now: float) -> list[Item]:
        """The event, the first of `ready`, is larger than anything that the broker takes."""
        return self._poisoned(seq, _TOO_LARGE, now)

    def answered(self, seq: int, code: int, now: float) -> list[Item]:
        """A PUBACK came for the event, with this reason code."""
        if self._sent.pop(seq, None) is None:
            return []
        if code != _SUCCESS:
            return self._refused(seq, code, now)
        if self._stop is not None and seq > self._stop.seq:
            return []  # behind the one that is held: it goes again after that one
        self._ahead.add(seq)
        before = self.taken
        while self.taken + 1 in self._ahead:
            self.taken += 1
            self._ahead.discard(self.taken)
        items: list[Item] = [Taken(self.taken)] if self.taken > before else []
        if self._stop is not None and self._stop.seq <= self.taken:
            items += [Freed(self._stop.seq)] if self._stop.told else []
            self._stop = None
        return items

    def skip(self, seq: int) -> list[Item]:
        """The dead letter is recorded elsewhere: send the notice of it and go on."""
        if self._stop is None or self._stop.why != "poison" or self._stop.seq != seq:
            return []
        self._sent.pop(seq, None)
        self._stop = None
        self._next = min(self._next, seq)
        self._narrow = max(self._narrow, seq)
        self._breaks = (0, 0)
        self.dead.add(seq)
        return [Freed(seq)]

    def due(self, limit: int | None = None) -> float | None:
        """When `elapsed` or `ready`, with this limit, has something new to say though nothing happens."""
        stop = self._stop
        if stop is None:
            return None
        alarm = [] if stop.told else [stop.since + UNHEARD_ALARM_S]
        open_to_it = stop.seq <= self._next and (limit is None or stop.seq <= limit)
        retry = [stop.retry] if self._window and not self._sent and open_to_it else []
        return min(alarm + retry, default=None)

    def elapsed(self, now: float) -> list[Item]:
        """Time went by."""
        stop = self._stop
        if stop is None or stop.told or now < stop.since + UNHEARD_ALARM_S:
            return []
        stop.told = True
        return [Held(stop.seq, stop.why, stop.code)]

    def _refused(self, seq: int, code: int, now: float) -> list[Item]:
        stop = self._stop
        if stop is not None and stop.seq < seq:
            return []
        why: Why = "no-subscriber" if code == _UNHEARD else "refused"
        told = stop is not None and stop.told
        changed = stop is None or (stop.seq, stop.why) != (seq, why)
        if stop is None or changed:
            stop = _Stop(seq, why, code, now, now, told=told)
        self._stop = stop
        self._next = seq
        self._ahead.clear()
        self._narrow = max(self._narrow, seq)
        pause = UNHEARD_RETRY_S if why == "no-subscriber" else REFUSED_RETRY_S[min(stop.tries, 5)]
        stop.retry = now + pause
        if changed and (told or why == "refused"):
            stop.told = True
            return [Held(seq, why, code)]
        return []

    def _poisoned(self, seq: int, code: int, now: float) -> list[Item]:
        known = self._stop is not None and (self._stop.seq, self._stop.why) == (seq, "poison")
        self._stop = _Stop(seq, "poison", code, now, now + POISON_RETRY_S, told=True)
        self._narrow = max(self._narrow, seq)
        if known:
            return []
        # A notice is as small as can be: a broker that does not take it takes nothing.
        letter: list[Item] = [] if seq in self.dead else [DeadLetter(seq)]
        return [Held(seq, "poison", code), *letter]
