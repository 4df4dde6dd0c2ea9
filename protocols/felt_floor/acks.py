"""When a table is told what is stored: soon, and not for every event. Pure: the clock is the caller's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from felt_floor.positions import Position

# A table is told at most so often,
PAUSE_S: Final = 0.1
# or after so many events.
MANY: Final = 100


@dataclass(slots=True)
class _Told:
    """What one table was told last, and what it is to be told next."""

    position: Position | None = None
    at: float = -PAUSE_S
    pending: Position | None = None
    at_once: bool = False

    def due(self) -> float:
        """When the pending position may be told, seconds of the caller's clock."""
        if self.at_once or self.position is None or self.pending is None:
            return self.at
        other = self.pending.epoch != self.position.epoch
        return (
            self.at if other or self.pending.sequence - self.position.sequence >= MANY else self.at + PAUSE_S
        )


class Acks:
    """Positions of tables, collected until they are told.

    A position that a table was told before means "I lack everything after this", so that none is told twice
    but by `repeat`.
    """

    def __init__(self) -> None:
        self._tables: dict[str, _Told] = {}
        self._pending: dict[str, _Told] = {}

    def note(self, table: str, position: Position) -> None:
        """The application has stored everything up to here."""
        told = self._tables.setdefault(table, _Told())
        if told.pending is None and told.position == position:
            return
        told.pending = position
        self._pending[table] = told

    def repeat(self, table: str, position: Position) -> None:
        """Tell this position at once, whether it was told before or not: what comes after it is lacking."""
        told = self._tables.setdefault(table, _Told())
        told.pending = position
        told.at_once = True
        self._pending[table] = told

    def forget(self) -> None:
        """The connection is gone, and what was to be told with it: the next one begins with `repeat`."""
        self._tables.clear()
        self._pending.clear()

    def due(self) -> float | None:
        """When `take` will next give something; None while there is nothing to tell."""
        return min((told.due() for told in self._pending.values()), default=None)

    def take(self, now: float, most: int) -> list[tuple[str, Position]]:
        """What is to be told now, of `most` tables at the most; it counts as told."""
        ripe = [table for table, told in self._pending.items() if told.due() <= now][:most]
        return [(table, self._tell(table, now)) for table in ripe]

    def _tell(self, table: str, now: float) -> Position:
        told = self._pending.pop(table)
        position = told.pending
        assert position is not None  # noqa: S101 - what is pending has a position
        told.position, told.at, told.pending, told.at_once = position, now, None, False
        return position
