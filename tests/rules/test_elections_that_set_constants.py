"""What a house answers may set a pack's constants, which its texts then say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.check import check
from felt_daemon.rules.library import BadPack, parse_pack, read_document
from felt_daemon.rules.settle import settings, settled

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.rules.pack import Pack

SETS = 'cite = ["999a.1"]\n\n[elections.decks.sets]\ndeck_total = { "1" = 8, "2" = 16 }\n'


@pytest.fixture
def by_decks(spoilt: Callable[[str, str], str]) -> str:
    """The sound pack, whose deck has as many cards as the answer says and a text that says so."""
    text = spoilt('cite = ["999a.1"]\n', SETS)
    words = '\n[words]\npile = "pile of cards"\n\n[constants]'
    return text.replace("\n[constants]", words).replace(
        'until = "the shoe is empty"', 'until = "each {pile} of the {deck_total} cards is out"'
    )


def until(pack: Pack) -> str:
    """What the first hold waits for."""
    return pack.rules[0].holds[0].until


@pytest.mark.parametrize(
    ("elections", "total"), [(None, 8), ({}, 8), ({"decks": 2}, 16), ({"decks": 1, "lamps": 3}, 8)]
)
def test_an_answer_sets_the_constants_that_texts_say(
    by_decks: str, elections: dict[str, int | str] | None, total: int
) -> None:
    pack = parse_pack(by_decks, elections)
    assert pack.constants == {"positions": 2, "hand_cards": 2, "deck_total": total}
    assert until(pack) == f"each pile of cards of the {total} cards is out"


def test_a_question_without_a_default_has_its_first_choice_until_it_is_answered(by_decks: str) -> None:
    pack = parse_pack(by_decks.replace("by_default = 1\n", ""))
    assert (pack.constants["deck_total"], pack.elections["decks"].by_default) == (8, None)


def test_constants_may_come_from_elections_alone(by_decks: str) -> None:
    pack = parse_pack(by_decks.replace("positions = 2\nhand_cards = 2\ndeck_total = 8\n", ""))
    assert pack.constants == {"deck_total": 8}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"2" = 16', '"3" = 16', "election decks: deck_total has no value for the choice 2"),
        ('"1" = 8, ', "", "election decks: deck_total has no value for the choice 1"),
        (
            '"2" = 16',
            '"2" = 16, "21" = 5',
            "election decks: deck_total has a value for 21, which is no choice; did you mean 2?",
        ),
        ('{ "1" = 8, "2" = 16 }', "8", "elections.decks.sets.deck_total: Input should be a valid dictionary"),
        (
            "{pile}",
            "{pil}",
            "rules.short-pile.holds.[1].until: no constant or word is called pil; did you mean pile?",
        ),
        ("choices = [1, 2]\n", "", "elections.decks.choices: Field required"),
        ("choices = [1, 2]\n", "choices = []\n", "election decks: 1 is none of its choices"),
    ],
)
def test_what_an_election_cannot_set_is_told(by_decks: str, old: str, new: str, said: str) -> None:
    assert by_decks.count(old) == 1
    try:
        told = check(parse_pack(by_decks.replace(old, new)))
    except BadPack as refusal:
        told = str(refusal).splitlines()
    assert said in told


def test_constants_that_are_no_table_are_left_to_the_models() -> None:
    assert settled({"constants": 3, "elections": {"lamps": 3}}) == {"constants": 3, "elections": {"lamps": 3}}
    assert settled({}) == {}


@pytest.mark.parametrize("answer", [3, "1", True])
def test_an_answer_that_is_no_choice_is_refused(by_decks: str, answer: int | str) -> None:
    with pytest.raises(BadPack) as refusal:
        parse_pack(by_decks, {"decks": answer})
    assert str(refusal.value) == f"election decks: {answer!r} is none of its choices: 1, 2"


def test_every_pack_that_a_document_can_be_is_made_by_one_of_its_answers(
    by_decks: str, three_piles: str
) -> None:
    assert list(settings(read_document(by_decks))) == [{}, {"decks": 2}]
    # A question that sets nothing makes no other pack.
    assert list(settings(read_document(three_piles))) == [{}]


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("deck_total == 16", []),
        ("pile == 'high'", []),
        ("positions == 99", ["rule sorted: 'positions == 99': positions is never 99; it is 2"]),
        # A part asks what a table has, and a pack that has none of it says another word.
        ("lamp == 'blue'", []),
    ],
)
def test_a_row_may_ask_for_what_another_answer_sets_and_for_no_other_number_than_a_constant_is(
    by_decks: str, when: str, said: list[str]
) -> None:
    text = by_decks.replace("[constants]\n", '[constants]\nlamp = "red"\n')
    text = text.replace('"2" = 16 }\n', '"2" = 16 }\npile = { "1" = "low", "2" = "high" }\n')
    text = text.replace("when = [\"mode == 'sort'\",", f'when = ["{when}", "mode == \'sort\'",')
    pack = parse_pack(text)
    assert pack.elections["decks"].sets == ("deck_total", "pile")
    assert check(pack) == said
