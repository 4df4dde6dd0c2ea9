"""Cards that people see while the shoe, which may have dealt, is not heard: 671a.13(d), 687a.13(d)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

SEEN = pytest.mark.parametrize(
    ("chapter", "report"), [("671a", "dealers-card-exposed"), ("687a", "card-revealed")]
)


@SEEN
@pytest.mark.rule("dealers-card-exposed-in-deal", chapters=("671a",))
@pytest.mark.rule("card-revealed-in-deal", chapters=("687a",))
def test_13_d_a_card_seen_after_no_more_bets_is_taken_where_the_shoe_is_not_heard(
    poker_of: Make, chapter: str, report: str
) -> None:
    bench = poker_of(chapter)
    bench.ready(1, 2)
    assert bench.state.phase == "closed"
    assert "no card of this round is dealt" in bench.refused_report(report)
    bench.unplug("shoe-1")
    bench.run(20.0)
    assert bench.state.phase == "closed"
    bench.report(report)
    [ruling] = [one for one in bench.rulings() if one.row == f"{report}-in-deal"]
    assert (ruling.cite, ruling.effect) == ((f"{chapter}.13(d)",), "stop")
    assert bench.state.round.void == f"{report}-in-deal"
