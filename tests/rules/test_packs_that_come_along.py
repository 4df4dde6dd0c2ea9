"""Packs as files, and a rule in plain words."""

from __future__ import annotations

import hashlib
import tomllib

import pytest
from pydantic import ValidationError

from felt_daemon.rules import chapters, load
from felt_daemon.rules import explain as explaining
from felt_daemon.rules.explain import citation, explain, explain_reports, explained
from felt_daemon.rules.library import BadPack, digest_of, parse_pack, parts, text_of


def test_asia_poker_comes_along() -> None:
    assert "659a" in chapters()
    pack = load("659a")
    assert (pack.source.game, pack.source.standing) == ("Asia Poker", "final")
    assert {name: pack.constants[name] for name in ("deck_total", "hand_cards", "hands", "positions")} == {
        "deck_total": 53,
        "hand_cards": 7,
        "hands": 7,
        "positions": 6,
    }


# Chapters whose cards come as batches of several decks, and those that are dealt from one deck.
BATCHES = {"627a", "629a", "631a", "633a", "635a", "665a", "672a", "673a", "686a"}


@pytest.mark.parametrize("chapter", chapters())
def test_shared_texts_call_a_batch_a_batch_and_a_deck_a_deck(chapter: str) -> None:
    pack = load(chapter)
    until = {hold.until for rule in pack.rules for hold in rule.holds}
    others = {*pack.directives.values(), *pack.brief.values(), *(rule.says for rule in pack.rules), *until}
    wrong = "deck" if chapter in BATCHES else "batch"
    assert [text for text in others if wrong in text.lower().split()] == []


def test_a_chapter_that_there_is_no_pack_for_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadPack, match=r"^there is no pack for chapter 998a; there are: .*659a"):
        load("998a")


def test_the_digest_of_a_pack_is_the_sha_256_of_its_text() -> None:
    text = text_of("659a")
    assert digest_of(text) == hashlib.sha256(text.encode("utf-8")).hexdigest()
    assert parse_pack(text) == load("659a")


def test_rules_of_doubts_are_fired_by_doubts_alone(three_piles: str) -> None:
    pack = parse_pack(three_piles)
    assert {name: [rule.id for rule in rules] for name, rules in pack.by_event.items()} == {
        "stack-dispensed": ["short-pile"],
        "reported": ["short-pile"],
        "shuffle-completed": ["sorted"],
        "shuffle-interrupted": ["jam"],
    }
    assert {name: [rule.id for rule in rules] for name, rules in pack.stopping.items()} == {
        "stack-dispensed": ["short-pile"],
        "reported": ["short-pile"],
        "shuffle-interrupted": ["jam"],
    }
    assert list(pack.by_id) == ["short-pile", "sorted", "jam", "silent"]


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("659a.13(m)", "659a.13(m)"),
        ("659a.13.m", "659a.13(m)"),
        ("§ 659A.13(M)", "659a.13(m)"),
        (" 659a.5.g.1.iv ", "659a.5(g)(1)(iv)"),
        ("659a.13", "659a.13"),
        ("shoe-jam", "shoe-jam"),
    ],
)
def test_a_citation_may_be_written_in_several_ways(asked: str, written: str) -> None:
    assert citation(asked) == written


def test_a_rule_is_explained_with_all_that_it_demands_and_holds(three_piles: str) -> None:
    held = {"short-pile": ["tests/test_piles.py::test_one"]}
    assert explained(parse_pack(three_piles), held, "999a.7.b") == [
        {
            "id": "short-pile",
            "cite": ["999a.7(b)"],
            "basis": "regulation",
            "game": "Three Piles",
            "source": "1 Pa.B. 1",
            "standing": "proposed",
            "since": "2030-01-01",
            "text": "proposed text, 1 Pa.B. 1, kept here as of 2030-01-01",
            "says": "A pile has not two cards.",
            "on": ["stack-dispensed"],
            "when": ["size < hand_cards", "phase in ('betting', 'dealing')"],
            "reported_as": [
                {"report": "short-pile", "when": ["phase == 'dealing'"], "says": "A pile is short."}
            ],
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
            "tests": ["tests/test_piles.py::test_one"],
        }
    ]


def test_a_subsection_is_explained_with_every_rule_that_enforces_it() -> None:
    found = explain("659a.13.m")
    assert [one["id"] for one in found] == ["shoe-jam", "shoe-stops-dealing", "shoe-fails-to-deal-all"]
    jam = found[0]
    assert (jam["cite"], jam["game"], jam["source"], jam["standing"], jam["since"]) == (
        ["659a.13(m)"],
        "Asia Poker",
        "44 Pa.B. 619",
        "final",
        "2014-02-01",
    )
    assert jam["directives"][0] == "All hands are void: return every wager."
    assert (
        "tests/regulations/test_659a_13_machines.py::test_659a_13_m_a_shoe_that_jams_or_stops_in_a_round_voids_it"
        in jam["tests"]
    )


def test_a_section_is_explained_by_all_of_its_subsections() -> None:
    assert {one["id"] for one in explain("659a.5(g)(1)")} == {"too-few-shakes", "not-shaken-after-deal"}
    assert [one["id"] for one in explain("shoe-jam", "659a")] == ["shoe-jam"]


def test_a_subsection_that_no_device_shows_says_who_reports_it(three_piles: str) -> None:
    assert explained(parse_pack(three_piles), {}, "999a.9") == [
        {
            "cite": ["999a.9"],
            "game": "Three Piles",
            "says": "Somebody looked under a pile.",
            "why": "Only people see that.",
            "directives": ["Return every wager."],
            "tests": [],
        }
    ]


def test_a_rule_that_people_report_says_in_which_words() -> None:
    (first, second) = explain("659a.13(c)")
    assert (first["id"], second["id"]) == ("wrong-total", "wrong-total-after-deal")
    assert (first["on"], first["reported_as"]) == (
        [],
        [
            {
                "report": "wrong-total",
                "when": ["phase == 'dealing'"],
                "says": "The dice were totalled wrongly and the first card went to the wrong position.",
            }
        ],
    )
    assert [hold["override"] for hold in explain("659a.10(d)")[1]["holds"]] == ["two"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("shoe-jam", ["shoe-jam"]),
        ("659a.13.l", ["shuffler-jam"]),
        ("659a.13(l)", ["shuffler-jam"]),
        ("659a.5", ["player-looked", "deck-washed", "deck-shuffled", "cards-spread", "play-resumes"]),
        ("nobody-says-so", []),
    ],
)
def test_a_report_is_explained_by_its_word_or_by_what_it_is_about(asked: str, words: list[str]) -> None:
    assert [one["report"] for one in explain_reports(asked, "659a")] == words


def test_what_no_pack_has_is_not_explained() -> None:
    assert explain("659a.99") == []
    assert explain("") == []


def test_a_chapter_without_an_index_has_no_tests() -> None:
    assert explaining.tests_of("998a") == {}


def test_a_pack_cannot_be_changed_once_it_is_read(three_piles: str) -> None:
    pack = parse_pack(three_piles)
    with pytest.raises(ValidationError, match="frozen"):
        setattr(pack.rules[0], "void", False)  # noqa: B010 - the type checkers see the other way


def test_whatever_report_a_part_listens_to_somebody_can_make() -> None:
    documents = [tomllib.loads(text) for text in parts().values()]
    made = {word for chapter in chapters() for word in load(chapter).reports}
    made |= {word for document in documents for word in document.get("reports", {})}
    heard = {
        word
        for document in documents
        for rule in document.get("rules", [])
        for one in rule.get("as_report", [])
        for word in one["reports"]
    }
    assert "play-resumes" in heard
    assert heard - made == set()
