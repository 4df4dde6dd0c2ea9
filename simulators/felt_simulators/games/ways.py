"""The ways to deal hands: from an automated shoe stack by stack, or from the hand."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from felt_simulators.cards import count
from felt_simulators.devices import shoe_build
from felt_simulators.devices.hands import Refused
from felt_simulators.games.drawing import Drawing
from felt_simulators.pace import BY_HAND_S, CARD_S, GLANCE_S, PATIENCE_S, READ_S, STACK_S
from felt_simulators.props import EXTRA
from felt_simulators.stuck import Stuck

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from felt_simulators.dealer import Dealer
    from felt_simulators.games.counts import Counts
    from felt_simulators.record import Played

    StartAgain = Callable[[Played], Awaitable[None]]


class Way(Protocol):
    """One way to deal."""

    async def ready(self, played: Played, start_again: StartAgain | None) -> None:
        """Wait until cards may be dealt; find the start anew if it was withdrawn."""

    async def deal(self, played: Played, hands: Sequence[tuple[int, int]]) -> None:
        """Deal each of these seats so many cards."""

    async def hold_rest(self, played: Played) -> None:
        """Take what is left into the hand, for more cards to be dealt from it."""

    async def draw(self, seat: int, number: int) -> None:
        """Deal a seat some more cards."""

    async def put_rest_away(self, played: Played, counts: Counts) -> None:
        """Count what is left, if it is time for it, and put it into the rack."""


class FromStackShoe:
    """An automated shoe gives one stack at each press of its button: 659a.10, 663a.10, 671a.10, 687a.10."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._shoe = dealer.crew.machines.shoe
        self._rest_held = False

    async def ready(self, played: Played, start_again: StartAgain | None) -> None:
        """Wait for the shoe's lamp."""
        await self._dealer.await_permit(played, start_again)
        played.deck = self._crew.decks.hands.in_shoe or ""
        self._rest_held = False

    async def deal(self, played: Played, hands: Sequence[tuple[int, int]]) -> None:
        """Press for one stack for each hand; a card that lies apart is dealt from what is left."""
        for number, (seat, _) in enumerate([one for one in hands if one[0] != EXTRA], 1):
            await self._dealer.moment(f"stack-{number}")
            await self._press()
            await asyncio.sleep(STACK_S / 2)
            await self._dealer.moment(f"in-stack-{number}")
            await self._crew.host.until(lambda: self._shoe.state is not shoe_build.State.DEALING, PATIENCE_S)
            await asyncio.sleep(STACK_S)
            await self._take(played, seat)
            await self._dealer.look()
        await self._dealer.moment("dealt")
        for seat, cards in hands:
            if seat == EXTRA:
                await self.hold_rest(played)
                await self.draw(seat, cards)

    async def hold_rest(self, played: Played) -> None:
        """Take what is left out of the shoe."""
        if not self._rest_held:
            self._crew.props.spread = await self._crew.decks.hands.empty_shoe()
            played.left = count(self._crew.props.spread)
            self._rest_held = True

    async def draw(self, seat: int, number: int) -> None:
        """Deal from what was taken out of the shoe."""
        spread = self._crew.props.spread
        await asyncio.sleep(CARD_S * number)
        cards, spread[:number] = spread[:number], []
        self._crew.props.deliver(seat, cards)

    async def put_rest_away(self, played: Played, counts: Counts) -> None:
        """Take the rest out of the shoe, and count it face down if that is wanted."""
        await self.hold_rest(played)
        await asyncio.sleep(READ_S)
        spread = self._crew.props.spread
        played.left = count(spread)
        await counts.rest(played, asked=(await self._dealer.look()).count_left)
        self._crew.props.discard(spread)
        self._crew.props.spread = []
        await self._dealer.look()

    async def _press(self) -> None:
        """Press the dealing button until a stack comes."""
        waited = 0.0
        while True:
            try:
                self._shoe.press_deal(self._crew.now())
            except Refused:
                await asyncio.sleep(GLANCE_S)
                await self._dealer.look()
                waited += GLANCE_S
                if waited >= PATIENCE_S:
                    # A shoe that gives no more cards has failed to deal all: 659a.13(m).
                    self._crew.props.pick_up(await self._crew.decks.hands.empty_shoe())
                    await asyncio.sleep(GLANCE_S)
                    await self._dealer.look()
                    raise Stuck("the shoe gives no stack" + await self._crew.shown()) from None
            else:
                return

    async def _take(self, played: Played, seat: int) -> None:
        try:
            cards = self._shoe.take_stack(self._crew.now())
        except Refused:
            return
        turned = self._crew.props.deliver(seat, cards)
        played.stacks.append(count(cards) - count(turned))


class FromManualShoe:
    """The dealer draws each card from the shoe: 659a.8, 663a.8, 671a.8, 687a.8."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._drawing = Drawing(dealer)
        self._played: Played | None = None

    async def ready(self, played: Played, start_again: StartAgain | None) -> None:
        """Wait for the shoe's lamp."""
        self._played = played
        await self._drawing.begin(played, len(played.seats), start_again)

    async def deal(self, played: Played, hands: Sequence[tuple[int, int]]) -> None:
        """Deal one card at a time, round by round; hand by hand where the game has it so."""
        dealt = as_dealt(self._dealer, hands)
        for seat in turns(dealt, in_stacks=self._crew.game.in_stacks):
            await self._drawing.to(seat, played)
        await self._dealer.moment("dealt")

    async def hold_rest(self, played: Played) -> None:
        """It stays in the shoe."""

    async def draw(self, seat: int, number: int) -> None:
        """Deal from the shoe."""
        for _ in range(number):
            if self._played is not None:
                await self._drawing.to(seat, self._played)

    async def put_rest_away(self, played: Played, counts: Counts) -> None:
        """Take the rest out of the shoe, and count it face down if that is wanted."""
        rest = await self._crew.decks.hands.empty_shoe()
        self._crew.props.spread = rest
        await asyncio.sleep(READ_S)
        played.left = count(rest)
        await counts.rest(played, asked=(await self._dealer.look()).count_left)
        self._crew.props.discard(rest)
        self._crew.props.spread = []
        await self._dealer.look()


class FromHand:
    """The dealer deals without any device and says when the hands are out: 659a.9, 663a.9, 671a.9, 687a.9."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._crew = dealer.crew
        self._deck = ""

    async def ready(self, played: Played, start_again: StartAgain | None) -> None:
        """Take the deck that is dealt next; nothing has to permit it."""
        del played, start_again
        name = await self._crew.decks.ready_to_deal_by_hand()
        if name is None:
            raise Stuck("there is no shuffled deck to deal from" + await self._crew.shown())
        self._deck = name

    async def deal(self, played: Played, hands: Sequence[tuple[int, int]]) -> None:
        """Deal hand by hand and report it."""
        stack = self._crew.props.hand[self._deck]
        for number, (seat, cards) in enumerate(as_dealt(self._dealer, hands), 1):
            await self._dealer.moment(f"stack-{number}")
            await self._dealer.look()
            await asyncio.sleep(BY_HAND_S)
            hand, stack[:cards] = stack[:cards], []
            self._crew.props.deliver(seat, hand)
            played.stacks.append(count(hand))
        played.left = count(stack)
        await self._dealer.report("cards-dealt", deck=self._deck)
        played.deck = self._deck
        await self._dealer.moment("dealt")

    async def hold_rest(self, played: Played) -> None:
        """It is in the hand."""

    async def draw(self, seat: int, number: int) -> None:
        """Deal from what is in the hand."""
        stack = self._crew.props.hand[self._deck]
        await asyncio.sleep(CARD_S * number)
        cards, stack[:number] = stack[:number], []
        self._crew.props.deliver(seat, cards)

    async def put_rest_away(self, played: Played, counts: Counts) -> None:
        """Count what is left in the hand, if that is wanted; in Asia Poker it always is."""
        stack = self._crew.props.hand[self._deck]
        played.left = count(stack)
        asked = self._crew.game.everywhere or (await self._dealer.look()).count_left
        await counts.rest(played, asked=asked)
        # 659a.9(c) and the like.
        self._crew.props.discard(self._crew.props.take_hand(self._deck))
        await self._dealer.look()


def as_dealt(dealer: Dealer, hands: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The hands, each with its number of cards, as this dealer deals them: mistakes included."""
    found = list(hands)
    if dealer.lapse("one-card-more"):
        found[0] = (found[0][0], found[0][1] + 1)
    if dealer.lapse("one-card-fewer"):
        found[0] = (found[0][0], found[0][1] - 1)
    if dealer.lapse("skips-seat"):
        del found[0]
    return found


def turns(hands: Sequence[tuple[int, int]], *, in_stacks: bool) -> list[int]:
    """Who gets each card: one round of cards after the other, or one hand after the other."""
    if in_stacks:
        return [seat for seat, cards in hands for _ in range(cards)]
    return [
        seat for number in range(max(cards for _, cards in hands)) for seat, cards in hands if number < cards
    ]
