"""The card reader of the blackjack games: where their texts have it, a table with one, a round for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .shoe_bench import ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.cards import Card
    from felt_simulators.devices.hole_card_reader import ReaderBuild
    from felt_simulators.devices.manual_shoe_build import ManualShoeBuild

    Watched = Callable[[ShoeBench], ShoeBench]

# Where the text has the use of the reader.
USE = {"665a": "665a.7(g)", "672a": "672a.7(g)", "673a": "673a.7(h)"}
CHAPTERS = pytest.mark.parametrize("chapter", ["665a", "672a", "673a"])


def dealt(bench: ShoeBench, up: str, hole: str) -> tuple[Card, Card]:
    """A round of two players with these cards for the dealer: the hole card and the up card."""
    boxes = ("8H", "7S", "5C", "4H")
    if bench.chapter == "665a":
        bench.open(up, *boxes, hole)
        bench.deal(1, 2)
        return bench.felt[5], bench.felt[0]
    bench.open(*boxes[:2], up, *boxes[2:], hole)
    bench.deal(1, 2)
    return bench.felt[5], bench.felt[2]


def bench_of(
    watched: Watched,
    chapter: str = "673a",
    *,
    shoe: ManualShoeBuild | None = None,
    reader: ReaderBuild | None = None,
) -> ShoeBench:
    """A table of this chapter, with a shoe or a reader that is not built as the others are."""
    return watched(ShoeBench(chapter, shoe=shoe, reader=reader))
