"""Facts of progressive stations: wagers on sensors, the Start Game key, and what the dealer keys in."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from felt_protocols.events.core import Fact, Id, Kind, Word, published

# 1 is farthest to the dealer's left.
BetSeat = Annotated[int, Field(ge=1, le=15)]


class StationFact(Fact):
    """A fact of a progressive station."""

    kind: ClassVar[Kind] = "meter"
    device: Id


@published
class ProgressiveBet(StationFact):
    """A wager lies on a seat's sensor, or does not lie there any more.

    Told while the station is open; one that opens tells anew of each that lies there.
    """

    seat: BetSeat
    present: bool


@published
class StartGamePressed(StationFact):
    """The dealer pressed Start Game."""


@published
class ProgressiveBetsLocked(StationFact):
    """The station took these seats' wagers; their lamps are lit."""

    seats: tuple[BetSeat, ...]


@published
class LateBetSeen(StationFact):
    """A wager was laid on a sensor after the station had locked; it does not count in this round."""

    seat: BetSeat


@published
class LockedBetRemoved(StationFact):
    """A wager that the station had taken is gone from its sensor before it was collected."""

    seat: BetSeat


@published
class ProgressiveHand(StationFact):
    """The dealer keyed in a winning hand; `rank` is the station's word for it."""

    seat: BetSeat
    rank: Word


@published
class KeyTurned(StationFact):
    """A key switch of the station was turned."""

    which: Word
    on: bool
