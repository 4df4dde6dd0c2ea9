"""How long the words of a pack may be: for a page, and for a line of a dealer's panel."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from felt_daemon.rules.part import Brief, Words


@pytest.mark.parametrize(("kind", "most"), [(Brief, 40), (Words, 400)])
def test_words_are_one_letter_at_least_and_have_room_where_they_are_shown(kind: type, most: int) -> None:
    words = TypeAdapter[str](kind)
    assert [words.validate_python("x" * count) for count in (1, most)] == ["x", "x" * most]
    for count in (0, most + 1):
        with pytest.raises(ValidationError):
            words.validate_python("x" * count)
