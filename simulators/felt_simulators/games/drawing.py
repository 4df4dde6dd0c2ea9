"""Single cards, drawn by hand from a manual shoe or a continuous shuffler."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from felt_simulators.devices.hands import CardSticks, Refused
from felt_simulators.felt import drawn_from
from felt_simulators.lapses import TOO_EARLY
from felt_simulators.pace import CARD_S, GLANCE_S, STOPPED_S
from felt_simulators.stuck import Stuck

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from felt_simulators.cards import Card
    from felt_simulators.dealer import Dealer
    from felt_simulators.record import Played

    StartAgain = Callable[[Played], Awaitable[None]]


class Drawing:
    """Draws the cards of one round after the other.

    `cover_came`: the cover card came since the shoe was loaded.
    """

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._shoe = drawn_from(dealer.crew.machines)
        self._number = 0
        self.cover_came = False

    @property
    def reads(self) -> bool:
        """Whether the shoe reads the cards that go face up."""
        return self._shoe.build.set_to is not None

    async def begin(self, played: Played, hands: int, start_again: StartAgain | None = None) -> None:
        """Wait for the permit, set the keys of a shoe that has some, and burn what has to be burnt."""
        early = any(self._dealer.lapse(name) for name in TOO_EARLY)
        if not (early or (self.cover_came and self._dealer.lapse("past-the-cover"))):
            await self._dealer.await_permit(played, start_again)
        played.deck = self._crew.supply.in_play or ""
        self._number = 0
        burns = self._burns()
        if self.reads:
            self._shoe.key_in(hands, self._crew.now(), burns)
        if burns and self._dealer.lapse("no-burn"):
            burns -= 1
        for _ in range(burns):
            await self.burn(played)

    def _burns(self) -> int:
        """How many cards go to the rack before this round's first: one of a new shoe, one of a new dealer."""
        game, new_shoe, new_dealer = self._crew.game, self._crew.supply.taken_as_new(), self._dealer.is_new
        self.cover_came = self.cover_came and not new_shoe
        self._dealer.is_new = False
        if game.shoe_in_text:
            return int(new_shoe) + int(new_dealer)
        return int(game.by_the_shoe and new_shoe and self._crew.elected("burn") == "first-card")

    async def burn(self, played: Played) -> None:
        """Put the next card into the discard rack, unseen: 665a.7(c), 672a.7(c), 673a.7(c), 686a.7(c)."""
        self._crew.props.discard([await self._usable(played)])
        played.burns += 1

    async def card(self, played: Played) -> Card:
        """The next card of the round."""
        card = await self._usable(played)
        played.cards += 1
        return card

    async def to(self, seat: int, played: Played) -> Card:
        """Deal a seat one card."""
        card = await self.card(played)
        self._crew.props.deliver(seat, [card])
        return card

    async def _usable(self, played: Played) -> Card:
        """The next card that can be used; what lies face up goes to the rack, the cover card aside."""
        while True:
            card = await self._next(played)
            if not card.counts:
                self.cover_came = True
            elif card.face_up:
                played.face_up += 1
                self._crew.props.discard([card])
            else:
                return card

    async def _next(self, played: Played) -> Card:
        self._number += 1
        await self._dealer.moment(f"card-{self._number}")
        await asyncio.sleep(CARD_S)
        await self._dealer.look()
        waited = 0.0
        while True:
            try:
                return self._shoe.draw(self._crew.now())
            except CardSticks:
                await asyncio.sleep(GLANCE_S)
                stuck = self._shoe.clear_jam(self._crew.now())
                await self._dealer.look()
                if stuck:
                    return stuck[0]
            except Refused as refusal:
                await asyncio.sleep(GLANCE_S)
                await self._dealer.look()
                if self._shoe.state.value == "empty" and await self._crew.supply.refill_shoe():
                    self._crew.supply.taken_as_new()
                    if self._crew.game.shoe_in_text:
                        await self.burn(played)
                waited += GLANCE_S
                if waited >= STOPPED_S:
                    raise Stuck(f"{refusal}{await self._crew.shown()}") from refusal
