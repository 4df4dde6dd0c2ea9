"""Evenings at a box that shuffles without end and gives single cards, at which anything may happen."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import rule
from typing_extensions import override

from .closing_time import ClosingTime
from .drawn_evening import READER_FAULTS, BlackjackEvening, KeyedEvening, WatchedShoe, ask_the_reader
from .evening import cards_in, few, many
from .shoe_bench import ENDLESS

if TYPE_CHECKING:
    from felt_simulators.cards import Card
    from felt_simulators.devices.continuous import ContinuousShuffler

HOUSE = {"shuffle": ENDLESS, "deal": ENDLESS, "start": "left"}
# After these the box must count the right number.
COUNTED_AGAIN = frozenset({"clear-continuous", "look-inside"})


@functools.cache
def _opened(chapter: str) -> WatchedShoe:
    bench = WatchedShoe(chapter, deal=ENDLESS)
    if "reader-1" in bench.machines:
        bench.heard()
        bench.inspect("reader-1")
    bench.open_endless()
    return bench


class ClosingBox(ClosingTime):
    """What its people do at the end."""

    bench: WatchedShoe

    @override
    def take_everything_out(self) -> None:
        """The box is opened, too, and looked under."""
        box: ContinuousShuffler = self.bench.shoe
        for hand in (box.clear_jam, box.remove_all, box.search_rail):
            self.take(hand)
        with self.perhaps():
            box.open_door(self.bench.now)
        self.take(box.look_inside)
        with self.perhaps():
            box.close_door(self.bench.now)
        super().take_everything_out()

    @override
    def shuffle(self, deck: str) -> None:
        """Let the box have all cards, which shuffles them and counts them."""
        with self.perhaps():
            cards = self.pile(deck)
            self.bench.put_back(cards)
            self.put_down(cards)

    @override
    def see_to_others(self) -> None:
        """What was looked for goes back, and the box counts; what is believed in it goes through it again."""
        if any(one.places["shuffler"] for one in self.bench.state.decks.values()):
            for deck in self.bench.cards:
                self.shuffle(deck)
            self.take_everything_out()
        if self.asked() & COUNTED_AGAIN:
            for deck in self.bench.cards:
                self.shuffle(deck)
            with self.perhaps():
                self.bench.shoe.press_count(self.bench.now)

    @override
    def set_up(self) -> str:
        """All cards go into the box."""
        [deck] = self.bench.cards
        self.shuffle(deck)
        return deck

    @override
    def deal(self, deck: str) -> None:
        """Burn what must be burnt, deal to one player, and end the round."""
        bench = self.bench
        with self.perhaps():
            bench.begin(1, burns=bench.state.burns)
        for _ in range(bench.state.burns):
            bench.burn()
        cards = bench.draw(4 if "reader-1" in bench.machines else 3)
        if "reader-1" in bench.machines:
            ask_the_reader(bench, up=cards[1], hole=cards[3])
        bench.end_round()


class BoxEvening(KeyedEvening):
    """The table is open; anything may happen."""

    chapter: ClassVar[str] = "686a"
    faults = (
        ("shoe-1", "jam=3"),
        ("shoe-1", "double-jam=5"),
        ("shoe-1", "stop=6"),
        ("shoe-1", "mouth-jam"),
        ("shoe-1", "face-up=2"),
        ("shoe-1", "cards-left=2"),
        ("shoe-1", "lost-card=1"),
        ("shoe-1", "extra-card=1"),
        ("shoe-1", "missed-card"),
        ("shoe-1", "double-card"),
        ("shoe-1", "two-cards"),
        ("shoe-1", "stuck-sensor=10"),
        ("shoe-1", "unusable=motor"),
        ("shoe-1", "miscount=-1"),
        ("shoe-1", "light=red"),
    )

    @override
    def opened(self) -> WatchedShoe:
        return _opened(self.chapter).twin()

    @override
    def closing_time(self) -> ClosingTime:
        return ClosingBox(self.bench, HOUSE)

    # ---- the game ------------------------------------------------------------------------------------

    @rule()
    def played_cards_go_back(self) -> None:
        """What lies in the rack goes into the box."""
        self._into_the_box(self.bench.rack)

    @rule()
    def all_cards_go_back(self) -> None:
        """So does what people have in their hands."""
        self._into_the_box(self.bench.rack)
        self._into_the_box(self.bench.hand)

    @rule()
    def the_box_is_emptied(self) -> None:
        """All cards that it knows of come out of it."""
        with self.perhaps():
            self.bench.hand += cards_in(self.bench.shoe.remove_all(self.bench.now))

    @rule(closed=st.booleans())
    def the_box_is_looked_into(self, closed: bool) -> None:  # noqa: FBT001 - drawn by Hypothesis
        """Its door is opened, it is looked under, and the door is closed again or not."""
        box, now = self.bench.shoe, self.bench.now
        with self.perhaps():
            box.open_door(now)
        for hand in (box.look_inside, box.search_rail):
            with self.perhaps():
                self.bench.hand += cards_in(hand(self.bench.now))
        if closed:
            with self.perhaps():
                box.close_door(self.bench.now)

    @rule()
    def the_box_is_asked(self) -> None:
        """Its key is pressed, and it tells how many cards it has."""
        with self.perhaps():
            self.bench.shoe.press_count(self.bench.now)

    def _into_the_box(self, pile: list[Card]) -> None:
        with self.perhaps():
            self.bench.put_back(pile)
            pile.clear()


class ManyBoxEvenings(BoxEvening):
    """The same, where there is time for many."""


class BoxAndReaderEvening(BoxEvening, BlackjackEvening):
    """A game of blackjack is dealt from the box, and its hole card is read."""

    faults = (*BoxEvening.faults, *READER_FAULTS)


class Blackjack665aEvening(BoxAndReaderEvening):
    """665a, eight decks without their tens."""

    chapter = "665a"


class Blackjack672aEvening(BoxAndReaderEvening):
    """672a, six decks."""

    chapter = "672a"


TestAFewEveningsAtABox = few(BoxEvening)
TestManyEveningsAtABox = many(ManyBoxEvenings, 100)
TestManyEveningsAtABox665a = many(Blackjack665aEvening, 60)
TestManyEveningsAtABox672a = many(Blackjack672aEvening, 60)
