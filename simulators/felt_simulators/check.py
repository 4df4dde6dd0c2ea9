"""A check: what was told of one thing, and what is true of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import TypeIs


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
        told, true = self.told, self.true
        if not (_is_list(told) and _is_list(true)):
            return told, true
        return [one for one in told if one not in true], [one for one in true if one not in told]


def _is_list(value: object) -> TypeIs[list[object]]:
    return isinstance(value, list)
