"""A pytest session that has collected its tests and tries changes in children of its process."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import time
import types
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import coverage
import pytest
from children import (
    NOTHING,
    NOTICED,
    SURVIVED,
    Tell,
    limit_more,
)
from mutants import ROOT, Mutant, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

PAGE = "docs/regulations.md"
# A test may take this long, or this many times as long as it takes without a change.
LEAST_S, TIMES = 20.0, 10.0
LONG_S = 300.0
# How many of the tests that noticed a file's last changes are asked first.
RECENT = 12
# What is run when packs are loaded, before any test runs.
LOADING = -1


class Packs:
    """The packs that were loaded while tests were collected; test modules hold them for good.

    Where the text that one is made of has changed, it is made anew *in place*, so that whoever holds it has
    the change.
    """

    def __init__(self) -> None:
        from felt_daemon.rules import library  # noqa: PLC0415 - after the paths are set

        self.library: Any = library
        self.make: Callable[[str, str], Any] = library._as_elected.__wrapped__  # noqa: SLF001 - load's cache
        self.loaded: dict[tuple[str, str], Any] = {}
        library._as_elected = self._as_elected  # type: ignore[assignment] # noqa: SLF001
        self.documents: dict[str, Any] = {}

    def _as_elected(self, chapter: str, elections: str) -> Any:  # noqa: ANN401 - a pack
        key = chapter, elections
        if key not in self.loaded:
            self.loaded[key] = self.make(chapter, elections)
        return self.loaded[key]

    def remember(self) -> None:
        """Keep every chapter as it is without a change."""
        self.documents = {chapter: self.library.document_of(chapter) for chapter in self.library.chapters()}

    def page_differs(self, chapters: Iterable[str]) -> bool:
        """Whether docs/regulations.md would have other lines for one of these chapters."""
        from regulations_page import of_chapter  # noqa: PLC0415 - after the paths are set

        page = (ROOT / PAGE).read_text(encoding="utf-8")
        return any("\n".join(of_chapter(self.library.load(one))).rstrip() not in page for one in chapters)

    def changed(self, mutant: Mutant, tell: Tell) -> int | None:
        """Make the packs anew after a change; what the child ends with if that settles it."""
        from felt_daemon.rules.compose import BadPack  # noqa: PLC0415 - after the paths are set

        self.library.document_of = composed_once(self.library.document_of)
        try:
            if all(self.library.document_of(one) == self.documents[one] for one in mutant.chapters):
                tell("it changes nothing in any chapter")
                return NOTHING
            self.again(mutant.chapters)
            if mutant.read and self.page_differs(mutant.chapters):
                tell(PAGE)
                return NOTICED
        except BadPack:
            tell("the pack does not load")
            return NOTICED
        return None

    def all_again(self, tell: Tell) -> None:
        """Make every pack anew; where one cannot be, the change was noticed, and the process ends."""
        with _Settles(tell):
            self.again(self.documents)

    def again(self, chapters: Iterable[str]) -> None:
        """Make the packs of these chapters anew; raises what loading raises."""
        for key, pack in self.loaded.items():
            if key[0] in chapters:
                made = self.make(*key)
                vars(pack).clear()
                vars(pack).update(vars(made))


def composed_once(document_of: Callable[[str], Any]) -> Callable[[str], Any]:
    """The same, in a process in which packs do not change any more: a chapter is made with many answers.

    Whoever has a document may change it, so that each has its own.
    """
    kept: dict[str, bytes] = {}

    def found(chapter: str) -> Any:  # noqa: ANN401 - a document
        if chapter not in kept:
            kept[chapter] = pickle.dumps(document_of(chapter))
        return pickle.loads(kept[chapter])  # noqa: S301 - our own

    return found


class _Settles:
    """Where anything that is raised shows that a change was noticed, which ends the process."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell

    def __enter__(self) -> None:
        """Nothing yet."""

    def __exit__(self, kind: object, raised: object, trace: object) -> None:
        """End the process, if anything was raised."""
        if raised is not None:
            self.tell(f"{type(raised).__name__} when packs are loaded")
            os._exit(NOTICED)


def forget() -> None:
    """Empty every cache of ours and of the tests."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("felt_", "tests.", "tests")):
            for value in list(vars(module).values()):
                clear = getattr(value, "cache_clear", None)
                if callable(clear) and not isinstance(value, type):
                    clear()


def functions() -> dict[Place, list[types.FunctionType]]:
    """Every function of the daemon by the place of its code, however it is decorated."""
    found: dict[Place, list[types.FunctionType]] = defaultdict(list)
    for one in gc.get_objects():
        if type(one) is types.FunctionType and one.__code__.co_filename.startswith(f"{ROOT}/daemon/"):
            code = one.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(one)
    return found


class Noticing:
    """Ends the process at the first failure of a test."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Tell which test noticed."""
        skipped = (pytest.skip.Exception, pytest.xfail.Exception)
        if call.excinfo is not None and not isinstance(call.excinfo.value, skipped):
            self.tell(item.nodeid)
            os._exit(NOTICED)


def run(items: Sequence[pytest.Item], tell: Tell, takes_s: Mapping[str, float] | None = None) -> int:
    """Run tests until one fails, which ends the process."""
    if not items:
        return SURVIVED
    plugins = items[0].config.pluginmanager
    if not plugins.has_plugin("noticing"):
        plugins.register(Noticing(tell), "noticing")
    for item, following in zip(items, [*items[1:], None], strict=True):
        usual = LONG_S if is_long(item) else LEAST_S
        limit_more(max(usual, TIMES * (takes_s or {}).get(item.nodeid, 0.0)))
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return SURVIVED


def is_long(item: pytest.Item) -> bool:
    """Whether the quick gate leaves it out."""
    return item.get_closest_marker("long") is not None


@dataclass
class Reach:
    """Which tests run which line of which file, and how long each takes."""

    lines: dict[str, dict[int, set[int]]] = field(default_factory=dict)
    takes_s: dict[str, float] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def of(self, mutant: Mutant) -> set[int]:
        """The numbers of the tests that run what is changed; of all that run the file where it is unknown."""
        of_file = self.lines.get(mutant.file, {})
        lines = mutant.lines or of_file
        return set().union(*(of_file.get(line, set()) for line in lines))

    def add(self, other: Reach) -> None:
        """What another process found."""
        for name, lines in other.lines.items():
            mine = self.lines.setdefault(name, {})
            for line, tests in lines.items():
                mine[line] = mine.get(line, set()) | tests
        self.takes_s |= other.takes_s
        self.failed += other.failed


class _Failures:
    """Gathers which tests fail."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        if report.failed:
            self.failed.append(report.nodeid)


def measured(items: Mapping[int, pytest.Item], files: Sequence[str], packs: Packs) -> Reach:
    """Run tests and see which lines of these files each runs; in a process that ends."""
    found = Reach()
    failures = _Failures()
    next(iter(items.values())).config.pluginmanager.register(failures)
    seen = coverage.Coverage(data_file=None, config_file=False, include=[str(ROOT / one) for one in files])
    # Tests may look at classes alone and run nothing of them.
    seen.set_option("run:disable_warnings", ["no-data-collected"])
    seen.start()
    seen.switch_context(str(LOADING))
    forget()
    packs.again({key[0] for key in packs.loaded})
    following = [*list(items.values())[1:], None]
    for (number, item), after in zip(items.items(), following, strict=True):
        began = time.process_time()
        seen.switch_context(str(number))
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        found.takes_s[item.nodeid] = time.process_time() - began
    seen.stop()
    data = seen.get_data()
    for name in data.measured_files():
        contexts = data.contexts_by_lineno(name)
        found.lines[Path(name).relative_to(ROOT).as_posix()] = {
            line: {int(one) for one in numbers if one} for line, numbers in contexts.items()
        }
    found.failed = failures.failed
    return found
