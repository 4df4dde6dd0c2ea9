"""Inside a continuous shuffler: a feeder, a wheel of slots that cards go into by chance, and a mouth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.cards import Custody

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping, Sequence

    from felt_simulators.cards import Card
    from felt_simulators.faults import Faults


class Carousel:
    """Cards lie in the feeder, the wheel, the mouth, stuck in the path, left inside, or under the rail.

    Every method leaves each card in exactly one of these places, and checks that.
    """

    def __init__(self, slots: int, slot_cards: int, faults: Faults, rng: random.Random) -> None:
        self._slot_cards = slot_cards
        self._faults = faults
        self._rng = rng
        self._custody = Custody()
        self._slots: list[list[Card]] = [[] for _ in range(slots)]
        self._feeder: list[Card] = []
        self._mouth: list[Card] = []
        self._path: list[Card] = []
        self._inside: list[Card] = []
        self._under_rail: list[Card] = []

    @property
    def feeder(self) -> Sequence[Card]:
        """The cards that were put in and wait for their slot."""
        return self._feeder

    @property
    def mouth(self) -> Sequence[Card]:
        """The cards that come next."""
        return self._mouth

    @property
    def wheel(self) -> Sequence[Card]:
        """The cards in the slots."""
        return [card for slot in self._slots for card in slot]

    @property
    def seen(self) -> Sequence[Card]:
        """The cards that the machine knows to be in it: not those that stayed behind its works."""
        return [*self._feeder, *self.wheel, *self._mouth, *self._path]

    @property
    def room(self) -> int:
        """How many more cards there is room for."""
        return self._slot_cards * len(self._slots) - len(self._feeder) - len(self.wheel)

    def places(self) -> Mapping[str, Sequence[Card]]:
        """Every place and what lies there."""
        return {
            "feeder": self._feeder,
            "wheel": self.wheel,
            "mouth": self._mouth,
            "path": self._path,
            "inside": self._inside,
            "under-rail": self._under_rail,
        }

    def take_in(self, cards: Sequence[Card], now: float) -> int:
        """Put cards into the feeder; say how many came in.

        Some may slip under the rail, and some from there may get in.
        """
        self._custody.take(cards)
        coming = list(cards)
        lost = self._faults.strike("lost-card", now)
        slipped = [self._pick(coming) for _ in range(lost.number if lost else 0) if coming]
        if self._under_rail and (extra := self._faults.strike("extra-card", now)):
            coming += self._under_rail[: extra.number]
            del self._under_rail[: extra.number]
        self._under_rail += slipped
        self._feeder += coming
        self._check()
        return len(coming)

    def feed(self, how_many: int) -> None:
        """Let cards go from the feeder into slots that chance chooses among those with room."""
        for card in self._feeder[:how_many]:
            self._rng.choice([slot for slot in self._slots if len(slot) < self._slot_cards]).append(card)
        del self._feeder[:how_many]
        self._check()

    def fill_mouth(self, ready_cards: int) -> None:
        """Empty slots that chance chooses into the mouth until more than so many cards are ready."""
        while len(self._mouth) <= ready_cards and (full := [slot for slot in self._slots if slot]):
            slot = self._rng.choice(full)
            self._mouth += slot
            slot.clear()
        self._check()

    def turn_up(self, how_many: int) -> None:
        """Turn the next cards in the mouth face up."""
        for card in self._mouth[:how_many]:
            card.face_up = True

    def draw(self) -> Card:
        """Take the next card out of the mouth, in which there is one."""
        card = self._mouth.pop(0)
        self._give([card])
        return card

    def stick(self, place: str) -> None:
        """Let the next card of the feeder or the mouth stick on its way."""
        source = self._mouth if place == "mouth" else self._feeder
        self._path += source[:1]
        del source[:1]
        self._check()

    def clear(self, where: str) -> list[Card]:
        """Take out what sticks, and unless that was in the mouth, what waits in the feeder."""
        cards, self._path = self._path, []
        if where != "mouth":
            cards, self._feeder = cards + self._feeder, []
        return self._give(cards)

    def take_everything(self, now: float) -> list[Card]:
        """Take all cards out; some may stay inside."""
        cards = list(self.seen)
        left = self._faults.strike("cards-left", now)
        kept = max(0, len(cards) - left.number) if left else len(cards)
        self._inside += cards[kept:]
        self._feeder, self._mouth, self._path = [], [], []
        for slot in self._slots:
            slot.clear()
        return self._give(cards[:kept])

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
