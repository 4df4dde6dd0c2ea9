"""Asia Poker shakers: their events as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_drivers.facts import EVERY, plain
from felt_protocols.events import draw
from felt_protocols.link.cbor import is_list

if TYPE_CHECKING:
    from felt_drivers.facts import Fields, Table
    from felt_protocols.events import Fact


def _dice(name: str, fields: Fields) -> Fact:
    known: dict[str, Any] = {**fields, "device": name}
    faces = known.get("faces")
    if is_list(faces):
        known["faces"] = tuple(faces)
    return draw.DiceRead.model_validate(known)


FACTS: Table = {
    **EVERY,
    "shaken": plain(draw.ShakerShaken),
    "uncovered": plain(draw.ShakerUncovered),
    "dice": _dice,
    "covered": plain(draw.ShakerCovered),
    "unattended": plain(draw.ShakerLeftUnattended),
}
