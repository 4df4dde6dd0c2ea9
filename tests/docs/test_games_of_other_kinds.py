"""The three skeletons of the page on adding a game: each is sound, and a row of its own is ruled on."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.cli import exits, main
from felt_daemon.rules.library import load_file
from felt_protocols import commands
from felt_simulators.cards import Card, Content, cover_card, new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild

from ..regulations.spoken_table import SpokenTable  # noqa: TID252 - tests are no package that could be named
from .test_adding_a_game_page import blocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CHAPTERS = ("901a", "902a", "903a")


def of_the_page(kind: str, chapter: str) -> str:
    """The page's one block of this kind about a chapter."""
    [text] = [block.text for block in blocks() if (block.kind, block.about) == (kind, chapter)]
    return text


class Bench(SpokenTable):
    """An open table of a skeleton, with one deck or batch."""

    def __init__(self, pack: Path, deal: str, shuffle: str, **machines: Any) -> None:  # noqa: ANN401 - simulated devices
        elections: dict[str, Any] = {"shuffle": shuffle, "batches": 1} if "903a" in pack.name else {}
        chosen = {"shuffle": shuffle, "deal": deal, "start": "left"}
        super().__init__(
            load_file(pack, elections),
            {name.replace("_", "-"): machine for name, machine in machines.items()},
            decks={"red": "red"},
            elections=elections,
            method=chosen,
        )
        self.until(lambda: all(one.link == "ready" for one in self.state.devices.values()))
        self.command(commands.ChangeDeck(deck="red"))
        self.command(commands.OpenTable())

    def shuffled(self) -> list[Card]:
        """A deck out of the shuffler."""
        shuffler: Shuffler = self.machines["shuffler-1"]
        shuffler.load(new_deck("red", "red", "table", Content()).stack(), self.now)
        self.until(lambda: shuffler.state.value == "shuffled")
        cards = shuffler.unload(self.now)
        self.run(0.5)
        return cards

    def begin(self, *seats: int) -> None:
        """These positions play, and no more bets are taken."""
        self.report("seats-playing", seats=seats)
        self.command(commands.NoMoreBets(), "dealer")
        self.run(0.5)


class HighThree(Bench):
    """Dealt from the hand; the deck is shuffled."""

    def __init__(self, pack: Path) -> None:
        super().__init__(
            pack, "hand", "device", shuffler_1=Shuffler(ShufflerBuild(shuffle_s=2.0), seeded(1), 0.0)
        )
        self.shuffled()


class FiveOut(Bench):
    """An automated shoe with the shuffled deck in it."""

    def __init__(self, pack: Path) -> None:
        rng = seeded(1)
        self.shoe = Shoe(ShoeBuild(size=5, stack_s=1.0), rng, 0.0)
        shuffler = Shuffler(ShufflerBuild(shuffle_s=2.0), rng, 0.0)
        super().__init__(pack, "automated-shoe", "device", shuffler_1=shuffler, shoe_1=self.shoe)
        self.shoe.load(self.shuffled(), self.now)
        self.run(0.5)

    def deal(self, stacks: int) -> None:
        """Take so many stacks, each when it has come."""
        for _ in range(stacks):
            self.shoe.press_deal(self.now)
            self.run(1.5)
            self.shoe.take_stack(self.now)
            self.run(0.5)

    def take_rest(self) -> None:
        """Take what is left out of the shoe."""
        self.shoe.remove_rest(self.now)
        self.run(0.5)


class TwoAndTwo(Bench):
    """A shoe with a batch in it that was shuffled by hand and cut; its first card is burnt."""

    def __init__(self, pack: Path) -> None:
        self.shoe = ManualShoe(ManualShoeBuild(), seeded(1), 0.0)
        super().__init__(pack, "manual-shoe", "hand", shoe_1=self.shoe)
        self.report("deck-shuffled", deck="red")
        self.report("stack-cut", deck="red")
        batch = new_deck("red", "red", "table", Content(decks=6)).stack()
        self.shoe.load([*batch[:240], cover_card(), *batch[240:]], self.now)
        self.run(0.5)
        self.draw(1)

    def draw(self, cards: int) -> None:
        """Draw cards from the shoe."""
        for _ in range(cards):
            self.shoe.draw(self.now)
            self.run(0.2)


BENCHES = {"901a": HighThree, "902a": FiveOut, "903a": TwoAndTwo}


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    """Write a skeleton of the page into a file."""

    def writing(chapter: str) -> Path:
        file = tmp_path / f"{chapter}.toml"
        file.write_text(of_the_page("toml", chapter), encoding="utf-8")
        return file

    return writing


@pytest.fixture
def table(request: pytest.FixtureRequest, written: Callable[[str], Path]) -> Bench:
    """The open table of the chapter that the test's name begins with."""
    chapter = request.function.__name__.removeprefix("test_")[:4]
    return BENCHES[chapter](written(chapter))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_skeleton_is_sound(
    chapter: str, written: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(chapter)
    assert main(["rules", "check", str(file)]) == exits.OK
    assert capsys.readouterr().out == f"{file}: sound\n"


def test_901a_3_d_a_card_of_the_dealer_seen_early_gives_raises_back(table: HighThree) -> None:
    table.begin(1, 3)
    table.report("cards-dealt", deck="red")
    table.report("dealers-card-shown")
    ruling = table.only_ruling("dealers-card-shown-early")
    assert (ruling.cite, ruling.directives) == (("901a.3(d)",), ("raises-back",))


def test_902a_3_d_a_rest_that_is_not_complete_holds_the_deck(table: FiveOut) -> None:
    table.begin(1, 3)
    table.deal(stacks=3)
    table.fault("shoe-1", "miscount=-1")
    table.take_rest()
    assert table.only_ruling("rest-wrong").cite == ("902a.3(d)",)
    assert table.holds() == {("rest-wrong", "red")}
    table.command(commands.RoundEnd(), "dealer")
    table.command(commands.CountCards(deck="red", count=52), "dealer")
    assert table.holds() == set()


def test_903a_3_d_a_card_after_the_deal_goes_to_the_rack(table: TwoAndTwo) -> None:
    table.report("seats-playing", seats=(1, 3))
    table.draw(6)
    table.draw(1)
    [ruling] = table.rulings("card-after-the-deal")
    assert (ruling.cite, ruling.directives) == (("903a.3(d)",), ("burn-it",))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_page_shows_the_test_of_each_row(chapter: str) -> None:
    [shown] = [one for name, one in globals().items() if name.startswith(f"test_{chapter}_")]
    assert of_the_page("python", chapter) == inspect.getsource(shown)
