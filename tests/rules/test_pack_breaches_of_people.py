"""`felt rules check` of people's part: reports, panels, openings, and ways to shuffle and deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.check import check
from felt_daemon.rules.explain import reports_of
from felt_daemon.rules.library import BadPack, parse_pack

if TYPE_CHECKING:
    from collections.abc import Callable

    Breaches = Callable[[str, str], list[str]]

# A part of a pack, put before its first report.
BEFORE = "[reports.short-pile]\n"
METHODS = """
[methods]
by_default = { shuffle = "machine", deal = "shoe", start = "dealer" }
sign = "999a.8"

[methods.shuffle.machine]
says = "The shuffler shuffles."
family = "shuffler"

[methods.deal.shoe]
says = "The shoe deals."
family = "shoe"
needs = [{ when = "shuffle_method == 'machine'", says = "the shoe deals what the machine has shuffled" }]

[methods.start.dealer]
says = "The dealer comes first."

"""
OPENING = """
[opening]
marks = ["counted"]
cite = ["999a.4"]

[reports.deck-counted-out]
says = "The deck was counted out."
brief = "Counted"
asks = ["deck"]
marks = "counted"

"""
INSPECTION = """
[[inspections]]
family = "shoe"
cite = ["999a.2"]
says = "Look into the shoe."

"""
INFERENCE = """
[[inferences]]
becomes = "round-ended"
told = "round-end"
choice = "shoe-loaded"
on = ["shoe-loaded"]
when = ["phase == 'dealing'"]

"""


@pytest.mark.parametrize("part", [METHODS, OPENING, INFERENCE, INSPECTION])
def test_a_sound_part_breaches_nothing(breaches: Breaches, part: str) -> None:
    assert breaches(BEFORE, part + BEFORE) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        # Reports.
        (
            'reports = ["short-pile"]',
            'reports = ["short-pile", "wet-pile", "torn-pile"]',
            "report torn-pile: a rule listens to it, and nobody can report it",
        ),
        (
            BEFORE,
            f'[reports.long-pile]\nsays = "A pile is long."\nbrief = "Pile long"\n\n{BEFORE}',
            "report long-pile: no rule listens to it and it changes nothing",
        ),
        (
            BEFORE,
            OPENING.replace('asks = ["deck"]\n', "") + BEFORE,
            "report deck-counted-out: it is about a deck, and does not ask which",
        ),
        (
            BEFORE,
            f'[reports.all-out]\nsays = "All piles are out."\nbrief = "All out"\ndeals = true\n\n{BEFORE}',
            "report all-out: it is about a deck, and does not ask which",
        ),
        (
            'brief = "Pile short"\nfamily = "shoe"',
            'brief = "Pile short"\nfamily = "wheel"',
            "report short-pile: the pack has no family wheel",
        ),
        (
            'brief = "Pile short"\nfamily = "shoe"',
            'brief = "Pile short"\nfamily = "shoe"\nchecks = "long-pile"',
            "report short-pile: it checks long-pile, which nobody can report",
        ),
        (
            'on = ["shuffle-interrupted"]\n',
            "",
            "rule jam: no event and no report can fire it",
        ),
        # A panel.
        (
            '[[gates]]\nid = "shuffle"',
            '[brief]\nsing = "SING"\n\n[[gates]]\nid = "shuffle"',
            "brief sing: no directive is called so",
        ),
        (
            '[[gates]]\nid = "shuffle"',
            '[done]\nsing = "round-over"\n\n[[gates]]\nid = "shuffle"',
            "done sing: no directive is called so",
        ),
        # The jam tells to look as well, and the row of silence alone never lasts.
        (
            'says = "The shuffler jammed."\ndo = ["look"]',
            'says = "The shuffler jammed."\n\n[done]\nlook = "device-signed"',
            "done look: only passing rows give it, whose directives end by done_on or with the round",
        ),
        (
            'families = ["shuffler", "shoe"]',
            'families = ["shuffler", "shoe", "dealers-panel"]',
            "directive look: a panel has no room for it; give it in few words under [brief]",
        ),
        # An opening.
        (
            BEFORE,
            OPENING.replace('marks = ["counted"]', 'marks = ["counted", "blessed"]') + BEFORE,
            "opening: nobody can report blessed",
        ),
        # Ways.
        (
            BEFORE,
            METHODS.replace('family = "shoe"', 'family = "wheel"') + BEFORE,
            "way shoe: the pack has no family wheel",
        ),
        (
            BEFORE,
            METHODS.replace(
                "shuffle_method == 'machine'\"",
                'phase == \'betting\'", says = "a" }, { when = "phase == \'dealing\'"',
            )
            + BEFORE,
            (
                "way shoe: nothing can ever meet phase == 'betting', phase == 'dealing': "
                "one excludes the other; leave one of them out"
            ),
        ),
        (
            BEFORE,
            METHODS.replace('start = "dealer"', 'start = "player"') + BEFORE,
            "methods: start is player by default, and there is no such way",
        ),
        (
            BEFORE,
            METHODS.replace("== 'machine'", "== 'machin'") + BEFORE,
            (
                "way shoe: \"shuffle_method == 'machin'\": shuffle_method is never 'machin'; "
                "did you mean machine?"
            ),
        ),
        (
            BEFORE,
            f'[[inspections]]\nfamily = "wheel"\ncite = ["999a.2"]\nsays = "Look at it."\n\n{BEFORE}',
            "inspection: the pack has no family wheel",
        ),
        # What the house chooses.
        (
            BEFORE,
            INFERENCE.replace('told = "round-end"', 'told = "round-over"') + BEFORE,
            "told round-over: a house chooses about no-more-bets and round-end alone",
        ),
        (
            'says = "nobody may bet any more" }',
            'says = "nobody may bet any more", told = "no-bets" }',
            "told no-bets: a house chooses about no-more-bets and round-end alone",
        ),
        (
            BEFORE,
            INFERENCE.replace('"shoe-loaded"]', '"shoe-load"]') + BEFORE,
            "inference of round-ended: no event is called shoe-load; did you mean shoe-loaded?",
        ),
        (
            BEFORE,
            INFERENCE.replace("phase ==", "phas ==") + BEFORE,
            (
                "inference of round-ended: \"phas == 'dealing'\" asks for phas, which it cannot know; "
                "did you mean phase?"
            ),
        ),
        # Words of reports, clocks and the table.
        (
            "when = [\"phase == 'dealing'\"] }]",
            "when = [\"phse == 'dealing'\"] }]",
            (
                "rule short-pile, as a report: \"phse == 'dealing'\" asks for phse, which it cannot know; "
                "did you mean phase?"
            ),
        ),
        (
            "when = \"phase != 'none'\"",
            "when = \"phase != 'nine'\"",
            "report short-pile: \"phase != 'nine'\": phase is never 'nine'; did you mean none?",
        ),
        (
            'ends = [{ on = ["shoe-unloaded"] }]',
            'ends = [{ on = ["reported"], when = ["report == \'short-pie\'"] }]',
            (
                "rule short-pile, a hold: \"report == 'short-pie'\": report is never 'short-pie'; "
                "did you mean short-pile?"
            ),
        ),
        (
            "\"mode == 'sort'\"",
            "\"clock == 'deck-aged'\"",
            "rule sorted: \"clock == 'deck-aged'\": clock is never 'deck-aged'; did you mean deck-age?",
        ),
        (
            "\"mode == 'sort'\"",
            "\"table == 'opened'\"",
            "rule sorted: \"table == 'opened'\": table is never 'opened'; did you mean open?",
        ),
        (
            "\"mode == 'sort'\"",
            "\"deal_method == 'shoe'\"",
            "rule sorted: \"deal_method == 'shoe'\": deal_method is never 'shoe'; it is none",
        ),
        # An end that waits for its cause.
        (
            'ends = [{ on = ["shuffle-completed"], when = ["mode == \'shuffle\'"] }]',
            'ends = [{ on = ["shuffle-completed"], once_gone = true }]',
            "rule sorted: a hold ends once its cause is gone, and nothing says when that is",
        ),
    ],
)
def test_a_breach_of_people_s_part_is_told_in_words(
    breaches: Breaches, old: str, new: str, said: str
) -> None:
    assert said in breaches(old, new)


def test_an_unknown_event_is_told_once(breaches: Breaches) -> None:
    told = breaches(BEFORE, INFERENCE.replace('"shoe-loaded"]', '"shoe-load"]') + BEFORE)
    assert len(told) == 1


def test_what_people_report_of_a_deal_may_stop_the_shoe_only_where_it_voids_the_round(
    three_piles: str,
) -> None:
    text = three_piles
    for old, new in (
        ("void = true\n", ""),
        (
            'on = ["stack-dispensed"]\nwhen = ["size < hand_cards"',
            'on = ["shoe-loaded"]\nwhen = ["count == 0"',
        ),
        ("\"phase in ('betting', 'dealing')\"]", "\"phase == 'betting'\"]"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    said = "rule short-pile: it stops the shoe within a round that it does not void"
    assert said in check(parse_pack(text))
    # A report of another device, or in another phase, spoils no deal.
    of_the_shoe, in_the_deal = 'short"\nfamily = "shoe"', "when = [\"phase == 'dealing'\"] }]"
    assert text.count(of_the_shoe) == text.count(in_the_deal) == 1
    assert said not in check(parse_pack(text.replace(of_the_shoe, 'short"\nfamily = "shuffler"')))
    assert said not in check(parse_pack(text.replace(in_the_deal, "when = [\"phase == 'betting'\"] }]")))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'brief = "Pile short"',
            f'brief = "{"x" * 41}"',
            "reports.short-pile.brief: String should have at most 40 characters",
        ),
        (
            'ends = [{ on = ["shoe-unloaded"] }]',
            'ends = [{ on = ["shoe-unloaded"], by = ["manager"] }]',
            (
                "rules.short-pile.holds.[1].ends.[1].by.[1]: Input should be 'dealer', 'floor', 'tech', "
                "'finance' or 'floor-system'"
            ),
        ),
        (
            'until = "the shoe is empty"',
            'until = "the shoe is empty"\noverride = "three"',
            "rules.short-pile.holds.[1].override: Input should be 'one' or 'two'",
        ),
        (
            'reports = ["short-pile"]',
            "reports = []",
            (
                "rules.short-pile.as_report.[1].reports: "
                "Tuple should have at least 1 item after validation, not 0"
            ),
        ),
    ],
)
def test_a_part_that_does_not_load_says_where_and_why(
    spoilt: Callable[[str, str], str], old: str, new: str, said: str
) -> None:
    with pytest.raises(BadPack) as refusal:
        parse_pack(spoilt(old, new))
    assert said in str(refusal.value).splitlines()


def test_every_report_is_explained_with_whom_it_takes_and_what_it_makes(three_piles: str) -> None:
    assert reports_of(parse_pack(three_piles), {"report/short-pile": ["tests/piles.py::test_short"]}) == [
        {
            "report": "short-pile",
            "cite": [],
            "game": "Three Piles",
            "says": "A pile is short.",
            "by": ["dealer", "floor"],
            "asks": [],
            "family": "shoe",
            "needs": [{"when": "phase != 'none'", "says": "no pile lies on the table"}],
            "rulings": ["short-pile"],
            "tests": ["tests/piles.py::test_short"],
        }
    ]


REPORTED_WET = """as_report = [{ reports = ["short-pile"], when = [{when}] }]
subject = "deck"
effect = "no-new-round"
says = "The deck was sorted."
"""
SORTED = """subject = "deck"
effect = "no-new-round"
says = "The deck was sorted."
"""
HOLD = """until = "the deck is shuffled"

[[rules]]
id = "jam"
"""


def stopping(when: str, family: str, cause: str) -> tuple[str, str]:
    """Make a rule that people report and that stops a device of a family, under a condition."""
    hold = HOLD.replace("until", f'stops_family = "{family}"\n{cause}until', 1)
    return REPORTED_WET.replace("{when}", when), hold


@pytest.mark.parametrize(
    ("when", "family", "cause", "said"),
    [
        (
            "\"phase == 'betting'\"",
            "shoe",
            "",
            ["rule sorted: a hold that stops a device must say when its cause is gone"],
        ),
        (
            "",
            "shoe",
            'cause_gone = [{ on = ["shoe-unloaded"] }]\n',
            [
                "rule sorted: it stops the shoe within a round that it does not void",
                (
                    "rules short-pile and sorted: one short-pile fires both, and short-pile voids the round "
                    "where sorted says no-new-round; make one row of them, or let each exclude the other"
                ),
            ],
        ),
        (
            "\"phase == 'betting'\"",
            "shoo",
            'cause_gone = [{ on = ["shoe-unloaded"] }]\n',
            ["rule sorted: no family is called shoo; did you mean shoe?"],
        ),
        ("\"phase == 'betting'\"", "shoe", 'cause_gone = [{ on = ["shoe-unloaded"] }]\n', []),
    ],
)
def test_a_report_may_stop_another_device_before_the_deal_alone(
    three_piles: str, when: str, family: str, cause: str, said: list[str]
) -> None:
    rule, hold = stopping(when, family, cause)
    text = three_piles.replace(SORTED, rule, 1).replace(HOLD, hold, 1)
    assert check(parse_pack(text)) == said
