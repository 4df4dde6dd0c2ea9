"""`felt rules check` on the example's own game with one ruling or one citation wrong in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.check import check
from felt_daemon.rules.library import parse_pack

if TYPE_CHECKING:
    from collections.abc import Callable

    Told = Callable[[str, str], list[str]]

WHEN = 'when = ["phase == \'dealt\'", "low_hand == none"]\nsubject'
CITE = 'cite = ["900a.4(f)"]\non'
# What stands before the tables, where further rows may stand.
HERE = "# What people are told to do"
ROW = "rule rest-taken-early"
LEAVE = "one excludes the other; leave one of them out"


def again(when: str, more: str, basis: str = 'cite = ["900a.4(f)"]') -> str:
    """Low Four's row once more, with other conditions and another ruling."""
    conditions = ", ".join(f'"{one}"' for one in when.split("|"))
    return (
        f'[[rules]]\nid = "rest-taken-twice"\n{basis}\non = ["shoe-unloaded"]\nwhen = [{conditions}]\n'
        f'subject = "deck"\nsays = "Another."\n{more}\n'
    )


VOID, ADVISE = 'effect = "stop"\nvoid = true', 'effect = "advise"\npassing = true'
HOLD = """effect = "no-new-round"
[[rules.holds]]
binds = "deck"
gates = ["deal"]
ends = [{ on = ["deck-changed"] }]
until = "the deck is changed"
"""
BOTH = (
    "rules rest-taken-early and rest-taken-twice: one shoe-unloaded fires both, "
    "and rest-taken-early says no-new-round where rest-taken-twice"
)
ONE_ROW = "make one row of them, or let each exclude the other"


@pytest.mark.parametrize(
    ("when", "ruling", "said"),
    [
        ("phase == 'dealt'|low_hand == none", VOID, "voids the round"),
        ("phase=='dealt'|low_hand == none", VOID, "voids the round"),
        ("phase in ('dealt')|low_hand == none", VOID, "voids the round"),
        ("phase == 'dealt'", VOID, "voids the round"),
        ("phase == 'dealt'|low_hand == none|count < 9", VOID, "voids the round"),
        ("phase in ('dealt', 'playing')", ADVISE, "says advise"),
        ("phase == 'dealt'|low_hand == none|count < 9", ADVISE, "says advise"),
        # A shoe may count more cards than a deck has.
        ("phase == 'dealt'|low_hand == none|count > 900", ADVISE, "says advise"),
    ],
)
def test_two_rulings_on_one_case_are_refused(told: Told, when: str, ruling: str, said: str) -> None:
    assert told(HERE, f"{again(when, ruling)}\n{HERE}") == [f"{BOTH} {said}; {ONE_ROW}"]


def test_rows_that_ask_for_the_same_things_and_overlap_are_refused(told: Told, low_four: str) -> None:
    wide = "when = [\"phase in ('dealt', 'playing')\", \"low_hand == none\"]\nsubject"
    assert told(WHEN, wide) == []
    row = again("phase in ('dealing', 'dealt')|low_hand == none|device_in_use == true", VOID)
    text = low_four.replace(HERE, f"{row}\n{HERE}").replace(WHEN, wide)
    assert check(parse_pack(text)) == []
    same = text.replace(', "device_in_use == true"', "")
    assert check(parse_pack(same)) == [f"{BOTH} voids the round; {ONE_ROW}"]


@pytest.mark.parametrize(
    ("when", "ruling", "basis"),
    [
        # Never at once; another trouble; the same ruling; what another subsection or our own row says of some
        # of the cases.
        ("phase == 'playing'", VOID, 'cite = ["900a.4(f)"]'),
        ("phase == 'dealt'|count < 9", VOID, 'cite = ["900a.4(f)"]'),
        ("phase == 'dealt'", HOLD, 'cite = ["900a.4(f)"]'),
        ("phase == 'dealt'|low_hand == none|count < 9", ADVISE, 'cite = ["900a.4(b)"]'),
        ("phase == 'dealt'|low_hand == none|count < 9", ADVISE, 'basis = "own"\nsince = 2026-11-01'),
    ],
)
def test_rows_that_do_not_contradict_are_sound(told: Told, when: str, ruling: str, basis: str) -> None:
    assert told(HERE, f"{again(when, ruling, basis)}\n{HERE}") == []


REPORTED = """[[rules]]
id = "{id}"
cite = ["900a.4(f)"]
as_report = [{{ reports = ["low-hand-called"], when = [{when}] }}]
subject = "round"
{ruling}
says = "A."
"""


def test_a_report_with_a_subset_of_conditions_is_one_case(told: Told) -> None:
    one = REPORTED.format(id="one", when="\"phase == 'dealt'\"", ruling=VOID)
    two = REPORTED.format(id="two", when="", ruling=ADVISE)
    said = "rules one and two: one low-hand-called fires both, and one voids the round where two says advise"
    assert told(HERE, f"{one}\n{two}\n{HERE}") == [f"{said}; {ONE_ROW}"]


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ("\"phase == 'playing'\"", f"phase == 'playing', phase == 'dealt': {LEAVE}"),
        (
            "\"report == 'shoe-jam'\"",
            f"report == 'shoe-jam', report == 'low-hand-called': {LEAVE}",
        ),
        ('"stacks < 2", "stacks > 3"', f"stacks < 2, stacks > 3: {LEAVE}"),
    ],
)
def test_a_row_that_its_report_is_refused_for_is_told(told: Told, when: str, why: str) -> None:
    row = REPORTED.format(id="one", when=when, ruling=VOID)
    assert told(HERE, f"{row}\n{HERE}") == [f"rule one: no fact can ever meet {why}"]


STOPS = """[[rules]]
id = "stops-it"
cite = ["900a.4(f)"]
on = ["{on}"]
when = [{when}]
subject = "device"
effect = "stop"
says = "Stops."

[[rules.holds]]
binds = "device"
gates = ["deal"]
{stops}
cause_gone = [{{ on = ["shoe-unloaded"] }}]
ends = [{{ on = ["shoe-unloaded"], once_gone = true }}]
until = "the cards are out"
"""


@pytest.mark.parametrize(
    ("on", "when", "stops", "spoils"),
    [
        ("device-faulted", "family == 'shoe'", "stops = true", True),
        ("card-drawn", "phase == 'dealing'", "stops = true", True),
        ("device-faulted", "family == 'shuffler'", 'stops_family = "shoe"', True),
        ("device-faulted", "family != 'shuffler'", "stops = true", True),
        ("device-faulted", "family == 'shuffler'", "stops = true", False),
        ("device-faulted", "family == 'shoe'|phase in ('dealt', 'playing')", "stops = true", False),
        ("device-faulted", "family == 'shoe'|phase != 'dealing'", "stops = true", False),
        ("device-faulted", "family == 'shoe'", 'stops_family = "shuffler"', False),
        ("shuffle-interrupted", "phase == 'dealing'", "stops = true", False),
    ],
)
def test_a_shoe_is_stopped_in_its_deal_by_what_voids_the_round_alone(
    told: Told,
    on: str,
    when: str,
    stops: str,
    spoils: bool,  # noqa: FBT001 - a row of a table
) -> None:
    conditions = ", ".join(f'"{one}"' for one in when.split("|"))
    found = told(HERE, f"{STOPS.format(on=on, when=conditions, stops=stops)}\n{HERE}")
    assert found == (
        ["rule stops-it: it stops the shoe within a round that it does not void"] if spoils else []
    )


@pytest.mark.parametrize(
    ("cites", "said"),
    [
        (
            '"900a.4(f)", "901a.9(z)"',
            f"901a.9(z): {ROW} cites it, and it is of another chapter; cite 900a, or nothing",
        ),
        (
            '"900a.4(f)", "900a.77(q)"',
            (
                f"900a.77(q): {ROW} cites it, and [text] lists no section 900a.77; "
                "it lists 900a.1, 900a.2, 900a.3, 900a.4"
            ),
        ),
    ],
)
def test_what_no_text_of_the_chapter_says_is_not_cited(told: Told, cites: str, said: str) -> None:
    assert told(CITE, f"cite = [{cites}]\non") == [said]


def test_a_section_of_another_chapter_is_none_of_the_text(told: Told) -> None:
    first = '[text."900a.1"]'
    other = '[text."901a.1"]\ntitle = "Other"\nsubsections = "a"\naside = { a = "No." }\n'
    assert told(first, other + first) == ["[text] 901a.1: it is of another chapter; this pack is 900a"]


def test_a_pack_that_cites_lists_the_sections_of_its_text(low_four: str) -> None:
    without = low_four[: low_four.index('[text."900a.1"]')]
    assert check(parse_pack(without)) == [
        (
            "[text]: it lists no section, so that nothing holds what is cited;"
            ' write [text."900a.2"] with its title and its subsections'
        )
    ]


@pytest.mark.parametrize(("phase", "spoils"), [("dealing", True), ("dealt", False)])
def test_the_silence_of_another_device_may_not_stop_the_shoe_in_its_deal(
    told: Told,
    phase: str,
    spoils: bool,  # noqa: FBT001 - a row of a table
) -> None:
    row = STOPS.format(on="device-lost", when="", stops='stops_family = "shoe"').replace("when = []\n", "")
    doubt = f'[[doubts]]\nfamily = "shuffler"\ndoubt = "lost"\nphases = ["{phase}"]\nrule = "stops-it"\n'
    found = told(HERE, f"{row}\n{doubt}\n{HERE}")
    said = "rule stops-it: it stops the shoe within a round that it does not void"
    assert (said in found) is spoils
