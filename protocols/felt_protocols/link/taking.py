"""Takes a device's events: each once, in order, timed by the device's uptime."""

from dataclasses import dataclass
from typing import Final, cast

from felt_protocols.link.families import LOST, check
from felt_protocols.link.items import Counters, EventsLost, Happened, Item, NotUnderstood
from felt_protocols.link.messages import Event, Hello
from felt_protocols.link.uptime import DeviceClock

LATE_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Greeted:
    """How the events of an accepted device stand to those taken before."""

    same_boot: bool
    previous_boot: int | None
    lost: tuple[EventsLost, ...]


class Taking:
    """Which events of which boot were taken, and which are acknowledged."""

    def __init__(self, family: str, last: tuple[int, int] | None, counters: Counters) -> None:
        self.boot: int | None = None
        self.taken = self.acknowledged = 0
        if last is not None:
            self.boot, self.taken = last
            self.acknowledged = self.taken
        self.repeat_ack = False
        self._family = family
        self._counters = counters
        self._clock = DeviceClock()
        self._accepted_s = 0.0

    def greet(self, hello: Hello, now: float) -> Greeted:
        """Take that a device was accepted: go on where its boot stood, or begin with its oldest."""
        previous, same_boot = self.boot, self.boot == hello.boot
        lost: tuple[EventsLost, ...] = ()
        self._accepted_s = now
        if not same_boot:
            self.boot = hello.boot
            self.taken = self.acknowledged = hello.first - 1
            self._clock = DeviceClock()
        elif hello.first > self.taken + 1:
            lost = (EventsLost(self.taken + 1, hello.first - 1, hello.first - 1, hello.boot),)
            self.taken = hello.first - 1
        self._clock.saw(hello.up_ms, now)
        return Greeted(same_boot, None if same_boot else previous, lost)

    def saw(self, up_ms: int, now: float) -> None:
        """Take the device's uptime."""
        self._clock.saw(up_ms, now)

    def take(self, event: Event, now: float) -> list[Item]:
        """Take the event that is next; any other is counted, and comes again if it must."""
        if event.n <= self.taken:
            self._counters.duplicates += 1
            self.repeat_ack |= event.n <= self.acknowledged
            return []
        lost = self._lost_before(event)
        if lost is not None:
            self.taken = event.n
            return [lost]
        if event.n != self.taken + 1:
            self._counters.gaps += 1
            return []
        self.taken = event.n
        return [self._judged(event, now)]

    def acknowledge(self, n: int, boot: int) -> bool:
        """Note that events up to `n` are committed; false when that is nothing new for the device.

        What belongs to an earlier boot is nothing new. ValueError: `n` was never taken.
        """
        if boot != self.boot or n <= self.acknowledged:
            return False
        if n > self.taken:
            raise ValueError(f"event {n} cannot be acknowledged: {self.taken} is the last taken")
        self.acknowledged = n
        return True

    def _lost_before(self, event: Event) -> EventsLost | None:
        """Read an event that says that all from the next to the one before it are lost."""
        if event.name != LOST or check(self._family, LOST, event.fields) is not None:
            return None
        first, last = cast("int", event.fields["first"]), cast("int", event.fields["last"])
        if not first <= self.taken + 1 <= last == event.n - 1:
            return None
        return EventsLost(self.taken + 1, last, event.n, cast("int", self.boot))

    def _judged(self, event: Event, now: float) -> Item:
        age_s = self._clock.age_s(event.t, now)
        late = age_s > LATE_S or now - age_s < self._accepted_s
        boot = cast("int", self.boot)
        why = check(self._family, event.name, event.fields)
        if event.name == LOST and why is None:
            why = "lost does not end before its own number"
        if why is not None:
            return NotUnderstood(event.n, why, age_s, late, boot)
        return Happened(event.n, event.name, event.fields, age_s, late, boot)
