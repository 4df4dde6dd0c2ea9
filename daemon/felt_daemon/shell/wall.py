"""The time of day, where it can be trusted: what an expiry is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from felt_protocols.events import Moment


class WallTime:
    """The wall clock while it is trusted, and the kernel's clock on from there, should it be lost again.

    So once there was a time in a run there always is one, and what had come to its end stays ended.
    """

    def __init__(self) -> None:
        self._anchor: Moment | None = None

    def now_us(self, moment: Moment) -> int | None:
        """Microseconds since 1970 at this moment; None as long as nobody could say since the start."""
        if moment.trusted:
            self._anchor = moment
            return moment.utc_us
        if self._anchor is None:
            return None
        return self._anchor.utc_us + (moment.mono_ns - self._anchor.mono_ns) // 1000
