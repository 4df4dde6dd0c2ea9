"""Tells how long ago something happened in a device, from the device's own uptime.

The device says "up" or "t" in milliseconds since its boot. Each such number, when it arrives, says
that the boot was at most `now - up` on our clock: bytes may be delayed and are never early. The
least of these is kept. It may creep up again by more than two crystals can drift apart, so that one
early guess does not hold for ever.
"""

from math import inf
from typing import Final

# Two crystals of 100 ppm, one fast and one slow.
DRIFT: Final = 200e-6


class DeviceClock:
    """Knows when a device booted, on the host's monotonic clock, as well as its messages tell."""

    __slots__ = ("_booted_s", "_seen_s")

    def __init__(self) -> None:
        self._booted_s = inf
        self._seen_s = 0.0

    def saw(self, up_ms: int, now: float) -> None:
        """Take an uptime that the device said in a message that is read now."""
        crept_s = self._booted_s + DRIFT * (now - self._seen_s)
        self._booted_s = min(crept_s, now - up_ms / 1000)
        self._seen_s = now

    def age_s(self, t_ms: int, now: float) -> float:
        """Seconds since the device's uptime was `t_ms`; an uptime must have been seen before."""
        return max(0.0, now - self._booted_s - t_ms / 1000)
