"""A word that can be typed at a simulated device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Command:
    """One word that can be typed: what it does, and how; it gives the line that answers."""

    what: str
    act: Callable[[str, float], str]


def doing(what: str, hand: Callable[[float], object], done: str) -> Command:
    """A word without an argument, which is answered by what is done then."""

    def act(_argument: str, now: float) -> str:
        hand(now)
        return done

    return Command(what, act)
