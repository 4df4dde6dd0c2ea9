"""A table dealt from a shoe, or from a box that shuffles without end, and the hands of its people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from felt_daemon.rules import load
from felt_daemon.table.gates import gates_of, missing
from felt_protocols import commands
from felt_protocols.events.card import CardDrawn
from felt_protocols.events.ruling import RulingMade
from felt_simulators.cards import Card, Content, cover_card, new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.continuous_build import ContinuousBuild
from felt_simulators.devices.deal_keys import SETTINGS
from felt_simulators.devices.dealers_panel import DealersPanel, PanelBuild
from felt_simulators.devices.hole_card_reader import HoleCardReader, ReaderBuild
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.shuffler import Shuffler

from .spoken_table import SpokenTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from felt_simulators.devices.shuffler_build import ShufflerBuild

Answers = dict[str, int | str | bool]
# Chapters of which a part alone is in the text: nobody tells who plays, and nothing is burnt or cut.
IN_PART = ("633a", "635a")
CONTENT = {
    "633a": Content(),
    "635a": Content(),
    "665a": Content(decks=8, without=frozenset({"T"})),  # 665a.3(a)
    "672a": Content(decks=6),  # 672a.3(a)
    "673a": Content(decks=1),  # 673a.3(a)
    "686a": Content(decks=6),  # 686a.3(a)
}
ANSWERS: dict[str, Answers] = {
    "633a": {"decks": 1, "optional_wagers": "offered"},
    "635a": {"cards": 52},
    "665a": {"reader": "hides-value", "bust_it": "offered"},
    "672a": {"decks": 6},
    "673a": {"decks": 1},
    "686a": {},
}
BLACKJACK = ("665a", "672a", "673a")
# One deck is dealt quickly; several at once take their time.
EACH = pytest.mark.parametrize(
    "chapter", ["673a", *(pytest.param(one, marks=pytest.mark.long) for one in ("665a", "672a", "686a"))]
)
SHOE, ENDLESS = "manual-shoe", "continuous-shuffler"
PREPARATION = (
    ("deck-inspected", "dealer"),
    ("inspection-verified", "floor"),
    ("deck-spread", "dealer"),
    ("player-looked", "dealer"),
    ("deck-washed", "dealer"),
)


class ShoeBench(SpokenTable):
    """People at such a table. `reads`: the shoe reads the cards that go face up, once its keys are set."""

    def __init__(  # noqa: PLR0913 - what is on the felt and how the house plays, by name
        self,
        chapter: str = "672a",
        *,
        deal: str = SHOE,
        shuffler: ShufflerBuild | None = None,
        shoe: ManualShoeBuild | None = None,
        endless: ContinuousBuild | None = None,
        reader: ReaderBuild | None = None,
        reads: bool = True,
        elections: Answers | None = None,
        **options: Any,  # noqa: ANN401 - a linked table's own options
    ) -> None:
        rng = seeded(1)
        setting = SETTINGS[chapter] if reads and chapter not in IN_PART else None
        machines: dict[str, Any] = {"panel-1": DealersPanel(PanelBuild(), rng, 0.0)}
        if deal == ENDLESS:
            build = endless or ContinuousBuild(set_to=setting, card_s=0.01)
            machines["shoe-1"] = ContinuousShuffler(build, rng, 0.0)
        else:
            machines["shoe-1"] = ManualShoe(shoe or ManualShoeBuild(set_to=setting), rng, 0.0)
        if shuffler is not None:
            machines["shuffler-1"] = Shuffler(shuffler, rng, 0.0)
        if chapter in (*BLACKJACK, *IN_PART):
            machines["reader-1"] = HoleCardReader(reader or ReaderBuild(), rng, 0.0)
        shuffle = "device" if shuffler is not None else "hand" if deal == SHOE else ENDLESS
        batches = (elections or {}).get("batches", 1 if shuffler is None else 2)
        decks = {"red": "red"} if batches == 1 else {"red": "red", "blue": "blue"}
        answers = {**ANSWERS[chapter], "batches": batches, **(elections or {})}
        self.chapter = chapter
        self.cards = {name: new_deck(name, name, "table", CONTENT[chapter]).stack() for name in decks}
        # What lies on the layout, and in the discard rack.
        self.felt: list[Card] = []
        self.rack: list[Card] = []
        # Rows of the opening, of which nobody asks afterwards.
        self._before = 0
        chosen: dict[str, Any] = {
            "method": {"shuffle": shuffle, "deal": deal, "start": "untold" if chapter in IN_PART else "left"},
            "selftests": frozenset({"reader-1", "shuffler-1"} & machines.keys()),
            **options,
        }
        super().__init__(load(chapter, answers), machines, decks=decks, elections=answers, **chosen)

    # ---- devices -------------------------------------------------------------------------------------

    @property
    def shoe(self) -> Any:  # noqa: ANN401 - a manual shoe or a continuous shuffler
        """What cards are dealt from."""
        return self.machines["shoe-1"]

    @property
    def reader(self) -> HoleCardReader:
        """The card reader."""
        found: HoleCardReader = self.machines["reader-1"]
        return found

    @property
    def shuffler(self) -> Shuffler:
        """The shuffler that takes a batch at a time."""
        found: Shuffler = self.machines["shuffler-1"]
        return found

    # ---- the opening ---------------------------------------------------------------------------------

    def heard(self) -> None:
        """Let every device connect."""
        self.until(lambda: all(one.link == "ready" for one in self.state.devices.values()))

    def open(self, *first: str, burn: bool = True) -> None:
        """A preshuffled batch is in the shoe, these cards after the one to be burnt; the table is open."""
        self.heard()
        self.command(commands.ChangeDeck(deck="red", preshuffled=True))
        self.load_shoe(self.stacked("red", *first), cut=self.chapter not in IN_PART)
        if "blue" in self.cards:
            self.command(commands.ChangeDeck(deck="blue", preshuffled=True))
        self.command(commands.OpenTable())
        if burn:
            self.burn()
        self._before = len(self.rows)

    def open_endless(self, *, burn: bool = True) -> None:
        """All cards but the one that is burnt are in the continuous shuffler; the table is open."""
        self.heard()
        self.command(commands.ChangeDeck(deck="red", preshuffled=True))
        self.put_back(self.cards["red"])
        self.command(commands.OpenTable())
        if burn and self.chapter not in IN_PART:
            self.burn()
        self._before = len(self.rows)

    def stacked(self, deck: str, *first: str, burn: str = "2C") -> list[Card]:
        """A batch as a stack: one to burn, these, then all others; a quarter from the end the cover card."""
        left = list(self.cards[deck])
        named: list[Card] = []
        for code in (burn, *first):
            card = next(one for one in left if one.code == code)
            left.remove(card)
            named.append(card)
        stack = [*named, *left]
        stack.insert(len(stack) * 3 // 4, cover_card())
        return stack

    def load_shoe(self, stack: Sequence[Card], deck: str = "red", *, cut: bool = True) -> None:
        """Report the cut of the stack, and put it into the shoe."""
        if cut:
            self.report("stack-cut", deck=deck)
        self.shoe.load(stack, self.now)
        self.run(0.3)

    def put_back(self, cards: Sequence[Card]) -> None:
        """Put cards into the continuous shuffler, and let it take them in."""
        self.shoe.put_back(cards, self.now)
        self.run(0.5 + 0.01 * len(cards))

    # ---- a round -------------------------------------------------------------------------------------

    def begin(self, *seats: int, burns: int = 0) -> None:
        """These positions play; the keys of the shoe are set for them."""
        self.report("seats-playing", seats=seats)
        if self.shoe.build.set_to is not None:
            self.shoe.key_in(len(seats), self.now, burns)

    def draw(self, times: int = 1) -> list[Card]:
        """Draw cards from the shoe onto the layout."""
        drawn: list[Card] = []
        for _ in range(times):
            drawn.append(self.shoe.draw(self.now))
            self.run(0.2)
        self.felt += drawn
        return drawn

    def burn(self) -> None:
        """Put the next card into the rack."""
        self.rack.append(self.shoe.draw(self.now))
        self.run(0.2)

    def deal(self, *seats: int) -> list[Card]:
        """The first two cards of each of these positions and of the dealer."""
        self.begin(*seats)
        return self.draw(2 * len(seats) + 2)

    def insert(self, hole: Card, up: Card) -> None:
        """Put the hole card into the reader and let it be read."""
        self.reader.insert(hole, up, self.now)
        self.run(0.6)

    def take_out(self) -> None:
        """Take the hole card out of the reader again."""
        self.reader.remove(self.now)
        self.run(0.2)

    def end_round(self) -> None:
        """Finish the round; its cards go to the rack."""
        self.command(commands.RoundEnd(), "dealer")
        self.run(0.3)
        self.rack += self.felt
        self.felt = []

    def empty_shoe(self) -> list[Card]:
        """Take what is left out of the shoe, to the rack."""
        rest: list[Card] = self.shoe.remove_rest(self.now)
        self.run(0.3)
        self.rack += [card for card in rest if card.counts]
        return rest

    def prepare(self, deck: str) -> None:
        """Report every step of a batch's preparation."""
        for what, role in PREPARATION:
            self.report(what, role, deck=deck)

    def shuffle(self, cards: Sequence[Card], until: str = "shuffled") -> None:
        """Put a batch into the shuffler, and wait until its work has come to this."""
        self.shuffler.load(cards, self.now)
        self.run(0.5)
        self.until(lambda: self.shuffler.state.value == until)
        self.run(0.5)

    def shuffle_by_hand(self, deck: str = "red") -> None:
        """The dealer shuffles all the cards of the rack by hand."""
        self.report("deck-shuffled", deck=deck)
        self.rack = []

    @override
    def rulings(self, row: str = "") -> list[RulingMade]:
        """Rulings since the table was opened, of one row or of all."""
        found = [one.event for one in self.rows[self._before :] if isinstance(one.event, RulingMade)]
        return [one for one in found if not row or one.row == row]

    def whose(self) -> list[object]:
        """The positions of the cards that came since the table was opened, as the journal has them."""
        return [
            one.context.get("seat") for one in self.rows[self._before :] if isinstance(one.event, CardDrawn)
        ]

    def only_ruling_of(self, row: str) -> RulingMade:
        """The one ruling of this row that was made, beside whatever else was."""
        [found] = self.rulings(row)
        return found

    def waits(self, gate: str) -> str:
        """What a gate waits for, in words."""
        table = self.table
        return "; ".join(
            word
            for one, device in gates_of(self.pack, table.state)
            if one.id == gate
            for word in missing(self.pack, table.state, one, device)
        )

    def inspect(self, device: str, result: str = "in-order", role: str = "floor") -> None:
        """Somebody inspects a device."""
        self.command(commands.Inspect.model_validate({"device": device, "result": result}), role)
        self.run(0.3)
