"""The language of conditions: what it says, what it compares, and what it does with the unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt_daemon.rules.condition import BadCondition, Condition, parse

if TYPE_CHECKING:
    from felt_daemon.rules.condition import Atom, Lookup, Value

NAMES = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12).filter(
    lambda name: name not in {"true", "false", "none"}
)
ATOMS: st.SearchStrategy[Atom] = st.one_of(
    st.integers(-1000, 1000),
    st.booleans(),
    st.none(),
    st.text(st.characters(exclude_characters="'(),", exclude_categories=["C", "Z"]), max_size=12),
)
ORDERS = ("<", "<=", ">", ">=")


def printed(value: Atom) -> str:
    """A value as a pack writes it."""
    if isinstance(value, str):
        return f"'{value}'"
    return "none" if value is None else str(value).lower()


def knowing(**known: Value) -> Lookup:
    """A look-up of these names."""
    return known.__getitem__


@given(NAMES, st.sampled_from(["==", "!=", *ORDERS]), ATOMS, st.text(" ", max_size=2))
def test_a_printed_comparison_is_read_back(left: str, op: str, right: Atom, space: str) -> None:
    text = f"{space}{left}{space}{op}{space}{printed(right)}{space}"
    read = parse(text)
    assert read == Condition(text, left, op, right)
    assert type(read.right) is type(right)
    assert read.names() == (left,)


@given(NAMES, st.sampled_from(["==", "!=", *ORDERS]), NAMES)
def test_a_printed_comparison_of_two_names_is_read_back(left: str, op: str, right: str) -> None:
    text = f"{left} {op} {right}"
    read = parse(text)
    assert read == Condition(text, left, op, right, right_is_name=True)
    assert read.names() == (left, right)


@given(NAMES, st.sampled_from(["in", "not in"]), st.lists(ATOMS, min_size=1, max_size=5))
def test_a_printed_list_is_read_back(left: str, op: str, right: list[Atom]) -> None:
    text = f"{left} {op} ({', '.join(printed(one) for one in right)})"
    read = parse(text)
    assert (read.left, read.op, read.right) == (left, op, tuple(right))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'' is no condition; write it like \"size != hand_cards\""),
        ("size", "'size' is no condition; write it like \"size != hand_cards\""),
        ("size =! 7", "'size =! 7' is no condition; write it like \"size != hand_cards\""),
        ("7 == size", "'7 == size' is no condition; write it like \"size != hand_cards\""),
        ("Size == 7", "'Size == 7' is no condition; write it like \"size != hand_cards\""),
        ("size ==", "'size ==' is no condition; write it like \"size != hand_cards\""),
        ("begin (7)", "'begin (7)' is no condition; write it like \"size != hand_cards\""),
        ("size notin (7)", "'size notin (7)' is no condition; write it like \"size != hand_cards\""),
        ("size in 7", "'size in 7': after 'in' comes a list in brackets"),
        ("size not in (7", "'size not in (7': after 'not in' comes a list in brackets"),
        ("size in ()", "'size in ()': '' is neither a number nor a 'word'"),
        ("size in (7, seven)", "'size in (7, seven)': 'seven' is neither a number nor a 'word'"),
        ("size == 'seven", "\"size == 'seven\": \"'seven\" is neither a number nor a 'word'"),
        ("size == 7.0", "'size == 7.0': '7.0' is neither a number nor a 'word'"),
        ("size == 1_000", "'size == 1_000': '1_000' is neither a number nor a 'word'"),
        ("size == (7)", "'size == (7)': '(7)' is neither a number nor a 'word'"),
        ("size == \u0667", "'size == \u0667': '\u0667' is neither a number nor a 'word'"),
    ],
)
def test_what_is_no_condition_is_refused_with_what_would_be_one(text: str, said: str) -> None:
    with pytest.raises(BadCondition) as refusal:
        parse(text)
    assert str(refusal.value) == said


@pytest.mark.parametrize(
    ("text", "left", "holds"),
    [
        ("size == 7", 7, True),
        ("size == 7", 6, False),
        ("size == 'seven'", "seven", True),
        ("size == none", None, True),
        ("size == none", 0, False),
        ("size != 7", 6, True),
        ("size != 7", 7, False),
        ("size != none", 7, True),
        ("size < 7", 6, True),
        ("size < 7", 7, False),
        ("size <= 7", 7, True),
        ("size <= 7", 8, False),
        ("size > 7", 8, True),
        ("size > 7", 7, False),
        ("size >= 7", 7, True),
        ("size >= 7", 6, False),
        ("size in (6, 7)", 7, True),
        ("size in (6, 7)", 8, False),
        ("size in ('six', none)", None, True),
        ("size not in (6, 7)", 8, True),
        ("size not in (6, 7)", 7, False),
        ("size == true", True, True),
        ("size == false", True, False),
        # Words have no order.
        ("size < 7", "six", False),
        ("size > 'five'", "six", False),
    ],
)
def test_a_comparison_says(text: str, left: Value, holds: bool) -> None:  # noqa: FBT001 - a row of a table
    assert parse(text).holds(knowing(size=left)) is holds


@given(st.sampled_from(["!=", *ORDERS]), st.integers())
def test_what_is_unknown_fires_no_comparison(op: str, number: int) -> None:
    assert not parse(f"size {op} {number}").holds(knowing(size=None))
    assert not parse(f"size {op} other").holds(knowing(size=None, other=number))
    assert not parse(f"size {op} other").holds(knowing(size=number, other=None))


@pytest.mark.parametrize("op", ["in", "not in"])
def test_what_is_unknown_is_in_no_list_and_out_of_none(op: str) -> None:
    assert not parse(f"size {op} (6, 7)").holds(knowing(size=None))


def test_two_unknowns_are_equal_and_nothing_else_is_equal_to_one() -> None:
    assert parse("size == other").holds(knowing(size=None, other=None))
    assert not parse("size == other").holds(knowing(size=0, other=None))


@given(st.integers(-9, 9), st.integers(-9, 9))
def test_names_are_compared_as_their_values_are(one: int, two: int) -> None:
    lookup = knowing(one=one, two=two)
    assert [op for op in ("==", "!=", *ORDERS) if parse(f"one {op} two").holds(lookup)] == {
        -1: ["!=", "<", "<="],
        0: ["==", "<=", ">="],
        1: ["!=", ">", ">="],
    }[(one > two) - (one < two)]
