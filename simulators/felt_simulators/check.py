"""A check: what was told of one thing, and what is true of it."""

from __future__ import annotations

from dataclasses import dataclass


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
