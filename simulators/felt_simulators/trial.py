"""A host without a table: it accepts a device over its real pseudo-terminal, and keeps what it hears.

For trials of devices: it runs on simulated time, and time goes on only when every byte that was written
has been read, so that a trial is as fast as it can be and always ends alike.
"""

from __future__ import annotations

import os
import select
from math import inf
from typing import TYPE_CHECKING

from felt_protocols.link.host import HostSession
from felt_protocols.link.items import EventsLost, Happened, NotUnderstood, Send
from felt_protocols.link.states import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from felt_protocols.link.items import Item
    from felt_simulators.station import Station

# Bytes that a pseudo-terminal has taken come out within this real time, or never.
PATIENCE_S = 5.0
EPOCH = "trial"


class Unanswered(AssertionError):  # noqa: N818 - the name says what became of the wait
    """What a trial waited for did not come within its simulated time."""


class TrialHost:
    """Hears one station. `items` holds all that its session told, in order; it acknowledges each event.

    As long as `renews`, it renews the lease of a permit.
    """

    def __init__(self, station: Station, family: str, now: float = 0.0) -> None:
        self.station = station
        self.now = now
        self.items: list[Item] = []
        self.session = HostSession(1, family, None, None, None, now)
        self.session.renew = True
        self._port: int | None = None
        self._read = 0
        self._written = 0
        self._row = 0

    @property
    def heard(self) -> list[tuple[str, Mapping[str, object]]]:
        """The events that happened: name and fields."""
        return [(item.name, item.fields) for item in self.items if isinstance(item, Happened)]

    def named(self, name: str) -> list[Mapping[str, object]]:
        """The fields of every event of this name."""
        return [fields for heard, fields in self.heard if heard == name]

    def order(self, name: str, **fields: object) -> None:
        """Give a numbered order, a permit for example."""
        self._row += 1
        self._write(self.session.order(name, fields, (EPOCH, self._row), self.now))
        self.settle()

    def inhibit(self, why: str, when: str) -> None:
        """Inhibit the device."""
        self._write(self.session.inhibit(why, when, self.now))
        self.settle()

    def show(self, *wishes: tuple[str, Mapping[str, object]]) -> None:
        """Wish people shown what these orders, by name and fields, show."""
        self._write(self.session.show(wishes, self.now))
        self.settle()

    def run(self, for_s: float) -> None:
        """Let simulated time pass."""
        self._run(self.now + for_s, lambda: False)

    def run_until(self, done: Callable[[], bool], within_s: float = 120.0) -> None:
        """Let simulated time pass until it is done. Raises `Unanswered` when it is not in time."""
        if not self._run(self.now + within_s, done):
            raise Unanswered(f"not within {within_s} s; heard {self.heard}")

    def settle(self) -> None:
        """Let everything be said and heard that can be now."""
        moving = True
        while moving:
            self._reopen()
            self.station.turn(self.now)
            moving = self._hear() | self._await_reading()

    def close(self) -> None:
        """Close the port."""
        if self._port is not None:
            os.close(self._port)
            self._port = None

    def _run(self, until: float, done: Callable[[], bool]) -> bool:
        self.settle()
        while not done():
            due = self.station.due()
            self.now = max(self.now, min(until, self.session.due(), inf if due is None else due))
            self._take(self.session.elapsed(self.now))
            self.settle()
            if self.now >= until:
                return done()
        return True

    def _reopen(self) -> None:
        line = self.station.line
        if self._port is None and line.up:
            self._port = os.open(line.link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            self._read, self._written = line.sent, line.received
            self._take(self.session.opened(self.now))
        elif self._port is not None and not line.up:
            self.close()
            self._take(self.session.closed(self.now))

    def _hear(self) -> bool:
        """Read what the line has sent and nobody has read; say whether there was something."""
        missing = self.station.line.sent - self._read
        if self._port is None or not missing:
            return False
        if not select.select([self._port], [], [], PATIENCE_S)[0]:
            raise Unanswered(f"{missing} bytes were sent and never came")
        data = os.read(self._port, missing)
        self._read += len(data)
        self._take(self.session.receive(data, self.now))
        return True

    def _await_reading(self) -> bool:
        """Wait until the line can read what was written to it; say whether there is something."""
        descriptor = self.station.fileno()
        if self._port is None or descriptor is None:
            return False
        if self._written == self.station.line.received:
            return False
        if not select.select([descriptor], [], [], PATIENCE_S)[0]:
            raise Unanswered("bytes were written and never came")
        return True

    def _take(self, items: Iterable[Item]) -> None:
        for item in items:
            if isinstance(item, Send):
                self._write(item.data)
                continue
            self.items.append(item)
            if isinstance(item, (Happened, NotUnderstood, EventsLost)):
                self._write(self.session.acknowledge(item.n, item.boot))

    def _write(self, data: bytes) -> None:
        if data and self._port is not None and self.session.state is not State.CLOSED:
            self._written += os.write(self._port, data)
