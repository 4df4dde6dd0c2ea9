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


# A whole deck, face down.
DECK_S = 25.0


class Counts:
    """Remembers how many rounds were played since the last count."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._rounds = 0

    async def rest(self, played: Played, *, asked: bool) -> None:
        """Count what is left and report it, if the screen asks for it or it is time."""
        if played.deck and (self._due(self._crew.game.stub_every) or asked) and not self._forgets():
            await asyncio.sleep(0.0 if asked else READ_S)
            await self._dealer.give("count", deck=played.deck, count=played.left, part="remaining")

    async def deck(self, played: Played) -> None:
        """Count the whole deck, which lies in the rack, if it is time."""
        if played.deck and self._due(self._crew.game.deck_every) and not self._forgets():
            await asyncio.sleep(DECK_S)
            self._crew.props.gather(played.deck)
            number = self._crew.props.in_hand(played.deck)
            await self._dealer.give("count", deck=played.deck, count=number)

    def _due(self, every: int) -> bool:
        """Whether the last count is so many rounds ago, where no shuffler counts."""
        self._rounds += bool(every)
        return bool(every) and not self._crew.machines.shuffler.build.counts and self._rounds >= every

    def _forgets(self) -> bool:
        """Whether the dealer forgets it this time."""
        if self._dealer.lapse("no-count"):
            return True
        self._rounds = 0
        return False
