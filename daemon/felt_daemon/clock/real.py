"""The clock of a real table."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING

from felt_daemon.clock.contract import never_busy, no_links
from felt_daemon.clock.kernel import boot_id, synchronized
from felt_protocols.events import Moment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# How long an answer of the kernel about its synchronization is taken for current.
TRUST_KEPT_S = 1.0
_S_IN_NS = 1_000_000_000


class RealClock:
    """CLOCK_BOOTTIME for durations, which goes on while the box sleeps; the wall clock for people."""

    simulated = False

    def __init__(self) -> None:
        self.ports: Mapping[str, str] = {}
        self.busy: Callable[[], bool] = never_busy
        self.links: Callable[[], Mapping[str, tuple[int, int]]] = no_links
        self._boot = boot_id()
        self._start = secrets.token_hex(8)
        self._trusted = synchronized()
        self._asked_s = time.monotonic()

    @property
    def trusted(self) -> bool:
        """Whether the wall clock is synchronized, as the kernel said within the last second."""
        now_s = time.monotonic()
        if now_s - self._asked_s >= TRUST_KEPT_S:
            self._trusted, self._asked_s = synchronized(), now_s
        return self._trusted

    def moment(self, *, late: bool = False, age_s: float = 0.0) -> Moment:
        """The moment `age_s` seconds ago."""
        age_ns = round(age_s * _S_IN_NS)
        return Moment(
            boot=self._boot,
            start=self._start,
            mono_ns=time.clock_gettime_ns(time.CLOCK_BOOTTIME) - age_ns,
            utc_us=(time.time_ns() - age_ns) // 1000,
            trusted=self.trusted,
            late=late,
        )

    def link_now(self) -> float:
        """Seconds; the loop's own time."""
        return time.monotonic()

    def loop_time(self, link_t: float) -> float:
        """The same: nothing leaps in real time."""
        return link_t
