"""The hole-card reader in a dealer's hands: whether the dealer has a Blackjack, before anybody else knows.

Source: 58 Pa. Code §§ 665a.7(g), 672a.7(g) and 673a.7(h).
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from felt_simulators.devices.hands import Refused
from felt_simulators.devices.hole_card_reader import HoleCardReader, State
from felt_simulators.pace import GLANCE_S, READ_S, STOPPED_S
from felt_simulators.stuck import Stuck

if TYPE_CHECKING:
    from felt_simulators.cards import Card
    from felt_simulators.dealer import Dealer
    from felt_simulators.record import Played

# A card that could not be read is put in once more.
_TRIES = 2


class Reader:
    """Asks the reader where the up card calls for it, where the table has one."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._reader = dealer.crew.machines.perhaps(HoleCardReader)

    async def asks(self, hole: Card, up: Card, played: Played) -> bool:
        """Ask if the up card calls for it; whether the answer ends the round. Raises `RoundVoid`."""
        in_error = self._dealer.lapse("reader-in-error")
        calls = up.rank in self._crew.game.reads
        if self._reader is None or calls is in_error or (calls and self._dealer.lapse("no-reader")):
            return False
        for _ in range(_TRIES):
            answer = await self._asked(self._reader, hole, up, played)
            await self._dealer.moment("read")
            await self._dealer.look()
            if answer is not None:
                return answer and not self._dealer.lapse("plays-after-blackjack")
        return False

    def take_out(self) -> None:
        """Take out whatever is in it."""
        if self._reader is not None:
            with contextlib.suppress(Refused):
                self._reader.remove(self._crew.now())

    async def _asked(self, reader: HoleCardReader, hole: Card, up: Card, played: Played) -> bool | None:
        """Put the card in, wait for the answer, take it out; None where no answer came."""
        await self._dealer.moment("reader")
        await self._insert(reader, hole, up)
        played.reads += 1
        with contextlib.suppress(TimeoutError):
            await self._crew.host.until(lambda: reader.state is not State.READING, READ_S)
        await asyncio.sleep(READ_S)
        told = reader.truth["readings"][-1]["told"]
        self.take_out()
        return {"yes": True, "no": False}.get(str(told))

    async def _insert(self, reader: HoleCardReader, hole: Card, up: Card) -> None:
        waited = 0.0
        while True:
            try:
                reader.insert(hole, up, self._crew.now())
            except Refused as refusal:
                await asyncio.sleep(GLANCE_S)
                await self._dealer.look()
                waited += GLANCE_S
                if waited >= STOPPED_S:
                    raise Stuck(f"{refusal}{await self._crew.shown()}") from refusal
            else:
                return
