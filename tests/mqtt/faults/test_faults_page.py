"""docs/faults.md: every test that it names exists and carries the report, and every mark is on the page."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
ISSUE = re.compile(r"[\w.-]+/[\w.-]+#\d+")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def marked() -> dict[str, frozenset[str]]:
    """Every test with a mark of faults, and the reports in it."""
    found: dict[str, frozenset[str]] = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        if "mark.fault(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, Function) and (issues := issues_of(node)):
                assert node.name not in found, f"two tests are called {node.name}"
                found[node.name] = issues
    return found


def issues_of(node: Function) -> frozenset[str]:
    """The reports in a test's mark."""
    marks = [
        one
        for one in node.decorator_list
        if isinstance(one, ast.Call) and ast.unparse(one.func) == "pytest.mark.fault"
    ]
    return frozenset(str(ast.literal_eval(word)) for one in marks for word in one.args)


@cache
def listed() -> dict[str, set[str]]:
    """Every test that the page names, and the reports that it is to hold."""
    found: dict[str, set[str]] = {}
    for line in PAGE.partition("## Not tried")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 4 or not ISSUE.search(cells[0]):
            continue
        tests = re.findall(r"`(test_\w+)`", cells[3])
        assert tests, line
        for test in tests:
            found.setdefault(test, set()).update(ISSUE.findall(cells[0]))
    return found


def test_every_test_of_the_page_exists_and_carries_a_report_of_its_line() -> None:
    assert sorted(test for test in listed() if test not in marked()) == []
    assert {test for test, issues in listed().items() if not issues & marked()[test]} == set()


def test_every_mark_is_on_the_page_at_its_test() -> None:
    lacking = {test: issues - listed().get(test, set()) for test, issues in marked().items()}
    assert {test: issues for test, issues in lacking.items() if issues} == {}


def test_every_report_of_the_page_is_held_by_a_test_or_said_not_to_be() -> None:
    tried, _, rest = PAGE.partition("## Not tried")
    held = set[str]().union(*marked().values())
    assert set(ISSUE.findall(tried)) - held == set()
    assert set(ISSUE.findall(rest)) & held == set()
    assert len(held) > 50


def test_a_report_has_an_owner_a_repository_and_a_number() -> None:
    issues = sorted(set[str]().union(*marked().values()))
    assert [issue for issue in issues if not ISSUE.fullmatch(issue)] == []
