"""A round of poker that players play against each other: Badugi, or Super Seven-card Stud.

Of Super Seven-card Stud the text to hand has the first five cards of each player and the discard of two. What
is dealt after the first betting round stands in 637a.10(d) and later, which is not to hand: people bet, and
the round is over. Who folds, and how many cards a player exchanges, no text says: people keep what makes a
Badugi hand, and fold what is far from one.

Source: 58 Pa. Code §§ 637a.10(m) and 637a.21(c), (f) to (k).
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from felt_simulators.deckwork import SHUFFLE_RACK_S
from felt_simulators.games.counts import Counts
from felt_simulators.games.values import badugi
from felt_simulators.games.ways import FromHand, FromManualShoe, Way
from felt_simulators.pace import DECIDE_S
from felt_simulators.props import EXTRA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from felt_simulators.dealer import Dealer
    from felt_simulators.record import Played

# One before each draw: 637a.21(h), (i), (j).
DRAWS = ("first-draw", "second-draw", "third-draw")
# A player with fewer cards that make a Badugi hand folds in the first betting round.
_LEAST_KEPT = 2
_STUD_DISCARDS = 2


class Pot:
    """Plays rounds of one of the two."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._game = dealer.crew.game
        self._counts = Counts(dealer)
        self._shoe = FromManualShoe(dealer)
        self._hand = FromHand(dealer)
        # How often the button was moved on.
        self._moved = 0

    def open(self) -> None:
        """No device sees the bets."""

    async def play(self, played: Played) -> None:
        """Play one round up to its last card."""
        by_hand = self._crew.deals_by_hand(await self._crew.screen.look())
        way: Way = self._hand if by_hand else self._shoe
        if not by_hand:
            await self._crew.decks.make_shoe_ready()
        await self._dealer.tell_seats(played)
        await way.ready(played, None)
        order = self._order(played.seats)
        await way.deal(played, [(seat, self._game.hand) for seat in order])
        if self._game.draws:
            await self._draw(order, way, played)
        else:
            await self._discard_two(order)
        await way.put_rest_away(played, self._counts)

    async def finish(self, played: Played) -> None:
        """Move the button on: 637a.21(c)(2)."""
        del played
        self._moved += 1

    def shoe_over(self) -> bool:
        """Every round has a deck of its own."""
        return False

    async def give_up(self) -> None:
        """Nothing lies beside the cards."""

    def _order(self, seats: Sequence[int]) -> list[int]:
        """Who gets cards, in turn: from the left of the button in Badugi, else from the dealer's left.

        The button lies at first before the player at the dealer's right, who is the last.
        """
        first = self._moved % len(seats) if self._game.draws else 0
        return [*seats[first:], *seats[:first]]

    async def _draw(self, order: Sequence[int], way: Way, played: Played) -> None:
        """Three times: bets, a card that is burnt, and exchanges in turn by those who have not folded."""
        cards = self._crew.props.seats
        playing = [seat for seat in order if len(badugi(cards[seat])) >= _LEAST_KEPT]
        for word in DRAWS:
            await asyncio.sleep(DECIDE_S)
            untold = self._dealer.lapse("no-draw-told")
            if not untold:
                await self._dealer.report(word)
            # What is burnt lies apart on the table, with nobody's hand.
            await way.draw(EXTRA, 1)
            for number, seat in enumerate(playing, 1):
                await self._dealer.moment(f"draw-{number}")
                await self._exchange(seat, way, played)
            if untold:
                await self._dealer.report(word)

    async def _exchange(self, seat: int, way: Way, played: Played) -> None:
        """A player discards what makes no Badugi hand; it is out of play once the new cards are there."""
        props = self._crew.props
        kept = badugi(props.seats[seat])
        away = [card for card in props.seats[seat] if card not in kept]
        if not away:
            return
        if way is self._hand and len(props.hand[played.deck]) < len(away):
            await self._dealer.report("deck-short")
            await asyncio.sleep(SHUFFLE_RACK_S)
            props.take_rack(played.deck)
        await way.draw(seat, len(away))
        props.seats[seat] = [card for card in props.seats[seat] if card not in away]
        props.discard(away)

    async def _discard_two(self, order: Sequence[int]) -> None:
        """Each player looks at five cards and discards two, and they bet: 637a.10(m)."""
        for seat in order:
            await asyncio.sleep(DECIDE_S)
            self._crew.props.discard_of(seat, _STUD_DISCARDS)
