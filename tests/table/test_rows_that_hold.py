"""What ends each hold of each pack, and what shows that its cause is gone; everything else leaves it."""

from __future__ import annotations

import pytest

from .any_hold import TABLES, endings_at, expected, first_state


@pytest.mark.parametrize("chapter", list(dict.fromkeys(chapter for chapter, _deal in TABLES)))
def test_holds_are_let_go_by_what_is_asked_for_and_by_nothing_else(chapter: str) -> None:
    said = expected()
    for (table, state, hold), ending in endings_at(chapter).items():
        must = said.get((table, state, hold)) or said[table, first_state(table), hold]
        assert ending == must, (table, state, hold)
