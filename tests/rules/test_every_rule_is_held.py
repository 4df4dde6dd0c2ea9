"""Every rule has tests that hold it, every subsection has a rule or somebody who reports it."""

from __future__ import annotations

import json
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules import chapters, load
from felt_daemon.rules.explain import tests_of as index_of
from felt_daemon.rules.text import names_of
from felt_daemon.rules.trace import of_answers, traced

if TYPE_CHECKING:
    from collections.abc import Callable

    Main = Callable[..., int]

ROOT = Path(__file__).resolve().parents[2]
PACKS = Path("daemon/felt_daemon/rules/packs")


@pytest.fixture(scope="module")
def index() -> dict[str, Any]:
    """What `script/rules-index` is made of."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(ROOT / "script"), *sys.path])
        return runpy.run_path(str(ROOT / "script" / "rules-index"))


@pytest.fixture
def tree(tmp_path: Path, three_piles: str) -> Path:
    """A tree with one pack, whose four rules are held by three tests."""
    (tmp_path / PACKS).mkdir(parents=True)
    (tmp_path / PACKS / "999a.toml").write_text(three_piles, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_999a_piles.py").write_text(
        """
@pytest.mark.rule("short-pile", "jam")
def test_one(): ...

@pytest.mark.parametrize("row", [
    pytest.param("a", marks=pytest.mark.rule("sorted")),
    pytest.param("b", marks=[pytest.mark.slow, pytest.mark.rule("silent")]),
])
async def test_two(row): ...

class TestMore:
    @pytest.mark.rule("jam")
    def test_three(self): ...

def test_of_no_rule(): ...
""",
        encoding="utf-8",
    )
    return tmp_path


def held_in(tree: Path, chapter: str) -> dict[str, list[str]]:
    """The index of a chapter, as it was written."""
    found: dict[str, list[str]] = json.loads(
        (tree / PACKS / f"{chapter}.tests.json").read_text(encoding="utf-8")
    )
    return found


# The gate asks the same of the program itself.
@pytest.mark.long
def test_the_index_of_this_tree_is_up_to_date(
    index: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert (index["main"](["--check"]), capsys.readouterr().err) == (0, "")


# Names of tests, by chapter and by what they are marked with, as pytest collects them with their parameters.
COLLECTED = """
import json, pytest, sys
sys.path[:0] = ["", "script"]
from tests.regulations.marked_things import claims_of

class Claims:
    def pytest_collection_finish(self, session):
        found = {}
        for item in session.items:
            for chapter, name in claims_of(item):
                found.setdefault(chapter, {}).setdefault(name, []).append(item.nodeid.partition("[")[0])
        print("CLAIMS", json.dumps(found))

FOLDERS = ["tests/regulations", "tests/table"]
sys.exit(pytest.main(["--collect-only", "-q", "-q", "-q", *FOLDERS], plugins=[Claims()]))
"""


@pytest.mark.long
def test_the_index_names_a_test_for_the_chapters_that_it_is_run_for_and_for_no_others() -> None:
    run = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", COLLECTED], cwd=ROOT, capture_output=True, text=True, check=True, timeout=170
    )
    [line] = [line for line in run.stdout.splitlines() if line.startswith("CLAIMS ")]
    collected = json.loads(line.removeprefix("CLAIMS "))
    told = {
        (chapter, name, test)
        for chapter in chapters()
        for name, tests in index_of(chapter).items()
        for test in tests
        if test != of_answers(chapter)
    }
    assert told == {
        (chapter, name, test)
        for chapter, claims in collected.items()
        for name, tests in claims.items()
        for test in tests
    }


def test_every_rule_of_asia_poker_is_held_by_a_test_that_exists() -> None:
    held = json.loads((ROOT / PACKS / "659a.tests.json").read_text(encoding="utf-8"))
    pack = load("659a")
    assert [name for name in held if name in pack.by_id] == [rule.id for rule in pack.rules]
    assert held.keys() <= names_of(pack).keys()
    for name, tests in held.items():
        assert tests, f"no test holds {name}"
        for test in tests:
            file, _, function = test.partition("[")[0].partition("::")
            assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("chapter", chapters())
def test_every_subsection_that_a_pack_keeps_is_held_by_a_test(chapter: str) -> None:
    assert [
        line.cite
        for _section, _title, lines in traced(load(chapter), index_of(chapter))
        for line in lines
        if line.kept and not any(one.tests for one in line.kept)
    ] == []


@pytest.mark.parametrize("letter", "abcdefghijklmn")
def test_every_subsection_on_irregularities_is_a_rule_or_is_reported_by_people(letter: str) -> None:
    pack = load("659a")
    cite = f"659a.13({letter})"
    enforced = [rule.id for rule in pack.rules if cite in rule.cite]
    reported = [one.cite for one in pack.unseen if one.cite == cite]
    assert bool(enforced) != bool(reported), f"{cite} is a rule and reported as well, or neither"


def test_the_index_names_each_test_once_under_every_rule_that_it_holds(
    index: dict[str, Any], tree: Path
) -> None:
    assert index["main"]([], tree) == 0
    assert json.loads((tree / PACKS / "999a.tests.json").read_text(encoding="utf-8")) == {
        "short-pile": ["tests/test_999a_piles.py::test_one"],
        "sorted": ["tests/test_999a_piles.py::test_two"],
        "jam": ["tests/test_999a_piles.py::test_one", "tests/test_999a_piles.py::test_three"],
        "silent": ["tests/test_999a_piles.py::test_two"],
    }
    assert index["main"](["--check"], tree) == 0


def test_an_index_that_is_missing_or_out_of_date_fails_the_check(
    index: dict[str, Any], tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = PACKS / "999a.tests.json"
    said = f"script/rules-index: {file} is out of date: run script/rules-index\n"
    assert (index["main"](["--check"], tree), capsys.readouterr().err) == (1, said)
    index["main"]([], tree)
    (tree / "tests" / "test_more.py").write_text('@pytest.mark.rule("jam")\ndef test_999a_four(): ...\n')
    assert (index["main"](["--check"], tree), capsys.readouterr().err) == (1, said)


def test_a_rule_without_a_test_is_told(
    index: dict[str, Any], tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tree / "tests" / "test_999a_piles.py"
    file.write_text(file.read_text(encoding="utf-8").replace('rule("silent")', 'rule("jam")'))
    assert index["main"]([], tree) == 1
    assert capsys.readouterr().err == (
        "script/rules-index: rule silent of 999a has no test that is marked with it, and no answer\n"
    )


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ('"jamm"', "no pack has anything called jamm"),
        ('"election/jam"', "no pack has anything called election/jam"),
        ("NAME", "write names and chapters of a mark as plain strings"),
        ("7", "write names and chapters of a mark as plain strings"),
        ('"jam", chapters=(999,)', "write names and chapters of a mark as plain strings"),
        ('"jam", chapters="999a"', 'beside names a mark has chapters=("665a", "672a") alone'),
        ('"jam", of=("999a",)', 'beside names a mark has chapters=("665a", "672a") alone'),
        ('"jam", chapters=("999a", "998a")', "998a has nothing called jam"),
    ],
)
def test_a_mark_that_names_nothing_of_a_pack_is_told(
    index: dict[str, Any], tree: Path, capsys: pytest.CaptureFixture[str], mark: str, said: str
) -> None:
    file = tree / "tests" / "test_999a_piles.py"
    file.write_text(file.read_text(encoding="utf-8").replace('rule("jam")', f"rule({mark})"))
    assert index["main"]([], tree) == 1
    assert capsys.readouterr().err == f"script/rules-index: tests/test_999a_piles.py::test_three: {said}\n"


def test_a_pack_that_does_not_load_is_told_by_its_file(
    index: dict[str, Any], tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / PACKS / "998a.toml").write_text("phases = []\n", encoding="utf-8")
    assert index["main"](["--check"], tree) == 1
    assert capsys.readouterr().err.startswith("script/rules-index: 998a.toml: ")


def test_two_packs_with_a_rule_of_one_name_are_told_apart_by_the_files_name(
    index: dict[str, Any], tree: Path
) -> None:
    shutil.copy(tree / PACKS / "999a.toml", tree / PACKS / "998a.toml")
    more = tree / "tests" / "test_998a_5_jams.py"
    more.write_text('@pytest.mark.rule("jam")\ndef test_four(): ...\n', encoding="utf-8")
    index["main"]([], tree)
    assert {chapter: held_in(tree, chapter)["jam"] for chapter in ("998a", "999a")} == {
        "998a": ["tests/test_998a_5_jams.py::test_four"],
        "999a": ["tests/test_999a_piles.py::test_one", "tests/test_999a_piles.py::test_three"],
    }


MARKED = """
from .piles import OTHERS

OF_TWO = ("998a", "999a")
LONG = (pytest.param(one, marks=pytest.mark.long) for one in OF_TWO)
EACH = pytest.mark.parametrize("chapter", ["997a", *LONG])
CITED: list[tuple[str, str]] = [("998a", "998a.5(d)")]

@EACH
@pytest.mark.rule("jam")
def test_each(chapter): ...

@pytest.mark.rule("jam")
@pytest.mark.parametrize(("chapter", "cite"), CITED)
def test_cited(chapter, cite): ...

@pytest.mark.rule("jam")
@pytest.mark.parametrize("chapter", OTHERS)
def test_others(chapter): ...

@pytest.mark.rule("jam", chapters=("999a",))
@EACH
def test_one_of_them(chapter): ...

@EACH
@pytest.mark.parametrize("row", [
    pytest.param("a", marks=pytest.mark.rule("jam")),
    pytest.param("998a, which is b", marks=pytest.mark.rule("sorted")),
])
def test_rows(row, chapter): ...
"""


def test_the_parameters_of_a_test_say_for_which_chapters_it_holds_a_rule(
    index: dict[str, Any], tree: Path
) -> None:
    for chapter in ("997a", "998a"):
        shutil.copy(tree / PACKS / "999a.toml", tree / PACKS / f"{chapter}.toml")
    (tree / "tests" / "piles.py").write_text("OTHERS = ['997a']\n", encoding="utf-8")
    (tree / "tests" / "test_more.py").write_text(MARKED, encoding="utf-8")
    index["main"]([], tree)
    held = {
        chapter: {
            (row, test.partition("::test_")[2])
            for row, tests in held_in(tree, chapter).items()
            for test in tests
            if "test_more" in test
        }
        for chapter in ("997a", "998a", "999a")
    }
    assert held == {
        "997a": {("jam", "each"), ("jam", "others"), ("jam", "rows")},
        "998a": {("jam", "each"), ("jam", "cited"), ("jam", "rows"), ("sorted", "rows")},
        "999a": {("jam", "each"), ("jam", "one_of_them"), ("jam", "rows")},
    }


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ('"jam"', "say for which chapters it holds jam, with chapters="),
        ('"election/decks"', "say for which chapters it holds election/decks, with chapters="),
        (
            '"jam", chapters=("999a",))\n@pytest.mark.parametrize("chapter", ["998a"]',
            "no parameter is of 999a",
        ),
    ],
)
def test_a_mark_that_says_no_chapter_of_its_test_is_told(
    index: dict[str, Any], tree: Path, capsys: pytest.CaptureFixture[str], mark: str, said: str
) -> None:
    (tree / "tests" / "test_more.py").write_text(
        f"@pytest.mark.rule({mark})\ndef test_four(): ...\n", encoding="utf-8"
    )
    assert index["main"]([], tree) == 1
    assert capsys.readouterr().err == f"script/rules-index: tests/test_more.py::test_four: {said}\n"


def test_a_row_that_no_test_is_marked_with_is_held_by_what_its_chapter_answers(
    index: dict[str, Any], tree: Path
) -> None:
    shutil.copy(tree / PACKS / "999a.toml", tree / PACKS / "998a.toml")
    answers = tree / "tests" / "table" / "answers"
    answers.mkdir(parents=True)
    (answers / "piles.txt").write_text("a pile jams\n    jam: always\n", encoding="utf-8")
    assert index["main"]([], tree) == 1
    assert held_in(tree, "998a") == {
        "short-pile": [],
        "sorted": [],
        "jam": [of_answers("998a")],
        "silent": [],
    }


def test_what_else_keeps_a_subsection_is_held_in_the_chapters_that_are_said(
    index: dict[str, Any], tree: Path
) -> None:
    for chapter in ("998a", "997a"):
        shutil.copy(tree / PACKS / "999a.toml", tree / PACKS / f"{chapter}.toml")
    more = tree / "tests" / "test_998a_999a_decks.py"
    more.write_text(
        """
@pytest.mark.rule("election/decks")
def test_of_both(): ...

@pytest.mark.rule("election/decks")
def test_998a_1(): ...

@pytest.mark.rule("election/decks", "sorted", chapters=("997a", "998a"))
def test_of_two_others(): ...
""",
        encoding="utf-8",
    )
    index["main"]([], tree)
    held = {chapter: held_in(tree, chapter) for chapter in ("997a", "998a", "999a")}
    both, one, others = (f"tests/{more.name}::test_{name}" for name in ("of_both", "998a_1", "of_two_others"))
    assert {chapter: tests["election/decks"] for chapter, tests in held.items()} == {
        "997a": [others],
        "998a": [one, both, others],
        "999a": [both],
    }
    assert {chapter: others in tests["sorted"] for chapter, tests in held.items()} == {
        "997a": True,
        "998a": True,
        "999a": False,
    }
