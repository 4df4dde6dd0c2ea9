"""What people do together when a scenario says so: opening, a pause for want of players, a test."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from felt_simulators.devices import shuffler_build

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from felt_simulators.crew import Crew

TASKS = {
    "open": "dice and decks are brought and prepared, and the table is opened",
    "take-out": "the dealer takes the deck out of the shuffler and keeps it in the hand",
    "idle": "nobody plays: the dealer empties the shoe and spreads the cards",
    "resume": "the first player has looked: the spread deck is washed and shuffled, and play goes on",
    "relief": "another dealer comes to the table",
    "test-shuffle": "a technician takes the deck out of the shuffler and shuffles it once more",
}
WASH_S = 12.0


class Tasks:
    """Does them, each by its word."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._spread: list[str] = []
        self._tasks: dict[str, Callable[[], Awaitable[None]]] = {
            "open": crew.supply.open,
            "take-out": self._take_out,
            "idle": self._idle,
            "resume": self._resume,
            "relief": self._crew.dealer.relieve,
            "test-shuffle": self._test_shuffle,
        }

    async def do(self, name: str) -> None:
        """Do one of `TASKS`. Raises `Refused`, `Declined` and `Stuck`."""
        await self._tasks[name]()

    async def _take_out(self) -> None:
        decks = self._crew.decks
        await decks.tend_shuffler()
        if decks.hands.in_shuffler is not None:
            await decks.hands.unload_shuffler()

    async def _idle(self) -> None:
        """Source: 58 Pa. Code § 659a.5(e)."""
        hands = self._crew.decks.hands
        back = await hands.take_back()
        # What lies ready in the hand is spread with it.
        self._spread = [name for name in (back, *hands.ready) if name is not None]
        await self._crew.dealer.report("cards-spread")

    async def _resume(self) -> None:
        """The deck in the shuffler is dealt next; the one that lay spread takes its place there.

        Shuffled by hand, each that lay spread is dealt again.
        """
        hands = self._crew.decks.hands
        shuffled = hands.in_shuffler
        for spread in self._spread:
            await self._crew.dealer.report("player-looked", deck=spread)
            await asyncio.sleep(WASH_S)
            await self._crew.dealer.report("deck-washed", deck=spread)
            await self._take_out()
            if shuffled is not None and hands.in_shoe is None:
                await hands.load_shoe(shuffled)
            if await hands.to_shuffle(spread):
                await self._crew.decks.tend_shuffler()
            elif hands.in_shoe is None:
                await hands.load_shoe(spread)
        await self._crew.dealer.report("play-resumes")

    async def _test_shuffle(self) -> None:
        """What a technician does with the cards that happen to be in the machine."""
        shuffler, hands = self._crew.machines.shuffler, self._crew.decks.hands
        name = hands.in_shuffler
        if name is None:
            return
        await hands.unload_shuffler()
        await hands.load_shuffler(name)
        await self._crew.host.until(lambda: shuffler.state is shuffler_build.State.SHUFFLED)
