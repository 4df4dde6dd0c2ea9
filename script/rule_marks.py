"""Marks of tests with `pytest.mark.rule`, read from the source: what each names, and for which chapters."""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.rules.text import ALONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_CHAPTER = re.compile(r"(?<![0-9a-z])\d{3}a(?![0-9a-z])")
_Test = ast.FunctionDef | ast.AsyncFunctionDef


class BadMark(ValueError):  # noqa: N818 - it is what was met
    """A mark that names nothing of a pack, or in a way that cannot be read; the text says where."""


@dataclass(frozen=True)
class Mark:
    """A name in a mark, the test as pytest writes it, and the chapters that the mark is about."""

    name: str
    place: str
    chapters: frozenset[str]


def is_row(mark: str) -> bool:
    """Whether a mark's name is that of a row."""
    return "/" not in mark and mark not in ALONE


def marks_of(root: Path) -> Iterator[Mark]:
    """Every mark of every test under `tests`; raises `BadMark`."""
    for path in sorted((root / "tests").rglob("test_*.py")):
        source = _Source.of(path)
        for function in ast.walk(source.tree):
            if isinstance(function, _Test):
                place = f"{path.relative_to(root).as_posix()}::{function.name}"
                yield from _of_test(source, function, place)


def chapters_in(text: str) -> frozenset[str]:
    """The chapters that a text names, as `test_671a_687a_counts` or `663a.13(b)`."""
    return frozenset(_CHAPTER.findall(text))


def claimed(said: Iterable[str], *told: str) -> frozenset[str]:
    """The chapters that a mark is about: those that it says, or else those that the first text names.

    The texts are the name of the test, its parameters, and the name of its file; one may name none.
    """
    chapters = (frozenset(said), *map(chapters_in, told))
    return next((one for one in chapters if one), chapters[0])


def _of_test(source: _Source, function: _Test, place: str) -> Iterator[Mark]:
    decorators = [source.meant_by(one) for one in function.decorator_list]
    parametrized = [one for one in decorators if _calls(one, "parametrize")]
    chapters = frozenset[str]().union(*(source.chapters(one) for one in parametrized))
    for decorator in decorators:
        if decorator not in parametrized:
            for mark in _within(decorator, "rule"):
                yield from _marks(mark, place, chapters)
            continue
        for case in _within(decorator, "param"):
            own = frozenset[str]().union(*(source.chapters(argument) for argument in case.args))
            for mark in _within(case, "rule"):
                yield from _marks(mark, place, own or chapters)


def _calls(node: ast.AST, name: str) -> bool:
    """Whether it is a call of pytest's by this name."""
    match node:
        case ast.Call(func=ast.Attribute(attr=attribute)):
            return attribute == name
        case _:
            return False


def _within(node: ast.AST, name: str) -> Iterator[ast.Call]:
    yield from (one for one in ast.walk(node) if isinstance(one, ast.Call) and _calls(one, name))


def _marks(mark: ast.Call, place: str, parameters: frozenset[str]) -> Iterator[Mark]:
    """What one mark names; `parameters` are the chapters that the test is run for, if that is said."""
    said = frozenset(_said(mark, place))
    if parameters and (strangers := said - parameters):
        raise BadMark(f"{place}: no parameter is of {', '.join(sorted(strangers))}")
    file, _, test = Path(place).name.partition("::")
    chapters = claimed(said, test, " ".join(parameters), file)
    yield from (Mark(_plain(name, place), place, chapters) for name in mark.args)


def _said(mark: ast.Call, place: str) -> Iterator[str]:
    for keyword in mark.keywords:
        if keyword.arg != "chapters" or not isinstance(keyword.value, ast.Tuple):
            raise BadMark(f'{place}: beside names a mark has chapters=("665a", "672a") alone')
        yield from (_plain(chapter, place) for chapter in keyword.value.elts)


def _plain(node: ast.expr, place: str) -> str:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        raise BadMark(f"{place}: write names and chapters of a mark as plain strings")
    return node.value


@dataclass(frozen=True, eq=False)
class _Source:
    """A test's file: its names may stand for what is written there, or in a file beside it."""

    path: Path
    tree: ast.Module

    @classmethod
    @functools.cache
    def of(cls, path: Path) -> _Source:
        return cls(path, ast.parse(path.read_text(encoding="utf-8")))

    def meant_by(self, node: ast.expr) -> ast.expr:
        """What a name stands for; anything else stands for itself."""
        found = self._found(node.id) if isinstance(node, ast.Name) else None
        return found[1] if found else node

    def chapters(self, node: ast.expr) -> frozenset[str]:
        """The chapters that are written in an expression, or in what its names stand for."""
        return chapters_in(" ".join(self._texts(node, set())))

    def _texts(self, node: ast.expr, known: set[str]) -> Iterator[str]:
        for one in ast.walk(node):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one.value
            elif isinstance(one, ast.Name) and one.id not in known:
                known.add(one.id)
                if found := self._found(one.id):
                    source, meant = found
                    yield from source._texts(meant, set() if source is not self else known)  # noqa: SLF001 - its like

    def _found(self, name: str) -> tuple[_Source, ast.expr] | None:
        """What a name is assigned at the file's top, and the file where it is written."""
        for node in self.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=one)], value=value) if one == name:
                    return self, value
                case ast.AnnAssign(target=ast.Name(id=one), value=ast.expr() as value) if one == name:
                    return self, value
                case ast.ImportFrom(module=str(module), level=1) if name in {one.name for one in node.names}:
                    beside = self.path.parent.joinpath(*module.split(".")).with_suffix(".py")
                    return _Source.of(beside)._found(name)  # noqa: SLF001 - its like
                case _:
                    pass
        return None
