"""What happens to a deck between its box and its first shuffle, and who reports it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from felt_simulators.record import DEALER, FLOORPERSON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_simulators.crew import Crew
    from felt_simulators.record import Who

WALK_S = 5.0
# What is reported, by whom, and how long it takes before, in seconds.
# Source: 58 Pa. Code § 659a.4(a) to (c) and the same section of the other chapters.
STEPS = (
    ("deck-inspected", DEALER, 20.0),
    ("inspection-verified", FLOORPERSON, 8.0),
    ("deck-spread", DEALER, 8.0),
    ("player-looked", DEALER, 10.0),
    ("deck-washed", DEALER, 12.0),
)
# Source: 58 Pa. Code § 665a.4(b).
TENS_REMOVED = ("tens-removed", FLOORPERSON, 15.0)


class Preparation:
    """Brings decks and prepares them; those that are `preshuffled` need none of it: 659a.4(d)."""

    def __init__(self, crew: Crew, preshuffled: frozenset[str]) -> None:
        self._crew = crew
        self._preshuffled = preshuffled

    def waives(self, name: str) -> bool:
        """Whether decks under this name come preinspected and preshuffled."""
        return name in self._preshuffled

    async def bring_deck(self, name: str) -> None:
        """Bring a new deck under this name, up to its shuffle; what people have of the old one leaves."""
        await asyncio.sleep(WALK_S)
        self._crew.props.bring(name)
        self._crew.supply.forget(name)
        given = {"preshuffled": True} if self.waives(name) else {}
        await self._crew.floor.tell("change-deck", deck=name, **given)
        if not given:
            for what, who, takes_s in self._steps():
                await asyncio.sleep(takes_s)
                await self._crew.screen.tell(who, "report", {"what": what, "deck": name})

    def _steps(self) -> Iterator[tuple[str, Who, float]]:
        for step in STEPS:
            game = self._crew.game
            if step[0] == "deck-spread" and game.content.without and not game.in_part:
                yield TENS_REMOVED
            yield step
