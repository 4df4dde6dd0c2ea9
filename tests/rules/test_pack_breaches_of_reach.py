"""`felt rules check`: rows that never fire, holds that never end, and rows that contradict each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.check import check
from felt_daemon.rules.library import parse_pack

if TYPE_CHECKING:
    from collections.abc import Callable

    Breaches = Callable[[str, str], list[str]]

JAM_FACT = 'on = ["shuffle-interrupted"]\nsubject = "device"'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "\"phase in ('betting', 'dealing')\"",
            "\"phase in ('betting', 'dealing')\", \"phase == 'void'\"",
            (
                "rule short-pile: no fact can ever meet phase in ('betting', 'dealing'), phase == 'void': "
                "one excludes the other; leave one of them out"
            ),
        ),
        (
            "when = [\"phase == 'dealing'\"] }]",
            "when = [\"phase == 'dealing'\", \"phase == 'none'\"] }]",
            (
                "rule short-pile: no fact can ever meet phase == 'dealing', phase == 'none': "
                "one excludes the other; leave one of them out"
            ),
        ),
        (
            'when = ["stacks == 1"]',
            'when = ["stacks == 1", "stacks == 2"]',
            (
                "move to dealing: no fact can ever meet stacks == 1, stacks == 2: "
                "one excludes the other; leave one of them out"
            ),
        ),
        (
            JAM_FACT,
            'on = ["round-opened"]\nsubject = "device"',
            "rule jam: round-opened is decided and never told; a rule looks at facts",
        ),
        (
            JAM_FACT,
            'on = ["dice-read"]\nsubject = "device"',
            "rule jam: no device of this pack tells dice-read",
        ),
        (
            'phases = ["betting", "dealing"]',
            'phases = ["betting", "dealing", "counting"]',
            "phase counting: no move leads to it",
        ),
        (
            'family = "shoe"\ndoubt = "stale"\nrule = "silent"',
            (
                'family = "shoe"\ndoubt = "stale"\nrule = "silent"\n\n[[doubts]]\n'
                'family = "shoe"\ndoubt = "stale"\nphases = ["dealing"]\nrule = "nothing"'
            ),
            "doubt shoe stale: a row before it takes every case of this one (nothing)",
        ),
        (
            'ends = [{ on = ["shoe-unloaded"] }]\nuntil = "the shoe is empty"',
            'ends = [{ on = ["dice-read"] }]\nuntil = "the dice lie"',
            "rule short-pile: nobody and nothing can ever end its hold (the dice lie)",
        ),
        (
            'ends = [{ on = ["shoe-unloaded"] }]\nuntil = "the shoe is empty"',
            'ends = [{ on = ["shoe-unloaded"], when = ["phase == 1", "phase == 2"] }]\nuntil = "x"',
            "rule short-pile: nobody and nothing can ever end its hold (x)",
        ),
        (
            'ends = [{ on = ["shoe-unloaded"] }]\nuntil = "the shoe is empty"',
            'ends = [{ on = ["stack-dispensed"], when = ["size < hand_cards"] }]\nuntil = "x"',
            "rule short-pile: stack-dispensed opens its hold and ends it at once",
        ),
        (
            'ends = [{ on = ["shoe-unloaded"] }]\nuntil = "the shoe is empty"',
            'ends = [{ on = ["shoe-unloaded", "deck-counted"] }]\nuntil = "x"',
            "rule short-pile: its hold binds a device, and deck-counted says nothing of one",
        ),
    ],
)
def test_a_row_that_leads_nowhere_is_told_in_words(breaches: Breaches, old: str, new: str, said: str) -> None:
    assert said in breaches(old, new)


SHORT_TOO = """
[[rules]]
id = "short-pile-too"
cite = ["999a.7(b)"]
since = 2030-01-01
on = ["stack-dispensed"]
when = ["phase in ('betting', 'dealing')", "size < hand_cards"]
subject = "round"
effect = "advise"
says = "A pile has not two cards."
passing = true
"""
REPORTED_TOO = SHORT_TOO.replace(
    "when = [\"phase in ('betting', 'dealing')\", \"size < hand_cards\"]",
    'when = ["size == 2"]\nas_report = [{ reports = ["short-pile"], when = ["phase == \'dealing\'"] }]',
)


@pytest.mark.parametrize(
    ("row", "fact"), [(SHORT_TOO, "stack-dispensed"), (REPORTED_TOO, "short-pile")], ids=["fact", "report"]
)
def test_one_fact_under_the_same_conditions_makes_one_ruling(three_piles: str, row: str, fact: str) -> None:
    said = (
        f"rules short-pile and short-pile-too: one {fact} fires both, and short-pile voids the round where "
        "short-pile-too says advise; make one row of them, or let each exclude the other"
    )
    assert check(parse_pack(three_piles + row)) == [said]


def test_rows_that_agree_or_ask_for_different_things_do_not_contradict(three_piles: str) -> None:
    other = SHORT_TOO.replace('"size < hand_cards"', '"size > hand_cards"')
    assert check(parse_pack(three_piles + other)) == []


ENDS = """
[[rules]]
id = "peeked"
BASIS
since = 2030-01-01
on = ["door-moved"]
subject = "device"
effect = "stop"
says = "Somebody peeked: no more cards."
ends_dealing = true

[[rules.holds]]
binds = "device"
gates = ["deal"]
stops = true
cause_gone = [{ on = ["round-ended"] }]
ends = [{ on = ["round-ended"] }]
until = "the round is over"
"""


def test_a_subsection_that_ends_the_dealing_may_stop_the_shoe_in_a_round(three_piles: str) -> None:
    assert check(parse_pack(three_piles + ENDS.replace("BASIS", 'cite = ["999a.7(b)"]'))) == []


def test_no_rule_of_our_own_ends_the_dealing(three_piles: str) -> None:
    assert check(parse_pack(three_piles + ENDS.replace("BASIS", 'basis = "own"'))) == [
        "rule peeked: only a subsection ends the dealing of a round, and this rule is our own"
    ]
