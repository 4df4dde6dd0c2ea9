"""What `felt rules explain` and the page of the regulations are made of, in every word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules.explain import (
    citation,
    explain,
    explain_others,
    explain_reports,
    explained,
    reports_of,
)
from felt_daemon.rules.explain import tests_of as index_of
from felt_daemon.rules.library import load, parse_pack
from felt_daemon.rules.text import citations, text_breaches
from felt_daemon.rules.trace import Kept, Line, of_answers, page_of, traced

if TYPE_CHECKING:
    from felt_daemon.rules import Pack

TEXT = """
[text."999a.7"]
title = "Irregularities"
subsections = "a-d"
irregularities = true
aside = { a = "It says what words mean.", d = "Only people see it." }
"""
TESTS = {
    "short-pile": [f"tests/piles.py::test_{number}" for number in ("one", "two", "three", "four", "five")],
    "report/short-pile": ["tests/piles.py::test_six"],
}


@pytest.fixture
def pack(three_piles: str) -> Pack:
    """Three Piles with a section of its text, whose last subsection is left to people."""
    reported = three_piles.replace(
        'says = "A pile is short."', 'says = "A pile is short."\ncite = ["999a.7(c)(1)"]\nby = ["dealer"]'
    ).replace('cite = "999a.9"', 'cite = "999a.9(b)"')
    return parse_pack(reported[: reported.index("[text.")] + TEXT)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("659a.13.m", "659a.13(m)"),
        (" § 659A.13(M) ", "659a.13(m)"),
        ("659a.3.c.2", "659a.3(c)(2)"),
        ("659a.13", "659a.13"),
        ("shoe-jam", "shoe-jam"),
    ],
)
def test_a_citation_is_read_however_people_write_it(said: str, written: str) -> None:
    assert citation(said) == written


SHORT_PILE: dict[str, Any] = {
    "id": "short-pile",
    "cite": ["999a.7(b)"],
    "basis": "regulation",
    "game": "Three Piles",
    "source": "1 Pa.B. 1",
    "standing": "proposed",
    "since": "2030-01-01",
    "says": "A pile has not two cards.",
    "on": ["stack-dispensed"],
    "when": ["size < hand_cards", "phase in ('betting', 'dealing')"],
    "reported_as": [{"report": "short-pile", "when": ["phase == 'dealing'"], "says": "A pile is short."}],
    "effect": "stop",
    "void": True,
    "directives": ["Return every wager."],
    "holds": [
        {
            "binds": "device",
            "gates": ["deal"],
            "stops": True,
            "until": "the shoe is empty",
            "override": "one",
            "note": None,
        }
    ],
    "note": None,
    "tests": ["tests/piles.py::test_one"],
}


@pytest.mark.parametrize("asked", ["short-pile", "999a.7(b)", "999A.7.b"])
def test_a_rule_is_explained_by_its_name_and_by_its_citation(pack: Pack, asked: str) -> None:
    [found] = explained(pack, {"short-pile": ["tests/piles.py::test_one"]}, asked)
    assert "1 Pa.B. 1" in found.pop("text")
    assert found == SHORT_PILE


def test_a_rule_of_our_own_is_explained_without_a_test(pack: Pack) -> None:
    [found] = explained(pack, {}, "jam")
    assert (found["cite"], found["basis"], found["tests"], found["void"]) == ([], "own", [], False)
    assert found["text"] == "our own, since 2030-01-01"


def test_a_citation_has_the_rules_of_its_parts(pack: Pack) -> None:
    assert [one.get("id") for one in explained(pack, {}, "999a.5")] == ["sorted"]
    assert explained(pack, {}, "999a.5(b)") == []
    # What only begins alike is another section.
    assert explained(pack, {}, "999a.7(") == []


def test_a_subsection_that_only_people_see_is_explained_by_its_reason(pack: Pack) -> None:
    assert explained(pack, {}, "999a.9(b)") == [
        {
            "cite": ["999a.9(b)"],
            "game": "Three Piles",
            "says": "Somebody looked under a pile.",
            "why": "Only people see that.",
            "directives": ["Return every wager."],
            "tests": [],
        }
    ]


@pytest.mark.parametrize("asked", ["999a.7(d)", "999a.7(d)(2)"])
def test_a_subsection_that_no_row_keeps_is_explained_by_why_not(pack: Pack, asked: str) -> None:
    assert explained(pack, {}, asked) == [
        {
            "cite": ["999a.7(d)"],
            "game": "Three Piles",
            "says": "Irregularities: no row keeps this subsection.",
            "why": "Only people see it.",
            "directives": [],
            "tests": [],
        }
    ]


def test_rules_are_looked_for_in_one_pack_or_in_all(pack: Pack) -> None:
    packs = {"999a": pack, "998a": pack}
    assert [one["id"] for one in explain("short-pile", packs=packs)] == ["short-pile", "short-pile"]
    assert [one["id"] for one in explain("short-pile", "999a", packs)] == ["short-pile"]
    assert [one["id"] for one in explain("shuffler-jam", "659a")] == ["shuffler-jam"]
    assert [one["game"] for one in explain("dice-not-flat")] == ["Asia Poker"]


REPORT = {
    "report": "short-pile",
    "cite": ["999a.7(c)(1)"],
    "game": "Three Piles",
    "says": "A pile is short.",
    "by": ["dealer"],
    "asks": [],
    "family": "shoe",
    "needs": [{"when": "phase != 'none'", "says": "no pile lies on the table"}],
    "rulings": ["short-pile"],
    "tests": ["tests/piles.py::test_six"],
}


def test_a_report_is_explained_by_its_word_and_by_its_citation(pack: Pack) -> None:
    assert reports_of(pack, TESTS) == [REPORT]
    packs = {"999a": pack}
    untested = REPORT | {"tests": []}
    for asked in ("short-pile", "999a.7(c)(1)", "999a.7(c)", "999a.7"):
        assert explain_reports(asked, packs=packs) == [untested]
    assert explain_reports("999a.7(b)", packs=packs) == []


ELECTION = {
    "kind": "election",
    "name": "decks",
    "cite": ["999a.1"],
    "game": "Three Piles",
    "says": "One deck, or two that alternate.",
    "tests": [],
}


def test_what_else_keeps_a_subsection_is_explained_by_its_citation_and_by_what_marks_call_it(
    pack: Pack,
) -> None:
    packs = {"999a": pack}
    for asked in ("999a.1", "election/decks"):
        assert explain_others(asked, packs=packs) == [ELECTION]
    # Rows, reports and what only people see have entries of their own.
    for asked in ("999a.7(b)", "999a.7(c)", "999a.9(b)", "short-pile", "decks"):
        assert explain_others(asked, packs=packs) == []


def test_a_pattern_of_the_deal_is_explained_with_each_of_its_citations_and_the_tests_that_hold_it() -> None:
    [found] = explain_others("686a.7(i)")
    assert (found["kind"], found["name"], found["cite"]) == (
        "deal",
        "manual-shoe",
        ["686a.7(e)", "686a.7(i)"],
    )
    assert found["tests"] == index_of("686a")["deal/manual-shoe"] != []
    [opening] = explain_others("opening", "665a")
    assert opening["cite"] == [f"665a.4({letter})" for letter in "abcde"]


def test_a_pack_without_an_index_has_no_tests() -> None:
    assert index_of("999a") == {}
    assert index_of("659a")["shoe-jam"]


# ---- the page of the regulations ---------------------------------------------------------------------------


def test_each_subsection_is_traced_to_what_keeps_it(pack: Pack) -> None:
    rule = Kept("rule", "short-pile", "A pile has not two cards.", tuple(TESTS["short-pile"]))
    report = Kept("report", "short-pile", "A pile is short.", ("tests/piles.py::test_six",))
    assert list(traced(pack, TESTS)) == [
        (
            "999a.7",
            "Irregularities",
            [
                Line("999a.7(a)", (), "It says what words mean."),
                Line("999a.7(b)", (rule,)),
                Line("999a.7(c)", (report,)),
                Line("999a.7(d)", (), "Only people see it."),
            ],
        )
    ]


def test_a_pack_that_accounts_for_its_text_breaks_nothing_and_one_that_does_not_is_told(pack: Pack) -> None:
    assert list(text_breaches(pack)) == []
    section = pack.text["999a.7"]

    def told(subsections: str, **aside: str) -> list[str]:
        text = {"999a.7": section.model_copy(update={"subsections": subsections, "aside": aside})}
        return list(text_breaches(pack.model_copy(update={"text": text})))

    assert told("a-d", a="why", b="why", d="why") == [
        "999a.7(b): a row cites it, and [text] says that nothing shows it"
    ]
    assert told("a-c", a="why", d="why") == [
        "999a.7(d): the section has no such subsection; it ends with (c)"
    ]
    assert told("a-d", a="why") == [
        "999a.7(d): nothing cites it; cite it where it is kept, or say why not under [text]"
    ]
    assert told("a-b", a="why") == ["999a.7(c)(1): report short-pile cites it, and the section ends with (b)"]


def test_the_page_has_a_line_for_each_subsection_with_the_first_three_tests(pack: Pack) -> None:
    page = list(page_of(pack, TESTS))
    assert page[:2] == ["## 999a  Three Piles", ""]
    assert page[2][0].isupper()
    assert page[2].endswith(".")
    # Nothing of answers, which hold no row of this chapter.
    assert page[3:5] == ["", "### § 999a.7 Irregularities"]
    lines = {line.split(" | ")[0]: line for line in page if line.startswith("| 999a")}
    assert lines["| 999a.7(a)"] == "| 999a.7(a) | It says what words mean. |  |"
    assert lines["| 999a.7(b)"].endswith("| `test_one`<br>`test_two`<br>`test_three`<br>and 2 more |")
    # A report has tests of its own, whatever row has the same name.
    assert lines["| 999a.7(c)"] == "| 999a.7(c) | report `short-pile`: A pile is short. | `test_six` |"
    three = list(page_of(pack, {"short-pile": TESTS["short-pile"][:3]}))
    assert next(line for line in three if "test_three" in line).endswith("`test_three` |")


def test_rows_that_no_test_is_marked_with_are_said_to_be_held_by_what_their_chapter_answers(
    pack: Pack,
) -> None:
    answers = "test_rows_answer_what_they_are_there_for_and_nothing_else[999a]"
    assert of_answers("999a") == f"tests/table/test_rows_in_each_situation.py::{answers}"
    page = list(
        page_of(pack, {"short-pile": [of_answers("999a")], "report/short-pile": ["tests/p.py::test_six"]})
    )
    assert page[4].startswith(
        f"All that its rows answer is held by `{answers}`: it tells tables of this chapter"
    )
    assert page[4].endswith("Rows for which no other test is named have this one alone.")
    lines = {line.split(" | ")[0]: line for line in page if line.startswith("| 999a")}
    assert lines["| 999a.7(b)"].endswith("| the answers, as said above |")
    assert lines["| 999a.7(c)"].endswith("| `test_six` |")
    # In each line it would say the same once more.
    both = list(page_of(pack, {"short-pile": ["tests/p.py::test_one", of_answers("999a")]}))
    assert next(line for line in both if line.startswith("| 999a.7(b)")).endswith("| `test_one` |")


def test_the_whole_page_of_a_section_of_two_subsections(three_piles: str) -> None:
    text = """
[text."999a.1"]
title = "Decks"
subsections = "a-b"
aside = { b = "It says what words mean." }
"""
    decks = three_piles.replace('cite = ["999a.1"]', 'cite = ["999a.1(a)"]')
    missing = decks.replace('bulletin = "1 Pa.B. 1"', 'bulletin = "1 Pa.B. 1"\nmissing = "the last page"')
    page = list(page_of(parse_pack(missing[: missing.index("[text.")] + text), {}))
    assert page[:2] == ["## 999a  Three Piles", ""]
    assert page[3:] == [
        "",
        "Not in the text to hand: the last page",
        "",
        "### § 999a.1 Decks",
        "",
        "| subsection | kept by | held by tests |",
        "|---|---|---|",
        "| 999a.1(a) | election `decks`: One deck, or two that alternate. |  |",
        "| 999a.1(b) | It says what words mean. |  |",
        "",
    ]


@pytest.mark.parametrize(
    ("chapter", "cited"),
    [
        ("659a", ("659a.10(a)", "permit", "deal")),
        ("659a", ("659a.5(g)(1)", "start", "starting position")),
        ("659a", ("659a.4(a)", "opening", "before the table opens")),
        ("659a", ("659a.3(a)", "composition", "what a deck is made of")),
        ("659a", ("659a.13(n)", "method", "a sign before another way is used")),
        ("659a", ("659a.9(b)", "deal", "manual-shoe")),
        ("665a", ("665a.7(c)", "burns", "the next card to the rack")),
        ("665a", ("665a.2(d)", "inspection", "hole-card-reader")),
        ("687a", ("687a.8(c)", "note", "start_game")),
    ],
)
def test_everything_of_a_pack_that_cites_its_text_is_found(chapter: str, cited: tuple[str, str, str]) -> None:
    assert cited in list(citations(load(chapter)))
