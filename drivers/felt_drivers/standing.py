"""Whether a device is there, told once per change: pure."""

from __future__ import annotations

from typing import Literal, TypeAlias

Why: TypeAlias = Literal["silent", "link", "never-seen"]


class Standing:
    """How the device was last told to stand; each method says whether that is news."""

    def __init__(self) -> None:
        self.now: Literal["unseen", "heard", "stale", "lost"] = "unseen"
        self._seen = False

    def heard(self) -> bool:
        """The device is heard; true when it was told stale or lost before."""
        back = self.now in {"stale", "lost"}
        self.now, self._seen = "heard", True
        return back

    def silent(self) -> bool:
        """The device was silent for longer than it may."""
        if self.now != "heard":
            return False
        self.now = "stale"
        return True

    def gone(self) -> Why | None:
        """The device was silent for too long; why it is lost, or None when that is known."""
        if self.now == "lost":
            return None
        self.now = "lost"
        return "silent" if self._seen else "never-seen"

    def hung_up(self) -> Why | None:
        """The port is gone; why the device is lost, or None when that is known or it was never there."""
        if self.now not in {"heard", "stale"}:
            return None
        self.now = "lost"
        return "link"
