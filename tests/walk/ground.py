"""The ground that a walk covers: every shape of a table's state, by how many troubles it takes to come there."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from felt_protocols.errors import CommandRefused

from .hands import Hands, LawBroken
from .shape import outline_of, shape_of

if TYPE_CHECKING:
    import random
    from collections.abc import Hashable, Iterator, Sequence

    from felt_daemon.rules import Pack
    from felt_daemon.table import State

    from .hands import Letter


@dataclass
class Place:
    """A shape that was met: the first state that had it, the troubles that it took, and the way there."""

    state: State
    troubles: int
    came_from: Hashable = None
    by: str = ""
    ways: dict[str, Hashable] = field(default_factory=dict)
    walked: bool = False


@dataclass
class Ground:
    """A walk over one table. `steps` counts what was decided; `broken` are the laws that were, with the way."""

    pack: Pack
    letters: Sequence[Letter]
    places: dict[Hashable, Place] = field(default_factory=dict)
    steps: int = 0
    broken: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    outlines: dict[Hashable, Hashable] = field(default_factory=dict)

    def walk(
        self,
        start: State,
        most_troubles: int,
        most_places: int,
        *,
        rng: random.Random | None = None,
        letters_each: int = 0,
    ) -> bool:
        """Walk from a state, nearest troubles first; whether all was walked within these bounds.

        With `rng` only so many letters, chosen by chance, are tried at each place.
        """
        first = shape_of(self.pack, start)
        self.places.setdefault(first, Place(start, 0))
        waiting: list[deque[Hashable]] = [deque() for _ in range(most_troubles + 1)]
        waiting[0].append(first)
        walked = 0
        for troubles, queue in enumerate(waiting):
            while queue:
                shape = queue.popleft()
                place = self.places[shape]
                if place.walked or place.troubles != troubles:
                    continue
                if walked >= most_places:
                    return False
                outline = outline_of(place.state)
                if self.outlines.setdefault(outline, shape) != shape and troubles:
                    continue
                walked += 1
                place.walked = True
                letters = self.letters if rng is None else rng.sample(list(self.letters), letters_each)
                for letter in letters:
                    hands = self._step(shape, place, letter)
                    if hands is None:
                        continue
                    cost = troubles + max(letter.cost(place.state), int(hands.ruled))
                    if self._met(shape, letter, hands.state, cost) and cost <= most_troubles:
                        waiting[cost].append(place.ways[letter.name])
        return True

    def _step(self, shape: Hashable, place: Place, letter: Letter) -> Hands | None:
        # What is strange is tried where nothing is wrong yet; nobody goes on from there.
        if (letter.kind == "strange" and place.troubles) or not letter.fits(place.state):
            return None
        hands = Hands(self.pack, place.state)
        try:
            letter.act(hands)
        except CommandRefused:
            pass
        except LawBroken as wrong:
            self.broken.append(f"{wrong}\n    after: {' · '.join((*self.way_to(shape), letter.name))}")
        self.steps += len(hands.told)
        if not hands.told:
            return None
        self.used.add(letter.name)
        return None if letter.kind == "strange" else hands

    def _met(self, shape: Hashable, letter: Letter, state: State, cost: int) -> bool:
        """Enter where a step leads; whether it is news, or nearer than it was."""
        there = shape_of(self.pack, state)
        self.places[shape].ways[letter.name] = there
        known = self.places.get(there)
        if known is None:
            self.places[there] = Place(state, cost, shape, letter.name)
            return True
        if cost < known.troubles:
            known.troubles, known.came_from, known.by, known.state = cost, shape, letter.name, state
            known.walked = False
            return True
        return False

    def way_to(self, shape: Hashable) -> Iterator[str]:
        """The letters that lead to a place."""
        way: list[str] = []
        while (place := self.places[shape]).by:
            way.append(place.by)
            shape = place.came_from
        return iter(reversed(way))
