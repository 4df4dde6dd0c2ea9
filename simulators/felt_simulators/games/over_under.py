"""A round of Over/Under: one card to each box, a decision, and two more cards.

Source: 58 Pa. Code § 686a.7.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from felt_simulators.games.drawing import Drawing
from felt_simulators.pace import DECIDE_S

if TYPE_CHECKING:
    from felt_simulators.dealer import Dealer
    from felt_simulators.record import Played

MORE = 2


class OverUnder:
    """Plays rounds."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self.drawing = Drawing(dealer)

    def open(self) -> None:
        """No device sees the wagers."""

    async def play(self, played: Played) -> None:
        """Play one round up to its last card."""
        await self._dealer.tell_seats(played)
        await self.drawing.begin(played, len(played.seats))
        for seat in played.seats:
            await self.drawing.to(seat, played)
        await self._dealer.moment("dealt")
        missed: list[int] = []
        for seat in played.seats:
            await asyncio.sleep(DECIDE_S)
            if self._dealer.lapse("card-not-dealt"):
                missed.append(seat)
            else:
                await self._more(seat, played)
        for seat in missed:
            # 686a.9(c): after all others have theirs.
            await self._dealer.report("asked-card-missed", seat=seat)
            await self._more(seat, played)

    def shoe_over(self) -> bool:
        """Whether the cover card has come."""
        return self.drawing.cover_came

    async def finish(self, played: Played) -> None:
        """Nothing is counted."""

    async def give_up(self) -> None:
        """Nothing lies beside the cards."""

    async def _more(self, seat: int, played: Played) -> None:
        for _ in range(MORE):
            await self.drawing.to(seat, played)
