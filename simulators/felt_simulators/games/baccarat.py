"""A coup of the baccarat games: two cards each for player and banker, and by the tableau a third.

Source: 58 Pa. Code §§ 627a.8, 629a.8 and 631a.9. When a third card is due is not in the text that we have;
people go by the tableau that every house hangs out.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from felt_simulators.games.drawing import Drawing
from felt_simulators.games.values import NATURAL, baccarat, banker_draws
from felt_simulators.pace import DECIDE_S

if TYPE_CHECKING:
    from felt_simulators.cards import Card
    from felt_simulators.dealer import Dealer
    from felt_simulators.record import Played

# Where the hands lie on the layout, in the place of seats.
PLAYER, BANKER = 1, 2
_PLAYER_STANDS = 6


class Baccarat:
    """Plays coups."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self.drawing = Drawing(dealer)

    def open(self) -> None:
        """No device sees the wagers."""

    async def play(self, played: Played) -> None:
        """Play one coup up to its last card."""
        await self._dealer.say_no_more_bets()
        if self._crew.elected("call") == "told" and "no-call" not in self._dealer.lapses:
            await self._dealer.report("cards-called")
        await self.drawing.begin(played, 2)
        hands: dict[int, list[Card]] = {PLAYER: [], BANKER: []}
        for whose in (PLAYER, BANKER, PLAYER, BANKER):
            hands[whose].append(await self.drawing.to(whose, played))
        await self._dealer.moment("dealt")
        early = self._dealer.lapse("third-card-early")
        if not early:
            await self._settle_house_money()
        player, banker = baccarat(hands[PLAYER]), baccarat(hands[BANKER])
        if max(player, banker) < NATURAL:
            await self._third_cards(player, banker, played)
        if early:
            await self._settle_house_money()

    def shoe_over(self) -> bool:
        """Whether the cover card has come."""
        return self.drawing.cover_came

    async def finish(self, played: Played) -> None:
        """Nothing is counted."""

    async def give_up(self) -> None:
        """Nothing lies beside the cards."""

    async def _settle_house_money(self) -> None:
        await asyncio.sleep(DECIDE_S)
        await self._dealer.report("house-money-settled")

    async def _third_cards(self, player: int, banker: int, played: Played) -> None:
        third: int | None = None
        if player < _PLAYER_STANDS:
            third = baccarat([await self.drawing.to(PLAYER, played)])
        if banker_draws(banker, third):
            await self.drawing.to(BANKER, played)
