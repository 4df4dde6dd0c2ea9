"""A round of the poker four: everybody gets a hand, and what is left of the deck is put away or counted.

Source: 58 Pa. Code §§ 659a.8 to .10, 663a.8 to .10, 671a.8 to .11 and 687a.8 to .10.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.games.counts import Counts
from felt_simulators.games.dice import HANDS, Dice, Marked
from felt_simulators.games.progressive import Progressive
from felt_simulators.games.ways import FromHand, FromManualShoe, FromStackShoe, Way
from felt_simulators.pace import DECIDE_S
from felt_simulators.props import DEALER, EXTRA

if TYPE_CHECKING:
    from felt_simulators.dealer import Dealer
    from felt_simulators.record import Played

# A player who draws buys a sixth card, or exchanges so many: 671a.11(d)(1).
_EXCHANGED = 2


class Poker:
    """Plays rounds of one of the four."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._game = dealer.crew.game
        self._dice = Dice(dealer) if self._game.shaken else None
        self._marked = Marked(dealer) if self._game.everywhere and not self._game.shaken else None
        self._progressive = Progressive(dealer)
        self._counts = Counts(dealer)
        # A shoe that tells of each card, or one that gives stacks.
        drawn = dealer.crew.machines.perhaps(ManualShoe) is not None
        self._shoe: Way = FromManualShoe(dealer) if drawn else FromStackShoe(dealer)
        self._hand = FromHand(dealer)

    def open(self) -> None:
        """Players lay wagers on the sensors of the progressive."""
        self._progressive.lay_wagers()

    async def play(self, played: Played) -> None:
        """Play one round up to its last card."""
        by_hand = self._crew.deals_by_hand(await self._crew.screen.look())
        way: Way = self._hand if by_hand else self._shoe
        if not by_hand:
            await self._crew.decks.make_shoe_ready()
        await self._progressive.start_early()
        await self._close_bets(played)
        if not self._game.everywhere:
            await self._dealer.tell_seats(played)
        await self._progressive.start_game()
        await way.ready(played, None if self._dice is None else self._dice.find_start)
        await way.deal(played, self._hands(played, way))
        if self._game.draws:
            await way.hold_rest(played)
            await self._draw(played, way)
        await way.put_rest_away(played, self._counts)
        if self._dice is not None:
            await self._dice.put_away()

    async def finish(self, played: Played) -> None:
        """Count the whole deck, if it is time for it."""
        await self._counts.deck(played)

    async def give_up(self) -> None:
        """Put the dice back and the lid on; wagers on sensors go back."""
        self._progressive.take_back()
        if self._dice is not None:
            self._dice.gather_and_cover()

    def shoe_over(self) -> bool:
        """Every round has a deck of its own."""
        return False

    async def _close_bets(self, played: Played) -> None:
        if self._dice is None:
            await self._dealer.say_no_more_bets()
            if self._marked is not None:
                await self._marked.find_start(played)
        elif self._dealer.lapse("bets-open"):
            await self._dice.find_start(played)
            await self._dealer.say_no_more_bets()
        else:
            await self._dealer.say_no_more_bets()
            await self._dice.find_start(played)

    def _hands(self, played: Played, way: Way) -> list[tuple[int, int]]:
        """Where cards go, in order, and how many: 0 is the dealer."""
        if self._game.everywhere:
            begin = played.seat or 0
            seats = [(begin + number) % HANDS for number in range(HANDS)]
        else:
            seats = [*played.seats, DEALER]
        hands = [(seat, self._game.hand) for seat in seats]
        # 687a.10(c): beside a shoe that gives stacks only if somebody plays the progressive.
        apart = self._progressive.played or not isinstance(way, FromStackShoe)
        return hands + [(EXTRA, 1)] * (self._game.extra if apart else 0)

    async def _draw(self, played: Played, way: Way) -> None:
        """All decisions are locked in; then each player in turn buys a card or exchanges some."""
        await asyncio.sleep(DECIDE_S)
        await self._dealer.look()
        locked = not self._dealer.lapse("no-lock")
        if locked:
            await self._dealer.report("decisions-locked")
        await self._dealer.moment("locked")
        for number, seat in enumerate(played.seats):
            await self._dealer.moment(f"draw-{number + 1}")
            await self._dealer.look()
            if number % 2:
                self._crew.props.discard_of(seat, _EXCHANGED)
            await way.draw(seat, _EXCHANGED if number % 2 else 1)
