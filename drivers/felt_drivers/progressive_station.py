"""Progressive stations: their events as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_drivers.facts import EVERY
from felt_protocols.events import station
from felt_protocols.link.cbor import is_list

if TYPE_CHECKING:
    from felt_drivers.facts import Fields, Table
    from felt_protocols.events import Fact


def _locked(fields: Fields) -> Fact:
    seats: object = fields.get("seats")
    if is_list(seats):
        fields["seats"] = tuple(seats)
    return station.ProgressiveBetsLocked.model_validate(fields)


FACTS: Table = {
    **EVERY,
    "bet": station.ProgressiveBet.model_validate,
    "start_game": station.StartGamePressed.model_validate,
    "locked": _locked,
    "late_bet": station.LateBetSeen.model_validate,
    "bet_removed": station.LockedBetRemoved.model_validate,
    "hand": station.ProgressiveHand.model_validate,
    "key": station.KeyTurned.model_validate,
}
