"""The page of an incident: whole by itself, with nothing in it that anybody typed as markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from felt_daemon.story.drawing import drawing
from felt_daemon.story.markup import apart, text
from felt_daemon.story.page import page

from .house import House

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.story import Story

    Told = Callable[..., Story]

EMPTY = {"meta", "br", "line", "rect", "circle", "path"}


class _Reader(HTMLParser):
    """Reads a page as a browser does: its elements, its text, and whether every element is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: set[str] = set()
        self.said: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.names |= {name for name, _value in attrs}
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.names |= {name for name, _value in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)


@pytest.fixture(scope="module")
def html(overridden: Story) -> str:
    return page(overridden)


def test_nothing_on_the_page_runs_or_comes_from_elsewhere(html: str) -> None:
    read = _Reader(html)
    assert read.open == []
    assert not {"script", "img", "link", "iframe", "object", "a", "form", "base"} & {*read.tags}
    assert not {"src", "href", "style"} & read.names
    assert not {name for name in read.names if name.startswith("on")}
    style = html[html.index("<style>") : html.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in html


def test_what_somebody_typed_is_text_and_cannot_turn_the_line(html: str) -> None:
    assert "<script" not in html
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; \\u202e &amp; &quot;so&quot;" in html
    assert "\u202e" not in html
    # Arabic letters are letters: they stay, within an element of their own.
    assert re.search(r"<bdi>[^<]*\u0639\u0645\u0631[^<]*</bdi>", html)
    assert apart("\u200fa\u202eb") == "<bdi>\\u200fa\\u202eb</bdi>"
    assert text("a\x1b[31m\n") == "a\\x1b[31m\\n"


def test_the_page_says_in_words_what_its_colours_say(html: str) -> None:
    said = " ".join(" ".join(_Reader(html).said).split())
    assert "Incident 1, table t-1 (simulated)" in said
    assert "OVERRIDDEN, remedy seen" in said
    assert "OVERRIDE. Hold 2 on deck red was let go although its remedy was not seen" in said
    assert "659a.13(m): The automated shoe jammed during the round: the round is void." in said
    assert "signature by key k-7" in said
    assert "Private bodies (identities of cards and people, composition of decks) are not shown." in said
    for kind in ("cause", "ruling", "hold", "escalation", "override", "refused", "person", "feltd"):
        assert f"<td>{kind}</td>" in html


def test_the_page_is_made_for_paper_and_for_the_dark(html: str) -> None:
    assert "@media print" in html
    assert "@page" in html
    assert "prefers-color-scheme: dark" in html


def test_the_picture_has_a_bar_for_each_hold_and_a_mark_for_all_that_happened_to_it(
    overridden: Story,
) -> None:
    picture = drawing(overridden)
    assert re.findall(r'class="(bar \w+)"', picture) == ["bar ended", "bar override"]
    assert re.findall(r'class="letter"[^>]*>(\w)<', picture) == [*"ESEEOC", *"ESEEO"]
    assert picture.count('class="cross"') == 1
    [width] = re.findall(r'viewBox="0 0 (\d+) ', picture)
    places = [float(place) for place in re.findall(r'cx="([\d.]+)"', picture)]
    assert len(places) == 11
    assert all(0 < place <= float(width) for place in places)


def test_a_hold_that_goes_on_ends_in_an_arrow_and_rounds_stand_below(told: Told) -> None:
    house = House()
    house.jam()
    house.clear()
    house.to_shoe()
    house.finish_round()
    story = told(house)
    picture = drawing(story)
    assert 'class="bar open"' in picture
    assert 'class="arrow"' in picture
    assert "rounds ended" in picture
    assert ">2</text>" in picture
    assert "STILL OPEN" in page(story)


def test_what_was_over_at_once_has_no_picture_and_nobody_in_it(told: Told) -> None:
    house = House()
    house.open()
    house.no_more_bets()
    house.shake(2)
    house.uncover()
    story = told(house)
    assert drawing(story) == ""
    assert "<svg" not in page(story)
    assert "Nobody did anything." in page(story)
