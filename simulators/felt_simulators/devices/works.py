"""Inside a shuffler: the places where its cards lie, and how they go from one to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.cards import Custody, in_sequence

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping, Sequence

    from felt_simulators.cards import Card
    from felt_simulators.faults import Faults


class Works:
    """Cards lie in the feeder, the drum, the tray, left inside, or under the rail beside the machine.

    Every method leaves each card in exactly one of these places, and checks that.
    """

    def __init__(self, faults: Faults, rng: random.Random) -> None:
        self._faults = faults
        self._rng = rng
        self._custody = Custody()
        self._feeder: list[Card] = []
        self._drum: list[Card] = []
        self._tray: list[Card] = []
        self._inside: list[Card] = []
        self._under_rail: list[Card] = []

    @property
    def feeder(self) -> Sequence[Card]:
        """The cards that wait to be shuffled, the next one first."""
        return self._feeder

    @property
    def drum(self) -> Sequence[Card]:
        """The cards that have passed the sensor."""
        return self._drum

    @property
    def tray(self) -> Sequence[Card]:
        """The cards of a finished cycle."""
        return self._tray

    @property
    def holds_any(self) -> bool:
        """Whether there is a card in the machine itself."""
        return bool(self._feeder or self._drum or self._tray or self._inside)

    def places(self) -> Mapping[str, Sequence[Card]]:
        """Every place and what lies there."""
        return {
            "feeder": self._feeder,
            "drum": self._drum,
            "tray": self._tray,
            "inside": self._inside,
            "under-rail": self._under_rail,
        }

    def take_in(self, cards: Sequence[Card], now: float) -> None:
        """Put a stack into the feeder.

        Some may slip under the rail, some from there may get in, and what stayed inside goes along.
        """
        self._custody.take(cards)
        self._feeder = list(cards)
        lost = self._faults.strike("lost-card", now)
        slipped = [self._pick(self._feeder) for _ in range(lost.number if lost else 0) if self._feeder]
        if self._under_rail and (extra := self._faults.strike("extra-card", now)):
            caught, self._under_rail = (
                self._under_rail[: extra.number],
                self._under_rail[extra.number :],
            )
            self._feeder += caught
        self._under_rail += slipped
        self._feeder += self._inside
        self._inside = []
        self._check()

    def feed(self, how_many: int) -> None:
        """Let cards pass from the feeder into the drum."""
        self._drum += self._feeder[:how_many]
        del self._feeder[:how_many]
        self._check()

    def finish(self, outcome: str) -> None:
        """End a cycle: the drum's cards come into the tray `shuffled`, `sorted` or `unchanged`."""
        if outcome == "shuffled":
            self._rng.shuffle(self._drum)
        elif outcome == "sorted":
            self._drum = in_sequence(self._drum)
        self._tray, self._drum = self._drum, []
        self._check()

    def take_out(self, now: float) -> list[Card]:
        """Take the stack out of the tray or the feeder; some cards may stay inside."""
        cards, self._feeder, self._tray = self._feeder + self._tray, [], []
        left = self._faults.strike("cards-left", now)
        kept = max(0, len(cards) - left.number) if left else len(cards)
        self._inside += cards[kept:]
        return self._give(cards[:kept])

    def take_everything(self) -> list[Card]:
        """Take every card out of the machine."""
        cards = self._feeder + self._drum + self._tray + self._inside
        self._feeder, self._drum, self._tray, self._inside = [], [], [], []
        return self._give(cards)

    def take_inside(self) -> list[Card]:
        """Take out what stayed inside."""
        cards, self._inside = self._inside, []
        return self._give(cards)

    def drop(self, cards: Iterable[Card]) -> None:
        """Let cards slip under the rail."""
        dropped = list(cards)
        self._custody.take(dropped)
        self._under_rail += dropped
        self._check()

    def search_rail(self) -> list[Card]:
        """Take up what lies under the rail."""
        cards, self._under_rail = self._under_rail, []
        return self._give(cards)

    def _give(self, cards: list[Card]) -> list[Card]:
        self._custody.give(cards)
        self._check()
        return cards

    def _pick(self, cards: list[Card]) -> Card:
        return cards.pop(self._rng.randrange(len(cards)))

    def _check(self) -> None:
        self._custody.check(self.places())
