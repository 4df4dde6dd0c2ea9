"""A part says what it needs; a pack that misses one is told that first and alone."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules.compose import BadPack, composed
from felt_daemon.rules.library import chapters, document_of, needs, parts
from felt_daemon.rules.needs import unmet

if TYPE_CHECKING:
    from collections.abc import Callable

    Mistakes = Callable[..., list[str]]

PACKS = resources.files("felt_daemon.rules") / "packs"
# Parts of an invented game, of which some take things of others for granted.
PARTS = {
    "lamp": """
needs = ["gate deal", "constant oil", "report dark for smoke"]
[[rules]]
id = "smoke"
basis = "own"
""",
    "bell": 'needs = ["gate deal", "part lamp"]\n',
    "box": """
[[gates]]
id = "deal"
[elections.oils.sets]
oil = { "1" = 3 }
""",
    "shoe": '[[gates]]\nid = "deal"\n[constants]\noil = 1\n[reports.dark]\nsays = "It is dark."\n',
}
CHAPTER = """
parts = ["lamp", "bell"]
[source]
chapter = "999a"
"""
GATE = "parts lamp and bell need the gate deal: box or shoe has it"
OIL = "part lamp needs the constant oil: box or shoe has it; or write it in the chapter, under [constants]"
DARK = "part lamp needs the report dark for its rule smoke, unless that is left out or changed: shoe has it"


@pytest.fixture
def mistakes() -> Mistakes:
    """Every mistake of a chapter's composition, with the parts above and others; none where it is sound."""

    def telling(chapter: str, **others: str) -> list[str]:
        shelf: dict[str, dict[str, Any]] = {
            name: tomllib.loads(text) for name, text in {**PARTS, **others}.items()
        }
        try:
            composed(tomllib.loads(chapter), lambda name: shelf[name], lambda: shelf)
        except BadPack as refusal:
            return str(refusal).splitlines()
        return []

    return telling


def test_what_parts_need_and_nothing_has_is_told_with_the_parts_that_have_it(mistakes: Mistakes) -> None:
    assert mistakes(CHAPTER) == [GATE, OIL, DARK]


def test_what_is_missing_is_told_alone_for_other_mistakes_come_of_it(mistakes: Mistakes) -> None:
    assert mistakes('own = ["smok"]\n' + CHAPTER) == [GATE, OIL, DARK]


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ('"bell"]', '"bell", "shoe"]', []),
        ('"bell"]', '"bell", "box"]', [DARK]),
        ("[source]", '[[gates]]\nid = "deal"\n[source]', [OIL, DARK]),
        ("[source]", "[constants]\noil = 2\n[source]", [GATE, DARK]),
        ("[source]", '[reports.dark]\nsays = "Dark."\n[source]', [GATE, OIL]),
        ("[source]", "[change.rules.smoke]\non = []\n[source]", [GATE, OIL]),
        ("parts", 'without = ["smoke"]\nparts', [GATE, OIL]),
        (
            '["lamp", "bell"]',
            '["bell", "shoe"]',
            ["part bell needs the part lamp"],
        ),
        (
            'parts = ["lamp", "bell"]',
            'without = ["gates/deal"]\nparts = ["lamp", "shoe"]',
            ["part lamp needs the gate deal: it is left out under without"],
        ),
    ],
)
def test_a_part_or_the_chapter_itself_may_have_what_is_needed(
    mistakes: Mistakes, old: str, new: str, left: list[str]
) -> None:
    assert mistakes(CHAPTER.replace(old, new)) == left


@pytest.mark.parametrize(
    ("need", "having", "said"),
    [
        ("way deal/hand", "[methods.deal.hand]", "the way deal/hand: horn has it"),
        ("rule lit", '[[rules]]\nid = "lit"\nbasis = "own"', "the rule lit: horn has it"),
        ("directive light", '[directives]\nlight = "Light it."', "the directive light: horn has it"),
        ("phase night", 'phases = ["night"]', "the phase night: horn has it"),
        ("family lamp", 'families = ["lamp"]', "the family lamp: horn has it"),
        (
            "doubts lamp",
            '[[doubts]]\nfamily = "lamp"\ndoubt = "lost"',
            "the doubts of lamp, what its silence means: horn has it",
        ),
        (
            "word wick",
            '[words]\nwick = "wick"',
            "the word wick: horn has it; or write it in the chapter, under [words]",
        ),
        (
            "word wicks",
            "[constants]\nwicks = 2",
            "the word wicks: horn has it; or write it in the chapter, under [words]",
        ),
        ("word wicks", "", "the word wicks: write it in the chapter, under [words]"),
        ("gate light", "", "the gate light: write it in the chapter, under [[gates]]"),
    ],
)
def test_each_kind_of_need_is_said_in_words(mistakes: Mistakes, need: str, having: str, said: str) -> None:
    chapter = CHAPTER.replace('"lamp", "bell"', '"wick"')
    wick = f'needs = ["{need}"]\n'
    assert mistakes(chapter, wick=wick, horn=having) == [f"part wick needs {said}"]
    left = mistakes(chapter.replace('"wick"', '"wick", "horn"'), wick=wick, horn=having)
    assert left == ([] if having else [f"part wick needs {said}"])


def test_a_need_that_is_none_is_told(mistakes: Mistakes) -> None:
    chapter = CHAPTER.replace('"lamp", "bell"', '"wick"')
    [said] = mistakes(chapter, wick='needs = ["oil"]\n')
    assert said.startswith(
        "part wick: needs: 'oil' is no need; write a kind and a name, as 'gate deal'; kinds: "
    )


def test_needs_that_are_no_list_are_told(mistakes: Mistakes) -> None:
    chapter = CHAPTER.replace('"lamp", "bell"', '"wick"')
    assert mistakes(chapter, wick='needs = "gate deal"\n') == [
        "part wick: needs: 'gate deal' is no list; write needs = ['gate deal']"
    ]


def test_a_composed_pack_has_no_needs_left() -> None:
    assert "needs" not in document_of("659a")


def test_the_parts_that_come_along_say_in_words_what_they_need() -> None:
    assert {name: needs(name) for name in ("recut", "dealing", "dealers-panel")} == {
        "recut": [
            (
                "the constant reshuffling_way: self-reshuffling has it; "
                "or write it in the chapter, under [constants]"
            )
        ],
        "dealing": [
            "the gate deal: automated-shoe, hand-deal or hand-drawn-shoe has it",
            "the phase hand-deal: round has it",
            "the part remedies",
        ],
        "dealers-panel": ["the rule device-silent: devices has it"],
    }
    assert all(needs(name) for name in parts())


def test_a_part_without_which_rows_of_others_would_hang_in_the_air_is_missed_by_them() -> None:
    documents = {name: tomllib.loads(text) for name, text in parts().items()}
    missed: set[str] = set()
    for chapter in chapters():
        own = tomllib.loads((PACKS / f"{chapter}.toml").read_text(encoding="utf-8"))
        named = {name: documents[name] for name in own["parts"]}
        changed = own.get("change", {}).get("rules", {})
        left = {f"rules/{name}" for name in own.get("without", [])}
        for name in named:
            others = {one: part for one, part in named.items() if one != name}
            missed |= {name} if unmet(own, others, changed, left) else set()
    assert missed >= {
        "automated-shoe",
        "baccarat",
        "batches",
        "blackjack",
        "by-hand",
        "continuous-shuffler",
        "devices",
        "hand-drawn-shoe",
        "hole-card-reader",
        "remedies",
        "round",
        "self-reshuffling",
        "shuffler",
        "silence-generator",
        "silence-shoe",
        "silence-shuffler",
        "text-elsewhere",
    }
