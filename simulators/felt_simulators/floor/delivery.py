"""Which row of a table goes to the floor next, as docs/mqtt.md has it. A pure machine, for one consumer.

Rows go out on the common stream in order, each once per connection. What the consumer lacks of what has
gone out already it gets again on a topic of its own. Times are seconds on the caller's clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from felt_simulators.floor.packets import NOBODY_SUBSCRIBED, SUCCESS

if TYPE_CHECKING:
    from collections.abc import Iterator

Way = Literal["event", "replay"]

WINDOW: Final = 20
# Of the window, what rows that are told again may take.
WINDOW_AGAIN: Final = WINDOW // 2
# So many rows go out beyond what the consumer has; one that lacks more is behind, and delays nobody.
AHEAD: Final = 500
REACH: Final = 2_000
STALL_S: Final = 30.0
# A row that the broker did not take is tried again after this time.
UNHEARD_AGAIN_S: Final = 1.0
REFUSED_AGAIN_S: Final = 2.0
REWIND_EVERY_S: Final = 2.0


@dataclass(slots=True)
class Delivery:
    """`head` rows are there, and the consumer has `acked` of them."""

    head: int = 0
    acked: int = 0
    # How many messages went out, those that went again among them, and how many acknowledgements counted.
    published: int = 0
    again: int = 0
    refused_acks: int = 0
    _window: int = 0
    _next: int = 1
    # The broker has said yes to every row up to here, on this or an earlier connection.
    _taken: int = 0
    _said_yes: set[int] = field(default_factory=set[int])
    _on_their_way: dict[Way, set[int]] = field(default_factory=lambda: {"event": set(), "replay": set()})
    # The row that the broker did not take, and when it is tried again.
    _held: int | None = None
    _held_until: float = 0.0
    # What goes out again: from here on, up to there. None: nothing; as far as the common stream has come.
    _again_from: int | None = None
    _again_to: int | None = None
    _again_waits: bool = False
    _rewound_at: float = float("-inf")
    _rewind_due: float | None = None
    _stalled_since: float | None = None
    _behind: bool = False

    @property
    def delivered(self) -> bool:
        """Whether the consumer has every row."""
        return self.acked >= self.head

    @property
    def behind(self) -> bool:
        """Whether the consumer lacks so much, or is so silent, that the common stream goes on without it."""
        return self._behind

    def connected(self, receive_maximum: int, now: float) -> None:
        """A new connection is ready: the common stream goes on behind what the consumer has."""
        self._window = min(WINDOW, receive_maximum)
        self._behind = self._taken - self.acked > REACH
        self._next = (self._taken if self._behind else self.acked) + 1
        self._again_from = self.acked + 1 if self._behind else None
        self._again_to = None
        self._again_waits = False
        self._held = None
        self._stalled_since = now

    def lost(self) -> None:
        """The connection is gone, with whatever had no PUBACK."""
        self._window = 0
        self._said_yes.clear()
        for way in self._on_their_way.values():
            way.clear()

    def ready(self, now: float) -> Iterator[tuple[Way, int]]:
        """Which rows go out now, in order; each that is given counts as sent."""
        while (seq := self._next_event(now)) is not None:
            self._next = seq + 1
            self._on_their_way["event"].add(seq)
            self.published += 1
            yield "event", seq
        while (seq := self._next_again()) is not None:
            self._again_from = seq + 1
            self._on_their_way["replay"].add(seq)
            self.published += 1
            self.again += 1
            yield "replay", seq

    def _next_event(self, now: float) -> int | None:
        on_their_way = len(self._on_their_way["event"])
        if self._held is not None:
            alone = not on_their_way and self._window and now >= self._held_until
            return self._held if alone and self._next <= self._held else None
        room = self._window - on_their_way - len(self._on_their_way["replay"])
        most = self.head if self._behind else min(self.head, self.acked + AHEAD)
        return self._next if room > 0 and self._next <= most else None

    def _next_again(self) -> int | None:
        if self._again_from is None or self._again_waits:
            return None
        seq = max(self._again_from, self.acked + 1)
        if self._again_to is None and seq >= self._next:
            # From here on the common stream is enough.
            self._again_to = self._next - 1
        if seq > (self._next - 1 if self._again_to is None else self._again_to):
            return None
        on_their_way = self._on_their_way["replay"]
        room = self._window - len(self._on_their_way["event"]) - len(on_their_way)
        fits = room > 0 and len(on_their_way) < WINDOW_AGAIN and seq <= self.acked + AHEAD
        return seq if fits and seq not in on_their_way else None

    def answered(self, way: Way, seq: int, code: int, now: float) -> None:
        """The broker's PUBACK for a row came, with this code."""
        self._on_their_way[way].discard(seq)
        if way == "replay":
            if code == NOBODY_SUBSCRIBED:
                self._again_waits = True
            return
        if code == SUCCESS:
            self._took(seq)
            return
        if self._held is None or seq <= self._held:
            # Whatever is behind it goes out again after it.
            self._held = seq
            self._next = seq
            pause_s = UNHEARD_AGAIN_S if code == NOBODY_SUBSCRIBED else REFUSED_AGAIN_S
            self._held_until = now + pause_s

    def _took(self, seq: int) -> None:
        if self._held is not None:
            if seq != self._held:
                return
            self._held = None
        self._taken = max(self._taken, self.acked)
        if seq > self._taken:
            self._said_yes.add(seq)
        while self._taken + 1 in self._said_yes:
            self._taken += 1
            self._said_yes.discard(self._taken)

    def heard(self, seq: int, now: float, *, retained: bool) -> bool:
        """The consumer says that it has everything up to `seq`; whether that can be.

        One that does not say more than before lacks what is behind it. What was retained is no question.
        """
        if seq > self.head:
            self.refused_acks += 1
            return False
        more = seq > self.acked
        self.acked = seq
        self._next = max(self._next, seq + 1)
        self._stalled_since = now
        self._again_waits = False
        if self._held is not None:
            self._held_until = now
            self._held = self._held if self._held > seq else None
        if not more and not retained:
            self._rewind_due = max(now, self._rewound_at + REWIND_EVERY_S)
        if self._again_to is not None and seq >= self._again_to:
            self._again_from = self._again_to = None
            self._behind = False
        self.elapsed(now)
        return True

    def elapsed(self, now: float) -> None:
        """Time went by."""
        if self._rewind_due is not None and now >= self._rewind_due:
            self._rewind_due = None
            self._rewound_at = now
            self._again_from = self.acked + 1
            self._again_to = None if self._behind else self._next - 1
        if self._next - 1 <= self.acked:
            self._stalled_since = now
        elif self._stalled_since is not None and now >= self._stalled_since + STALL_S and self._window:
            self._stalled_since = now
            self._behind = True
            self._again_from = self.acked + 1
            self._again_to = None
