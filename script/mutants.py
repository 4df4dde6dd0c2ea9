"""Changes that a test should notice: one place of a module, or of a row of a rule pack, a little wrong."""

from __future__ import annotations

import ast
import copy
import importlib.abc
import importlib.machinery
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import override

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent
PACKS = Path("daemon/felt_daemon/rules/packs")
Document = dict[str, Any]


@dataclass(frozen=True)
class Mutant:
    """One change. `where` and `what` name it, also in the list of survivors; `put_in` makes it in a process.

    `line`: where it is in its file, 0 in a pack. `tests`: those that may notice, as pytest names them.
    """

    where: str
    what: str
    put_in: Callable[[], None]
    tests: tuple[str, ...] = ()
    file: str = ""
    line: int = 0


# ---- Modules ---------------------------------------------------------------------------------------------

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


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module from a changed tree."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    @override
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find the one module."""
        if fullname != self.name:
            return None
        package = self.path.name == "__init__.py"
        spec = importlib.machinery.ModuleSpec(fullname, self, origin=str(self.path), is_package=package)
        if package:
            spec.submodule_search_locations = [str(self.path.parent)]
        return spec

    @override
    def exec_module(self, module: types.ModuleType) -> None:
        """Run the changed tree."""
        exec(compile(self.tree, str(self.path), "exec"), module.__dict__)  # noqa: S102 - that is what it is for


def of_modules(paths: Sequence[str], tests: Sequence[str]) -> Iterator[Mutant]:
    """Every change of every module in these files and folders."""
    for path in paths:
        whole = ROOT / path
        for file in [whole] if whole.is_file() else sorted(whole.rglob("*.py")):
            yield from _of_module(file, tuple(tests))


def _of_module(file: Path, tests: tuple[str, ...]) -> Iterator[Mutant]:
    source = file.read_text(encoding="utf-8")
    lines = source.splitlines()
    name = ".".join(file.relative_to(ROOT / "daemon").with_suffix("").parts).removesuffix(".__init__")
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    for number, what, make in _places(tree):
        line = getattr(nodes[number], "lineno", 0)

        def put_in(number: int = number, make: Callable[[Any], None] = make) -> None:
            changed = copy.deepcopy(tree)
            make(list(ast.walk(changed))[number])
            sys.meta_path.insert(0, Changed(name, file, ast.fix_missing_locations(changed)))

        relative = file.relative_to(ROOT).as_posix()
        where = f"{relative}: {lines[line - 1].strip()}"
        yield Mutant(where, what, put_in, tests, relative, line)


def _places(tree: ast.Module) -> Iterator[tuple[int, str, Callable[[Any], None]]]:
    """Every change: the number of its node in the walk, what it is, and what makes it in a copy."""
    unseen = _unseen(tree)
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in unseen:
            continue
        match node:
            case ast.Compare(ops=[op, *_]) if type(op) in _SWAPPED:
                yield number, f"{type(op).__name__} to {_SWAPPED[type(op)].__name__}", _swap_compared
            case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in _SWAPPED:
                yield number, f"{type(op).__name__} to {_SWAPPED[type(op)].__name__}", _swap
            case ast.UnaryOp(op=ast.Not()):
                yield number, "not left out", _affirm
            case ast.Constant(value=bool() | int()):
                yield number, f"{node.value!r} changed", _other_value
            case ast.Return(value=ast.expr()):
                yield number, "returns None", _return_none
            case ast.Expr(value=ast.Yield() | ast.YieldFrom() | ast.Call()) | ast.AugAssign():
                yield number, "statement left out", _leave_out
            case _:
                pass


def _unseen(tree: ast.Module) -> set[int]:
    """What no test can see: decorators, annotations, and what is imported for type checkers alone."""
    hidden: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            hidden += node.decorator_list
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            hidden.append(node)
        if isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation is not None:
            hidden.append(node.annotation)
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            hidden.append(node.returns)
    return {id(part) for node in hidden for part in ast.walk(node)}


def _swap_compared(node: Any) -> None:  # noqa: ANN401 - `_places` knows which it is; so do those below
    node.ops[0] = _SWAPPED[type(node.ops[0])]()


def _swap(node: Any) -> None:  # noqa: ANN401
    node.op = _SWAPPED[type(node.op)]()


def _affirm(node: Any) -> None:  # noqa: ANN401
    node.op = ast.UAdd()


def _other_value(node: Any) -> None:  # noqa: ANN401
    node.value = (not node.value) if isinstance(node.value, bool) else node.value + 1


def _return_none(node: Any) -> None:  # noqa: ANN401
    node.value = ast.Constant(None)


def _leave_out(node: Any) -> None:  # noqa: ANN401
    # A generator without a yield would be none: it yields from nothing.
    empty: ast.expr = ast.YieldFrom(ast.Tuple([], ast.Load()))
    calls = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    replaced = ast.Constant(None) if calls or isinstance(node, ast.AugAssign) else empty
    if isinstance(node, ast.AugAssign):
        node.op, node.value = ast.Add(), ast.BinOp(node.value, ast.Sub(), copy.deepcopy(node.value))
    else:
        node.value = replaced


# ---- Rule packs ------------------------------------------------------------------------------------------

Change = tuple[str, "Callable[[Document], None]"]
_OPERATORS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "in": "not in"}
# What holds every row of every pack, beside the tests that are marked with the row: tests with the chapter as
# their parameter.
OF_EVERY_ROW = (
    "tests/rules/test_pack_breaches.py::test_every_pack_that_comes_along_is_sound",
    "tests/walk/test_holds_let_go.py",
)
_EFFECTS = {"advise": "no-new-round", "no-new-round": "advise", "stop": "advise"}


def of_packs(
    chapters: Sequence[str],
    document_of: Callable[[str], Document],
    rows: Mapping[str, set[str]] | None = None,
) -> Iterator[Mutant]:
    """Every change of every rule of these chapters; of some rows alone where `rows` names them by chapter."""
    for chapter in chapters:
        held_by = json.loads((ROOT / PACKS / f"{chapter}.tests.json").read_text(encoding="utf-8"))
        general = tuple(_of_every_row(chapter))
        for index, rule in enumerate(document_of(chapter)["rules"]):
            if rows is not None and rule["id"] not in rows.get(chapter, set()):
                continue
            for what, make in _changes(rule):
                put_in = _pack_changer(chapter, index, make)
                tests = (*held_by.get(rule["id"], ()), *general)
                yield Mutant(f"{chapter} {rule['id']}", what, put_in, tests, f"{PACKS}/{chapter}.toml")


def _of_every_row(chapter: str) -> Iterator[str]:
    """The tests of every row of every pack, for this chapter alone."""
    for place in OF_EVERY_ROW:
        file, _, name = place.partition("::")
        if name:
            yield f"{place}[{chapter}]"
            continue
        for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield f"{file}::{node.name}[{chapter}]"


def _pack_changer(chapter: str, index: int, make: Callable[[Document], None]) -> Callable[[], None]:
    def put_in() -> None:
        from felt_daemon.rules import library  # noqa: PLC0415 - in the process that is changed

        whole = library.document_of

        def document_of(name: str) -> Document:
            found = whole(name)
            if name == chapter:
                make(found["rules"][index])
            return found

        library.document_of = document_of

    return put_in


def _changes(rule: Document) -> Iterator[Change]:
    for number, text in enumerate(rule.get("when", ())):
        yield from _changed_condition("when", text, lambda row, number=number: (row["when"], number))
    for place, report in enumerate(rule.get("as_report", ())):
        for number, text in enumerate(report.get("when", ())):
            yield from _changed_condition(
                "as_report",
                text,
                lambda row, place=place, number=number: (row["as_report"][place]["when"], number),
            )
        yield f"as_report {place} left out", lambda row, place=place: row["as_report"].pop(place)
    for key in ("void", "no_roll", "ends_dealing"):
        if rule.get(key):
            yield f"{key} left out", lambda row, key=key: row.pop(key)
    for key in ("do", "cite", "on", "done_on"):
        for number, word in enumerate(rule.get(key, ())):
            yield f"{key} {word} left out", lambda row, key=key, number=number: row[key].pop(number)
    effect = rule["effect"]
    yield f"effect {_EFFECTS[effect]}", lambda row: row.update(effect=_EFFECTS[effect])
    for number, hold in enumerate(rule.get("holds", ())):
        yield from _changed_hold(number, hold)


def _changed_condition(
    place: str, text: str, find: Callable[[Document], tuple[list[str], int]]
) -> Iterator[Change]:
    def left_out(row: Document) -> None:
        conditions, number = find(row)
        conditions.pop(number)

    def put(other: str) -> Callable[[Document], None]:
        def make(row: Document) -> None:
            conditions, number = find(row)
            conditions[number] = other

        return make

    yield f"{place} {text!r} left out", left_out
    left, operator, right = _parts(text)
    if operator in _OPERATORS:
        yield f"{place} {text!r} turned", put(f"{left} {_OPERATORS[operator]} {right}")
    if right.isdigit():
        yield f"{place} {text!r} one more", put(f"{left} {operator} {int(right) + 1}")


def _parts(text: str) -> tuple[str, str, str]:
    left, _, rest = text.strip().partition(" ")
    for operator in ("not in", "in", "==", "!=", "<=", ">=", "<", ">"):
        if rest.startswith(operator):
            return left, operator, rest.removeprefix(operator).strip()
    return left, "", rest


def _changed_hold(number: int, hold: Document) -> Iterator[Change]:
    def of(change: Callable[[Document], object]) -> Callable[[Document], None]:
        return lambda row: void(change(row["holds"][number]))

    for key in ("gates", "while_cause"):
        for place, gate in enumerate(hold.get(key, ())):
            yield (
                f"hold {number}: {key} {gate} left out",
                of(lambda one, key=key, place=place: one[key].pop(place)),
            )
    if hold.get("stops"):
        yield f"hold {number}: stops nothing", of(lambda one: one.pop("stops"))
    for key in ("ends", "cause_gone"):
        for place, way in enumerate(hold.get(key, ())):
            says = f"{key} {place} ({', '.join(way['on'])})"
            yield f"hold {number}: {says} left out", of(lambda one, key=key, place=place: one[key].pop(place))
            for condition, text in enumerate(way.get("when", ())):
                yield (
                    f"hold {number}: {says} without {text!r}",
                    of(
                        lambda one, key=key, place=place, condition=condition: one[key][place]["when"].pop(
                            condition
                        )
                    ),
                )
    yield f"hold {number} left out", lambda row: void(row["holds"].pop(number))


def void(_value: object) -> None:
    """Nothing, whatever was taken out."""
