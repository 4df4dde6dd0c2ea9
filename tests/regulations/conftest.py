"""Tables for the tests of the regulations, and a check that a test really saw what it is marked with."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

# How marks are read, a program of script/ says too.
sys.path.append(str(Path(__file__).resolve().parents[2] / "script"))

from .felt_bench import Bench
from .marked_things import claims_of, untrue
from .poker_bench import PokerBench
from .spoken_table import SpokenTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TABLES = pytest.StashKey[list[SpokenTable]]()
_Table = TypeVar("_Table", bound=SpokenTable)


@pytest.fixture
def watched(request: pytest.FixtureRequest) -> Callable[[_Table], _Table]:
    """Give a table to it; what the test is marked with must come up at one of those given."""
    tables = request.node.stash.setdefault(_TABLES, [])

    def watch(table: _Table) -> _Table:
        tables.append(table)
        return table

    return watch


@pytest.fixture
def table_of(watched: Callable[[Bench], Bench]) -> Callable[..., Bench]:
    """Make a table of Asia Poker."""

    def make(**options: Any) -> Bench:  # noqa: ANN401 - a bench's own options
        return watched(Bench(**options))

    return make


@pytest.fixture(autouse=True)
def _what_is_marked_came_up(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    lies = [*untrue(claims_of(request.node), request.node.stash.get(_TABLES, []))]
    assert lies == [], f"the test is marked with {lies}, and no such thing came up in it"


@pytest.fixture
def bench(table_of: Callable[..., Bench]) -> Bench:
    """A table whose devices have just been switched on."""
    return table_of()


@functools.cache
def _opened() -> Bench:
    bench = Bench()
    bench.open()
    return bench


@pytest.fixture
def opened(watched: Callable[[Bench], Bench]) -> Bench:
    """An open table, ready for its first round."""
    return watched(_opened().twin())


@functools.cache
def _dealing() -> Bench:
    bench = _opened().twin()
    bench.ready_to_deal()
    bench.deal(3)
    return bench


@pytest.fixture
def dealing(watched: Callable[[Bench], Bench]) -> Bench:
    """An open table, three of seven stacks dealt."""
    return watched(_dealing().twin())


@functools.cache
def _opened_poker(chapter: str, deal: str) -> PokerBench:
    bench = PokerBench(chapter, deal)
    bench.open()
    return bench


@pytest.fixture
def poker_of(watched: Callable[[PokerBench], PokerBench]) -> Callable[..., PokerBench]:
    """Make an open table of a poker game with seats, by its chapter and the way that it is dealt."""

    def make(chapter: str, deal: str = "automated-shoe", **options: Any) -> PokerBench:  # noqa: ANN401 - its options
        if not options:
            return watched(_opened_poker(chapter, deal).twin())
        bench = watched(PokerBench(chapter, deal, **options))
        bench.open()
        return bench

    return make
