"""Counts by hand: of the cards that are left after the deal, and of the whole deck.

Source: 58 Pa. Code §§ 663a.8(f), 671a.11(h) and 687a.8(g).
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from felt_simulators.pace import READ_S

if TYPE_CHECKING:
    from felt_simulators.dealer import Dealer
    from felt_simulators.record import Played


class Counts:
    """Remembers how many rounds were played since the last count."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._rounds = 0

    async def rest(self, played: Played, *, asked: bool) -> None:
        """Count what is left and report it, if the screen asks for it or it is time."""
        if not played.deck or not (asked or self._due()):
            return
        if asked:
            self._dealer.lapses.discard("no-count")
        elif "no-count" in self._dealer.lapses:
            return
        else:
            await asyncio.sleep(READ_S)
        self._rounds = 0
        await self._dealer.give("count", deck=played.deck, count=played.left, part="remaining")

    def _due(self) -> bool:
        """Whether the cards left were last counted so long ago that this round's must be."""
        every = self._crew.game.stub_every
        self._rounds += 1
        return bool(every) and not self._crew.machines.shuffler.build.counts and self._rounds >= every
