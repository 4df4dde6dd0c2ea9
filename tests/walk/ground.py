"""The ground that a walk covers: every shape of a table's state, by the troubles that lead there."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from felt_protocols.errors import CommandRefused

from .hands import Hands, LawBroken
from .shape import outline_of, shape_of

if TYPE_CHECKING:
    import random
    from collections.abc import Hashable, Sequence

    from felt_daemon.rules import Pack
    from felt_daemon.table import State

    from .hands import Letter


@dataclass
class Place:
    """A shape that was met: the first state that had it, the troubles that it took, and the way there."""

    state: State
    troubles: int
    came_from: Place | None = None
    by: str = ""
    walked: bool = False


@dataclass
class Ground:
    """A walk over one table. `steps`: facts that were decided; `broken`: laws that were broken, and how."""

    pack: Pack
    letters: Sequence[Letter]
    start: State
    places: dict[Hashable, Place] = field(default_factory=dict["Hashable", Place])
    steps: int = 0
    broken: list[str] = field(default_factory=list[str])
    outlines: set[Hashable] = field(default_factory=set["Hashable"])

    def walk(
        self,
        most_troubles: int,
        most_places: int,
        *,
        rng: random.Random | None = None,
        letters_each: int = 0,
    ) -> bool:
        """Walk from the start, fewest troubles first; whether all was walked within these bounds.

        With `rng` what belongs to the game is tried at each place, and of all else so many by chance.
        """
        first = self.places.setdefault(shape_of(self.pack, self.start), Place(self.start, 0))
        waiting: list[deque[Place]] = [deque() for _ in range(most_troubles + 1)]
        waiting[0].append(first)
        left = most_places
        for troubles, queue in enumerate(waiting):
            while queue:
                place = queue.popleft()
                if place.walked or place.troubles != troubles or self._known(place):
                    continue
                if not left:
                    return False
                left -= 1
                place.walked = True
                for letter in self.letters if rng is None else self._some(rng, letters_each):
                    after = self._step(place, letter)
                    if after is not None and after.troubles <= most_troubles:
                        waiting[after.troubles].append(after)
        return True

    def _known(self, place: Place) -> bool:
        """Whether a place with trouble looks as one does that was gone on from already."""
        outline = outline_of(place.state)
        if place.troubles and outline in self.outlines:
            return True
        self.outlines.add(outline)
        return False

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
        known = self.places.setdefault(shape_of(self.pack, found.state), found)
        if known is found:
            return found
        if found.troubles < known.troubles:
            known.state, known.troubles, known.walked = found.state, found.troubles, False
            known.came_from, known.by = found.came_from, found.by
            return known
        return None

    def way_to(self, place: Place) -> tuple[str, ...]:
        """The letters that lead to a place."""
        way: list[str] = []
        at: Place | None = place
        while at is not None and at.by:
            way.append(at.by)
            at = at.came_from
        return tuple(reversed(way))

    def told(self, *, whole: bool) -> str:
        """How far a walk came, for people."""
        troubles = Counter(place.troubles for place in self.places.values())
        shapes = ", ".join(f"{count} with {number}" for number, count in sorted(troubles.items()))
        walked = sum(place.walked for place in self.places.values())
        ends = f"{walked} gone on from ({'all' if whole else 'not all'})"
        return f"{len(self.places)} shapes, by troubles {shapes}; {ends}; {self.steps} facts"
