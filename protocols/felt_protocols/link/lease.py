"""A device's permission: a lease that the host renews, spent by one cycle or round."""

from collections.abc import Mapping
from math import inf
from typing import Final

from felt_protocols.link.interlock import HOST_LOST, PERMIT_SPENT, POWER_UP

LEASE_S: Final = 5.0


class Lease:
    """Whether the machine may start, and why not. `needed` False: the family has no permits."""

    __slots__ = ("_after", "_ends_s", "_knows_end", "_lapsed", "in_cycle", "permit", "why")

    def __init__(self, *, knows_end: bool, needed: bool) -> None:
        self.permit: Mapping[str, object] | None = None
        self.why: str | None = POWER_UP if needed else None
        self.in_cycle = False
        self._knows_end = knows_end
        self._lapsed = False
        self._after: str | None = None
        self._ends_s = inf

    @property
    def lapsed(self) -> bool:
        """Whether the host has not renewed the permit in time."""
        return self._lapsed

    @property
    def busy(self) -> bool:
        """Whether another permit cannot be taken: a round that knows its end is still on."""
        return self.in_cycle and self._knows_end

    def grant(self, fields: Mapping[str, object]) -> None:
        """Take a permit; its lease runs from the last renewal, the order itself being one."""
        self.permit = fields
        self.why = self._after = None
        self.in_cycle = self._lapsed = False

    def renew(self, now: float) -> None:
        """Renew the lease; a lapse stays until the cycle ends, or is only a lamp and goes out."""
        if self._lapsed and self._knows_end:
            return
        self._lapsed = False
        self._ends_s = now + LEASE_S

    def inhibit_after_round(self, why: str) -> None:
        """Stop when the round that is on is over; without one, now."""
        if self.in_cycle and self.permit is not None:
            self._after = why
        else:
            self.inhibit(why)

    def inhibit(self, why: str) -> None:
        """Stop now."""
        self.permit = self._after = None
        self.why = why
        self._lapsed = False

    def finish(self, now: float) -> None:
        """Take that the cycle or round is over: its permit is spent."""
        self.in_cycle = False
        if self.permit is not None:
            own = HOST_LOST if self._lapsed or now >= self._ends_s else PERMIT_SPENT
            self.inhibit(self._after or own)

    def due(self) -> float:
        """When the lease lapses."""
        return inf if self.permit is None or self._lapsed else self._ends_s

    def elapsed(self, now: float) -> bool:
        """Say whether the lease lapses now; what has not begun is then inhibited at once."""
        if now < self.due():
            return False
        self._lapsed = True
        if self._knows_end and not self.in_cycle:
            self.inhibit(HOST_LOST)
        return True

    def leap(self, by_s: float) -> None:
        """Move the lease along with a simulated clock that leaps."""
        self._ends_s += by_s
