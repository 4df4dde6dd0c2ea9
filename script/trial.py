"""Changes tried: in children of one warm session where that goes, else each in a session of its own."""

from __future__ import annotations

import gc
import os
import pickle
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import pytest
from children import BROKEN, NOTHING, NOTICED, SURVIVED, BrokenError, Child, Tell, fork, limit, side_by_side
from hypothesis import Phase, settings
from mutants import ROOT, Functions, ModuleChange, Mutant, NothingChangedError
from warm import LOADING, PAGE, Packs, Reach, forget, functions, is_long, measured, run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Slow, and about files and not about the code.
LEFT_OUT = ("tests/table/test_table_machine.py", "tests/rules/test_every_rule_is_held.py")
OPTIONS = (
    *("-q", "--capture=no", "--assert=plain", "--tb=native", "-p", "no:randomly", "-o", "timeout=0"),
    f"--rootdir={ROOT}",
    *(f"--ignore={ROOT / name}" for name in LEFT_OUT),
)
# What packs must answer in each situation takes long, and is for changes of packs.
OF_PACKS = "tests/table/test_rows_in_each_situation.py"
# How many of the tests that noticed a file's last changes are asked first.
RECENT = 12


@dataclass(frozen=True)
class Verdict:
    """What became of a change: whether it was noticed, and by which test or page."""

    mutant: Mutant
    noticed: bool
    by: str = ""


@dataclass(frozen=True)
class Trial:
    """Tries changes; `tests` are the files and folders that must notice a change of a module."""

    mutants: Sequence[Mutant]
    tests: Sequence[str]
    jobs: int = 2
    end_at: float = float("inf")

    def verdicts(self) -> Iterator[Verdict]:
        """Each change that there was time for, as they are settled. Raises `BrokenError`.

        One that makes no difference to the code of its function is none and left out.
        """
        with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
            afresh: dict[int, list[str]] = {}
            for index, code, told in self._warm(Path(folder)):
                if code is None:
                    afresh[index] = told.split("\n")
                elif verdict := self._verdict(index, code, told):
                    yield verdict
            if afresh:
                # What is never changed is imported once, here.
                import_module("felt_protocols.events")
                import_module("felt_protocols.commands")
            started = (
                (index, fork(partial(self._afresh, index, order)))
                for index, order in afresh.items()
                if time.monotonic() < self.end_at
            )
            for index, code, told in side_by_side(self.jobs, started):
                if verdict := self._verdict(index, code, told):
                    yield verdict

    def _verdict(self, index: int, code: int, told: str) -> Verdict | None:
        mutant = self.mutants[index]
        if code not in {SURVIVED, NOTICED, NOTHING}:
            raise BrokenError(f"{mutant.where}: {mutant.what}: {told}")
        if code == NOTHING and not mutant.chapters:
            return None
        return Verdict(mutant, code == NOTICED, told)

    def _warm(self, folder: Path) -> Iterator[tuple[int, int | None, str]]:
        """What the warm session tells: a change's number, what its child ended with, and told.

        Instead of the second None where the change needs a session of its own; then the tests in their order.
        """
        read, write = os.pipe()

        def work(tell: Tell) -> int:
            os.close(read)
            with os.fdopen(write, "wb", buffering=0) as pipe:
                session = Session(self, pipe, folder)
                pytest.main([*OPTIONS, f"--basetemp={folder / 'tmp'}", *self.collected()], plugins=[session])
            tell(session.wrong)
            return BROKEN if session.wrong else SURVIVED

        child = fork(work)
        os.close(write)
        with os.fdopen(read, "rb") as pipe:
            while True:
                try:
                    yield pickle.load(pipe)  # noqa: S301 - our own child writes it
                except EOFError:
                    break
        code, told = child.wait()
        if code != SURVIVED:
            raise BrokenError(told)

    def collected(self) -> list[str]:
        """The files and folders whose tests are collected."""
        whole = [str(ROOT / one) for one in self.tests] if any(not one.tests for one in self.mutants) else []
        files = {str(ROOT / test.partition("::")[0]) for one in self.mutants for test in one.tests}
        return whole + sorted(
            one for one in files if not any(one == other or one.startswith(f"{other}/") for other in whole)
        )

    def _afresh(self, index: int, order: Sequence[str], tell: Tell) -> int:
        limit()
        quicken()
        mutant = self.mutants[index]
        try:
            mutant.change.before_import()
        except NothingChangedError:
            return NOTHING
        session = _OneChange(order, tell)
        pytest.main(
            [*OPTIONS, *sorted({str(ROOT / one.partition("::")[0]) for one in order})], plugins=[session]
        )
        if session.code is None:
            tell("they cannot be collected")
            return NOTICED
        return session.code


def quicken() -> None:
    """Have property tests always try the same, and stop at what fails."""
    settings.register_profile(
        "mutants", settings.get_profile("ci"), phases=(Phase.explicit, Phase.generate), print_blob=False
    )
    settings.load_profile("mutants")


class _OneChange:
    """A session of one change."""

    def __init__(self, order: Sequence[str], tell: Tell) -> None:
        self.order, self.tell = order, tell
        self.code: int | None = None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests in their order."""
        if session.testsfailed:
            self.tell("they cannot be collected")
            self.code = NOTICED
            return True
        items = {item.nodeid: item for item in session.items}
        self.code = run([items[one] for one in self.order if one in items], self.tell)
        return True


@dataclass
class Session:
    """The warm session: what is collected, and what is known of it."""

    trial: Trial
    pipe: BinaryIO
    folder: Path
    wrong: str = "the tests cannot be collected"
    items: list[pytest.Item] = field(default_factory=list)
    named: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    reach: Reach = field(default_factory=Reach)
    functions: Functions = field(default_factory=dict)
    noticed_last: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    trusted: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        quicken()
        self.packs = Packs()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every change, instead of running the tests."""
        if session.testsfailed:
            return True
        self.items = list({item.nodeid: item for item in session.items}.values())
        for number, item in enumerate(self.items):
            self.named[item.nodeid].append(number)
            if "[" in item.nodeid:
                self.named[item.nodeid.partition("[")[0]].append(number)
        self.functions = functions()
        self.packs.remember()
        # Children share one folder for what their tests write.
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined] # noqa: SLF001 - no other way
        gc.collect()
        gc.freeze()
        try:
            self._look()
            for index, code, told in side_by_side(self.trial.jobs, self._started()):
                self._settled(index, code, told)
        except BrokenError as error:
            self.wrong = str(error)
        else:
            self.wrong = ""
        return True

    def _tell(self, index: int, code: int | None, told: str) -> None:
        pickle.dump((index, code, told), self.pipe)

    # ---- Before any change -------------------------------------------------------------------------------

    def _look(self) -> None:
        """See which tests run what; raises `BrokenError` if one fails, or the page is another."""
        files = sorted({one.file for one in self.trial.mutants if not one.chapters})
        folders = tuple(f"{one.rstrip('/')}" for one in self.trial.tests)
        chosen = [
            number
            for number, item in enumerate(self.items)
            if files
            and item.nodeid.startswith(folders)
            and not (item.nodeid.startswith(OF_PACKS) or is_long(item))
        ]
        jobs = self.trial.jobs
        started = (
            (place, fork(partial(self._look_at, chosen[place::jobs], files, place)))
            for place in range(jobs)
            if chosen
        )
        for place, code, told in side_by_side(jobs, started):
            if code != SURVIVED:
                raise BrokenError(told)
            self.reach.add(pickle.loads((self.folder / f"reach-{place}").read_bytes()))  # noqa: S301 - ours
        if self.reach.failed:
            raise BrokenError(f"tests fail without any change: {', '.join(self.reach.failed)}")
        self.trusted |= set(chosen)
        if any(one.read for one in self.trial.mutants):
            code, told = fork(self._look_at_page).wait()
            if code != SURVIVED:
                raise BrokenError(told or f"{PAGE} is not what the packs say")

    def _look_at(self, chosen: Sequence[int], files: Sequence[str], place: int, _tell: Tell) -> int:
        found = measured({number: self.items[number] for number in chosen}, files, self.packs)
        (self.folder / f"reach-{place}").write_bytes(pickle.dumps(found))
        return SURVIVED

    def _look_at_page(self, _tell: Tell) -> int:
        return NOTICED if self.packs.page_differs(self.packs.documents) else SURVIVED

    # ---- The changes -------------------------------------------------------------------------------------

    def _started(self) -> Iterator[tuple[int, Child]]:
        for index, mutant in enumerate(self.trial.mutants):
            if time.monotonic() > self.trial.end_at:
                return
            order = self.order_for(mutant)
            if not mutant.chapters and (mutant.afresh or not order or self._ran_before(mutant)):
                order = order or self.order_for(replace(mutant, afresh=True, lines=frozenset()))
                self._tell(index, None, "\n".join(self.items[one].nodeid for one in order))
            elif not order and not mutant.read:
                self._tell(index, SURVIVED, "")
            else:
                yield index, fork(partial(self._try, mutant, order))

    def _ran_before(self, mutant: Mutant) -> bool:
        """Whether what is changed made functions as modules were imported, which would stay as they are."""
        place = mutant.change.place if isinstance(mutant.change, ModuleChange) else None
        return place is not None and any(
            name == place[0] and function.startswith(f"{place[1]}.<locals>")
            for name, function, _line in self.functions
        )

    def order_for(self, mutant: Mutant) -> list[int]:
        """The tests that may notice a change, those first that noticed the last ones of its file."""
        if mutant.chapters:
            found = list(dict.fromkeys(one for name in mutant.tests for one in self.named.get(name, ())))
            found.sort(key=lambda one: is_long(self.items[one]))
        else:
            reached = self.reach.of(mutant)
            takes = [(self.reach.takes_s[self.items[one].nodeid], one) for one in reached - {LOADING}]
            found = [one for _, one in sorted(takes)]
            if LOADING in reached or mutant.afresh:
                # What is made as modules are imported may be seen by tests that run no line of it.
                found += sorted(self.trusted - set(found))
        recent = [one for one in reversed(self.noticed_last[mutant.file]) if one in set(found)]
        # What every pack must answer takes seconds for each chapter: of those the last one is enough.
        slow = [one for one in recent if self.items[one].nodeid.startswith(OF_PACKS)]
        recent = [one for one in recent if one not in slow[1:]]
        return [*recent, *(one for one in found if one not in set(recent))]

    def _try(self, mutant: Mutant, order: Sequence[int], tell: Tell) -> int:
        limit()
        try:
            mutant.change.in_place(self.functions)
        except NothingChangedError:
            return NOTHING
        forget()
        if mutant.chapters:
            code = self.packs.changed(mutant, tell)
            return run(self._items(order), tell) if code is None else code
        reached = self.reach.of(mutant)
        run(self._items([one for one in order if one in reached]), tell, self.reach.takes_s)
        if LOADING in reached:
            # No test that runs it by itself has noticed: now every pack has the change.
            forget()
            self.packs.all_again(tell)
            run(self._items(order), tell, self.reach.takes_s)
        return SURVIVED

    def _items(self, numbers: Sequence[int]) -> list[pytest.Item]:
        return [self.items[one] for one in numbers]

    def _settled(self, index: int, code: int, told: str) -> None:
        mutant = self.trial.mutants[index]
        if code == NOTICED and told in self.named:
            number = self.named[told][0]
            if number not in self.trusted:
                if fork(partial(run, [self.items[number]])).wait()[0] != SURVIVED:
                    raise BrokenError(f"a test fails without any change: {told}")
                self.trusted.add(number)
            recent = self.noticed_last[mutant.file]
            if number in recent:
                recent.remove(number)
            recent.append(number)
            del recent[:-RECENT]
        self._tell(index, code, told)
