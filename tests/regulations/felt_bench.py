"""What people do at a table of Asia Poker, with its shuffler, its shoe, its shaker and its panel."""

from __future__ import annotations

from typing import Any

from felt_daemon.rules import load
from felt_protocols import commands
from felt_simulators.cards import Card, new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.dealers_panel import DealersPanel, PanelBuild
from felt_simulators.devices.shaker import Shaker, ShakerBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .linked_table import BACKS
from .spoken_table import SpokenTable

PACK = load("659a")
METHOD = {"shuffle": "device", "deal": "automated-shoe", "start": "shaker"}
# What the dealer and the floorperson report of a deck before it is shuffled: 659a.4(a), (b), (c).
PREPARATION = (
    ("deck-inspected", "dealer"),
    ("inspection-verified", "floor"),
    ("deck-spread", "dealer"),
    ("player-looked", "dealer"),
    ("deck-washed", "dealer"),
)


class Bench(SpokenTable):
    """People at the table; every hand takes the time that the devices need."""

    def __init__(
        self,
        seed: int = 1,
        shoe: ShoeBuild | None = None,
        **options: Any,  # noqa: ANN401 - a linked table's own options
    ) -> None:
        self.cards: dict[str, list[Card]] = {
            name: new_deck(name, back, "table").stack() for name, back in BACKS.items()
        }
        # What people hold or have in front of them, and what lies in the discard rack.
        self.hand: list[Card] = []
        self.felt: list[Card] = []
        self.rack: list[Card] = []
        rng = seeded(seed)
        self.shuffler = Shuffler(ShufflerBuild(shuffle_s=6.0), rng, 0.0)
        self.shoe = Shoe(shoe or ShoeBuild(), rng, 0.0)
        self.shaker = Shaker(ShakerBuild(), rng, 0.0)
        machines = {
            "shuffler-1": self.shuffler,
            "shoe-1": self.shoe,
            "shaker-1": self.shaker,
            "panel-1": DealersPanel(PanelBuild(), rng, 0.0),
        }
        chosen: dict[str, Any] = {"method": METHOD, "selftests": frozenset({"shuffler-1"}), **options}
        super().__init__(PACK, machines, **chosen)

    # ---- hands ---------------------------------------------------------------------------------------

    def open(self) -> None:
        """Both decks shuffled, one in the shoe and one in the shuffler, dice new, table open."""
        self.until(lambda: all(one.link == "ready" for one in self.table.state.devices.values()))
        self.command(commands.ChangeDice(device="shaker-1"))
        self.bring("red")
        self.shuffle(self.cards["red"])
        self.to_shoe()
        self.bring("blue")
        self.shuffle(self.cards["blue"])
        self.command(commands.OpenTable())

    def bring(self, deck: str) -> None:
        """A new deck comes to the table and is prepared for its shuffle."""
        self.command(commands.ChangeDeck(deck=deck))
        for what, role in PREPARATION:
            self.report(what, role, deck=deck)

    def load(self, cards: list[Card]) -> None:
        """Put cards into the shuffler."""
        self.shuffler.load(cards, self.now)
        self.run(0.5)

    def shuffle(self, cards: list[Card]) -> None:
        """Put cards into the shuffler and wait for the end of its work."""
        self.load(cards)
        end = self.now + 40.0
        while self.shuffler.state.value in {"loaded", "shuffling"} and self.now < end:
            self.run(1.0)
        self.run(1.0)

    def look_inside(self) -> list[Card]:
        """Open the shuffler and take out what stayed in it."""
        self.shuffler.open_door(self.now)
        cards = self.shuffler.look_inside(self.now)
        self.shuffler.close_door(self.now)
        self.run(0.5)
        return cards

    def to_shoe(self) -> None:
        """Take the cards out of the shuffler and put them into the shoe."""
        self.hand = self.shuffler.unload(self.now)
        self.run(0.5)
        self.shoe.load(self.hand, self.now)
        self.hand = []
        self.run(0.5)

    def shake(self, times: int = 3) -> None:
        """Shake the covered shaker."""
        if not self.shaker.covered:
            self.shaker.cover(self.now)
        for _ in range(times):
            self.shaker.shake(self.now)
            self.run(1.0)

    def uncover(self) -> None:
        """Take the lid off and let the dice be read."""
        self.shaker.uncover(self.now)
        self.run(1.0)

    def no_more_bets(self) -> None:
        """The dealer's announcement."""
        self.command(commands.NoMoreBets(), "dealer")

    def ready_to_deal(self) -> None:
        """Bets closed, start position known."""
        self.no_more_bets()
        self.shake()
        self.uncover()

    def deal(self, stacks: int = 7) -> None:
        """Press the shoe's button for each stack, and take what comes."""
        for _ in range(stacks):
            self.shoe.press_deal(self.now)
            self.run(3.0)
            self.felt += self.shoe.take_stack(self.now)

    def take_rest(self) -> None:
        """Take what is left out of the shoe."""
        self.rack += self.shoe.remove_rest(self.now)
        self.run(0.5)

    def empty_shoe(self) -> None:
        """Take every card out of a shoe that has stopped."""
        self.felt += self.shoe.clear_jam(self.now)
        self.run(0.5)
        self.take_rest()

    def cover_and_shake_once(self) -> None:
        """What is done with the shaker after the deal."""
        self.shaker.cover(self.now)
        self.shaker.shake(self.now)
        self.run(0.5)

    def end_round(self) -> None:
        """Finish the round; all its cards go to the rack."""
        self.command(commands.RoundEnd(), "dealer")
        self.rack += self.felt
        self.felt = []

    def play_round(self) -> None:
        """One sound round, and the change of decks after it."""
        self.finish_round()
        self.change_over()

    def change_over(self, *faults: str) -> None:
        """The other deck goes into the shoe, this one into the shuffler, which then has these faults."""
        self.to_shoe()
        for text in faults:
            self.fault("shuffler-1", text)
        used, self.rack = self.rack, []
        self.shuffle(used)

    def finish_round(self) -> None:
        """A sound round up to its end; the decks are not changed over yet."""
        self.ready_to_deal()
        self.deal()
        self.take_rest()
        self.cover_and_shake_once()
        self.end_round()

    def take_from_shuffler(self) -> list[Card]:
        """Take the cards out of the shuffler into the hand."""
        cards = self.shuffler.unload(self.now)
        self.run(0.5)
        return cards
