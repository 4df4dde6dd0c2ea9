"""Changes that a test should notice: one place of a module of the table or of the rules, a little wrong."""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import sys
import types
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

from typing_extensions import override

ROOT = Path(__file__).resolve().parent.parent

# A function as its code knows it: its file, its qualified name, the line it begins in.
Place = tuple[str, str, int]
Functions = Mapping[Place, Sequence[types.FunctionType]]


class NothingChangedError(Exception):
    """A change after which everything is as it was before."""


class Change(Protocol):
    """What makes one change in a process that ends afterwards: what it changed is of no use any more."""

    def in_place(self, functions: Functions) -> None:
        """Change what has been imported. Raises `NothingChangedError`."""

    def before_import(self) -> None:
        """Change what will be imported."""


@dataclass(frozen=True)
class Mutant:
    """One change. `where` and `what` name it, also in the list of survivors.

    `file`: what is changed, relative to the root, at `line`, 0 in a pack; `lines`: a test that sees it
    runs one of these, none where that cannot be said. `afresh`: it can only be made before anything is
    imported. `tests`: those that may notice a change of a pack, as pytest names them, with or without
    parameters; `chapters`: whose packs have it; `read`: people read it in docs/regulations.md.
    """

    where: str
    what: str
    file: str
    change: Change
    line: int = 0
    lines: frozenset[int] = frozenset()
    afresh: bool = False
    tests: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    read: bool = False


_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class _Spot:
    """A node of a module: what it stands in, and where in that."""

    node: ast.AST
    parent: ast.AST
    name: str
    index: int | None
    # The function whose code it is part of, and the names down to there.
    function: ast.AST | None
    names: tuple[str, ...]
    statement: ast.stmt | None

    def put(self, other: ast.AST) -> None:
        """Put another node where this one is."""
        ast.copy_location(other, self.node)
        if self.index is None:
            setattr(self.parent, self.name, other)
        else:
            getattr(self.parent, self.name)[self.index] = other

    @property
    def line(self) -> int:
        """Where it begins; an operator has no place of its own."""
        return int(getattr(self.node, "lineno", 0))


@dataclass(frozen=True)
class ModuleChange(Change):
    """One change of a module: `make` makes it in `tree`."""

    name: str
    path: Path
    tree: ast.Module
    make: Callable[[], None]
    place: Place | None

    @override
    def in_place(self, functions: Functions) -> None:
        """Give a function the code it has with the change."""
        if self.place is None:
            raise ValueError("it can only be made before anything is imported")
        before = _code_at(self._compiled(), self.place)
        self.make()
        after = _code_at(self._compiled(), self.place)
        if before == after:
            raise NothingChangedError
        found = functions.get(self.place, ())
        if not found:
            raise LookupError(f"no function is made of {self.place}")
        for function in found:
            function.__code__ = after

    @override
    def before_import(self) -> None:
        """Have the module imported with the change in it."""
        before = self._compiled()
        self.make()
        if before == self._compiled():
            raise NothingChangedError
        sys.meta_path.insert(0, _Changed(self.name, self.path, self._compiled()))

    def _compiled(self) -> types.CodeType:
        whole: types.CodeType = compile(ast.fix_missing_locations(self.tree), str(self.path), "exec")
        return whole


def _code_at(module: types.CodeType, place: Place) -> types.CodeType:
    """The code of a function that is not in another one."""
    waiting = [module]
    while waiting:
        code = waiting.pop()
        if (code.co_qualname, code.co_firstlineno) == place[1:]:
            return code
        waiting += [part for part in code.co_consts if isinstance(part, types.CodeType)]
    raise LookupError(f"no code is at {place}")


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module a changed source when it is imported."""

    def __init__(self, name: str, path: Path, code: types.CodeType) -> None:
        self.name, self.path, self.code = name, path, code

    @override
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The changed module's, and no other's."""
        if fullname != self.name:
            return None
        spec = importlib.machinery.ModuleSpec(fullname, self, origin=str(self.path))
        if self.path.name == "__init__.py":
            spec.submodule_search_locations = [str(self.path.parent)]
        spec.has_location = True
        return spec

    @override
    def exec_module(self, module: types.ModuleType) -> None:
        """Run the changed source."""
        exec(self.code, module.__dict__)  # noqa: S102 - that is what it is for


def of_modules(paths: Sequence[str]) -> Iterator[Mutant]:
    """Every change of every module in these files and folders."""
    for path in paths:
        whole = ROOT / path
        for file in [whole] if whole.is_file() else sorted(whole.rglob("*.py")):
            yield from of_module(file)


def of_module(path: Path, root: Path = ROOT / "daemon") -> Iterator[Mutant]:
    """Every change of a module that is imported from `root`."""
    source = path.read_text(encoding="utf-8")
    text = source.splitlines()
    name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    relative = path.relative_to(root.parent).as_posix()
    told: Counter[tuple[str, str]] = Counter()
    tree = ast.parse(source)
    for spot in _spots(tree):
        for what, make in _changes(spot):
            place = _place_of(spot, path)
            where = f"{relative} {'.'.join(spot.names)}: {text[spot.line - 1].strip()}"
            told[where, what] += 1
            which = f" ({told[where, what]})" if told[where, what] > 1 else ""
            change = ModuleChange(name, path, tree, make, place)
            yield Mutant(
                where, what + which, relative, change, spot.line, _lines_of(spot), afresh=place is None
            )


def _place_of(spot: _Spot, path: Path) -> Place | None:
    function = spot.function
    if not isinstance(function, _FUNCTION):
        return None
    first = min((one.lineno for one in function.decorator_list), default=function.lineno)
    return str(path), ".".join(spot.names), first


def _lines_of(spot: _Spot) -> frozenset[int]:
    """The lines of which a test runs one if it runs what is changed."""
    statement = spot.statement
    if statement is None or spot.function is None:
        return frozenset()
    if not hasattr(statement, "body") and not isinstance(statement, ast.Match):
        return frozenset(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    return frozenset({statement.lineno, spot.line, getattr(spot.node, "end_lineno", spot.line)})


@dataclass
class _Walk:
    """A walk through a module that knows where it is."""

    function: ast.AST | None = None
    names: tuple[str, ...] = ()
    statement: ast.stmt | None = None
    found: list[_Spot] = field(default_factory=list)

    def into(self, node: ast.AST) -> None:
        """Everything below a node."""
        for name, value in ast.iter_fields(node):
            if _is_hidden(node, name):
                continue
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST):
                    self._one(child, node, name, index)

    def _one(self, child: ast.AST, parent: ast.AST, name: str, index: int | None) -> None:
        before = self.function, self.names, self.statement
        if isinstance(child, ast.stmt):
            self.statement = child
        if isinstance(parent, _FUNCTION) and name == "body" and self.function is None:
            self.function = parent
        self.found.append(_Spot(child, parent, name, index, self.function, self.names, self.statement))
        if isinstance(child, (*_FUNCTION, ast.ClassDef)) and self.function is None:
            self.names = (*self.names, child.name)
        self.into(child)
        self.function, self.names, self.statement = before


def _spots(tree: ast.Module) -> list[_Spot]:
    walk = _Walk()
    walk.into(tree)
    return walk.found


def _is_hidden(node: ast.AST, name: str) -> bool:
    """Whether no test can see it: decorators, annotations, and what is imported for type checkers alone."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    return name in {"decorator_list", "annotation", "returns"}


def _changes(spot: _Spot) -> Iterator[tuple[str, Callable[[], None]]]:
    """What can be wrong with a node, each with what makes it so."""
    match spot.node:
        case ast.Compare(ops=[op, *_]) as node if type(op) in _SWAPPED:
            yield _named(op), partial(setattr, node, "ops", [_SWAPPED[type(op)](), *node.ops[1:]])
        case (ast.BoolOp(op=op) | ast.BinOp(op=op)) as node if type(op) in _SWAPPED:
            yield _named(op), partial(setattr, node, "op", _SWAPPED[type(op)]())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not left out", partial(spot.put, operand)
        case ast.Constant(value=bool(value)):
            yield f"{value!r} changed", partial(spot.put, ast.Constant(not value))
        case ast.Constant(value=int(value)):
            yield f"{value!r} changed", partial(spot.put, ast.Constant(value + 1))
        case ast.Return(value=ast.expr() as value) if not _is_nothing(value):
            yield "returns None", partial(spot.put, ast.Return(ast.Constant(None)))
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            # A generator without a yield would be none: it yields from nothing.
            nothing = ast.Expr(ast.YieldFrom(ast.Tuple([], ast.Load())))
            yield "statement left out", partial(spot.put, nothing)
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "statement left out", partial(spot.put, ast.Pass())
        case _:
            pass


def _is_nothing(value: ast.expr) -> bool:
    """Whether it is as false as None, and what it is decides nothing or has a change of its own."""
    empty = (isinstance(value, ast.List | ast.Tuple) and not value.elts) or (
        isinstance(value, ast.Dict) and not value.keys
    )
    return empty or (isinstance(value, ast.Constant) and value.value in {None, False, ""})


def _named(op: ast.AST) -> str:
    return f"{type(op).__name__} to {_SWAPPED[type(op)].__name__}"
