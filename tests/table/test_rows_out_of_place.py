"""Rows that a state has no place for change nothing; numbers in a permit of a pack are sent as they stand."""

from __future__ import annotations

import pytest

from felt_daemon.table import evolve
from felt_protocols.events import Event, Row, draw
from felt_protocols.events import round as rounds

from .felt import Felt, moment
from .small_games import STACKS, open_small


@pytest.mark.parametrize(
    "event",
    [
        draw.StartPositionSet(round=1, total=6, count=6, seat=2),
        rounds.RoundNoted(round=1, name="up_card", value="ace"),
        rounds.PhaseChanged(round=1, phase="dealing"),
        rounds.RoundVoided(round=1, row="shoe-jam"),
        rounds.RoundClosed(round=1, outcome="completed", hands=0),
    ],
)
def test_what_is_decided_of_a_round_changes_nothing_where_none_is_on(event: Event) -> None:
    state = Felt().state
    assert state.round is None
    after = evolve(state, Row("t-1", 1, event, moment(1)))
    assert (after.round, after.decks, after.table) == (None, state.decks, "closed")


def test_a_number_in_a_packs_permit_is_sent_as_it_stands() -> None:
    felt = open_small(STACKS.replace('size = "hand_cards"', "size = 2"), shoe_1="shoe")
    assert felt.permits("shoe-1") == [{"round": 1, "size": 2}]
