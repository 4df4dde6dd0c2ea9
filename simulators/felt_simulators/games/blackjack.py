"""A round of the blackjack family, dealt from a shoe; players play simply, the dealer by the book.

Of Blackjack the text to hand begins when two cards are dealt to each player and the dealer, and of Spanish 21
it has insurance alone: these two are dealt in the order of 672a.7(e).

Source: 58 Pa. Code §§ 633a.7(g) to (n), 635a.8, 665a.7, 672a.7 and 673a.7.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from felt_simulators.games.drawing import Drawing
from felt_simulators.games.reader import Reader
from felt_simulators.games.values import BEST, blackjack, total, up_card
from felt_simulators.pace import DECIDE_S, GLANCE_S
from felt_simulators.props import DEALER

if TYPE_CHECKING:
    from felt_simulators.cards import Card
    from felt_simulators.dealer import Dealer
    from felt_simulators.record import Played

# A player draws below 17 and doubles on 10 and 11; a dealer stands on every 17.
STANDS = 17
DOUBLES = frozenset({10, 11})
# Hands that a player can have by splitting: 665a.11(e), 672a.10(d), 673a.11(a); of 633a and 635a it is not to
# hand.
_MOST_HANDS = {"633a": 4, "635a": 4, "665a": 4, "672a": 4, "673a": 2}
# A dealer who can change nothing draws no card: 633a.7(n), 672a.7(m), 673a.7(p). 665a has no such line.
_SPARED = frozenset({"633a", "672a", "673a"})
_SPLIT = frozenset({"A", "8"})
_ERRORS = {"card-in-error": "card-drawn-in-error", "card-exposed": "card-exposed"}
# Who gets a card in each turn of the deal: 672a.7(e), 673a.7(e), and 665a.7(e), (f).
_OWN, _BOXES = "own", "boxes"
_BOXES_FIRST = (_BOXES, _OWN, _BOXES, _OWN)
_UP_CARD_FIRST = (_OWN, _BOXES, _BOXES, _OWN)
_SECOND_TURN, _LAST_TURN = 2, 3


class Blackjack:
    """Plays rounds of one of them."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._game = dealer.crew.game
        self.drawing = Drawing(dealer)
        self._reader = Reader(dealer)
        self._hands: dict[int, list[list[Card]]] = {}
        self._own: list[Card] = []

    def open(self) -> None:
        """No device sees the wagers."""

    async def play(self, played: Played) -> None:
        """Play one round up to its last card."""
        if self._game.in_part:
            # Nothing in the text to hand says that anybody tells who plays.
            played.seats = self._dealer.seats
        else:
            await self._dealer.tell_seats(played)
        await self.drawing.begin(played, len(played.seats))
        await self._deal(played)
        await self._dealer.moment("dealt")
        late = self._dealer.lapse("wagers-open")
        if not late:
            await self._settle_optional_wagers()
        await self._tell_up_card(played)
        over = await self._reader.asks(self._own[1], self._own[0], played)
        if late:
            await self._settle_optional_wagers()
        if not over:
            await self._play_hands(played)
            await self._play_own(played)
        await self._complete_own(played)

    def shoe_over(self) -> bool:
        """Whether the cover card has come."""
        return self.drawing.cover_came

    async def finish(self, played: Played) -> None:
        """Nothing is counted."""

    async def give_up(self) -> None:
        """Nothing lies beside the cards but one in the reader."""
        self._reader.take_out()

    async def _deal(self, played: Played) -> None:
        """Two cards each; the dealer's first is up, and comes first where the game has it so."""
        self._hands = {seat: [[]] for seat in played.seats}
        self._own = []
        missed = self._dealer.lapse("own-card-missed")
        skipped = self._dealer.lapse("skips-seat")
        single = self._dealer.lapse("one-card-only")
        for turn, to in enumerate(_UP_CARD_FIRST if self._game.up_card_first else _BOXES_FIRST):
            if to == _OWN:
                if not (missed and turn == _LAST_TURN):
                    await self._to_own(played)
                continue
            for seat in played.seats:
                first = seat == played.seats[0]
                if not (first and (skipped or (single and turn == _SECOND_TURN))):
                    await self._to(seat, 0, played)
        if missed:
            # 672a.12(e), 673a.12(e): the dealer goes on, and then takes the card that is missing.
            await self._wrong("dealers-card-missed")
            await self._to_own(played)
        await self._mend(played, skipped=skipped, single=single)

    async def _mend(self, played: Played, *, skipped: bool, single: bool) -> None:
        """A hand that got no card is dead; one that got one card gets its second after all others."""
        first = played.seats[0]
        if skipped:
            await self._wrong("players-card-missed", seat=first)
            self._hands[first] = []
        if single:
            await self._wrong("players-card-missed", seat=first)
            await self._to(first, 0, played)

    async def _wrong(self, what: str, **about: object) -> None:
        """Say what went wrong, or where the text to hand has no word for it that something did."""
        if self._game.in_part:
            await self._dealer.report("irregularity")
        else:
            await self._dealer.report(what, **about)

    async def _settle_optional_wagers(self) -> None:
        """Before any other card and the reader: 633a.7(g)."""
        if self._crew.elected("optional_wagers") == "offered":
            await asyncio.sleep(DECIDE_S)
            await self._dealer.report("optional-wagers-settled")

    async def _tell_up_card(self, played: Played) -> None:
        """Say what the up card is, unless the shoe reads it or the house has it untold.

        With an ace, insurance is settled first.
        """
        up = up_card(self._own[0])
        told = self._crew.elected("up_card") != "not-told"
        if told or self.drawing.reads:
            played.up_card = up
        if told and not self.drawing.reads:
            await self._dealer.report(f"up-card-{up}")
        await asyncio.sleep(DECIDE_S)
        if up == "ace" and "insurance-open" not in self._dealer.lapses:
            await self._dealer.report("insurance-closed")
        self._dealer.lapses.discard("insurance-open")

    async def _play_hands(self, played: Played) -> None:
        for seat in played.seats:
            hands = self._hands[seat]
            number = 0
            while number < len(hands):
                await self._play_hand(seat, number, played)
                number += 1

    async def _play_hand(self, seat: int, number: int, played: Played) -> None:
        hands = self._hands[seat]
        await asyncio.sleep(DECIDE_S)
        split = len(hands) > 1
        if len(hands[number]) == 1:
            await self._to(seat, number, played)
        if self._splits(seat, number):
            hands.append([hands[number].pop()])
            await self._to(seat, number, played)
            split = True
        hand = hands[number]
        if (split and hand[0].rank == "A") or blackjack(hand):
            return
        if len(hand) == 2 and total(hand) in DOUBLES:  # noqa: PLR2004 - two cards
            await self._asked_for(seat, number, played)
            return
        while total(hand) < STANDS:
            await self._asked_for(seat, number, played)

    async def _asked_for(self, seat: int, number: int, played: Played) -> None:
        """A card that the player asked for; one that the dealer forgets comes after the others."""
        if self._dealer.lapse("card-not-dealt"):
            await asyncio.sleep(DECIDE_S)
            await self._wrong("asked-card-missed", seat=seat)
        for lapse, word in _ERRORS.items():
            if self._dealer.lapse(lapse):
                # It is the next card, whether it was seen or not: 672a.12(b), (c).
                await self._wrong(word)
        await self._to(seat, number, played)

    def _splits(self, seat: int, number: int) -> bool:
        hands = self._hands[seat]
        hand = hands[number]
        pair = len(hand) == 2 and hand[0].rank == hand[1].rank  # noqa: PLR2004 - two cards
        return pair and hand[0].rank in _SPLIT and len(hands) < _MOST_HANDS[self._game.chapter]

    async def _play_own(self, played: Played) -> None:
        """Turn the hole card and draw to 17, unless that can change nothing."""
        await asyncio.sleep(GLANCE_S)
        alive = any(total(hand) <= BEST and not blackjack(hand) for hand in self._all_hands())
        if not alive and self._game.chapter in _SPARED:
            return
        offered = self._crew.elected("bust_it") == "offered"
        if offered:
            await self._dealer.report("hole-card-turned")
        while total(self._own) < STANDS:
            await self._to_own(played)
            if offered and not self._dealer.lapse("bust-it-late"):
                offered = await self._settle_bust_it()
        if offered:
            await self._settle_bust_it()

    async def _settle_bust_it(self) -> bool:
        """Settle the wagers on the dealer's bust before anything else: 665a.7(m). Never again this round."""
        await asyncio.sleep(DECIDE_S)
        await self._dealer.report("bust-it-settled")
        return False

    async def _complete_own(self, played: Played) -> None:
        if self._dealer.lapse("draws-on-17") and total(self._own) >= STANDS:
            card = await self.drawing.card(played)
            await self._wrong("dealer-drew-on-17")
            self._crew.props.discard([card])

    def _all_hands(self) -> list[list[Card]]:
        return [hand for hands in self._hands.values() for hand in hands if hand]

    async def _to(self, seat: int, number: int, played: Played) -> None:
        hands = self._hands[seat]
        hands[number].append(await self.drawing.to(seat, played))

    async def _to_own(self, played: Played) -> None:
        self._own.append(await self.drawing.to(DEALER, played))
