"""The progressive station of a table: players lay wagers on its sensors, the dealer presses Start Game.

Source: 58 Pa. Code §§ 687a.8(c) and 687a.9(b).
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from felt_simulators.devices.hands import Refused
from felt_simulators.devices.progressive_station import ProgressiveStation
from felt_simulators.pace import GLANCE_S

if TYPE_CHECKING:
    from felt_simulators.dealer import Dealer


class Progressive:
    """Every other player has a wager on the progressive, where the table has a station."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._station = dealer.crew.machines.perhaps(ProgressiveStation)
        self._pressed = False

    @property
    def played(self) -> bool:
        """Whether anybody has a wager on it."""
        return self._station is not None

    def lay_wagers(self) -> None:
        """Players lay their wagers on the sensors."""
        if self._station is not None:
            for seat in self._dealer.seats[::2]:
                with contextlib.suppress(Refused):
                    self._station.place_bet(seat, self._crew.now())

    async def start_early(self) -> None:
        """Press Start Game while bets are open, if the dealer does this wrong. Raises `RoundVoid`."""
        self._pressed = self._station is not None and self._dealer.lapse("start-game-early")
        if self._pressed:
            await self._press()

    async def start_game(self) -> None:
        """Press Start Game and collect what lies at the lamps that are lit. Raises `RoundVoid`."""
        if self._station is None or self._dealer.lapse("no-start-game"):
            return
        if not self._pressed:
            await self._press()
        if self._dealer.lapse("no-collect"):
            return
        with contextlib.suppress(Refused):
            self._station.collect(self._crew.now())
        await self._dealer.look()

    async def _press(self) -> None:
        await self._dealer.moment("start-game")
        await self._dealer.look()
        if self._station is not None:
            self._station.press_start(self._crew.now())
        await asyncio.sleep(GLANCE_S)

    def take_back(self) -> None:
        """Wagers that lie on sensors go back to the players."""
        if self._station is not None:
            for seat in self._dealer.seats:
                with contextlib.suppress(Refused):
                    self._station.take_bet(seat, self._crew.now())
