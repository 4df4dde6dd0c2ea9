"""The states of a host's end of the link, and every move between them."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from felt_protocols.link.messages import Done, Event, Failed, Hello, Message, Pong


class State(Enum):
    """Where a host is with the device at the other end of its port."""

    CLOSED = "closed"
    GREETING = "greeting"
    ACCEPTED = "accepted"
    REFUSED = "refused"


class Move(Enum):
    """What changes the state."""

    OPENED = "port opened"
    SHUT = "port closed"
    ACCEPT = "hello accepted"
    REFUSE = "device refused"


class LinkMoveError(RuntimeError):
    """The owner asked for a move that the state does not have: a bug, never the device's doing."""


MOVES: Final[Mapping[tuple[State, Move], State]] = {
    (State.CLOSED, Move.OPENED): State.GREETING,
    (State.GREETING, Move.SHUT): State.CLOSED,
    (State.GREETING, Move.ACCEPT): State.ACCEPTED,
    (State.GREETING, Move.REFUSE): State.REFUSED,
    (State.ACCEPTED, Move.SHUT): State.CLOSED,
    (State.ACCEPTED, Move.ACCEPT): State.ACCEPTED,
    (State.ACCEPTED, Move.REFUSE): State.REFUSED,
    (State.REFUSED, Move.SHUT): State.CLOSED,
    (State.REFUSED, Move.ACCEPT): State.ACCEPTED,
    (State.REFUSED, Move.REFUSE): State.REFUSED,
}

LISTENS: Final[Mapping[State, frozenset[type[Message]]]] = {
    State.CLOSED: frozenset(),
    State.GREETING: frozenset({Hello}),
    State.ACCEPTED: frozenset({Hello, Event, Done, Failed, Pong}),
    State.REFUSED: frozenset({Hello}),
}
"""What is heard in each state; every other message is dropped and counted as unexpected."""


def moved(state: State, move: Move) -> State:
    """Give the next state, or raise LinkMoveError that names state and move."""
    after = MOVES.get((state, move))
    if after is None:
        raise LinkMoveError(f"the link is {state.value} and has no move for: {move.value}")
    return after
