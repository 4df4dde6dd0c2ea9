"""Each subsection of a pack's sections is kept by something or left to people with a reason."""

from __future__ import annotations

import pytest

from felt_daemon.rules import chapters, explain, load
from felt_daemon.rules.check import check
from felt_daemon.rules.compose import BadPack
from felt_daemon.rules.library import parse_pack
from felt_daemon.rules.trace import Kept, page_of, traced

RULE = 'cite = ["999a.7(b)"]'


def text_of(three_piles: str, **changes: str) -> list[str]:
    """The breaches of the pack with a text, places of it changed."""
    head, section, text = three_piles.partition('[text."999a.7"]')
    for old, new in changes.items():
        text = text.replace({"end": '"a-b"', "aside": "a = "}[old], new)
    return check(parse_pack(head + section + text))


def test_a_text_that_is_accounted_for_has_no_breach(three_piles: str) -> None:
    assert text_of(three_piles) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "end",
            '"a-c"',
            "999a.7(c): nothing cites it; cite it where it is kept, or say why not under [text]",
        ),
        ("end", '"a"', "999a.7(b): rule short-pile cites it, and the section ends with (a)"),
        (
            "aside",
            'b = "Nobody.", a = ',
            "999a.7(b): a row cites it, and [text] says that nothing shows it",
        ),
        (
            "aside",
            'd = "Nobody.", a = ',
            "999a.7(d): the section has no such subsection; it ends with (b)",
        ),
    ],
)
def test_what_nothing_accounts_for_is_told(three_piles: str, old: str, new: str, said: str) -> None:
    assert text_of(three_piles, **{old: new}) == [said]


@pytest.mark.parametrize("chapter", chapters())
def test_every_chapter_accounts_for_its_irregularities(chapter: str) -> None:
    pack = load(chapter)
    sections = [name for name, about in pack.text.items() if about.irregularities]
    # The chapters that are here in part have no such section.
    whole = {"659a", "663a", "665a", "671a", "672a", "673a", "686a", "687a"}
    assert bool(sections) is (chapter in whole)
    for section, _title, lines in traced(pack, explain.tests_of(chapter)):
        for line in lines:
            assert line.kept or line.why, line.cite
            if section in sections:
                rules = [kept for kept in line.kept if kept.kind == "rule"]
                assert all(rule.tests for rule in rules), line.cite


def test_a_line_says_what_keeps_a_subsection_and_which_tests_hold_it(three_piles: str) -> None:
    pack = parse_pack(three_piles)
    *_others, (section, title, lines) = traced(pack, {"short-pile": ["tests/a.py::test_it"]})
    assert (section, title, [line.cite for line in lines]) == ("999a.7", "Piles", ["999a.7(a)", "999a.7(b)"])
    assert (lines[0].kept, lines[0].why) == ((), "Only people see that.")
    assert lines[1].kept == (
        Kept("rule", "short-pile", "A pile has not two cards.", ("tests/a.py::test_it",)),
    )


def test_what_no_device_shows_gives_its_reason(three_piles: str) -> None:
    said = three_piles.replace('cite = "999a.9"', 'cite = "999a.9(a)"')
    looking = 'title = "Looking"\nsubsections = "a"\n'
    pack = parse_pack(said.replace(f'{looking}aside = {{ a = "The whole section is cited." }}\n', looking))
    assert check(pack) == []
    (lines,) = [lines for section, _title, lines in traced(pack, {}) if section == "999a.9"]
    assert (lines[0].kept, lines[0].why) == ((), "Only people see that.")


def test_subsections_run_forwards(three_piles: str) -> None:
    looking = 'title = "Looking"\nsubsections = "a"\n'
    one = three_piles.replace(looking, looking.replace('"a"', '"a-a"'))
    assert check(parse_pack(one)) == check(parse_pack(three_piles)) == []
    with pytest.raises(BadPack) as refusal:
        parse_pack(three_piles.replace(looking, looking.replace('"a"', '"c-a"')))
    assert str(refusal.value).endswith("subsections: Value error, runs backwards; write 'a-c'")


def test_the_page_names_three_tests_of_a_row_and_counts_the_others(three_piles: str) -> None:
    pack = parse_pack(three_piles)
    tests = {"short-pile": [f"tests/a.py::test_{name}" for name in "abcde"]}
    page = list(page_of(pack, tests))
    assert page[:3] == ["## 999a  Three Piles", "", "Proposed text, 1 Pa.B. 1, kept here as of 2030-01-01."]
    assert page[-2] == (
        "| 999a.7(b) | rule `short-pile`: A pile has not two cards. "
        "| `test_a`<br>`test_b`<br>`test_c`<br>and 2 more |"
    )
    assert "| 999a.7(a) | Only people see that. |  |" in page


def test_the_page_says_what_of_a_chapter_is_not_in_the_text(three_piles: str) -> None:
    said = 'since = 2030-01-01\nmissing = "999a.8, the looking."\n'
    pack = parse_pack(three_piles.replace("since = 2030-01-01\n", said, 1))
    assert list(page_of(pack, {}))[3:5] == ["", "Not in the text to hand: 999a.8, the looking."]


def test_a_report_an_election_and_a_permit_are_named_too() -> None:
    kinds = {
        kept.kind
        for _section, _title, lines in traced(load("659a"), explain.tests_of("659a"))
        for line in lines
        for kept in line.kept
    }
    assert {"rule", "report", "election", "permit", "opening", "start", "method"} <= kinds


@pytest.mark.parametrize("asked", ["999a.7(a)", "999a.7(a)(2)"])
def test_a_subsection_that_is_left_to_people_is_explained_by_its_reason(three_piles: str, asked: str) -> None:
    (told,) = explain.explained(parse_pack(three_piles), {}, asked)
    assert (told["cite"], told["why"]) == (["999a.7(a)"], "Only people see that.")
    assert told["says"] == "Piles: no row keeps this subsection."
    assert explain.explained(parse_pack(three_piles), {}, "999a.6(a)") == []
