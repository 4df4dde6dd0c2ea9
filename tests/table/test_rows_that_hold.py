"""What ends each hold of each pack, and what shows that its cause is gone; everything else leaves it."""

from __future__ import annotations

import pytest

from .any_hold import TABLES, endings_at, expected, first_state

# The short ones; the others where there is time, and whenever a change of their rules is tried.
QUICK = ("633a", "663a", "671a")


@pytest.mark.parametrize(
    "chapter",
    [
        pytest.param(one, marks=() if one in QUICK else pytest.mark.long)
        for one in dict.fromkeys(chapter for chapter, _deal in TABLES)
    ],
)
def test_holds_are_let_go_by_what_is_asked_for_and_by_nothing_else(chapter: str) -> None:
    said = {key: one for key, one in expected().items() if key[0].startswith(f"{chapter}, ")}
    found = endings_at(chapter)
    must = {key: said.get(key) or said[key[0], first_state(key[0]), key[2]] for key in found}
    assert [key for key, ending in found.items() if ending != must[key]] == []
    assert said.keys() <= found.keys()
