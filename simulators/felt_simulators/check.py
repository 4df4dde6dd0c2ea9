"""A check: what was told of one thing, and what is true of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast


@dataclass(frozen=True, slots=True)
class Check:
    """One thing of which there is a truth, and whether the daemon's record says the same."""

    name: str
    told: object
    true: object

    @property
    def agrees(self) -> bool:
        """Whether both say the same."""
        return self.told == self.true

    def apart(self) -> tuple[object, object]:
        """Both sides, of long lists only what they do not share, for a message."""
        if not (isinstance(self.told, list) and isinstance(self.true, list)):
            return self.told, self.true
        told, true = cast("list[object]", self.told), cast("list[object]", self.true)
        return [one for one in told if one not in true], [one for one in true if one not in told]
