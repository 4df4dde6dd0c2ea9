"""`felt rules check` on the example's own game with one thing wrong in it, each told in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from felt_daemon.rules.check import check
from felt_daemon.rules.library import parse_pack

PACK = Path(__file__).resolve().parents[2] / "examples" / "own-game" / "packs" / "900a.toml"
WHEN = 'when = ["phase == \'dealt\'", "low_hand == none"]\nsubject'
ENDS = """ends = [
  { on = ["deck-counted"], when = ["part == 'deck'", "count == deck_total"] },
  { on = ["deck-changed"] },
]"""
CITE = 'cite = ["900a.4(f)"]\non'
MOVE = "when = [\"report == 'low-hand-called'\"]"
NEED = "needs = [{ when = \"phase == 'dealt'\", says ="
# What stands before the tables, where further rows may stand.
HERE = "# What people are told to do"
# What makes Low Four sound in every one of these tests but for the one change.
ROW = "rule rest-taken-early"
LEAVE = "one excludes the other; leave one of them out"
UNTIL = "the whole deck is counted by hand and has 52 cards, or is changed"
ENDLESS = f"{ROW}: nobody and nothing can ever end its hold ({UNTIL})"


def told(old: str, new: str) -> list[str]:
    """The breaches of Low Four with one place changed."""
    text = PACK.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    return check(parse_pack(text.replace(old, new)))


def test_the_examples_own_game_is_sound() -> None:
    assert told(HERE, HERE) == []


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("phase == 'dealt'|phase == 'playing'", f"phase == 'dealt', phase == 'playing': {LEAVE}"),
        ("phase == 'dealt'|phase != 'dealt'", f"phase == 'dealt', phase != 'dealt': {LEAVE}"),
        (
            "phase == 'dealt'|phase not in ('dealt', 'playing')",
            f"phase == 'dealt', phase not in ('dealt', 'playing'): {LEAVE}",
        ),
        ("phase == 'dealt'|count > 60|count < 3", f"count > 60, count < 3: {LEAVE}"),
        ("count == deck_total|count != deck_total", f"count == deck_total, count != deck_total: {LEAVE}"),
        ("count == deck_total|count < 3", f"count == deck_total, count < 3: {LEAVE}"),
        (
            "deal_method != 'automated-shoe'|deal_method != 'manual-shoe'|deal_method != 'hand'",
            (
                "deal_method != 'automated-shoe', deal_method != 'manual-shoe', deal_method != 'hand': "
                f"{LEAVE}"
            ),
        ),
        ("low_hand == none|low_hand == 'called'", f"low_hand == none, low_hand == 'called': {LEAVE}"),
        (
            "device_signed == true|device_signed != true",
            f"device_signed == true, device_signed != true: {LEAVE}",
        ),
        (
            "device_signed == true|device_signed == false",
            f"device_signed == true, device_signed == false: {LEAVE}",
        ),
        # What is not known differs from nothing.
        ("low_hand != 'called'", "low_hand != 'called': low_hand is one of called, or none"),
        ("count < 0", "count < 0: count is a whole number from 0, or none"),
        (
            "phase == count",
            (
                "phase == count: phase is one of betting, closed, dealing, dealt, hand-deal, none, playing, "
                "void and count is a whole number from 0, or none"
            ),
        ),
        ("stacks < hands_due|hands_due < stacks", f"stacks < hands_due, hands_due < stacks: {LEAVE}"),
    ],
)
def test_a_row_whose_conditions_exclude_each_other_is_refused(when: str, said: str) -> None:
    conditions = ", ".join(f'"{one}"' for one in when.split("|"))
    assert told(WHEN, f"when = [{conditions}]\nsubject") == [f"{ROW}: no fact can ever meet {said}"]


PHASES = "it is one of betting, closed, dealing, dealt, hand-deal, none, playing, void"


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("phase == 3", f"'phase == 3': phase is never 3; {PHASES}"),
        ("phase > 3", f"'phase > 3': phase is never 3; {PHASES}"),
        ("phase == none", f"'phase == none': phase is never none; {PHASES}"),
        ("phase == true", f"'phase == true': phase is never true; {PHASES}"),
        (
            "device_signed == 'yes'",
            "\"device_signed == 'yes'\": device_signed is never 'yes'; it is true or false, or none",
        ),
        ("count == -2", "'count == -2': count is never -2; it is a whole number from 0, or none"),
        (
            "phase == 'dealt'|family == 'shuffler'",
            "\"family == 'shuffler'\": family is never 'shuffler'; it is one of shoe",
        ),
        (
            "phase != 'delt'|stacks > 0|low_hand == none",
            "\"phase != 'delt'\": phase is never 'delt'; did you mean dealt?",
        ),
    ],
)
def test_a_value_that_a_name_never_has_is_refused_once(when: str, said: str) -> None:
    conditions = ", ".join(f'"{one}"' for one in when.split("|"))
    assert told(WHEN, f"when = [{conditions}]\nsubject") == [f"{ROW}: {said}"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            MOVE,
            "when = [\"report == 'low-hand-called'\", \"report != 'low-hand-called'\"]",
            f"no fact can ever meet report == 'low-hand-called', report != 'low-hand-called': {LEAVE}",
        ),
        (
            MOVE,
            "when = [\"report == 'low-hand-called'\", \"phase == 'playing'\"]",
            f"no fact can ever meet phase == 'playing', phase == 'dealt': {LEAVE}",
        ),
        (
            'on = ["reported"]\nwhen = ["report == \'low-hand-called\'"]',
            'on = ["round-voided"]',
            "round-voided is decided and never told; a rule looks at facts",
        ),
    ],
)
def test_a_move_that_can_never_happen_is_refused(old: str, new: str, said: str) -> None:
    assert f"move to playing: {said}" in told(old, new)


def test_a_report_that_is_always_refused_is_told() -> None:
    two = f'{NEED} "one" }}, {{ when = "phase == \'playing\'", says ='
    assert told(NEED, two) == [
        f"move to playing: no fact can ever meet phase == 'dealt', phase == 'playing': {LEAVE}",
        f"report low-hand-called: nothing can ever meet phase == 'dealt', phase == 'playing': {LEAVE}",
    ]


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ('[{ on = ["hole-card-inserted"] }]', []),
        (
            '[{ on = ["deck-counted"], when = ["part == \'deck\'", "part == \'remaining\'"] }]',
            [f"an end of its hold: no fact can ever meet part == 'deck', part == 'remaining': {LEAVE}"],
        ),
        (
            '[{ on = ["deck-counted"], when = ["count > 90"] }]',
            ["an end of its hold: no fact can ever meet count > 90: count is a whole number from 0 to 52"],
        ),
        (
            '[{ on = ["deck-counted"], when = ["count == deck_total", "count != deck_total"] }]',
            [f"an end of its hold: no fact can ever meet count == deck_total, count != deck_total: {LEAVE}"],
        ),
        (
            '[{ on = ["reported"], when = ["report == \'low-hand-called\'", "phase == \'playing\'"] }]',
            [f"an end of its hold: no fact can ever meet phase == 'playing', phase == 'dealt': {LEAVE}"],
        ),
        (
            '[{ on = ["reported"], when = ["report == \'low-hand-called\'"], by = ["tech"] }]',
            ["an end of its hold: tech cannot report it; write under by who can"],
        ),
        (
            '[{ on = ["ruling-made"] }]',
            ["its hold never hears ruling-made; write a fact, what people do or a device tells"],
        ),
        (
            '[{ on = ["hold-overridden"] }]',
            ["its hold never hears hold-overridden; write a fact, what people do or a device tells"],
        ),
    ],
)
def test_a_hold_that_nobody_can_end_is_refused(ends: str, said: list[str]) -> None:
    assert told(ENDS, f"ends = {ends}") == [ENDLESS, *(f"{ROW}: {one}" for one in said)]


def test_a_hold_that_ends_once_its_cause_is_gone_needs_a_cause_that_goes() -> None:
    ends = 'cause_gone = [{ on = ["ruling-made"] }]\nends = [{ on = ["deck-changed"], once_gone = true }]'
    assert told(ENDS, ends) == [
        ENDLESS,
        f"{ROW}: its hold never hears ruling-made; write a fact, what people do or a device tells",
    ]


def test_an_end_that_never_comes_is_refused_beside_one_that_does() -> None:
    ends = 'ends = [{ on = ["deck-changed"] }, { on = ["deck-counted"], when = ["count > 52"] }]'
    assert told(ENDS, ends) == [
        f"{ROW}: an end of its hold: no fact can ever meet count > 52: count is a whole number from 0 to 52"
    ]


@pytest.mark.parametrize("when", ['"phase == \'dealt\'", "low_hand == none"', "\"phase in ('dealt')\"", ""])
def test_a_hold_that_its_own_fact_ends_is_refused(when: str) -> None:
    ends = f'ends = [{{ on = ["deck-changed"] }}, {{ on = ["shoe-unloaded"], when = [{when}] }}]'
    assert told(ENDS, ends) == [f"{ROW}: shoe-unloaded opens its hold and ends it at once"]


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
    ],
)
def test_two_rulings_on_one_case_are_refused(when: str, ruling: str, said: str) -> None:
    assert told(HERE, f"{again(when, ruling)}\n{HERE}") == [f"{BOTH} {said}; {ONE_ROW}"]


def test_rows_that_ask_for_the_same_things_and_overlap_are_refused() -> None:
    wide = "when = [\"phase in ('dealt', 'playing')\", \"low_hand == none\"]\nsubject"
    assert told(WHEN, wide) == []
    row = again("phase in ('dealing', 'dealt')|low_hand == none|device_in_use == true", VOID)
    text = PACK.read_text(encoding="utf-8").replace(HERE, f"{row}\n{HERE}").replace(WHEN, wide)
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
def test_rows_that_do_not_contradict_are_sound(when: str, ruling: str, basis: str) -> None:
    assert told(HERE, f"{again(when, ruling, basis)}\n{HERE}") == []


REPORTED = """[[rules]]
id = "{id}"
cite = ["900a.4(f)"]
as_report = [{{ reports = ["low-hand-called"], when = [{when}] }}]
subject = "round"
{ruling}
says = "A."
"""


def test_a_report_with_a_subset_of_conditions_is_one_case() -> None:
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
def test_a_row_that_its_report_is_refused_for_is_told(when: str, why: str) -> None:
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
def test_what_no_text_of_the_chapter_says_is_not_cited(cites: str, said: str) -> None:
    assert told(CITE, f"cite = [{cites}]\non") == [said]


def test_a_section_of_another_chapter_is_none_of_the_text() -> None:
    first = '[text."900a.1"]'
    other = '[text."901a.1"]\ntitle = "Other"\nsubsections = "a"\naside = { a = "No." }\n'
    assert told(first, other + first) == ["[text] 901a.1: it is of another chapter; this pack is 900a"]


def test_a_pack_that_cites_lists_the_sections_of_its_text() -> None:
    text = PACK.read_text(encoding="utf-8")
    without = text[: text.index('[text."900a.1"]')]
    assert check(parse_pack(without)) == [
        (
            "[text]: it lists no section, so that nothing holds what is cited;"
            ' write [text."900a.2"] with its title and its subsections'
        )
    ]
