"""A pattern of the deal, or the burns, may be there for some answers of the house alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.check import check
from felt_daemon.rules.library import BadPack, parse_pack, read_document
from felt_daemon.rules.settle import settings

if TYPE_CHECKING:
    from felt_daemon.rules.pack import Pack

ADDED = """
[elections.form]
says = "Which form of the game is dealt."
choices = ["short", "tall"]
cite = ["999a.7(b)"]

[methods]
by_default = { shuffle = "device", deal = "piles", start = "left" }
[methods.shuffle.device]
says = "A machine shuffles."
[methods.deal.piles]
says = "It is dealt in piles."
[methods.start.left]
says = "From the left."

[burns]
new_shoe = true
elected = { form = "tall" }
cite = ["999a.7(b)"]

[[patterns]]
elected = { form = "short" }
deal = ["piles"]
unit = "stack"
steps = [{ to = "positions", cards = 2 }]

[[patterns]]
elected = { form = "tall", decks = 2 }
deal = ["piles"]
unit = "stack"
steps = [{ to = "positions", cards = 4 }]
"""


@pytest.fixture
def forms(three_piles: str) -> str:
    """The sound pack, dealt in two ways that the house chooses from."""
    return three_piles + ADDED


def dealt(pack: Pack) -> list[int]:
    """How many cards the stacks of each pattern have."""
    return [pattern.steps[0].cards for pattern in pack.patterns]


@pytest.mark.parametrize(
    ("elections", "stacks", "burns"),
    [
        # Without an answer or a default the first choice counts.
        ({}, [2], False),
        ({"form": "short"}, [2], False),
        ({"form": "tall"}, [], True),
        ({"form": "tall", "decks": 2}, [4], True),
        ({"decks": 2}, [2], False),
    ],
)
def test_what_the_house_has_not_elected_is_left_out(
    forms: str, elections: dict[str, int | str], stacks: list[int], *, burns: bool
) -> None:
    pack = parse_pack(forms, elections)
    assert (dealt(pack), pack.burns is not None) == (stacks, burns)
    assert check(pack) == []


def test_each_answer_that_something_is_there_for_makes_a_pack_to_check(forms: str) -> None:
    # The first are what holds where the house has no answer.
    assert list(settings(read_document(forms))) == [{}, {"decks": 2}, {"form": "tall"}]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '{ form = "short" }',
            '{ from = "short" }',
            "elected: no election is called from; did you mean form?",
        ),
        ('{ form = "short" }', '{ form = "shot" }', "elected: 'shot' is no choice of the election form"),
        ('{ form = "short" }', '{ form = ["short"] }', "elected.form.str: Input should be a valid string"),
        ('{ form = "short" }', '"short"', "elected: Input should be a valid dictionary"),
    ],
)
def test_answers_that_nobody_can_give_are_told(forms: str, old: str, new: str, said: str) -> None:
    assert forms.count(old) == 1
    with pytest.raises(BadPack) as refusal:
        parse_pack(forms.replace(old, new))
    assert said in str(refusal.value).splitlines()
