"""A jam of the shuffler that people tell undoes the shuffle: a right count alone lets no deck go."""

from __future__ import annotations

import pytest

from felt_protocols import commands
from felt_protocols.events import deck, person

from .any_game import AUTOMATED, MANUAL, AnyGame, opened
from .felt import FLOOR


def jammed(chapter: str, deal: str) -> AnyGame:
    """Blue lies shuffled in the shuffler, and the dealer tells of a jam that the shuffler does not show."""
    felt = opened(chapter, deal)
    assert felt.state.decks["blue"].shuffled
    felt.report("shuffler-jam")
    return felt


def held(felt: AnyGame) -> set[str]:
    """The decks that the jam holds."""
    return {name for row, name in felt.holds() if row == "shuffler-jam"}


@pytest.mark.parametrize(
    ("chapter", "deal"), [("659a", AUTOMATED), ("671a", AUTOMATED), ("672a", MANUAL), ("686a", MANUAL)]
)
def test_a_right_count_without_a_shuffle_lets_no_deck_go(chapter: str, deal: str) -> None:
    felt = jammed(chapter, deal)
    about = felt.state.decks["blue"]
    assert (about.shuffled, about.count) == (False, "not verified")
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=felt.batch, count=felt.total))
    felt.command(commands.CountCards(deck="blue", count=felt.total))
    assert "blue" in held(felt)
    felt.shuffle_in()
    assert "blue" not in held(felt)


def test_a_jam_that_the_shuffler_showed_first_is_undone_once() -> None:
    felt = opened("686a", MANUAL)
    felt.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=felt.batch, why="jam", where="drum"))
    felt.command(commands.CountCards(deck="blue", count=felt.total))
    felt.report("shuffler-jam")
    assert felt.state.decks["blue"].count == "count verified"


def test_a_jam_of_an_empty_shuffler_undoes_nothing() -> None:
    felt = opened("686a", MANUAL)
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=felt.batch, count=felt.total))
    felt.tell(person.Reported(by=FLOOR, report="shuffler-jam", device="shuffler-1"))
    assert felt.state.decks["blue"].shuffled
