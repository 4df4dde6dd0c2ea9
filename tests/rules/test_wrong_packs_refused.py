"""`felt rules check` on the example's own game with one thing in it that is never so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.check import check
from felt_daemon.rules.library import parse_pack

if TYPE_CHECKING:
    from collections.abc import Callable

    Told = Callable[[str, str], list[str]]

WHEN = 'when = ["phase == \'dealt\'", "low_hand == none"]\nsubject'
ENDS = """ends = [
  { on = ["deck-counted"], when = ["part == 'deck'", "count == deck_total"] },
  { on = ["deck-changed"] },
]"""
MOVE = "when = [\"report == 'low-hand-called'\"]"
NEED = "needs = [{ when = \"phase == 'dealt'\", says ="
# What stands before the tables, where further rows may stand.
HERE = "# What people are told to do"
ROW = "rule rest-taken-early"
LEAVE = "one excludes the other; leave one of them out"
UNTIL = "the whole deck is counted by hand and has 52 cards, or is changed"
ENDLESS = f"{ROW}: nobody and nothing can ever end its hold ({UNTIL})"


def test_the_examples_own_game_is_sound(told: Told) -> None:
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
        # What is never so by itself is told by itself.
        ("phase == 'dealt'|count < 0", "count < 0: count is a whole number from 0, or none"),
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
def test_a_row_whose_conditions_exclude_each_other_is_refused(told: Told, when: str, said: str) -> None:
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
        ("positions == 99", "'positions == 99': positions is never 99; it is 5"),
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
def test_a_value_that_a_name_never_has_is_refused_once(told: Told, when: str, said: str) -> None:
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
def test_a_move_that_can_never_happen_is_refused(told: Told, old: str, new: str, said: str) -> None:
    assert f"move to playing: {said}" in told(old, new)


def test_a_report_that_is_always_refused_is_told(told: Told) -> None:
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
def test_a_hold_that_nobody_can_end_is_refused(told: Told, ends: str, said: list[str]) -> None:
    assert told(ENDS, f"ends = {ends}") == [ENDLESS, *(f"{ROW}: {one}" for one in said)]


def test_a_hold_that_ends_once_its_cause_is_gone_needs_a_cause_that_goes(told: Told) -> None:
    ends = 'cause_gone = [{ on = ["ruling-made"] }]\nends = [{ on = ["deck-changed"], once_gone = true }]'
    assert told(ENDS, ends) == [
        ENDLESS,
        f"{ROW}: its hold never hears ruling-made; write a fact, what people do or a device tells",
    ]


def test_an_end_that_never_comes_is_refused_beside_one_that_does(told: Told) -> None:
    ends = 'ends = [{ on = ["deck-changed"] }, { on = ["deck-counted"], when = ["count > 52"] }]'
    assert told(ENDS, ends) == [
        f"{ROW}: an end of its hold: no fact can ever meet count > 52: count is a whole number from 0 to 52"
    ]


@pytest.mark.parametrize("when", ['"phase == \'dealt\'", "low_hand == none"', "\"phase in ('dealt')\"", ""])
def test_a_hold_that_its_own_fact_ends_is_refused(told: Told, when: str) -> None:
    ends = f'ends = [{{ on = ["deck-changed"] }}, {{ on = ["shoe-unloaded"], when = [{when}] }}]'
    assert told(ENDS, ends) == [f"{ROW}: shoe-unloaded opens its hold and ends it at once"]


CALLED = """[[rules]]
id = "called-late"
cite = ["900a.4(f)"]
as_report = [{ reports = ["low-hand-called"], when = ["low_hand == 'called'"] }]
subject = "round"
effect = "advise"
passing = true
says = "The low hand was called."

[[sets]]
note = "low_hand"
value = "called"
on = ["EVENT"]

"""


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("reported", []),
        (
            "shoe-emptied",
            [f"rule called-late: no fact can ever meet low_hand == 'called', low_hand == none: {LEAVE}"],
        ),
    ],
)
def test_a_row_on_a_report_may_ask_for_a_note_that_the_report_itself_changes(
    low_four: str, event: str, said: list[str]
) -> None:
    uncalled = f'{NEED} "a" }}, {{ when = "low_hand == none", says ='
    text = low_four.replace('sets = { low_hand = "called" }\n', "").replace(NEED, uncalled)
    assert check(parse_pack(text.replace(HERE, CALLED.replace("EVENT", event) + HERE))) == said


TWICE = "\"phase == 'dealt'\", \"phase == 'playing'\""
CLASH = f"phase == 'dealt', phase == 'playing': {LEAVE}"
NOTE = '[[sets]]\nnote = "low_hand"\nvalue = "called"\non = ["{on}"]\nwhen = [{when}]\n'
INFERRED = """[[inferences]]
becomes = "round-ended"
told = "round-end"
choice = "x"
on = ["{on}"]
when = [{when}]
"""
GATE = """[[gates]]
id = "twice"
family = "shoe"
per = "round"
order = "permit"
args = { round = "key" }
needs = [{ when = "phase == 'dealt'", says = "a" }, { when = "phase == 'playing'", says = "b" }]
"""
DOUBT = """[[doubts]]
family = "shoe"
doubt = "stale"
phases = ["dealt"]
when = ["phase == 'playing'"]
rule = "nothing"
"""


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (NOTE.format(on="card-drawn", when=TWICE), f"note low_hand: no fact can ever meet {CLASH}"),
        (
            NOTE.format(on="round-voided", when=""),
            "note low_hand: round-voided is decided and never told; a rule looks at facts",
        ),
        (
            INFERRED.format(on="card-drawn", when=TWICE),
            f"inference of round-ended: no fact can ever meet {CLASH}",
        ),
        (
            INFERRED.format(on="phase-changed", when=""),
            "inference of round-ended: phase-changed is decided and never told; a rule looks at facts",
        ),
        (GATE, f"gate twice: nothing can ever meet {CLASH}"),
        (
            DOUBT,
            f"doubt shoe stale: nothing can ever meet phase == 'playing', phase == 'dealt': {LEAVE}",
        ),
    ],
)
def test_whatever_waits_for_what_cannot_be_is_told(told: Told, row: str, said: str) -> None:
    assert said in told(HERE, f"{row}\n{HERE}")


def test_each_fact_that_a_row_listens_to_can_fire_it(told: Told) -> None:
    both = 'on = ["shoe-unloaded", "deck-loaded"]\nwhen = ["family == \'shoe\'"]\nsubject'
    assert told(f'on = ["shoe-unloaded"]\n{WHEN}', both) == [
        f"{ROW}: no fact can ever meet family == 'shoe': family is one of shuffler",
    ]
