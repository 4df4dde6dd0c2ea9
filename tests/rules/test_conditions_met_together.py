"""Whether conditions can be met together, by hand; and what each name of a condition can be."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules import load
from felt_daemon.rules.check_cases import one_of
from felt_daemon.rules.check_values import Names, fields_of
from felt_daemon.rules.condition import parse
from felt_daemon.rules.satisfy import ANY, Values, can_be_met
from felt_daemon.table.measures import MEASURES
from felt_protocols.events import EVENTS, deck, draw, person

if TYPE_CHECKING:
    from felt_daemon.rules.condition import Atom

KNOWN = {
    "phase": Values(words=frozenset({"betting", "dealing"}), none=False),
    "size": Values(numbers=True, low=0),
    "face": Values(numbers=True, low=1, high=6, none=False),
    "signed": Values(truths=True),
    "total": Values(numbers=True, low=52, high=52, none=False),
}


def met(conditions: str, but: str = "") -> bool:
    """Whether these conditions, with a semicolon between them, can be met, and not the other."""
    when = [parse(one) for one in conditions.split(";") if one]
    return can_be_met(when, lambda name: KNOWN.get(name, ANY), parse(but) if but else None)


@pytest.mark.parametrize(
    ("conditions", "possible"),
    [
        ("", True),
        ("size == 2;size == 3", False),
        ("size in (2, 3);size in (3, 4)", True),
        ("size in (2, 3);size == 4", False),
        ("size in (2, 3);size != 2;size != 3", False),
        ("size < 7;size == 3", True),
        ("size > 2;size < 4", True),
        ("size > 2;size < 4;size != 3", False),
        ("size >= 3;size <= 3", True),
        ("size < 0", False),
        ("size <= 0", True),
        ("size == none;size >= 0", False),
        ("size == none;size == none", True),
        ("size != none;size not in (0, 1);size < 2", False),
        ("face > 6", False),
        ("face > 5", True),
        ("face == none", False),
        ("phase != 'betting';phase != 'dealing'", False),
        ("phase not in ('betting');phase in ('betting', 'dealing')", True),
        ("phase == 3", False),
        ("phase > 3", False),
        ("signed == true;signed != true", False),
        ("signed != true;signed != false", False),
        ("signed != true", True),
        # Of a name that nothing is known of, any word that no condition names will do.
        ("other != 'a';other != 'b';other not in ('c', 'd')", True),
        ("other == 'a';other > 3", False),
        ("other == true", True),
        # Names compared with each other.
        ("size == total", True),
        ("size == total;size != total", False),
        ("size == total;size < 52", False),
        ("size < total;size > 50", True),
        ("size < total;size > 51", False),
        ("one == two;one == 'a';two == 'b'", False),
        ("one == two;one == 'a'", True),
        ("one < two;two < three;three < one", False),
        ("one < two;two < three;one > 7", True),
        ("one < two;two < three;one > 7;three < 9", False),
        ("one < two;two < three;one > 7;three < 11", True),
        ("one != two;one in (1, 2);two == 1", True),
        ("one != two;one == 1;two == 1", False),
        ("one != two;two == none", False),
        ("one == two;two == none", True),
        ("size == phase", False),
    ],
)
def test_conditions_can_be_met_where_values_are_left(
    conditions: str,
    possible: bool,  # noqa: FBT001 - a row of a table
) -> None:
    assert met(conditions) is possible
    for order in itertools.islice(itertools.permutations(conditions.split(";")), 6):
        assert met(";".join(order)) is possible


@pytest.mark.parametrize(
    ("conditions", "but", "possible"),
    [
        ("size == 1", "size > 0", False),
        ("size > 0", "size > 1", True),
        ("size > 1", "size > 0", False),
        ("phase == 'betting'", "phase in ('betting')", False),
        ("phase == 'betting'", "size == 2", True),
        ("size > total", "size > 52", False),
        ("size == other", "other == size", False),
        ("size == 1;size == 2", "size == 3", False),
        ("", "phase in ('betting', 'dealing')", False),
        ("", "phase == 'betting'", True),
    ],
)
def test_conditions_may_be_met_without_another(
    conditions: str,
    but: str,
    possible: bool,  # noqa: FBT001 - a row of a table
) -> None:
    assert met(conditions, but) is possible


@pytest.mark.parametrize(
    ("values", "written"),
    [
        (("red",), "hat == 'red'"),
        ((None,), "hat == none"),
        (("red", "blue"), "hat in ('red', 'blue')"),
        (("red", None), "hat in ('red', none)"),
    ],
)
def test_a_condition_that_a_check_adds_is_the_one_that_a_pack_would_write(
    values: tuple[str | None, ...], written: str
) -> None:
    assert one_of("hat", values) == parse(written)


@pytest.mark.parametrize(
    ("values", "said", "has", "has_not"),
    [
        (Values(words=frozenset({"b", "a"})), "one of a, b, or none", ("a", None), ("c", 1, True)),
        (Values(words=None, none=False), "any word", ("a", ""), (None, 1, False)),
        (Values(numbers=True, low=0), "a whole number from 0, or none", (0, 7), (-1, "0", True)),
        (Values(numbers=True, low=1, high=6, none=False), "a whole number from 1 to 6", (1, 6), (0, 7)),
        (Values(numbers=True, low=6, high=6, none=False), "6", (6,), (5, 7)),
        (Values(numbers=True, none=False), "a whole number", (-9,), ("a",)),
        (Values(truths=True, none=False), "true or false", (True, False), (1, 0, None)),
        (Values(), "none", (None,), (0, "", False)),
    ],
)
def test_what_a_name_can_be_is_said_in_words(
    values: Values, said: str, has: tuple[Atom, ...], has_not: tuple[Atom, ...]
) -> None:
    assert values.described() == said
    assert all(values.has(one) for one in has)
    assert not any(values.has(one) for one in has_not)


def test_of_every_measure_it_is_known_what_it_can_be() -> None:
    known = Names(load("659a")).at(None)
    assert [name for name in MEASURES if known(name) == ANY] == []
    kinds = {
        name: (known(name).words != frozenset(), known(name).numbers, known(name).truths) for name in MEASURES
    }
    assert [name for name, kind in kinds.items() if sum(kind) != 1] == []
    assert (kinds["phase"], kinds["left"], kinds["may_deal"]) == (
        (True, False, False),
        (False, True, False),
        (False, False, True),
    )


def test_every_field_of_every_event_can_be_read() -> None:
    found = {name: fields_of(event) for name, event in EVENTS.items()}
    assert found["dice-read"]["flat"] == Values(truths=True, none=False)
    assert found["dice-read"]["faces"] == ANY
    assert found["number-drawn"]["number"] == Values(numbers=True, low=1, high=7, none=False)
    assert found["shuffle-completed"]["mode"] == Values(words=frozenset({"shuffle", "sort"}), none=False)
    assert found["shuffle-completed"]["count"] == Values(numbers=True, low=0)
    assert found["device-faulted"]["code"] == Values(words=None, none=False)


def test_what_a_name_can_be_depends_on_the_fact() -> None:
    names = Names(load("659a"))
    shuffler = names.at(deck.ShuffleCompleted)
    assert shuffler("family") == Values(words=frozenset({"shuffler"}), none=False)
    assert names.at(draw.DiceRead)("family") == Values(words=frozenset({"shaker"}), none=False)
    # A report may be about a device or about none, and who counts a deck tells of none.
    assert names.at(person.Reported)("family").has("shoe")
    assert names.at(person.Reported)("family").has(None)
    assert names.at(person.DeckCounted)("family") == Values()
    # The right count of a deck is of no more cards than it has; a wrong one may be of any number.
    assert names.at(person.DeckCounted)("count") == Values(numbers=True, low=0, none=False)
    assert names.at(person.DeckCounted, remedy=True)("count") == Values(
        numbers=True, low=0, high=53, none=False
    )
    assert names.at(deck.InsideCounted, remedy=True)("count").high is None
    # A batch is the shuffler's own counter, which goes on.
    assert names.at(deck.ShuffleCompleted, remedy=True)("batch") == Values(numbers=True, low=0, none=False)
    assert names.at(person.DeckCounted, remedy=True)("part").words == {"deck", "remaining"}
    # A constant is what it is, but for one that an answer of the house sets.
    assert shuffler("positions") == Values(numbers=True, low=6, high=6, none=False)
    assert shuffler("hands") == Values(numbers=True, low=7, high=7, none=False)
    assert shuffler("shoe_kind") == Values(words=None, none=False)
    poker = Names(load("637a")).at(deck.ShuffleCompleted)
    assert poker("positions") == Values(numbers=True, none=False)
    assert names.at(None)("mode") == ANY
