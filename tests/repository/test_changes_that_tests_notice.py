"""script/mutate: which changes it makes, and that it tells those that are noticed from those that are not."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MODULE = """\
from dataclasses import dataclass

@dataclass(frozen=True)
class Pile:
    least: int = 2

    def is_short(self, size: int, *, counted: bool = True) -> bool:
        if not counted:
            return False
        return size < self.least and size >= 0
"""
BODY = "Pile.is_short: return size < self.least and size >= 0"

# A part with one rule, and what a chapter says about it.
PART = """\
[[rules]]
id = "short"
on = ["dealt"]
when = ["size < 2", "phase in ('a', 'b')"]
effect = "stop"
do = ["count"]
holds = ["short", { ends = [{ on = ["counted"] }] }]

[holds.short]
gates = ["deal"]
ends = [{ on = ["counted"], when = ["count == 2"] }]
"""
CHAPTER = """\
parts = ["piles"]

[cite.rules]
short = ["999a.1", "999a.2"]

[change.rules.short]
void = true
"""

# Tries changes that are surely noticed, and some that surely are not.
RUN = """
import sys

sys.path[:0] = ["script", "protocols", "drivers", "daemon", "simulators"]
from mutants import ROOT, Change, Mutant, of_module
from mutants_of_packs import PackChange, of_packs, sources
from trial import Trial

rows = [one for one in of_packs(["parts/automated-shoe"]) if one.where.endswith(" shoe-jam")]
fatal = next(one for one in rows if one.what == "on shoe-jammed left out")
text = sources()["parts/automated-shoe"].text


def row(what, make):
    change = PackChange(text, fatal.change.find, make)
    return Mutant(fatal.where, what, fatal.file, change, tests=fatal.tests[:1], chapters=fatal.chapters)


def of_condition(where, what):
    found = of_module(ROOT / "daemon/felt_daemon/rules/condition.py")
    return next(one for one in found if one.where.endswith(where) and one.what == what)


class Nothing(Change):
    def in_place(self, functions):
        pass

    def before_import(self):
        pass


changes = [
    row("fatal", lambda row: row.update(on=["stack-dispensed"])),
    row("a note", lambda row: row.update(note="Nobody reads it here.")),
    row("nothing", lambda row: None),
    of_condition('_compare: if op == "==":', "Eq to NotEq"),
    of_condition('"false": False, "none": None}', "False changed"),
    Mutant("daemon", "in place", "daemon/felt_daemon/rules/condition.py", Nothing()),
    Mutant("daemon", "afresh", "daemon/felt_daemon/rules/condition.py", Nothing(), afresh=True),
]
for one in Trial(changes, ["tests/rules/test_conditions.py"]).verdicts():
    print(one.mutant.what, one.noticed, one.by, sep=": ")
"""


@pytest.fixture
def mutants(monkeypatch: pytest.MonkeyPatch, root: Path) -> ModuleType:
    """What makes the changes of modules; it is a program's own."""
    monkeypatch.syspath_prepend(str(root / "script"))
    return import_module("mutants")


@pytest.fixture
def of_packs(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """What makes the changes of packs, in a tree with one chapter of one part."""
    monkeypatch.syspath_prepend(str(root / "script"))
    of_packs = import_module("mutants_of_packs")
    monkeypatch.setattr(of_packs, "ROOT", tmp_path)
    monkeypatch.setattr(of_packs, "OF_EVERY_ROW", ("tests/test_all.py::test_all",))
    folder = tmp_path / of_packs.FOLDER
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "piles.toml").write_text(PART, encoding="utf-8")
    (folder / "999a.toml").write_text(CHAPTER, encoding="utf-8")
    (folder / "999a.tests.json").write_text(
        '{"short": ["tests/test_piles.py::test_short"]}', encoding="utf-8"
    )
    return of_packs


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    """A module."""
    path = tmp_path / "daemon" / "piles.py"
    path.parent.mkdir()
    path.write_text(MODULE, encoding="utf-8")
    return path


@pytest.fixture
def body_changed(mutants: ModuleType, pile: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Import the module, change its function's last line in place, and give a pile of it."""

    def changed(what: str) -> Any:  # noqa: ANN401 - of a class of the module
        module = ModuleType("piles")
        monkeypatch.setitem(sys.modules, "piles", module)
        exec(compile(MODULE, str(pile), "exec"), module.__dict__)  # noqa: S102 - it is this test's
        function = module.Pile.is_short
        code = function.__code__
        places = {(str(pile), code.co_qualname, code.co_firstlineno): [function]}
        all_of_it = mutants.of_module(pile, pile.parent)
        next(one for one in all_of_it if one.where.endswith(BODY) and one.what == what).change.in_place(
            places
        )
        return module.Pile()

    return changed


def test_each_place_of_a_module_is_changed_once(mutants: ModuleType, pile: Path) -> None:
    found = [(one.where, one.what, one.line, one.afresh) for one in mutants.of_module(pile, pile.parent)]
    assert sorted(found) == sorted(
        (f"daemon/piles.py {where}", what, line, afresh)
        for where, what, line, afresh in [
            ("Pile: least: int = 2", "2 changed", 5, True),
            (
                "Pile.is_short: def is_short(self, size: int, *, counted: bool = True) -> bool:",
                "True changed",
                7,
                True,
            ),
            ("Pile.is_short: if not counted:", "not left out", 8, False),
            ("Pile.is_short: return False", "False changed", 9, False),
            (BODY, "returns None", 10, False),
            (BODY, "And to Or", 10, False),
            (BODY, "Lt to LtE", 10, False),
            (BODY, "GtE to Gt", 10, False),
            (BODY, "0 changed", 10, False),
        ]
    )


@pytest.mark.parametrize(
    ("what", "size", "says"),
    [
        ("And to Or", 2, True),
        ("Lt to LtE", 2, True),
        ("GtE to Gt", 0, False),
        ("0 changed", 0, False),
        ("returns None", 0, None),
    ],
)
def test_a_function_that_has_been_imported_is_changed_in_place(
    body_changed: Callable[[str], Any],
    what: str,
    size: int,
    says: bool | None,  # noqa: FBT001 - what the changed function says
) -> None:
    assert body_changed(what).is_short(size) is says


def test_what_a_part_says_is_changed_once_and_held_by_the_tests_of_its_chapters(of_packs: ModuleType) -> None:
    held = ("tests/test_piles.py::test_short", "tests/test_all.py::test_all[999a]")
    found = list(of_packs.of_packs(["999a"]))
    assert {(one.tests, one.chapters) for one in found} == {(held, ("999a",))}
    assert sorted(f"{one.where}: {one.what}" for one in found) == sorted(
        [
            "999a cite.short: cite 999a.1 left out",
            "999a cite.short: cite 999a.2 left out",
            "999a change.short: void left out",
            "parts/piles short: when 'size < 2' left out",
            "parts/piles short: when 'size < 2' turned",
            "parts/piles short: when 'size < 2' one more",
            "parts/piles short: when \"phase in ('a', 'b')\" left out",
            "parts/piles short: when \"phase in ('a', 'b')\" turned",
            "parts/piles short: effect advise",
            "parts/piles short: on dealt left out",
            "parts/piles short: do count left out",
            "parts/piles short: hold short left out",
            "parts/piles short: hold 1: ends 0 (counted) left out",
            "parts/piles short: hold 1 left out",
            "parts/piles holds.short: gates deal left out",
            "parts/piles holds.short: ends 0 (counted) left out",
            "parts/piles holds.short: ends 0 (counted) without 'count == 2'",
        ]
    )


def test_what_has_not_changed_since_is_left_alone(of_packs: ModuleType) -> None:
    texts = {"999a": CHAPTER.replace(', "999a.2"', ""), "parts/piles": PART}
    found = [f"{one.where}: {one.what}" for one in of_packs.of_packs(["all"], texts.__getitem__)]
    assert found == ["999a cite.short: cite 999a.1 left out", "999a cite.short: cite 999a.2 left out"]


def test_each_change_that_is_listed_as_right_is_one_and_has_its_reason(
    mutants: ModuleType, root: Path
) -> None:
    of_packs = import_module("mutants_of_packs").of_packs
    listed = tomllib.loads((root / "tests/mutation-survivors.toml").read_text(encoding="utf-8"))["survivor"]
    names = [(one["where"], one["what"]) for one in listed]
    found = [
        *mutants.of_modules(["daemon/felt_daemon/table", "daemon/felt_daemon/rules"]),
        *of_packs(["all"]),
    ]
    assert {*names} - {(one.where, one.what) for one in found} == set()
    assert sorted({name for name in names if names.count(name) > 1}) == []
    assert [one["where"] for one in listed if len(one["reason"]) < len("It is equivalent.")] == []


@pytest.mark.long
def test_a_fatal_change_is_noticed_and_one_that_nobody_sees_is_not(root: Path) -> None:
    done = subprocess.run(  # noqa: S603 - the program is above
        [sys.executable, "-c", RUN], cwd=root, capture_output=True, text=True, timeout=170, check=False
    )
    assert done.stderr == ""
    found = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert {what: said.partition(":")[0] for what, said in found.items()} == {
        "fatal": "True",
        "a note": "False",
        "nothing": "False",
        "Eq to NotEq": "True",
        "False changed": "True",
        "in place": "False",
        "afresh": "False",
    }
    assert found["nothing"] == "False: it changes nothing in any chapter"
    assert "tests/regulations/" in found["fatal"]
