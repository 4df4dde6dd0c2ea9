"""Asia Poker shakers: their events as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_drivers.facts import EVERY
from felt_protocols.events import draw
from felt_protocols.link.cbor import is_list

if TYPE_CHECKING:
    from felt_drivers.facts import Fields, Table
    from felt_protocols.events import Fact


def _dice(fields: Fields) -> Fact:
    faces: object = fields.get("faces")
    if is_list(faces):
        fields["faces"] = tuple(faces)
    return draw.DiceRead.model_validate(fields)


FACTS: Table = {
    **EVERY,
    "shaken": draw.ShakerShaken.model_validate,
    "uncovered": draw.ShakerUncovered.model_validate,
    "dice": _dice,
    "covered": draw.ShakerCovered.model_validate,
    "unattended": draw.ShakerLeftUnattended.model_validate,
}
