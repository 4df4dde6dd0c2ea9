"""Evenings of Five Card Hi-Lo at which anything may happen."""

from __future__ import annotations

from .evening import many
from .poker_evening import PokerEvening


class HiLoEvening(PokerEvening):
    """663a, which has nothing of its own."""

    chapter = "663a"


class ManyHiLoEvenings(HiLoEvening):
    """The same, where there is time for many."""


TestManyEveningsOfHiLo = many(ManyHiLoEvenings)
