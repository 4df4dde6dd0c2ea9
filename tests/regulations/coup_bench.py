"""A table of baccarat or Badugi: a shoe that tells of each card, perhaps a shuffler, and its people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.rules import load
from felt_daemon.table.gates import gates_of, missing
from felt_protocols import commands
from felt_simulators.cards import Card, Content, cover_card, new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.dealers_panel import DealersPanel, PanelBuild
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.shuffler import Shuffler

from .spoken_table import SpokenTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from felt_protocols.events.ruling import RulingMade
    from felt_simulators.devices.shuffler_build import ShufflerBuild

Answers = dict[str, int | str | bool]
# One deck of 52 is enough to see every row.
ANSWERS: dict[str, Answers] = {
    "627a": {"decks": 1, "burn": "nothing", "cards_face": "face-up", "house_money": "offered"},
    "629a": {"decks": 1, "burn": "nothing", "house_money": "offered"},
    "631a": {"decks": 1, "burn": "nothing", "house_money": "offered", "seats": 14},
    "637a": {"variant": "badugi", "seats": 9, "deck": 52},
}
BACCARAT = ("627a", "629a", "631a")
# How each chapter asks for the number of stacks of cards at the table.
STACKS = {**dict.fromkeys(BACCARAT, "batches"), "637a": "decks"}
START = {**dict.fromkeys(BACCARAT, "players-hand"), "637a": "button"}


class CoupBench(SpokenTable):
    """People at such a table. With a `shuffler` there are two decks; without, one, shuffled by hand."""

    def __init__(
        self,
        chapter: str = "627a",
        *,
        deal: str = "manual-shoe",
        shuffler: ShufflerBuild | None = None,
        shoe: ManualShoeBuild | None = None,
        elections: Answers | None = None,
        **options: Any,  # noqa: ANN401 - a linked table's own options
    ) -> None:
        rng = seeded(1)
        machines: dict[str, Any] = {"panel-1": DealersPanel(PanelBuild(), rng, 0.0)}
        machines["shoe-1"] = ManualShoe(shoe or ManualShoeBuild(counts_loading=True), rng, 0.0)
        decks = {"red": "red"}
        if shuffler is not None:
            machines["shuffler-1"] = Shuffler(shuffler, rng, 0.0)
            decks["blue"] = "blue"
        answers = {**ANSWERS[chapter], STACKS[chapter]: len(decks), **(elections or {})}
        self.cards = {name: new_deck(name, name, "table", Content()).stack() for name in decks}
        shuffle = "hand" if shuffler is None else "device"
        chosen: dict[str, Any] = {
            "method": {"shuffle": shuffle, "deal": deal, "start": START[chapter]},
            "selftests": frozenset({"shuffler-1"} & machines.keys()),
            **options,
        }
        super().__init__(load(chapter, answers), machines, decks=decks, elections=answers, **chosen)

    @property
    def shoe(self) -> ManualShoe:
        """What cards are drawn from."""
        found: ManualShoe = self.machines["shoe-1"]
        return found

    @property
    def shuffler(self) -> Shuffler:
        """The shuffler that takes a deck at a time."""
        found: Shuffler = self.machines["shuffler-1"]
        return found

    # ---- what people do ------------------------------------------------------------------------------

    def heard(self) -> None:
        """Let every device connect."""
        self.until(lambda: all(one.link == "ready" for one in self.state.devices.values()))

    def open(self, *, cover_after: int = 40) -> None:
        """A shuffled deck lies in the shoe, the cover card after so many cards; the table is open."""
        self.heard()
        for deck in self.cards:
            self.command(commands.ChangeDeck(deck=deck, preshuffled=True))
        self.load_shoe(self.with_cover(self.cards["red"], cover_after))
        self.command(commands.OpenTable())

    def with_cover(self, cards: Sequence[Card], after: int) -> list[Card]:
        """A stack with the cover card in it."""
        return [*cards[:after], cover_card(), *cards[after:]]

    def load_shoe(self, stack: Sequence[Card]) -> None:
        """Put a stack into the shoe."""
        self.shoe.load(stack, self.now)
        self.run(0.3)

    def draw(self, times: int = 1) -> None:
        """Draw cards from the shoe."""
        for _ in range(times):
            self.shoe.draw(self.now)
            self.run(0.2)

    def no_more_bets(self) -> None:
        """The dealer announces it, and the shoe hears of the permit."""
        self.command(commands.NoMoreBets(), "dealer")
        self.run(0.3)

    def deal(self) -> None:
        """No more bets, and the first four cards of a coup."""
        self.no_more_bets()
        self.draw(4)

    def end_round(self) -> None:
        """Finish the round."""
        self.command(commands.RoundEnd(), "dealer")
        self.run(0.3)

    def empty_shoe(self) -> None:
        """Take what is left out of the shoe."""
        self.shoe.remove_rest(self.now)
        self.run(0.3)

    def shuffle(self, cards: Sequence[Card], until: str = "shuffled") -> None:
        """Put a deck into the shuffler, and wait until its work has come to this."""
        self.shuffler.load(cards, self.now)
        self.run(0.5)
        self.until(lambda: self.shuffler.state.value == until)
        self.run(0.5)

    def inspect(self, device: str, result: str = "in-order", role: str = "floor") -> None:
        """Somebody inspects a device."""
        self.command(commands.Inspect.model_validate({"device": device, "result": result}), role)
        self.run(0.3)

    # ---- what is seen --------------------------------------------------------------------------------

    def only_ruling_of(self, row: str) -> RulingMade:
        """The one ruling of this row that was made, beside whatever else was."""
        [found] = self.rulings(row)
        return found

    def unfit(self, report: str) -> str:
        """Why a dealer's report is refused; fails where it is not."""
        words = self.refused(commands.Report(what=report), "dealer")
        return words.removeprefix(f"{report} does not fit: ")

    def waits(self, gate: str) -> str:
        """What a gate waits for, in words."""
        table = self.table
        return "; ".join(
            word
            for one, device in gates_of(self.pack, table.state)
            if one.id == gate
            for word in missing(self.pack, table.state, one, device)
        )
