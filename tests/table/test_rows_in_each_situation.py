"""Which rows answer what is told at a table of each game, in each situation; and which stay silent."""

from __future__ import annotations

import pytest

from .any_answers import CHOSEN, WAYS, differences

# A game of each kind; the others where there is time, and whenever a change of their rules is tried.
QUICK = ("627a", "633a", "663a")


@pytest.mark.parametrize(
    "chapter", [pytest.param(one, marks=() if one in QUICK else pytest.mark.long) for one in WAYS]
)
def test_rows_answer_what_they_are_there_for_and_nothing_else(chapter: str) -> None:
    tables = [*((deal, "") for deal in WAYS[chapter]), *CHOSEN.get(chapter, ())]
    wrong = {table: found for table in tables if (found := differences(chapter, *table))}
    assert wrong == {}
