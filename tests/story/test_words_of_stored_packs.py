"""Whatever the text of a pack was when it was stored, its words are told as the house's answers make them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.journal import Reader
from felt_daemon.story import Chapter, find, tell

if TYPE_CHECKING:
    from pathlib import Path

PACK: dict[str, Any] = {
    "source": {"chapter": "659a", "bulletin": "1 Pa.B. 1", "standing": "final"},
    "constants": {"lamps": 1},
    "elections": {"lamps": {"choices": [2, 3], "sets": {"lamps": {"2": 2, "3": 3}}}},
    "directives": {"return-wagers": "Light {lamps} lamps."},
}
# What the first directive of the incident is called where no pack tells its words.
BARE = "return-wagers"


@pytest.fixture(scope="module")
def chapter(evening: Path) -> Chapter:
    """What the story of the evening's incident is made of."""
    with Reader(evening) as reader:
        found = find(reader, "t-1", 1)
    assert found is not None
    return found.chapter


def first_words(chapter: Chapter, **elections: object) -> str:
    """The words of the first directive, where the house had elected so."""
    assert chapter.start is not None
    public = {**json.loads(chapter.start.public), "elections": elections}
    start = replace(chapter.start, public=json.dumps(public))
    return tell(replace(chapter, start=start)).directives[0].words


@pytest.mark.parametrize(
    ("elections", "words"),
    [({}, "Light 2 lamps."), ({"lamps": 3}, "Light 3 lamps."), ({"lamps": 4}, BARE)],
)
def test_words_of_a_pack_say_what_the_house_had_elected(
    chapter: Chapter, elections: dict[str, int], words: str
) -> None:
    assert first_words(replace(chapter, pack=json.dumps(PACK)), **elections) == words


def test_a_pack_that_was_stored_as_toml_is_told_too(chapter: Chapter) -> None:
    text = '[directives]\nreturn-wagers = "Give them back."\n'
    assert first_words(replace(chapter, pack=text)) == "Give them back."


@pytest.mark.parametrize("text", ["no pack", "{ no pack", ""])
def test_a_text_that_is_no_pack_leaves_the_bare_names(chapter: Chapter, text: str) -> None:
    assert first_words(replace(chapter, pack=text)) == BARE


def test_where_no_start_is_known_the_defaults_are_told(chapter: Chapter) -> None:
    told = tell(replace(chapter, start=None, pack=json.dumps(PACK)))
    assert told.directives[0].words == "Light 2 lamps."
