"""Which rows answer what is told at a table of each game, in each situation; and which stay silent."""

from __future__ import annotations

import pytest

from .any_answers import WAYS, differences
from .any_game import AUTOMATED


@pytest.mark.parametrize("chapter", list(WAYS))
def test_rows_answer_what_they_are_there_for_and_nothing_else(chapter: str) -> None:
    wrong = {deal: found for deal in WAYS[chapter] if (found := differences(chapter, deal))}
    assert wrong == {}


@pytest.mark.rule("not-shaken-after-deal", "generator-unhealthy", "generator-unusable")
@pytest.mark.parametrize("chapter", ["659a"])
def test_rows_on_dice_say_nothing_where_a_generator_finds_the_starting_position(chapter: str) -> None:
    assert differences(chapter, AUTOMATED, "generator") == {}
