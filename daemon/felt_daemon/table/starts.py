"""The starting position: from the dice, from a generator's number, or where the button lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.deal import begun
from felt_daemon.table.state import BUTTON, GENERATOR, SHAKER
from felt_protocols.events import draw, person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack, Start
    from felt_daemon.table.state import Round, State
    from felt_protocols.events import Decision, Event


def seat_of(number: int, positions: int) -> tuple[int, int]:
    """Count and seat for a number: the dealer is 1, counting counter-clockwise over `positions` places.

    Seat 0 is the dealer; seats are numbered clockwise from the dealer's left, so count 2 is the highest seat.
    """
    count = (number - 1) % positions + 1
    return count, 0 if count == 1 else positions + 1 - count


def count_of(seat: int, positions: int) -> int:
    """The count that a seat has: the dealer is 1, then counter-clockwise over `positions` places."""
    return 1 if seat == 0 else positions + 1 - seat


def starts(pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """The position that the fact sets; the first of a round stands."""
    now = state.round
    if pack.start is None or now is None or now.start_seat is not None or begun(state) or now.void:
        return
    number = _number(pack.start, state, now, fact)
    if number is not None:
        count, seat = seat_of(number, pack.start.positions)
        yield draw.StartPositionSet(round=now.number, total=number, count=count, seat=seat)


def _number(start: Start, state: State, now: Round, fact: Event) -> int | None:
    """The number that says where dealing starts, if this fact tells it in the way that the house goes."""
    way = state.method.get("start", SHAKER)
    if way == GENERATOR and isinstance(fact, draw.NumberDrawn):
        return fact.number if fact.draw in {0, now.number} else None
    if way == BUTTON and isinstance(fact, person.BetsClosed):
        return count_of(state.button, start.positions)
    valid = (
        isinstance(fact, draw.DiceRead) and len(fact.faces) == start.dice and now.shakes >= start.min_shakes
    )
    return now.total if way == SHAKER and valid else None
