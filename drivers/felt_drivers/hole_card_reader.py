"""Hole-card readers: their events as facts. None of them says which card it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_drivers.facts import EVERY
from felt_protocols.events import reader

if TYPE_CHECKING:
    from felt_drivers.facts import Table

FACTS: Table = {
    **EVERY,
    "inserted": reader.HoleCardInserted.model_validate,
    "result": reader.HoleCardRead.model_validate,
    "unreadable": reader.HoleCardUnreadable.model_validate,
    "removed": reader.HoleCardRemoved.model_validate,
    "tamper": reader.ReaderTampered.model_validate,
}
