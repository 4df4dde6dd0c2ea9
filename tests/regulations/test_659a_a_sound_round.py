"""A round of Asia Poker in which nothing is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.events import draw
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from .felt_bench import Bench


def test_ten_sound_rounds_make_no_ruling_and_alternate_the_decks(opened: Bench) -> None:
    for _ in range(10):
        opened.play_round()
    assert opened.rulings() == []
    assert opened.state.holds == {}
    closed = opened.rows_of(rounds.RoundClosed)
    assert [(one.round, one.outcome, one.hands) for one in closed] == [
        (n, "completed", 6) for n in range(1, 11)
    ]
    assert [one.last_round for one in opened.state.decks.values()] == [9, 10]
    assert all(stack["size"] == 7 for stack in opened.shoe.truth["stacks"])
    totals = [sum(roll["faces"]) for roll in opened.shaker.truth["rolls"]]
    assert [one.total for one in opened.rows_of(draw.StartPositionSet)] == totals
