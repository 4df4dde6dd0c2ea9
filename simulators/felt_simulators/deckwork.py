"""What a dealer does with decks: into the shuffler, out of it, into the shoe, and what the panel asks for.

One rule of the house keeps the table's books simple: a deck goes into a machine while no other one lies
at hand, so that nobody has to guess which it is.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from felt_simulators.cards import DECK_SIZE
from felt_simulators.devices import shoe_build, shuffler_build
from felt_simulators.devices.hands import Refused
from felt_simulators.panel import Declined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_simulators.cards import Card
    from felt_simulators.crew import Crew
    from felt_simulators.devices.shoe import Shoe
    from felt_simulators.devices.shuffler import Shuffler
    from felt_simulators.view import View

HANDLE_S = 3.0
COUNT_S = 25.0
WAIT_S = 5.0
# A shuffle takes half a minute. For so long people wait for its end, and for its beginning.
SHUFFLE_LIMIT_S = 120.0
START_LIMIT_S = 30.0
REPAIR_LIMIT_S = 600.0
ATTEMPTS = 20
_BUSY = frozenset({shuffler_build.State.SHUFFLING, shuffler_build.State.STARTING})


class Deckwork:
    """Where each deck is, and the hands that move it."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._shuffler, self._shoe = crew.machines.shuffler, crew.machines.shoe
        self.in_shuffler: str | None = None
        self.in_shoe: str | None = None
        self.dealt: str | None = None
        # How often a loaded shuffler was given up in a row.
        self._in_vain = 0

    # The usual course.

    async def open(self) -> None:
        """Bring dice and decks, shuffle the first deck into the shoe and leave the second in the shuffler."""
        crew = self._crew
        await crew.floor.bring_dice(crew.shaker_id)
        first, second = list(crew.props.decks_named())[:2]
        await crew.floor.bring_deck(first)
        await self.load_shuffler(first)
        await self.tend_shuffler()
        await self.unload_shuffler()
        await self.load_shoe(first)
        await crew.floor.bring_deck(second)
        await self.load_shuffler(second)
        await crew.floor.open_table()

    async def change_over(self) -> None:
        """After a round: the deck from the shuffler goes into the shoe, the one dealt into the shuffler."""
        if self.in_shoe is not None:
            return
        await self._until_heard()
        following = self.in_shuffler
        if following is not None:
            await self.unload_shuffler()
            await self._settle_in_hand(following)
            await self.load_shoe(following)
        if self.dealt is not None:
            await self.load_shuffler(self.dealt)

    async def deal_same_deck_again(self) -> None:
        """What a dealer must not do: the deck that was just dealt goes into the shoe unshuffled."""
        if self.dealt is not None:
            self._crew.props.gather(self.dealt)
            await self.load_shoe(self.dealt)

    async def make_shoe_ready(self) -> None:
        """See to it that nothing but people is in the way of the next deal, as far as a dealer can."""
        for _ in range(ATTEMPTS):
            view = await self._crew.panel.look()
            if view.void:
                return
            hold = self._in_the_way(view)
            if hold is None:
                return
            await self._see_to(hold, view)

    async def tend_shuffler(self) -> None:
        """Stay with the shuffler until the deck in it is shuffled and nothing holds it."""
        for _ in range(ATTEMPTS):
            name = self.in_shuffler
            if name is None:
                return
            state = self._shuffler.state
            if state in _BUSY:
                with contextlib.suppress(TimeoutError):
                    await self._crew.host.until(lambda: self._shuffler.state not in _BUSY, SHUFFLE_LIMIT_S)
                await asyncio.sleep(WAIT_S / 5)
            elif state is shuffler_build.State.SHUFFLED:
                view = await self._crew.panel.look()
                if not self._deck_holds(view, name):
                    return
                await self._redo(name, view)
            elif state is shuffler_build.State.LOADED:
                await self._await_start(name)
            elif state is shuffler_build.State.INTERRUPTED:
                await self._clear_shuffler(name)
            elif state is shuffler_build.State.EMPTY:
                await self.load_shuffler(name)
            else:
                await asyncio.sleep(WAIT_S)

    async def settle_demands(self) -> None:
        """Do what the panel asks for about decks that are in the hand: count them, or have them changed."""
        for name in self._crew.props.decks_named():
            if name not in {self.in_shuffler, self.in_shoe}:
                await self._settle_in_hand(name)

    async def collect_round(self) -> None:
        """After a void round: all its cards out of the shoe and from the layout into the hand."""
        now = self._crew.now
        await self._crew.host.until(lambda: self._shoe.state is not shoe_build.State.STARTING)
        for hand in (self._shoe.clear_jam, self._shoe.take_stack):
            await asyncio.sleep(HANDLE_S)
            with contextlib.suppress(Refused):
                self._crew.props.pick_up(hand(now()))
        self._crew.props.pick_up(await self.empty_shoe())
        for name in self._crew.props.decks_named():
            if name != self.in_shuffler:
                self._crew.props.gather(name)

    # Hands.

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
        self.in_shuffler = None

    async def load_shoe(self, name: str) -> None:
        """Put a deck into the shoe."""
        await self._until_usable(self._shoe)
        self._shoe.load(self._crew.props.hand[name], self._crew.now())
        self._crew.props.take_hand(name)
        self.in_shoe = name

    async def empty_shoe(self) -> list[Card]:
        """Take what is left out of the shoe."""
        await asyncio.sleep(HANDLE_S)
        self.dealt, self.in_shoe = self.in_shoe or self.dealt, None
        try:
            return self._shoe.remove_rest(self._crew.now())
        except Refused:
            return []

    async def _until_heard(self) -> None:
        """Wait a while for devices that the panel does not hear: what is done with them now is not seen."""
        for _ in range(ATTEMPTS):
            await asyncio.sleep(HANDLE_S)
            view = await self._crew.panel.look()
            if not {"stale", "lost", "connected"} & set(view.shown["devices"].values()):
                return

    async def _until_usable(self, machine: Shuffler | Shoe) -> None:
        """Wait until a machine is neither broken nor starting; its repair is the floorperson's business."""
        await asyncio.sleep(HANDLE_S)
        await self._crew.host.until(lambda: machine.state.value not in {"broken", "starting"}, REPAIR_LIMIT_S)

    # Remedies.

    def _in_the_way(self, view: View) -> Mapping[str, Any] | None:
        """The first hold that keeps the deck in the shoe from being dealt."""
        for hold in view.holds:
            closes = "deal" in hold["gates"]
            if closes and not (hold["subject"] == "deck" and hold["subject_id"] != self.in_shoe):
                return hold
        return None

    async def _see_to(self, hold: Mapping[str, Any], view: View) -> None:
        wanted = set(view.directives(int(hold["incident"])))
        if "change-dice" in wanted:
            await self._crew.floor.bring_dice(str(hold["subject_id"]))
        elif hold["subject"] == "deck" and self.in_shoe is not None:
            await self._take_out_of_play(self.in_shoe)
        else:
            # Somebody else sees to a device; its cards come out if that is what it takes.
            await asyncio.sleep(WAIT_S)
            if hold["cause"] == "gone" and hold["subject_id"] == self._crew.shoe_id:
                await self._empty_for_remedy()

    async def _empty_for_remedy(self) -> None:
        name = self.in_shoe
        cards = await self.empty_shoe()
        self._crew.props.pick_up(cards)
        if name is not None:
            self._crew.props.gather(name)
            await self.load_shoe(name)

    async def _take_out_of_play(self, name: str) -> None:
        """The deck in the shoe is in doubt: settle what can be settled, or play the other deck."""
        dealt = self.dealt
        self._crew.props.pick_up(await self.empty_shoe())
        self.dealt = dealt
        await self._settle_in_hand(name)
        view = await self._crew.panel.look()
        if not self._deck_holds(view, name) and view.deck(name)["shuffled"]:
            await self.load_shoe(name)
            return
        other = self.in_shuffler
        if other is not None and await self._must_wait(name, other):
            # Of two decks at hand the table takes the one that was dealt last to go into the shuffler.
            await self.unload_shuffler()
            await self._shuffle_into_shoe(name)
            await self.load_shuffler(other)
        elif other is not None:
            await self.tend_shuffler()
            await self.unload_shuffler()
            await self.load_shoe(other)
            await self.load_shuffler(name)
        else:
            await self._shuffle_into_shoe(name)

    async def _must_wait(self, name: str, other: str) -> bool:
        """Whether the deck in the shuffler must wait until this one is in the shoe."""
        with contextlib.suppress(TimeoutError):
            await self._crew.host.until(lambda: self._shuffler.state not in _BUSY, SHUFFLE_LIMIT_S)
        view = await self._crew.panel.look()
        if self._shuffler.state is shuffler_build.State.SHUFFLED and not self._deck_holds(view, other):
            return False
        at_rest = {shuffler_build.State.SHUFFLED, shuffler_build.State.LOADED}
        later = view.deck(name)["last_round"] > view.deck(other)["last_round"]
        return later and self._shuffler.state in at_rest

    async def _shuffle_into_shoe(self, name: str) -> None:
        await self.load_shuffler(name)
        await self.tend_shuffler()
        await self.unload_shuffler()
        await self.load_shoe(name)

    async def _redo(self, name: str, view: View) -> None:
        """Take a shuffled deck that is in doubt out again, settle the doubt, shuffle it again."""
        if "leave-sort-mode" in view.demanded_of("deck", name):
            self._shuffler.switch_mode("shuffle", self._crew.now())
        await self.unload_shuffler()
        await self._settle_in_hand(name)
        await self.load_shuffler(name)

    async def _clear_shuffler(self, name: str) -> None:
        await asyncio.sleep(HANDLE_S)
        self._crew.props.pick_up(self._shuffler.clear_jam(self._crew.now()))
        await self._settle_in_hand(name)
        await self.load_shuffler(name)

    async def _await_start(self, name: str) -> None:
        """Wait for a loaded shuffler to begin; one that never does is emptied and loaded again.

        If that does not help either, another deck is brought.
        """
        waiting = shuffler_build.State.LOADED
        try:
            await self._crew.host.until(lambda: self._shuffler.state is not waiting, START_LIMIT_S)
        except TimeoutError:
            await self.unload_shuffler()
            await self._settle_in_hand(name)
            self._in_vain += 1
            if self._in_vain > 1:
                await self._crew.floor.bring_deck(name)
                self._in_vain = 0
            await self.load_shuffler(name)
        else:
            self._in_vain = 0

    async def _settle_in_hand(self, name: str) -> None:
        """Search, count, report or change a deck that is in the hand, as far as the panel asks for it."""
        crew = self._crew
        wanted = (await crew.panel.look()).demanded_of("deck", name)
        if "remove-deck" in wanted:
            await crew.floor.bring_deck(name)
        elif wanted & {"count-deck", "search-device"}:
            if "search-device" in wanted:
                await self._search()
            crew.props.gather(name)
            await asyncio.sleep(COUNT_S)
            number = crew.props.in_hand(name)
            if number != DECK_SIZE:
                await crew.floor.bring_deck(name)
                return
            try:
                await crew.floor.tell("count", deck=name, count=number)
            except Declined:
                # The table's books have some of the deck elsewhere, and nobody argues with them.
                await crew.floor.bring_deck(name)
            else:
                crew.record.reports.append(("count", name, number))

    async def _search(self) -> None:
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

    @staticmethod
    def _deck_holds(view: View, name: str) -> list[Mapping[str, Any]]:
        return [hold for hold in view.holds_on("deck", name) if "deal" in hold["gates"]]
