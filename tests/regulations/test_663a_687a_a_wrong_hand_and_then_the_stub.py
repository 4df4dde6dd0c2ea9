"""663a.8(h) to .10(f), 687a.8(i) to .10(f): a wrong hand is told first, and the stub counted after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from . import stub_trials as trials

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

# Fifteen of 52 are dealt in 663a, so that a hand of six leaves 36; in 687a sixteen of 53, and a hand of seven
# leaves 35.
CHAPTERS = pytest.mark.parametrize(("chapter", "stub"), [("663a", 36), ("687a", 35)])
RESHUFFLED = ("wrong-number-after-deal", "red")


@CHAPTERS
@pytest.mark.rule("wrong-number-and-wrong-stub", "misdealt-deck-stays", "wrong-number-after-deal")
def test_a_deck_that_was_misdealt_and_is_complete_stays_whatever_was_told_first(
    poker_of: Make, chapter: str, stub: int
) -> None:
    bench = poker_of(chapter, "hand")
    assert trials.wrong_hand_and_then_stub(bench, stub, "misdealt") == {RESHUFFLED}


@CHAPTERS
@pytest.mark.rule("wrong-number-and-wrong-stub", "not-misdealt-deck-leaves", "wrong-number-after-deal")
def test_a_deck_that_is_not_complete_leaves_whatever_was_told_first(
    poker_of: Make, chapter: str, stub: int
) -> None:
    bench = poker_of(chapter, "hand")
    held = trials.wrong_hand_and_then_stub(bench, stub, "not-misdealt")
    assert held == {RESHUFFLED, ("not-misdealt-deck-leaves", "red")}
    # All its cards are found after all: the one word takes the other's place.
    bench.report("misdealt")
    assert bench.holds() == {RESHUFFLED}
