"""Low Four, the game of the page on adding one, dealt through simulated devices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules.library import load_file
from felt_protocols import commands
from felt_protocols.events import incident
from felt_simulators.cards import Content, new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild

from ..regulations.spoken_table import SpokenTable  # noqa: TID252 - tests are no package that could be named

if TYPE_CHECKING:
    from felt_simulators.cards import Card

PACK = Path(__file__).resolve().parents[2] / "examples" / "own-game" / "packs" / "900a.toml"
METHOD = {"shuffle": "device", "deal": "automated-shoe", "start": "left"}


class LowFour(SpokenTable):
    """An open table, its shuffled deck in the shoe; positions 1 and 3 play, no more bets are taken."""

    def __init__(self) -> None:
        rng = seeded(1)
        machines: dict[str, Any] = {
            "shuffler-1": Shuffler(ShufflerBuild(shuffle_s=2.0), rng, 0.0),
            "shoe-1": Shoe(ShoeBuild(stack_s=1.0), rng, 0.0),
        }
        super().__init__(load_file(PACK), machines, decks={"red": "red"}, method=METHOD)
        self.until(lambda: all(one.link == "ready" for one in self.state.devices.values()))
        self.command(commands.ChangeDeck(deck="red"))
        self._to_shoe(new_deck("red", "red", "table", Content()).stack())
        self.command(commands.OpenTable())
        self.report("seats-playing", seats=(1, 3))
        self.command(commands.NoMoreBets(), "dealer")
        self.run(0.5)

    @property
    def shoe(self) -> Shoe:
        """The automated shoe."""
        found: Shoe = self.machines["shoe-1"]
        return found

    def _to_shoe(self, cards: list[Card]) -> None:
        shuffler: Shuffler = self.machines["shuffler-1"]
        shuffler.load(cards, self.now)
        self.until(lambda: shuffler.state.value == "shuffled")
        shuffled = shuffler.unload(self.now)
        self.run(0.5)
        self.shoe.load(shuffled, self.now)
        self.run(0.5)

    def deal(self, stacks: int = 3) -> None:
        """Take so many stacks, each when it has come."""
        for _ in range(stacks):
            self.shoe.press_deal(self.now)
            self.run(1.5)
            self.shoe.take_stack(self.now)
            self.run(0.5)

    def take_rest(self) -> None:
        """Take the undealt cards out of the shoe."""
        self.shoe.remove_rest(self.now)
        self.run(0.5)

    def end_round(self) -> None:
        """The dealer ends it."""
        self.command(commands.RoundEnd(), "dealer")
        self.run(0.5)


@pytest.fixture
def table() -> LowFour:
    """The table, before its first stack."""
    return LowFour()


def test_4_f_the_rest_taken_early_holds_the_deck_until_it_is_counted(table: LowFour) -> None:
    table.deal()
    table.take_rest()
    ruling = table.only_ruling("rest-taken-early")
    assert (ruling.cite, ruling.basis) == (("900a.4(f)",), "regulation")
    assert (ruling.effect, ruling.directives) == ("no-new-round", ("count-whole-deck",))
    assert table.holds() == {("rest-taken-early", "red")}
    table.report("low-hand-called")
    table.end_round()
    table.command(commands.CountCards(deck="red", count=51), "dealer")
    assert ("rest-taken-early", "red") in table.holds()
    table.command(commands.CountCards(deck="red", count=52), "dealer")
    assert table.holds() == set()
    assert {one.how for one in table.rows_of(incident.HoldEnded)} == {"reported"}


def test_3_c_the_rest_may_leave_the_shoe_once_the_low_hand_is_called(table: LowFour) -> None:
    table.deal()
    table.report("low-hand-called")
    assert (table.state.phase, table.state.round.notes) == ("playing", {"low_hand": "called"})
    table.take_rest()
    table.end_round()
    assert table.rulings() == []


def test_3_c_the_low_hand_is_called_when_every_hand_is_out(table: LowFour) -> None:
    early = table.refused(commands.Report(what="low-hand-called"), "dealer")
    assert early == (
        "low-hand-called does not fit: not every hand is out, or the low hand was called already"
    )


def test_3_b_the_shoe_is_permitted_a_stack_of_four_for_each_player_and_the_dealer(table: LowFour) -> None:
    assert table.permits("shoe-1") == [{"round": 1, "stacks": 3, "size": 4}]


def test_4_d_a_jam_of_the_shoe_voids_the_round_by_a_row_of_a_part(table: LowFour) -> None:
    table.deal(1)
    table.fault("shoe-1", "jam=6")
    table.shoe.press_deal(table.now)
    table.run(5.0)
    ruling = table.only_ruling("shoe-jam")
    assert ruling.cite == ("900a.4(d)",)
    assert table.state.phase == "void"
