"""659a.5(d), 663a.5(e), 671a.5(e), 687a.5(e): a deck is cut again on order, until a card of it is dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]


@pytest.mark.parametrize(
    ("chapter", "cite"),
    [
        ("659a", "659a.5(d)"),
        ("663a", "663a.5(e)"),
        pytest.param("671a", "671a.5(e)", marks=pytest.mark.long),
        pytest.param("687a", "687a.5(e)", marks=pytest.mark.long),
    ],
)
@pytest.mark.rule("recut-ordered", "recut-too-late")
def test_a_deck_is_cut_again_where_the_floor_wants_it_and_no_card_of_it_is_dealt(
    poker_of: Make, chapter: str, cite: str
) -> None:
    bench = poker_of(chapter)
    bench.command(commands.Order(what="recut"))
    ruling = bench.only_ruling("recut-ordered")
    assert (ruling.cite, ruling.effect, ruling.directives) == ((cite,), "advise", ("recut-deck",))
    if chapter == "659a":
        bench.no_more_bets()
        bench.run(2.0)
    else:
        bench.ready(1, 2)
    assert [one.row for one in bench.state.round.notices] == ["recut-ordered"]
    bench.deal(1)
    assert bench.state.round.notices == ()
    bench.command(commands.Order(what="recut"))
    assert bench.rulings()[-1].row == "recut-too-late"
    assert (bench.rulings()[-1].cite, bench.rulings()[-1].directives) == ((cite,), ("leave-uncut",))
    # The other deck is dealt in the next round only.
    bench.command(commands.Order(what="recut", deck="blue"))
    assert [one.row for one in bench.rulings()] == ["recut-ordered", "recut-too-late", "recut-ordered"]


@pytest.mark.rule("recut-ordered")
def test_663a_5_e_a_cut_that_is_ordered_is_shown_until_the_deck_is_in_the_shoe(poker_of: Make) -> None:
    bench = poker_of("663a")
    bench.take_stub()
    bench.command(commands.Order(what="recut", deck="blue"))
    assert [one.row for one in bench.state.round.notices] == ["recut-ordered"]
    bench.to_shoe()
    assert bench.state.round.notices == ()


@pytest.mark.rule("recut-ordered")
def test_663a_5_e_a_cut_of_the_deck_in_a_manual_shoe_is_shown_until_its_first_card_is_drawn(
    poker_of: Make,
) -> None:
    bench = poker_of("663a", "manual-shoe")
    bench.ready(1, 2)
    bench.command(commands.Order(what="recut"))
    assert [one.row for one in bench.state.round.notices] == ["recut-ordered"]
    bench.draw(1)
    assert bench.state.round.notices == ()
