"""The ground that a walk covers: the places of a table, by the troubles that lead there.

Without trouble a place is a shape of the table's state; with trouble an outline, which many shapes share.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from felt_protocols.errors import CommandRefused

from .hands import Hands, LawBroken
from .shape import outline_of, shape_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from felt_daemon.rules import Pack
    from felt_daemon.table import State

    from .hands import Letter


# So many of the places beyond the bound are kept.
FURTHER = 1500


@dataclass
class Place:
    """What was met: the first state that looked so, the troubles that it took, and the way there."""

    state: State
    troubles: int
    came_from: Place | None = None
    by: str = ""
    walked: bool = False


@dataclass
class Ground:
    """A walk over one table. `steps`: facts that were decided; `broken`: laws that were broken, and how.

    Every step is held against the laws, also one to a place that is known. Of places with more troubles than
    a walk goes on from, which are many, only how they look is remembered: `beyond`; `further` are some of
    them, chosen by chance.
    """

    pack: Pack
    letters: Sequence[Letter]
    start: State
    places: dict[Hashable, Place] = field(default_factory=dict["Hashable", Place])
    steps: int = 0
    broken: list[str] = field(default_factory=list[str])
    beyond: set[int] = field(default_factory=set[int])
    further: list[Place] = field(default_factory=list[Place])
    _chance: random.Random = field(default_factory=lambda: random.Random(7))  # noqa: S311 - no secret
    _most_troubles: int = 0

    def walk(
        self,
        most_troubles: int,
        most_places: int | None = None,
        *,
        rng: random.Random | None = None,
        letters_each: int = 0,
    ) -> None:
        """Walk from the start, fewest troubles first, from every place with so many troubles at most.

        `most_places` ends it earlier, after so many places. With `rng` what belongs to the game is tried at
        each place, and of all else so many by chance.
        """
        self._most_troubles = most_troubles
        first = self.places.setdefault(shape_of(self.pack, self.start), Place(self.start, 0))
        waiting: list[deque[Place]] = [deque() for _ in range(most_troubles + 1)]
        waiting[0].append(first)
        walked = 0
        for troubles, queue in enumerate(waiting):
            while queue and walked != most_places:
                place = queue.popleft()
                if place.walked or place.troubles != troubles:
                    continue
                walked += 1
                place.walked = True
                for letter in self.letters if rng is None else self._some(rng, letters_each):
                    after = self._step(place, letter)
                    if after is not None:
                        waiting[after.troubles].append(after)

    def _some(self, rng: random.Random, count: int) -> list[Letter]:
        play = [one for one in self.letters if one.kind == "play"]
        return [*play, *rng.sample([one for one in self.letters if one.kind != "play"], count)]

    def _step(self, place: Place, letter: Letter) -> Place | None:
        """Do it; the place where it leads, if that is news or nearer than it was."""
        # What is strange is tried where nothing is wrong yet; nobody goes on from there.
        if (letter.kind == "strange" and place.troubles) or not letter.fits(place.state):
            return None
        hands = Hands(self.pack, place.state)
        try:
            letter.act(hands)
        except CommandRefused:
            pass
        except LawBroken as wrong:
            self.broken.append(f"{wrong}\n    after: {' · '.join((*self.way_to(place), letter.name))}")
        self.steps += len(hands.told)
        if letter.kind == "strange" or not hands.told:
            return None
        troubles = place.troubles + max(letter.cost(place.state), int(hands.ruled))
        return self._met(Place(hands.state, troubles, place, letter.name))

    def _met(self, found: Place) -> Place | None:
        looks = outline_of(found.state) if found.troubles else shape_of(self.pack, found.state)
        if found.troubles > self._most_troubles:
            self._met_beyond(found, looks)
            return None
        known = self.places.setdefault(looks, found)
        if known is found:
            return found
        if found.troubles < known.troubles:
            known.state, known.troubles, known.walked = found.state, found.troubles, False
            known.came_from, known.by = found.came_from, found.by
            return known
        return None

    def _met_beyond(self, found: Place, looks: Hashable) -> None:
        """Remember how it looks, and keep it with the same chance as any other one."""
        if looks in self.places or hash(looks) in self.beyond:
            return
        self.beyond.add(hash(looks))
        at = self._chance.randrange(len(self.beyond))
        if len(self.further) < FURTHER:
            self.further.append(found)
        elif at < FURTHER:
            self.further[at] = found

    def way_to(self, place: Place) -> tuple[str, ...]:
        """The letters that lead to a place."""
        way: list[str] = []
        at: Place | None = place
        while at is not None and at.by:
            way.append(at.by)
            at = at.came_from
        return tuple(reversed(way))

    def told(self) -> str:
        """How far a walk came, for people."""
        troubles = Counter(place.troubles for place in self.places.values())
        places = ", ".join(f"{count} with {number}" for number, count in sorted(troubles.items()))
        walked = sum(place.walked for place in self.places.values())
        places = f"places by troubles: {places}, {len(self.beyond)} beyond"
        return f"{places}; {walked} gone on from; {self.steps} facts"
