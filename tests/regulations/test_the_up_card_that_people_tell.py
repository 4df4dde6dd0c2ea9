"""What people tell of the dealer's up card: 633a.7(i), 665a.7(h), 672a.7(f) and (h), 673a.7(g) and (i)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_simulators.devices.hands import Refused

from .shoe_bench import IN_PART, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]


def dealt(watched: Watched, chapter: str) -> ShoeBench:
    """A round of one player, two cards each, out of a shoe that reads no faces."""
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open(burn=chapter not in IN_PART)
    if chapter in IN_PART:
        bench.draw(4)
    else:
        bench.deal(1)
    return bench


@pytest.mark.parametrize("chapter", ["633a", "665a", "672a", "673a"])
@pytest.mark.rule("report/up-card-other", chapters=("633a", "665a", "672a", "673a"))
def test_under_a_card_that_calls_for_no_reader_the_players_go_on_at_once(
    watched: Watched, chapter: str
) -> None:
    bench = dealt(watched, chapter)
    bench.report("up-card-other")
    bench.run(0.3)
    assert "nobody has told an up card that calls for the reader" in bench.waits("reader")
    with pytest.raises(Refused):
        bench.insert(bench.felt[3], bench.felt[2])
    bench.draw(2)
    bench.end_round()
    assert bench.rulings() == []


@pytest.mark.parametrize("chapter", ["672a", "673a"])
@pytest.mark.rule("report/up-card-ace", chapters=("672a", "673a"))
def test_under_an_ace_insurance_is_offered_before_the_reader_is_used(watched: Watched, chapter: str) -> None:
    bench = dealt(watched, chapter)
    bench.report("up-card-ace")
    bench.run(0.3)
    assert bench.state.round.notes == {"up_card": "ace", "insurance": "open"}
    with pytest.raises(Refused):
        bench.insert(bench.felt[3], bench.felt[1])
    assert "insurance is not closed" in bench.waits("reader")
    bench.report("insurance-closed")
    bench.run(0.3)
    bench.insert(bench.felt[3], bench.felt[1])
    assert bench.rulings() == []
