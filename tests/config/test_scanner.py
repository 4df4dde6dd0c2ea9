"""The scanner of positions sees what `tomllib` sees, in every document that `tomllib` takes."""

from __future__ import annotations

import tomllib
from typing import cast

from hypothesis import example, given, settings
from hypothesis import strategies as st

from felt_daemon.config.positions import Key, Scanner, dotted

_BARE = st.sampled_from(["a", "b", "c-1", "D_2", "3", "-"])
_PART = st.one_of(
    _BARE, st.sampled_from(['"a"', "'b'", '"c.d"', "'#'", '"\\"="', '""', "'['", '"\\u00e4"', '"]"'])
)
_SPACE = st.sampled_from(["", " ", "\t", "  "])
_SCALAR = st.sampled_from(
    [
        "1",
        "-17",
        "+0x1F",
        "1_000",
        "0.5",
        "-1e10",
        "inf",
        "true",
        "false",
        "06:00:00",
        "1979-05-27",
        "1979-05-27 07:32:00",
        "1979-05-27T00:32:00.999-07:00",
        '""',
        "''",
        '"x # y"',
        "'a, b]'",
        '"q\\"}"',
        '"\\\\"',
        '"""one"""',
        '""""""',
        '"""\ntwo\nlines # no comment\n[x]\n"""',
        '"""a \\\n   b"""',
        '"""q"" \\""" e"""""',
        "'''it's\n'' so'''''",
        "''''''",
    ]
)
_GAP = st.sampled_from(["", " ", "\n", " # note ]\n", "\n\n  ", "#,\n"])


@st.composite
def _key(draw: st.DrawFn) -> str:
    parts = draw(st.lists(_PART, min_size=1, max_size=3))
    return f"{draw(_SPACE)}.{draw(_SPACE)}".join(parts)


@st.composite
def _array(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    items = draw(st.lists(inner, max_size=3))
    body = ",".join(f"{draw(_GAP)}{item}{draw(_GAP)}" for item in items)
    comma = draw(st.sampled_from(["", ","])) if items else ""
    return f"[{body}{comma}{draw(_GAP)}]"


@st.composite
def _inline(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    pairs = [
        f"{draw(_key())}{draw(_SPACE)}={draw(_SPACE)}{item}" for item in draw(st.lists(inner, max_size=3))
    ]
    return "{" + ",".join(f"{draw(_SPACE)}{pair}{draw(_SPACE)}" for pair in pairs) + "}"


def _composed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(_array(inner), _inline(inner))


_VALUE: st.SearchStrategy[str] = st.recursive(_SCALAR, _composed, max_leaves=6)


@st.composite
def _statement(draw: st.DrawFn) -> str:
    indent, end = draw(_SPACE), draw(st.sampled_from(["", " ", " # c = 1", "\t#["]))
    kind = draw(st.sampled_from(["pair", "pair", "pair", "table", "item", "blank"]))
    if kind == "pair":
        return f"{indent}{draw(_key())}{draw(_SPACE)}={draw(_SPACE)}{draw(_VALUE)}{end}"
    if kind == "table":
        return f"{indent}[{draw(_SPACE)}{draw(_key())}{draw(_SPACE)}]{end}"
    if kind == "item":
        return f"{indent}[[{draw(_SPACE)}{draw(_key())}{draw(_SPACE)}]]{end}"
    return f"{indent}{end}"


def _paths(value: object, key: Key = ()) -> dict[Key, object]:
    found: dict[Key, object] = {key: value} if key else {}
    inner: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inner = list(cast("dict[str | int, object]", value).items())
    elif isinstance(value, list):
        inner = list(enumerate(cast("list[object]", value)))
    for part, one in inner:
        found |= _paths(one, (*key, part))
    return found


def _agrees(text: str, tree: dict[str, object]) -> None:
    marks = Scanner(text).marks
    paths = _paths(tree)
    assert set(marks) == set(paths)
    for key, mark in marks.items():
        slice_ = text[mark.start : mark.end]
        if slice_:
            assert repr(tomllib.loads(f"x = {slice_}")["x"]) == repr(paths[key])
        else:
            assert isinstance(paths[key], (dict, list))


def _accepted(statements: list[str]) -> list[str]:
    """The statements without those that `tomllib` refuses after the ones before."""
    kept: list[str] = []
    for statement in statements:
        try:
            tomllib.loads("\n".join([*kept, statement]))
        except ValueError:
            continue
        kept.append(statement)
    return kept


@settings(max_examples=40)
@given(st.lists(_statement(), max_size=10))
@example(["[[t]]", "[t.sub]", "x = 1", "[[t]]", "[t.sub]", "y = 2", "[[t.more]]", "[t.more.z]"])
@example(["a.b = 1", "a.c = {d.e = [1, {f = 2}]}", "[g.h]", "[g]"])
def test_every_key_and_value_of_a_valid_document_is_found_where_tomllib_read_it(
    statements: list[str],
) -> None:
    text = "\n".join(_accepted(statements))
    _agrees(text, tomllib.loads(text))


@settings(max_examples=40)
@given(st.lists(_statement(), max_size=8))
def test_every_key_is_marked_with_the_line_on_which_its_statement_begins(statements: list[str]) -> None:
    kept = _accepted(statements)
    begins: list[int] = []
    line = 1
    for statement in kept:
        begins.append(line)
        line += statement.count("\n") + 1
    before: set[Key] = set()
    for count, statement in enumerate(kept, start=1):
        marks = Scanner("\n".join(kept[:count])).marks
        for key in set(marks) - before:
            first, last = begins[count - 1], begins[count - 1] + statement.count("\n")
            assert first <= marks[key].line <= last
        before = set(marks)


@settings(max_examples=40)
@given(st.lists(st.text(alphabet="ab1.=[]{},\"'#\n \\-:", max_size=16), max_size=12))
def test_no_value_that_tomllib_takes_confuses_the_scanner(values: list[str]) -> None:
    text = "\n".join(_accepted([f"k{index} = {value}" for index, value in enumerate(values)]))
    _agrees(text, tomllib.loads(text))


def test_lines_are_counted_from_one_and_through_texts_of_several_lines() -> None:
    text = 'a = """\n\n"""\nb = [\n  1,\n  { c = 2 },\n]\n[t]\n\nd.e = 3\n'
    assert {dotted(key): mark.line for key, mark in Scanner(text).marks.items()} == {
        "a": 1,
        "b": 4,
        "b[0]": 5,
        "b[1]": 6,
        "b[1].c": 6,
        "t": 8,
        "t.d": 10,
        "t.d.e": 10,
    }


def test_a_path_is_written_so_that_toml_would_read_it() -> None:
    assert dotted(("devices", "shoe 1", "x", 2)) == 'devices."shoe 1".x[2]'
    assert dotted(('q"\\',)) == '"q\\"\\\\"'
    assert dotted(()) == ""
