"""`felt rules check`: what it refuses of a house's elections, and in which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT = "by_default = 1\n"
CHOICES = "choices = [1, 2]\nby_default = 1\n"


def test_an_answer_may_need_a_device_and_count_the_decks_in_use(
    breaches: Callable[[str, str], list[str]],
) -> None:
    assert breaches(DEFAULT, f'{DEFAULT}needs = {{ "2" = "shuffler" }}\nin_use = true\n') == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (DEFAULT, "by_default = 3\n", "election decks: 3 is none of its choices"),
        (
            DEFAULT,
            f'{DEFAULT}needs = {{ "3" = "shuffler" }}\n',
            "election decks: no choice is called 3",
        ),
        (
            DEFAULT,
            f'{DEFAULT}needs = {{ "2" = "shufler" }}\n',
            "election decks: no family is called shufler; did you mean shuffler?",
        ),
        (
            CHOICES,
            'choices = ["one", "two"]\nin_use = true\n',
            "election decks: how many decks are in use is a whole number from 1 up",
        ),
        (
            CHOICES,
            "choices = [0, 1]\nin_use = true\n",
            "election decks: how many decks are in use is a whole number from 1 up",
        ),
        (
            "[directives]\n",
            (
                '[elections.batches]\nsays = "B."\nchoices = [1]\nin_use = true\n\n'
                '[elections.packs]\nsays = "P."\nchoices = [1]\nin_use = true\n\n[directives]\n'
            ),
            "elections batches and packs: one alone says how many decks are in use",
        ),
    ],
)
def test_a_breach_of_elections_is_told_in_words(
    breaches: Callable[[str, str], list[str]], old: str, new: str, said: str
) -> None:
    assert breaches(old, new) == [said]
