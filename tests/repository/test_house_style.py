"""What the house asks of every source file and no linter asks."""

import ast
from pathlib import Path

# In two words, so that this file is not found by itself.
ELSEWHERE = ("/" + "work/", "/tmp/" + "memo", "shared/" + "design", "shared/" + "regulations")  # noqa: S108 - words


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count a function's lines without its docstring and decorators."""
    length = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function, clean=False) is None:
        return length
    docstring = function.body[0]
    return length - ((docstring.end_lineno or docstring.lineno) - docstring.lineno + 1)


def test_no_file_has_more_than_400_lines(sources: list[Path], root: Path) -> None:
    long = {
        str(path.relative_to(root)): count
        for path in sources
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}


def test_every_function_is_shorter_than_40_lines(sources: list[Path], root: Path) -> None:
    long = {
        f"{path.relative_to(root)}:{node.lineno} {node.name}": count
        for path in sources
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (count := lines_of(node)) >= 40
    }
    assert long == {}


def test_a_long_function_would_be_found() -> None:
    short = ast.parse("def f():\n    '''Do\n\n    much.'''\n" + "    x = 1\n" * 38).body[0]
    long = ast.parse("def f():\n" + "    x = 1\n" * 39).body[0]
    assert isinstance(short, ast.FunctionDef)
    assert isinstance(long, ast.FunctionDef)
    assert (lines_of(short), lines_of(long)) == (39, 40)


def test_no_module_has_a_name_that_says_nothing(sources: list[Path]) -> None:
    empty_words = {"util", "utils", "helper", "helpers", "manager", "base", "common", "misc"}
    assert [path for path in sources if path.stem in empty_words] == []


def test_no_test_file_has_the_name_of_another(tracked: list[Path]) -> None:
    names = [path.name for path in tracked if path.name.startswith("test_") and path.suffix == ".py"]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_nothing_refers_outside_the_repository(tracked: list[Path], root: Path) -> None:
    found = [
        f"{path.relative_to(root)}:{number}: {word}"
        for path in tracked
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        for word in ELSEWHERE
        if word in line
    ]
    assert found == []


def test_nothing_is_left_to_do_in_the_code(tracked: list[Path], root: Path) -> None:
    marks = ("TO" + "DO", "FIX" + "ME", "XX" + "X")
    found = [
        f"{path.relative_to(root)}:{number}"
        for path in tracked
        if path.suffix in {".py", ".toml", ".md", ""}
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if any(mark in line for mark in marks)
    ]
    assert found == []
