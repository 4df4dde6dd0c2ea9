"""Which rows answer what is told at a table of each game, in each situation; and which stay silent."""

from __future__ import annotations

import pytest

from .any_answers import CHOSEN, WAYS, differences


@pytest.mark.parametrize("chapter", list(WAYS))
def test_rows_answer_what_they_are_there_for_and_nothing_else(chapter: str) -> None:
    tables = [*((deal, "") for deal in WAYS[chapter]), *CHOSEN.get(chapter, ())]
    wrong = {table: found for table in tables if (found := differences(chapter, *table))}
    assert wrong == {}
