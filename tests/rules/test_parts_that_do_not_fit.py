"""What of a chapter and its parts does not fit together is told in words."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

from .lamp import CHAPTER, LAMP, mistakes

if TYPE_CHECKING:
    from .lamp import Compose


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'dark = ["999a.7(b)"]',
            "",
            (
                "part lamp, rule dark: this chapter does not cite it; "
                'write dark = ["999a.…"] under [cite.rules], or name it in own or in without'
            ),
        ),
        (
            'dark = ["999a.7(b)"]',
            'dark = ["999a.7(b)"]\ndrk = ["999a.1"]',
            "cite.rules: no part has drk; did you mean dark?",
        ),
        (
            'dark = ["999a.7(b)"]',
            'dark = ["999a.7(b)"]\nmine = ["999a.1"]',
            "cite.rules: mine is this chapter's own; say it there",
        ),
        ("[cite.rules]", '[cite]\nopening = ["999a.1"]\n[cite.rules]', "cite: no part has opening"),
        (
            "[cite.rules]",
            '[cite.directives]\nlight = ["999a.1"]\n[cite.rules]',
            "cite.directives: light is words alone and cites nothing",
        ),
        (
            "[cite.rules]",
            '[cite.ways.deal]\nby-lmp = ["999a.1"]\n[cite.rules]',
            "cite.ways.deal: no part has by-lmp; did you mean by-lamp?",
        ),
        ("parts =", 'own = ["smok"]\nparts =', "own: no part has smok; did you mean smoke?"),
        ("parts =", 'own = ["dark"]\nparts =', "rule dark: it is cited and said to be our own"),
        ("parts =", 'without = ["smok"]\nparts =', "without: no part has smok; did you mean smoke?"),
        ("parts =", 'without = ["dark"]\nparts =', "cite.rules: dark is left out under without"),
        (
            "[directives]",
            "[change.rules.smok]\n[directives]",
            "change.rules: no part has smok; did you mean smoke?",
        ),
        (
            "[directives]",
            "[change.reports.dark]\n[directives]",
            "change.reports: rows of rules, gates, clocks are changed; say others again",
        ),
        ('do = ["look"]', 'holds = ["lt"]', "rule mine: no hold is called lt; did you mean lit?"),
        ('parts = ["lamp"]', "parts = 3", "parts: Input should be a valid tuple"),
        (
            "[cite.rules]\n",
            "[cite.rules]\nsmoke = 3\n",
            "cite.rules.tuple[str, ...]: Input should be a valid tuple",
        ),
    ],
)
def test_what_does_not_fit_together_is_told_in_words(compose: Compose, old: str, new: str, said: str) -> None:
    assert CHAPTER.count(old) == 1
    assert said in mistakes(compose, CHAPTER.replace(old, new))


def test_a_part_has_rows_and_says_nothing_of_chapters(compose: Compose) -> None:
    assert mistakes(compose, CHAPTER, lamp='without = ["x"]\n' + LAMP) == [
        "part lamp: without is for chapters; a part has rows alone"
    ]


def test_every_mistake_of_a_composition_is_told_at_once(compose: Compose) -> None:
    chapter = CHAPTER.replace("dark =", "drk =").replace("parts =", 'own = ["smok"]\nparts =')
    assert len(mistakes(compose, chapter)) == 3


def test_documents_of_a_wrong_shape_are_left_to_the_models(compose: Compose) -> None:
    pack = compose('rules = [3, { id = "a", holds = 3, do = 4 }]\nsource = 3\ndirectives = 1\nreports = []\n')
    assert pack["rules"] == [3, {"id": "a", "holds": 3, "do": 4}]


@pytest.mark.parametrize(
    "own",
    [
        '[[rules]]\nid = "odd"\ncite = 3\n',
        '[[rules]]\nid = "odd"\ncite = [{}]\n',
        '[[rules]]\nid = "odd"\ndo = [["a"], {}]\n',
        "[methods.deal.odd]\ncite = 3\n",
        "[methods.deal.odd]\ncite = [[]]\n",
        "[burns]\ncite = [1]\n",
    ],
)
def test_values_of_another_kind_in_a_chapters_own_item_are_left_to_the_models(
    compose: Compose, own: str
) -> None:
    said = tomllib.loads(own)
    pack = compose(own)
    assert {name: pack[name] for name in said} == said
