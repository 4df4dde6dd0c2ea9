"""The table of a host's states: every state with every move."""

from __future__ import annotations

import pytest

from felt_protocols.link.states import LISTENS, MOVES, LinkMoveError, Move, State, moved

# Rows are states, columns are moves, written out; a dash is an error.
#                opened      closed    accept      refuse
TABLE = """
    closed       greeting    -         -           -
    greeting     -           closed    accepted    refused
    accepted     -           closed    accepted    refused
    refused      -           closed    accepted    refused
"""
COLUMNS = (Move.OPENED, Move.SHUT, Move.ACCEPT, Move.REFUSE)
CELLS = [
    (State(row.split()[0]), move, after)
    for row in TABLE.strip().splitlines()
    for move, after in zip(COLUMNS, row.split()[1:], strict=True)
]


def test_the_table_has_every_state_and_every_move() -> None:
    assert {(state, move) for state, move, _ in CELLS} == {(state, move) for state in State for move in Move}
    assert len(MOVES) == sum(after != "-" for _, _, after in CELLS) == 10


@pytest.mark.parametrize(("state", "move", "after"), CELLS)
def test_every_state_with_every_move(state: State, move: Move, after: str) -> None:
    if after == "-":
        with pytest.raises(LinkMoveError) as raised:
            moved(state, move)
        assert str(raised.value) == f"the link is {state.value} and has no move for: {move.value}"
    else:
        assert moved(state, move) is State(after)


def test_a_closed_port_hears_nothing() -> None:
    assert LISTENS[State.CLOSED] == frozenset()
    assert set(LISTENS) == set(State)
