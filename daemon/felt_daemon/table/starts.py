"""The starting position, from the number that the shaker shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.state import SHAKER
from felt_protocols.events import draw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import State
    from felt_protocols.events import Decision, Event


def seat_of(number: int, positions: int) -> tuple[int, int]:
    """Count and seat for a number: the dealer is 1, counting counter-clockwise over `positions` places.

    Seat 0 is the dealer; seats are numbered clockwise from the dealer's left, so count 2 is the highest seat.
    """
    count = (number - 1) % positions + 1
    return count, 0 if count == 1 else positions + 1 - count


def starts(pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """The position that a valid reading of the dice sets; the first of a round stands."""
    if not isinstance(fact, draw.DiceRead) or pack.start is None or state.round is None:
        return
    if state.method.get("start", SHAKER) != SHAKER:
        return
    now = state.round
    valid = (
        len(fact.faces) == pack.start.dice
        and now.shakes >= pack.start.min_shakes
        and not now.stacks
        and not now.void
    )
    if now.total is not None and valid and now.start_seat is None:
        count, seat = seat_of(now.total, pack.start.positions)
        yield draw.StartPositionSet(round=now.number, total=now.total, count=count, seat=seat)
