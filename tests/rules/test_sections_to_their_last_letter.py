"""How far each section goes that concerns devices, by its text: no pack may stop before its last letter.

The letters were read in the texts. Of 633a, 635a and 637a the bulletin prints a few sections, and of some of
those only the end.
"""

from __future__ import annotations

import pytest

from felt_daemon.rules import chapters, load
from felt_daemon.rules.trace import traced

SECTIONS = {
    "627a": "2(a-e) 7(a-c) 8(a-e) 12(a-h)",
    "629a": "2(a-e) 7(a-c) 8(a-d) 12(a-h)",
    "631a": "2(a-e) 8(a-c) 9(a-f) 13(a-h)",
    "633a": "7(g-t) 13(l-o)",
    "635a": "8(a-d)",
    "637a": "10(l-m) 21(a-k)",
    "659a": "2(a-e) 3(a-c) 4(a-e) 5(a-h) 7(a-f) 8(a-f) 9(a-e) 10(a-e) 11(a-i) 12(a-c) 13(a-n)",
    "663a": "2(a-d) 3(a-c) 4(a-e) 5(a-g) 7(a-f) 8(a-h) 9(a-f) 10(a-f) 11(a-l) 12(a-d) 13(a-f)",
    "665a": "2(a-e) 3(a-d) 4(a-f) 5(a-h) 6(a-g) 7(a-r) 8(a-d) 9(a-d) 10(a-c) 11(a-e) 12(a-c) 13(a-k)",
    "671a": "2(a-d) 3(a-c) 4(a-e) 5(a-g) 7(a-e) 8(a-c) 9(a-b) 10(a-b) 11(a-h) 12(a-d) 13(a-g)",
    "672a": "2(a-e) 3(a-d) 4(a-e) 5(a-h) 6(a-f) 7(a-t) 8(a-e) 9(a-d) 10(a-d) 11(a-c) 12(a-l)",
    "673a": "2(a-e) 3(a-d) 4(a-e) 5(a-h) 6(a-e) 7(a-v) 8(a-d) 9(a-b) 10(a-c) 11(a-c) 12(a-c) 13(a-l)",
    "686a": "2(a-d) 3(a-d) 4(a-e) 5(a-h) 6(a-f) 7(a-n) 8(a-b) 9(a-e)",
    "687a": "2(a-d) 3(a-c) 4(a-e) 5(a-g) 7(a-e) 8(a-i) 9(a-h) 10(a-f) 11(a-g) 12(a-e) 13(a-g)",
}
# Of the other chapters the bulletin does not print it.
IRREGULARITIES = {
    "659a": "659a.13",
    "663a": "663a.13",
    "665a": "665a.13",
    "671a": "671a.13",
    "672a": "672a.12",
    "673a": "673a.13",
    "686a": "686a.9",
    "687a": "687a.13",
}


def subsections(chapter: str) -> dict[str, list[str]]:
    """Every subsection of each section of the table, as a citation."""
    found: dict[str, list[str]] = {}
    for said in SECTIONS[chapter].split():
        number, _, letters = said.rstrip(")").partition("(")
        section = f"{chapter}.{number}"
        every = map(chr, range(ord(letters[0]), ord(letters[-1]) + 1))
        found[section] = [f"{section}({letter})" for letter in every]
    return found


def test_every_chapter_is_in_the_table() -> None:
    assert list(SECTIONS) == list(chapters())


@pytest.mark.parametrize("chapter", SECTIONS)
def test_a_pack_accounts_for_each_section_to_its_last_letter(chapter: str) -> None:
    told = {section: [line.cite for line in lines] for section, _title, lines in traced(load(chapter), {})}
    assert told == subsections(chapter)


@pytest.mark.parametrize("chapter", SECTIONS)
def test_the_section_on_irregularities_is_the_one_of_the_text(chapter: str) -> None:
    said = [name for name, about in load(chapter).text.items() if about.irregularities]
    assert said == ([IRREGULARITIES[chapter]] if chapter in IRREGULARITIES else [])
