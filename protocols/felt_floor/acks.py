"""When a table is told what is stored: soon, and not for every event. Pure: the clock is the caller's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from felt_floor.positions import Position

# A table is told no more often than this, and all together no more often than that,
PAUSE_S: Final = 0.1
MOST_PER_S: Final = 500
# or after so many events.
MANY: Final = 100


@dataclass(slots=True)
class _Told:
    """What one table was told last, and what it is to be told next."""

    position: Position | None = None
    at: float = float("-inf")
    pending: Position | None = None
    # How often it is to be told without a pause.
    at_once: int = 0

    def due(self, pause_s: float) -> float:
        """When the pending position may be told, seconds of the caller's clock."""
        if self.at_once or self.position is None or self.pending is None:
            return self.at
        other = self.pending.epoch != self.position.epoch
        many = self.pending.sequence - self.position.sequence >= MANY
        return self.at if other or many else self.at + pause_s


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
        """Say at once that what comes after this position is lacking.

        Only what a table hears a second time says that, so that a position which is news to it is told twice.
        """
        told = self._tables.setdefault(table, _Told())
        told.pending = position
        told.at_once = 1 if told.position == position else 2
        self._pending[table] = told

    def forget(self) -> None:
        """The connection is gone, and what was to be told with it: the next one begins with `repeat`."""
        self._tables.clear()
        self._pending.clear()

    def due(self) -> float | None:
        """When `take` will next give something; None while there is nothing to tell."""
        pause_s = self._pause_s
        return min((told.due(pause_s) for told in self._pending.values()), default=None)

    def take(self, now: float, most: int) -> list[tuple[str, Position]]:
        """What is to be told now, so many at the most, in this order; it counts as told."""
        out: list[tuple[str, Position]] = []
        pause_s = self._pause_s
        for table, told in list(self._pending.items()):
            while told.pending is not None and told.due(pause_s) <= now and len(out) < most:
                out.append((table, self._tell(table, told, told.pending, now)))
        return out

    @property
    def _pause_s(self) -> float:
        return max(PAUSE_S, len(self._tables) / MOST_PER_S)

    def _tell(self, table: str, told: _Told, position: Position, now: float) -> Position:
        told.position, told.at = position, now
        told.at_once = max(0, told.at_once - 1)
        if told.at_once == 0:
            told.pending = None
            del self._pending[table]
        return position
