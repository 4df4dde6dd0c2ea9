"""`felt rules check`: what it refuses of patterns, notes, permits and deals that people report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.check import check
from felt_daemon.rules.library import load, parse_pack

if TYPE_CHECKING:
    from collections.abc import Callable

    Breaches = Callable[[str, str], list[str]]

# How Three Piles is dealt from its shoe, and what a round is noted for.
DEAL = """
[methods]
by_default = { deal = "automated-shoe" }
[methods.shuffle]
[methods.start]
[methods.deal.automated-shoe]
says = "The shoe deals."
family = "shoe"
[methods.deal.hand]
says = "People deal."

[[patterns]]
deal = ["automated-shoe"]
unit = "stack"
steps = [{ to = "seats", cards = 2 }, { to = "dealer", cards = 2 }]

[notes]
peeked = ["yes"]

[[sets]]
note = "peeked"
value = "yes"
on = ["door-moved"]
when = ["open == true"]
"""
REPORTED_DEAL = """
[reports.piles-dealt]
says = "All piles are dealt."
brief = "Piles dealt"
asks = ["deck"]
deals = true
needs = [{ when = "NEEDED", says = "nobody has said who plays" }]
"""


@pytest.fixture
def dealt(three_piles: str) -> Callable[[str, str], list[str]]:
    """Give every breach of the pack with a deal, one place of that deal changed."""

    def change(old: str, new: str) -> list[str]:
        assert DEAL.count(old) == 1, f"{old!r} is not one place of the deal"
        return check(parse_pack(three_piles + DEAL.replace(old, new)))

    return change


def test_a_sound_deal_has_no_breach(three_piles: str) -> None:
    assert check(parse_pack(three_piles + DEAL)) == []


def test_a_deal_may_begin_where_nobody_tells_unless_the_pack_has_a_start_position(three_piles: str) -> None:
    untold = three_piles + DEAL.replace('unit = "stack"', 'unit = "stack"\nstart = "untold"')
    assert check(parse_pack(untold)) == []
    asia = load("659a")
    first, *others = asia.patterns
    changed = asia.model_copy(update={"patterns": (first.model_copy(update={"start": "untold"}), *others)})
    assert [breach for breach in check(changed) if breach.startswith("pattern")] == [
        "pattern manual-shoe: the pack has a start position, so that where it begins is told"
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'deal = ["automated-shoe"]',
            'deal = ["stick"]',
            "pattern stick: there is no way to deal of this name",
        ),
        (
            'deal = ["automated-shoe"]',
            'deal = ["automated-shoe", "automated-shoe"]',
            "pattern automated-shoe: another pattern is for the same way to deal",
        ),
        (
            'unit = "stack"',
            'unit = "stack"\nstart = "start-position"',
            "pattern automated-shoe: it begins at the start position, and the pack has none",
        ),
        (
            'peeked = ["yes"]',
            'peek = ["yes"]',
            "note peeked: the pack has no note peeked; list it under [notes]",
        ),
        (
            'peeked = ["yes"]',
            'peeked = ["no"]',
            "note peeked: peeked is never 'yes'; [notes] has no",
        ),
        (
            'peeked = ["yes"]',
            'peeked = ["yes", "no"]',
            "note peeked: nothing sets it to no",
        ),
        (
            'peeked = ["yes"]',
            'peeked = ["yes"]\nphase = ["yes"]',
            "note phase: a measure or a constant is called so",
        ),
        (
            'when = ["open == true"]',
            'when = ["opened == true"]',
            "note peeked: 'opened == true' asks for opened, which it cannot know; did you mean open?",
        ),
        (
            'family = "shoe"\n[methods.deal.hand]',
            'family = "shoe"\nneeds = [{ when = "peeked == \'si\'", says = "no" }]\n[methods.deal.hand]',
            "way automated-shoe: \"peeked == 'si'\": peeked is never 'si'; it is one of yes, or none",
        ),
    ],
)
def test_a_breach_of_the_deal_is_told_in_words(dealt: Breaches, old: str, new: str, said: str) -> None:
    assert said in [one.partition("; did you mean s")[0] for one in dealt(old, new)]


@pytest.mark.parametrize("argument", ['"hands_due"', '"hand_cards"', '"key"', "3"])
def test_a_permit_says_numbers_constants_measures_or_its_key(breaches: Breaches, argument: str) -> None:
    assert breaches("stacks = 3", f"stacks = {argument}") == []


def test_a_permit_that_says_something_else_is_refused(breaches: Breaches) -> None:
    assert breaches("stacks = 3", 'stacks = "hands"') == [
        "gate deal: stacks is 'hands'; write a number, a constant, a measure or key"
    ]


@pytest.mark.parametrize(
    ("needed", "said"),
    [
        ("cards_due != none", []),
        (
            "phase == 'betting'",
            ["report piles-dealt: who plays must be told first; it needs cards_due != none"],
        ),
    ],
)
def test_a_deal_that_people_report_asks_who_plays(three_piles: str, needed: str, said: list[str]) -> None:
    reported = REPORTED_DEAL.replace("NEEDED", needed)
    assert check(parse_pack(three_piles + DEAL + reported)) == said


def test_a_report_sets_a_note_that_the_pack_has(three_piles: str) -> None:
    report = '[reports.peeked]\nsays = "Somebody peeked."\nbrief = "Peeked"\nsets = { peeked = "no" }\n'
    assert check(parse_pack(three_piles + DEAL + report)) == [
        "report peeked: peeked is never 'no'; [notes] has yes"
    ]
