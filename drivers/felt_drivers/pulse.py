"""When a device was last heard, level by level: bytes, frames, facts."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from felt_protocols.link.items import Counters


class Pulse:
    """Counts and times of one device, in link time; a time is -inf until the first time."""

    def __init__(self) -> None:
        self.opened_s = inf
        self.bytes_s = self.frame_s = self.fact_s = -inf
        self.facts = 0
        self.not_understood = 0
        # Bytes read from and written to ports that are closed again.
        self.earlier_ports = (0, 0)
        # Frames of sessions that are over.
        self.earlier_frames = 0
        # Whether the table was told that this driver is at fault.
        self.faulty = False

    def left(self, read: int, written: int) -> None:
        """A port was closed."""
        before = self.earlier_ports
        self.earlier_ports = (before[0] + read, before[1] + written)
        self.opened_s = inf

    def heard_for_s(self, now: float) -> float:
        """For how long the device has been heard at this port; 0 when it is not."""
        return now - self.opened_s if self.frame_s >= self.opened_s else 0.0

    def health(self, now: float, counters: Counters, port: tuple[int, int]) -> dict[str, object]:
        """The levels above the port, each with its count and the age of the last.

        `port`: bytes read and written at the port that is open now.
        """
        read, written = (past + here for past, here in zip(self.earlier_ports, port, strict=True))
        return {
            "bytes": {"read": read, "written": written, "age_s": _age_s(now, self.bytes_s)},
            "frames": {
                "count": self.earlier_frames + counters.frames,
                "garbled": dict(counters.garbled),
                "duplicates": counters.duplicates,
                "gaps": counters.gaps,
                "unexpected": counters.unexpected,
                "age_s": _age_s(now, self.frame_s),
            },
            "facts": {
                "count": self.facts,
                "not_understood": self.not_understood,
                "age_s": _age_s(now, self.fact_s),
            },
        }


def _age_s(now: float, then: float) -> float | None:
    """Seconds since then; None when it never was."""
    return None if then == -inf else round(now - then, 3)
