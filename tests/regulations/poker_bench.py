"""A table of Five Card Hi-Lo, Lunar Poker or DJ Wild Stud Poker, dealt in any of their three ways.

Asia Poker can be dealt here too, its starting position drawn by a generator.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from felt_daemon.rules import load
from felt_protocols import commands
from felt_simulators.cards import ASIA_POKER, Content, cover_card
from felt_simulators.chance import seeded
from felt_simulators.devices.dealers_panel import DealersPanel, PanelBuild
from felt_simulators.devices.generator import Generator, GeneratorBuild
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.progressive_station import ProgressiveStation
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild
from felt_simulators.devices.station_build import StationBuild

from .handled_table import HandledTable
from .linked_table import BACKS

if TYPE_CHECKING:
    from felt_daemon.rules import Pack
    from felt_simulators.cards import Card

# DJ Wild has a joker: 687a.3(a).
CONTENT = {"659a": ASIA_POKER, "663a": Content(), "671a": Content(), "687a": Content(jokers=1)}
# Questions that the house must answer.
ANSWERS: dict[str, dict[str, int | str | bool]] = {
    "659a": {},
    "663a": {"poker_bonus": "not-offered"},
    "671a": {},
    "687a": {"progressive_twos": "natural"},
}
AUTOMATED, MANUAL, HAND = "automated-shoe", "manual-shoe", "hand"


@functools.cache
def pack_of(chapter: str, answers: tuple[tuple[str, int | str | bool], ...]) -> Pack:
    """The chapter's pack as these answers make it, read once."""
    return load(chapter, dict(answers))


class PokerBench(HandledTable):
    """People at such a table. `fitted`: whether the shoe that cards are dealt from tells of them."""

    def __init__(  # noqa: PLR0913 - what is on the felt and how it is dealt, by name
        self,
        chapter: str,
        deal: str = AUTOMATED,
        *,
        fitted: bool = True,
        shuffler: ShufflerBuild | None = None,
        shoe: ShoeBuild | ManualShoeBuild | None = None,
        elections: dict[str, int | str | bool] | None = None,
        **options: Any,  # noqa: ANN401 - a linked table's own options
    ) -> None:
        rng = seeded(1)
        answers = {**ANSWERS[chapter], "deal": deal, **(elections or {})}
        self.way = deal
        self.chapter = chapter
        machines: dict[str, Any] = {
            "shuffler-1": Shuffler(shuffler or ShufflerBuild(shuffle_s=6.0), rng, 0.0),
            "panel-1": DealersPanel(PanelBuild(), rng, 0.0),
        }
        if fitted and deal == AUTOMATED:
            machines["shoe-1"] = Shoe(shoe if isinstance(shoe, ShoeBuild) else ShoeBuild(size=5), rng, 0.0)
        elif fitted and deal == MANUAL:
            build = shoe if isinstance(shoe, ManualShoeBuild) else ManualShoeBuild()
            machines["shoe-1"] = ManualShoe(build, rng, 0.0)
        if chapter == "659a":
            machines["rng-1"] = Generator(GeneratorBuild(), rng, 0.0)
        if chapter == "687a":
            machines["station-1"] = ProgressiveStation(StationBuild(), rng, 0.0)
        super().__init__(
            pack_of(chapter, tuple(sorted(answers.items()))),
            machines,
            content=CONTENT[chapter],
            elections=answers,
            method={"shuffle": "device", "deal": deal, "start": "generator" if chapter == "659a" else "left"},
            selftests=frozenset({"shuffler-1"}),
            **{"decks": BACKS, **options},
        )

    @property
    def watched(self) -> bool:
        """Whether a shoe of the table tells of its cards."""
        return "shoe-1" in self.machines

    @property
    def station(self) -> ProgressiveStation:
        """The progressive station of DJ Wild."""
        found: ProgressiveStation = self.machines["station-1"]
        return found

    @property
    def drawn_from(self) -> ManualShoe:
        """The manual shoe that tells of its cards."""
        found: ManualShoe = self.machines["shoe-1"]
        return found

    def open(self) -> None:
        """Each deck prepared and shuffled, the first where it is dealt from, the table open."""
        self.until(lambda: all(one.link == "ready" for one in self.table.state.devices.values()))
        for index, deck in enumerate(self.cards):
            self.bring(deck)
            self.shuffle(self.cards[deck])
            if index == 0:
                self.to_deal()
        self.command(commands.OpenTable())

    def to_deal(self) -> None:
        """The shuffled deck goes to where it is dealt from: the shoe, or the dealer's hand."""
        if self.way == AUTOMATED and self.watched:
            self.to_shoe()
            return
        self.hand = self.take_from_shuffler()
        if self.watched:
            self.put_in(self.hand)
            self.hand = []

    def put_in(self, cards: list[Card]) -> None:
        """A stack with its cover card goes into the manual shoe."""
        self.drawn_from.load([*cards, cover_card()], self.now)
        self.run(0.5)

    def plays(self, *seats: int) -> None:
        """The dealer tells which positions have a wager."""
        self.report("seats-playing", seats=seats)

    def ready(self, *seats: int) -> None:
        """Who plays is known, and bets are closed."""
        self.plays(*seats)
        self.no_more_bets()
        self.run(0.5)

    def lay_wager(self, seat: int) -> None:
        """A player lays a progressive wager on the sensor."""
        self.station.place_bet(seat, self.now)
        self.run(0.5)

    def take_wager(self, seat: int) -> None:
        """A progressive wager is taken from its sensor."""
        self.station.take_bet(seat, self.now)
        self.run(0.5)

    def start_game(self) -> None:
        """Press Start Game on the station's keypad."""
        self.station.press_start(self.now)
        self.run(0.5)

    def draw(self, cards: int) -> None:
        """Draw so many cards from the manual shoe, one after the other."""
        for _ in range(cards):
            self.felt.append(self.drawn_from.draw(self.now))
            self.run(0.5)

    def hands_out(self, hands: int, deck: str = "red") -> None:
        """Deal so many hands of five, the dealer's among them, in the way that this table is dealt."""
        if self.watched and self.way == AUTOMATED:
            self.deal(hands)
        elif self.watched:
            self.draw(hands * 5)
        else:
            count = hands * 5
            self.felt, self.rack = self.hand[:count], self.hand[count:]
            self.hand = []
            self.report("cards-dealt", deck=deck)

    def take_stub(self) -> None:
        """What is left goes to the rack, out of the shoe where there is one that tells."""
        if self.watched and self.way == AUTOMATED:
            self.take_rest()
        elif self.watched:
            left = self.drawn_from.remove_rest(self.now)
            self.rack += [card for card in left if card.counts]
            self.run(0.5)

    def count(self, number: int, part: str = "remaining", deck: str = "red") -> None:
        """The dealer counts face down and reports the number."""
        self.command(
            commands.CountCards.model_validate({"deck": deck, "count": number, "part": part}), "dealer"
        )

    def play(self, *seats: int, deck: str = "red") -> None:
        """One sound round up to its end; the cards of it lie in the rack."""
        self.ready(*seats)
        self.hands_out(len(seats) + 1, deck)
        self.take_stub()
        self.end_round()

    def swap(self) -> str:
        """The other deck goes to where it is dealt from, this one into the shuffler; which one is next."""
        self.to_deal()
        used, self.rack = self.rack, []
        self.shuffle(used)
        return next(name for name, cards in self.cards.items() if cards[0].back != used[0].back)
