"""Which rows answer what is told at a table of each game, in each situation; and which stay silent."""

from __future__ import annotations

import pytest

from felt_daemon.rules.explain import tests_of as index_of
from felt_daemon.rules.trace import of_answers

from .any_answers import CHOSEN, WAYS, Told

# A game of each kind; the others where there is time, and whenever a change of their rules is tried.
QUICK = ("627a", "633a", "663a")


@pytest.mark.parametrize(
    "chapter", [pytest.param(one, marks=() if one in QUICK else pytest.mark.long) for one in WAYS]
)
def test_rows_answer_what_they_are_there_for_and_nothing_else(chapter: str) -> None:
    tables = [*((deal, "") for deal in WAYS[chapter]), *CHOSEN.get(chapter, ())]
    told = {table: Told.of(chapter, *table) for table in tables}
    assert {table: wrong for table, one in told.items() if (wrong := one.differences())} == {}
    held = {row for row, tests in index_of(chapter).items() if of_answers(chapter) in tests}
    assert held - {row for one in told.values() for row, _fact in one.must} == set()
