"""A chapter and its parts become one pack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.compose import shortened

from .lamp import CHAPTER, CITED, LAMP, mistakes

if TYPE_CHECKING:
    from .lamp import Compose


def test_a_chapters_own_rows_come_first_and_then_those_of_its_parts(compose: Compose) -> None:
    pack = compose(CHAPTER)
    assert [(row["id"], row.get("cite"), row.get("basis")) for row in pack["rules"]] == [
        ("mine", ["999a.8"], None),
        ("dark", ["999a.7(b)"], None),
        ("smoke", None, "own"),
    ]
    assert pack["families"] == ["shoe", "lamp"]
    assert not {"parts", "cite", "own", "without", "change", "holds"} & {*pack}


def test_a_rule_is_in_force_since_its_text_is(compose: Compose) -> None:
    assert [str(row["since"]) for row in compose(CHAPTER)["rules"]] == [
        "2031-01-01",
        "2030-01-01",
        "2030-01-01",
    ]
    assert "since" not in compose(CHAPTER.replace("since = 2030-01-01", ""))["rules"][1]


def test_a_hold_that_a_row_names_is_written_out_for_it(compose: Compose) -> None:
    lit = {"binds": "table", "gates": ["deal"], "ends": [{"on": ["lit"]}], "until": "the lamp burns"}
    assert compose(CHAPTER)["rules"][1]["holds"] == [lit, {"binds": "table"}]
    chapter = CHAPTER + '\n[holds.lit]\nuntil = "both lamps burn"\n'
    assert compose(chapter)["rules"][1]["holds"][0] == {**lit, "until": "both lamps burn"}


def test_directives_of_parts_that_no_rule_gives_are_left_out_and_the_chapters_own_are_not(
    compose: Compose,
) -> None:
    pack = compose(CHAPTER.replace('do = ["look"]', ""))
    assert pack["directives"] == {"look": "Look.", "light": "Light the lamp."}
    assert pack["brief"] == {"light": "LIGHT"}
    without = compose(CHAPTER.replace('dark = ["999a.7(b)"]', "") + '\n[[unseen]]\ndo = ["ring"]\n', lamp="")
    assert without["directives"] == {"look": "Look."}


def test_a_citation_stands_where_the_texts_of_its_item_want_it(compose: Compose) -> None:
    pack = compose(
        CHAPTER
        + """
[cite.reports]
dark = ["999a.5(a)", "999a.5(c)(2)", "999a.6"]
[cite.ways.deal]
by-lamp = ["999a.9"]
[cite.gates]
deal = ["999a.10"]
""",
        lamp=CITED,
    )
    assert pack["reports"]["dark"]["says"] == "It is dark (999a.5(a), (c)(2), 999a.6)."
    assert pack["reports"]["dark"]["needs"][0]["says"] == "nobody plays, 999a.5(a), (c)(2), 999a.6"
    assert pack["reports"]["dark"]["cite"] == ["999a.5(a)", "999a.5(c)(2)", "999a.6"]
    # A way has its citation in its text alone.
    assert pack["methods"]["deal"]["by-lamp"] == {
        "says": "The cards are dealt by lamplight (999a.9).",
        "family": "lamp",
    }
    assert pack["gates"] == [{"id": "deal", "args": {"round": "key"}, "cite": ["999a.10"]}]


def test_a_text_that_waits_for_a_citation_names_where_it_is_written(compose: Compose) -> None:
    assert mistakes(compose, CHAPTER, lamp=CITED) == [
        f"{what}: its text says {{cite}}, and nothing says where that is; "
        f'write {name} = ["999a.…"] under {where}'
        for what, name, where in (
            ("report dark", "dark", "[cite.reports]"),
            ("way deal/by-lamp", "by-lamp", "[cite.ways.deal]"),
        )
    ]
    own = '\n[methods.deal.by-night]\nsays = "By night ({cite})."\n[burns]\nsays = "Burnt ({cite})."\n'
    assert mistakes(compose, CHAPTER + own) == [
        f'{what}: its text says {{cite}}, and nothing says where that is; write cite = ["999a.…"] in it'
        for what in ("way deal/by-night", "burns")
    ]
    lamp = LAMP + '\n[burns]\nsays = "Burnt ({cite})."\n'
    assert mistakes(compose, CHAPTER, lamp=lamp) == [
        'burns: its text says {cite}, and nothing says where that is; write burns = ["999a.…"] under [cite]'
    ]


def test_what_a_chapter_says_again_of_a_parts_item_has_the_citation_too(compose: Compose) -> None:
    chapter = (
        CHAPTER
        + """
[cite.ways.deal]
by-lamp = ["999a.9"]
[methods.deal.by-lamp]
says = "By the lamp ({cite})."
"""
    )
    assert compose(chapter)["methods"]["deal"]["by-lamp"] == {
        "says": "By the lamp (999a.9).",
        "family": "lamp",
    }


@pytest.mark.parametrize(
    ("cites", "said"),
    [
        (["659a.8"], "659a.8"),
        (["659a.5(a)", "659a.5(c)"], "659a.5(a), (c)"),
        (["659a.5(a)", "659a.8(c)", "659a.8(d)"], "659a.5(a), 659a.8(c), (d)"),
        (["659a.8", "659a.8(c)"], "659a.8, 659a.8(c)"),
    ],
)
def test_citations_of_one_section_name_it_once(cites: list[str], said: str) -> None:
    assert shortened(cites) == said


def test_a_table_that_is_one_item_is_cited_by_its_name(compose: Compose) -> None:
    lamp = LAMP + '\n[opening]\nmarks = ["lit"]\n'
    pack = compose(CHAPTER.replace("[cite.rules]", '[cite]\nopening = ["999a.4"]\n[cite.rules]'), lamp=lamp)
    assert pack["opening"] == {"marks": ["lit"], "cite": ["999a.4"]}


def test_a_chapter_that_is_silent_says_that_a_row_is_our_own_and_one_that_is_not_cites_it(
    compose: Compose,
) -> None:
    chapter = CHAPTER.replace('dark = ["999a.7(b)"]', 'smoke = ["999a.3"]')
    pack = compose('own = ["dark"]\n' + chapter)
    assert [(row["id"], row.get("cite"), row.get("basis")) for row in pack["rules"][1:]] == [
        ("dark", None, "own"),
        ("smoke", ["999a.3"], None),
    ]


@pytest.mark.parametrize(
    ("names", "left"),
    [
        (["dark"], {"rules": ["mine", "smoke"], "reports": []}),
        (["reports/dark"], {"rules": ["mine", "dark", "smoke"], "reports": []}),
        (["rules/smoke"], {"rules": ["mine", "dark"], "reports": ["dark"]}),
        (["deal/by-lamp"], {"ways": ["by-day"]}),
        (["by-day"], {"ways": ["by-lamp"]}),
        (["lamp/lost"], {"doubts": 0}),
        (["round-ended"], {"inferences": 0}),
        (["oil", "light"], {"clocks": 0, "directives": ["look"]}),
    ],
)
def test_what_a_chapter_has_not_is_left_out_of_its_parts(
    compose: Compose, names: list[str], left: dict[str, object]
) -> None:
    # Cited or not: an item that is gone needs no citation.
    chapter = CHAPTER.replace('dark = ["999a.7(b)"]', "") if "dark" in names else CHAPTER
    pack = compose(f"without = {names}\n{chapter}")
    found: dict[str, object] = {
        "rules": [row["id"] for row in pack["rules"]],
        "reports": list(pack["reports"]),
        "ways": list(pack["methods"]["deal"]),
        "doubts": len(pack["doubts"]),
        "inferences": len(pack["inferences"]),
        "clocks": len(pack["clocks"]),
        "directives": list(pack["directives"]),
    }
    assert {name: found[name] for name in left} == left


def test_a_parts_row_listens_to_those_reports_alone_that_the_game_has(compose: Compose) -> None:
    bell = """
    [[rules]]
    id = "bell"
    basis = "own"
    as_report = [{ reports = ["rung", "dark"], when = ["lit"] }, { reports = ["rung"] }, { reports = [] }]
    """
    chapter = CHAPTER.replace('"lamp"', '"lamp", "bell"')
    heard = {row["id"]: row for row in compose(chapter, bell=bell)["rules"]}["bell"]["as_report"]
    assert heard == [{"reports": ["dark"], "when": ["lit"]}, {"reports": []}]
    # What a chapter says itself is not silenced: somebody meant it.
    own = chapter.replace('cite = ["999a.8"]', 'cite = ["999a.8"]\nas_report = [{ reports = ["rung"] }]')
    [mine] = [row for row in compose(own, bell=bell)["rules"] if row["id"] == "mine"]
    assert mine["as_report"] == [{"reports": ["rung"]}]


def test_single_keys_of_a_parts_row_may_differ_in_a_chapter(compose: Compose) -> None:
    pack = compose(
        CHAPTER
        + """
[change.rules.dark]
says = "It is too dark."
holds = ["lit"]
[change.clocks.oil]
hours = 24
[reports.dark]
needs = []
"""
    )
    assert (pack["rules"][1]["says"], len(pack["rules"][1]["holds"])) == ("It is too dark.", 1)
    assert pack["clocks"] == [{"id": "oil", "hours": 24}]
    # A table is changed by saying a key of it again.
    assert pack["reports"]["dark"] == {"says": "It is dark.", "needs": []}


def test_what_a_chapter_changes_of_a_table_stays_where_the_part_has_it(compose: Compose) -> None:
    lamp = LAMP + '\n[reports.light]\nsays = "It is light."\n'
    chapter = CHAPTER + '\n[reports.mine]\nsays = "Mine."\n[reports.light]\nbrief = "Light"\n'
    assert list(compose(chapter, lamp=lamp)["reports"]) == ["mine", "dark", "light"]


def test_what_several_parts_say_alike_is_no_matter(compose: Compose) -> None:
    chapter = CHAPTER.replace('["lamp"]', '["lamp", "bell"]')
    bell = 'families = ["lamp", "bell"]\n[directives]\nlight = "Light the lamp."\n[[clocks]]\nid = "hour"\n'
    pack = compose(chapter, bell=bell)
    assert pack["families"] == ["shoe", "lamp", "bell"]
    assert [clock["id"] for clock in pack["clocks"]] == ["oil", "hour"]


def test_of_two_parts_that_differ_neither_counts_unless_the_chapter_says_it(compose: Compose) -> None:
    chapter = CHAPTER.replace('["lamp"]', '["lamp", "bell"]')
    bell = '[directives]\nlight = "Ring twice."\n[constants]\nbells = 2\n'
    assert mistakes(compose, chapter, bell=bell) == [
        "directives.light: the parts lamp and bell say different things; say it in the chapter"
    ]
    # The table that both give may be none of the chapter's.
    lamp = LAMP + "\n[constants]\nbells = 1\n"
    assert mistakes(compose, chapter, lamp=lamp, bell="[constants]\nbells = 2\n") == [
        "constants.bells: the parts lamp and bell say different things; say it in the chapter"
    ]
    said = chapter.replace('look = "Look."', 'look = "Look."\nlight = "Light it."')
    assert compose(said, bell=bell)["directives"]["light"] == "Light it."
