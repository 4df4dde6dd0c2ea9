"""Where each deck is, and the hands that move it: into the machines, out of them, and by hand alone.

One rule of the house keeps the table's books simple: a deck goes into a machine while no other one lies
at hand, so that nobody has to guess which it is.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from felt_simulators.cards import cover_card
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.shoe import Shoe
from felt_simulators.felt import shoe_of
from felt_simulators.record import DEALER
from felt_simulators.screen import Declined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from felt_simulators.cards import Card
    from felt_simulators.crew import Crew
    from felt_simulators.devices.manual_shoe import ManualShoe
    from felt_simulators.devices.shuffler import Shuffler

HANDLE_S = 3.0
# A shuffle and a cut by hand.
BY_HAND_S = 45.0
REPAIR_LIMIT_S = 600.0
# What a dealer puts into the shoe who takes too few cards.
SHORT = 30


class Handling:
    """The decks as the dealer knows them.

    `ready`: in the hand, shuffled, in the order in which they will be dealt; `dealt`: the one of the last
    round.
    """

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._shuffler, self._shoe = crew.machines.shuffler, shoe_of(crew.machines)
        self.in_shuffler: str | None = None
        self.in_shoe: str | None = None
        self.dealt: str | None = None
        self.ready: list[str] = []
        # Whether nothing was dealt yet of what lies in the shoe.
        self.new_in_shoe = False
        # The batch that the shuffler gives to the shoe by itself, which nobody cuts.
        self._fed: str | None = None

    def laid_aside(self) -> list[str]:
        """The decks in the hand or the rack that wait for something before they can be dealt."""
        known = {self.in_shuffler, self.in_shoe, self.dealt, *self.ready}
        props = self._crew.props
        return [name for name in props.decks_named() if name not in known and props.at_hand(name)]

    async def load_shuffler(self, name: str) -> None:
        """Put a deck into the shuffler."""
        await self._until_usable(self._shuffler)
        self._crew.props.gather(name)
        self._shuffler.load(self._crew.props.hand[name], self._crew.now())
        self._crew.props.take_hand(name)
        self.in_shuffler = name

    async def unload_shuffler(self) -> None:
        """Take the deck out of the shuffler."""
        await asyncio.sleep(HANDLE_S)
        self._crew.props.pick_up(self._shuffler.unload(self._crew.now()))
        self._fed = self.in_shuffler if self._crew.elected("feeding") == "shuffler" else None
        self.in_shuffler = None

    async def to_shuffle(self, name: str) -> bool:
        """Put a deck into the shuffler, or shuffle it by hand where the house does; whether it is inside."""
        if (await self._crew.screen.look()).shuffled_by_hand:
            await self.shuffle_by_hand(name)
        else:
            await self.load_shuffler(name)
        return self.in_shuffler == name

    async def load_shoe(self, name: str) -> None:
        """Put a deck into the shoe; a batch that many rounds are dealt from is cut first."""
        await self._until_usable(self._shoe)
        if self._crew.game.by_the_shoe:
            await self._cut(name)
        self._shoe.load(self._crew.props.hand[name], self._crew.now())
        self._crew.props.take_hand(name)
        self.in_shoe, self.new_in_shoe = name, True
        self.forget(name)

    async def _cut(self, name: str) -> None:
        """Let the stack be cut and put the cover card in; a dealer may do both wrongly."""
        crew = self._crew
        if crew.dealer.lapse("short-shoe"):
            stack = crew.props.hand[name]
            crew.props.discard(stack[SHORT:])
            del stack[SHORT:]
            return
        fed = self._fed == name
        stack = covered(crew.props.hand[name] if fed else cut(crew.props.hand[name]), crew.cover_after)
        burnt = crew.game.shoe_in_text or crew.elected("burn") == "first-card"
        for place, code in enumerate(crew.first_cards, int(burnt)):
            stack.insert(place, stack.pop(_place_of(code, stack, place)))
        crew.first_cards.clear()
        crew.props.hand[name] = stack
        if crew.game.shoe_in_text and not (fed or crew.dealer.lapse("no-cut")):
            await asyncio.sleep(HANDLE_S)
            # Where the table believes that the batch is in the shoe, it has no cut to be told of.
            with contextlib.suppress(Declined):
                await crew.screen.tell(DEALER, "report", {"what": "stack-cut", "deck": name})

    async def empty_shoe(self) -> list[Card]:
        """Take what is left out of the shoe, whose deck was dealt."""
        await asyncio.sleep(HANDLE_S)
        self.dealt, self.in_shoe = self.in_shoe or self.dealt, None
        try:
            return self._shoe.remove_rest(self._crew.now())
        except Refused:
            return []

    async def take_back(self) -> str | None:
        """Take the deck out of the shoe, not dealt; its name."""
        name, dealt = self.in_shoe, self.dealt
        self._crew.props.pick_up(await self.empty_shoe())
        self.dealt = dealt
        if name is not None:
            self._crew.props.gather(name)
        return name

    async def collect_round(self) -> None:
        """After a void round: all its cards out of the shoe and from the layout into the hand."""
        now = self._crew.now
        await self._crew.host.until(lambda: self._shoe.state.value != "starting")
        hands = [self._shoe.clear_jam]
        if isinstance(self._shoe, Shoe):
            hands.append(self._shoe.take_stack)
        for hand in hands:
            await asyncio.sleep(HANDLE_S)
            with contextlib.suppress(Refused):
                self._crew.props.pick_up(hand(now()))
        self._crew.props.pick_up(await self.empty_shoe())
        for name in self._crew.props.decks_named():
            if name != self.in_shuffler:
                self._crew.props.gather(name)

    async def shuffle_by_hand(self, name: str) -> None:
        """Shuffle a deck by hand, cut it and say so: 659a.5(a), (c)."""
        self._crew.props.gather(name)
        self._fed = None
        await asyncio.sleep(BY_HAND_S)
        await self._crew.dealer.report("deck-shuffled", deck=name)
        self.keep_ready(name)

    def keep_ready(self, name: str) -> None:
        """Lay a shuffled deck ready."""
        if name not in self.ready:
            self.ready.append(name)

    def take_to_deal(self) -> str | None:
        """The next deck that is dealt by hand, out of those that lie ready."""
        if not self.ready:
            return None
        self.dealt = self.ready.pop(0)
        return self.dealt

    async def search(self) -> None:
        """Look under the rail and inside the shuffler."""
        now = self._crew.now
        await asyncio.sleep(HANDLE_S)
        with contextlib.suppress(Refused):
            self._crew.props.pick_up(self._shuffler.search_rail(now()))
        with contextlib.suppress(Refused):
            self._shuffler.open_door(now())
            self._crew.props.pick_up(self._shuffler.look_inside(now()))
        with contextlib.suppress(Refused):
            self._shuffler.close_door(now())

    def forget(self, name: str) -> None:
        """Rely no longer on this deck's lying ready."""
        if name in self.ready:
            self.ready.remove(name)

    async def _until_usable(self, machine: Shuffler | Shoe | ManualShoe) -> None:
        """Wait until a machine is neither broken nor starting; its repair is the floorperson's business."""
        await asyncio.sleep(HANDLE_S)
        await self._crew.host.until(lambda: machine.state.value not in {"broken", "starting"}, REPAIR_LIMIT_S)


def cut(stack: Sequence[Card]) -> list[Card]:
    """Cut a stack in the middle."""
    middle = len(stack) // 2
    return [*stack[middle:], *stack[:middle]]


def covered(stack: Sequence[Card], after: int | None) -> list[Card]:
    """Put the cover card into a stack, after so many cards or a quarter from the bottom.

    Source: 58 Pa. Code §§ 665a.5(d), 672a.5(d), 673a.5(d), 686a.5(d).
    """
    cards = list(stack)
    cards.insert(len(cards) - len(cards) // 4 if after is None else after, cover_card())
    return cards


def _place_of(code: str, stack: Sequence[Card], after: int) -> int:
    """Where a card lies, from this place on."""
    return next(place for place in range(after, len(stack)) if stack[place].code == code)
