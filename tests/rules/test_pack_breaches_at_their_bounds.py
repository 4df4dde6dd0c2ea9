"""`felt rules check` in the cases in which one word more or less would tell something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.check import check
from felt_daemon.rules.library import parse_pack

if TYPE_CHECKING:
    from collections.abc import Callable

    Breaches = Callable[[str, str], list[str]]


def test_an_event_that_there_is_none_of_is_told_once(breaches: Breaches) -> None:
    assert breaches('on = ["shuffle-interrupted"]', 'on = ["shuffle-dreamt"]') == [
        "rule jam: no event is called shuffle-dreamt; did you mean shuffle-completed?"
    ]


def test_an_end_by_an_event_that_there_is_none_of_is_told_once(breaches: Breaches) -> None:
    found = breaches(
        'ends = [{ on = ["shuffle-completed"] }]\nuntil = "the deck is shuffled"',
        'ends = [{ on = ["shuffle-dreamt"] }]\nuntil = "the deck is shuffled"',
    )
    assert found == ["rule jam, a hold: no event is called shuffle-dreamt; did you mean shuffle-completed?"]


def test_a_doubt_is_never_asked_after_one_of_the_same_phases(breaches: Breaches) -> None:
    row = '[[doubts]]\nfamily = "shoe"\ndoubt = "lost"\nphases = ["dealing"]\nrule = "silent"\n'
    assert breaches(row, f"{row}\n{row}") == [
        "doubt shoe lost: a row before it takes every case of this one (silent)"
    ]


def test_the_phases_in_which_cards_are_dealt_are_phases_of_the_pack(three_piles: str) -> None:
    found = check(parse_pack(f'deals_in = ["dealing", "dreaming"]\n{three_piles}'))
    assert [one for one in found if "dreaming" in one] == [
        "deals_in: no phase is called dreaming; did you mean dealing?"
    ]


def test_what_people_report_always_has_a_word(breaches: Breaches) -> None:
    assert breaches('on = ["round-ended"]\n', 'on = ["reported"]\nwhen = ["report == none"]\n') == [
        "move to end: 'report == none': report is never none; it is one of short-pile"
    ]


@pytest.mark.parametrize(
    ("effect", "says", "rule"),
    [
        # It closes a gate alone; it stops and closes; it voids too.
        ("no-new-round", "The deck was sorted.", "sorted"),
        ("no-new-round", "The shuffler jammed.", "jam"),
    ],
)
def test_a_row_that_only_advises_neither_closes_nor_stops(
    breaches: Breaches, effect: str, says: str, rule: str
) -> None:
    found = breaches(f'effect = "{effect}"\nsays = "{says}"', f'effect = "advise"\nsays = "{says}"')
    assert f"rule {rule}: it only advises, and yet closes a gate, stops a device or voids the round" in found


def test_a_hold_that_opens_and_ends_by_one_fact_holds_nobody(breaches: Breaches) -> None:
    found = breaches(
        'ends = [{ on = ["shuffle-completed"] }]\nuntil = "the deck is shuffled"',
        'ends = [{ on = ["shuffle-interrupted"] }, { on = ["shuffle-completed"] }]\nuntil = "it is shuffled"',
    )
    assert found == ["rule jam: shuffle-interrupted opens its hold and ends it at once"]


AGAIN = """
[[rules]]
id = "jam-again"
cite = ["999a.7(b)"]
since = 2030-01-01
on = ["shuffle-interrupted"]
subject = "device"
effect = "EFFECT"
says = "The shuffler jammed."
do = ["look"]
MORE

[[rules.holds]]
binds = "device"
gates = ["deal"]
ends = [{ on = ["shuffle-completed"] }]
until = "it is shuffled"
"""


@pytest.mark.parametrize(
    ("effect", "more", "contradict"),
    [
        ("no-new-round", "", False),
        ("no-new-round", "void = true", True),
        ("advise", "", True),
    ],
)
def test_rows_on_one_fact_contradict_each_other_where_effect_or_void_differs(
    three_piles: str,
    effect: str,
    more: str,
    contradict: bool,  # noqa: FBT001 - a row of a table
) -> None:
    found = check(parse_pack(three_piles + AGAIN.replace("EFFECT", effect).replace("MORE", more)))
    said = "rules jam and jam-again: one shuffle-interrupted fires both, and jam says no-new-round where"
    assert any(one.startswith(said) for one in found) is contradict


DEALT = """
[reports.hands-out]
says = "All piles are out."
brief = "Piles out"
asks = ["deck"]
deals = true

[[patterns]]
deal = ["hand"]
unit = "card"
steps = [{ to = "TARGET" }]
"""


@pytest.mark.parametrize(("target", "told"), [("seats", True), ("positions", False), ("dealer", False)])
def test_who_plays_is_told_before_a_deal_by_hand_to_those_who_play(
    three_piles: str,
    target: str,
    told: bool,  # noqa: FBT001 - a row of a table
) -> None:
    found = check(parse_pack(three_piles + DEALT.replace("TARGET", target)))
    said = "report hands-out: who plays must be told first; it needs cards_due != none"
    assert (said in found) is told
