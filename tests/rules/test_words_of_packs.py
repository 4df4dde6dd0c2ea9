"""How long the words of a pack may be, what it says by saying nothing, and that nothing of it changes."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from felt_daemon.rules.compose import Orders
from felt_daemon.rules.dealing import Burns, Composition
from felt_daemon.rules.part import Brief, Words


@pytest.mark.parametrize(("kind", "most"), [(Brief, 40), (Words, 400)])
def test_words_are_one_letter_at_least_and_have_room_where_they_are_shown(kind: type, most: int) -> None:
    words = TypeAdapter[str](kind)
    assert [words.validate_python("x" * count) for count in (1, most)] == ["x", "x" * most]
    for count in (0, most + 1):
        with pytest.raises(ValidationError):
            words.validate_python("x" * count)


def test_what_a_pack_does_not_say_of_burns_and_decks_is_the_plain_case() -> None:
    assert (Burns().new_shoe, Burns().new_dealer) == (False, False)
    assert (Composition().packs, Composition().without, Composition().jokers) == (1, (), 0)


@pytest.mark.parametrize("said", [Orders(parts=("round",)), Burns(new_shoe=True)])
def test_what_was_read_cannot_be_changed(said: BaseModel) -> None:
    for name in type(said).model_fields:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(said, name, ())
