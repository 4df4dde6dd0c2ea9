"""How far somebody has come in a table's journal, and how an acknowledgement says it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from felt_floor.payload import value_of
from felt_protocols.cloudevents import sequence as as_text

_SEQUENCE: Final = re.compile(r"[0-9]{20}")
# A journal's numbers have 63 bits, as those of databases have.
_LARGEST: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Position:
    """The last event that somebody has of a table: its journal's epoch, its sequence, and its hash.

    Sequence 0 is before the first. Without a hash the next event's place in the chain goes unproved.
    """

    epoch: str
    sequence: int
    hash: str | None = None


def acknowledgement(position: Position) -> bytes:
    """The payload on the topic `ack/{consumer}` that says: stored up to here."""
    told = {"epoch": position.epoch, "sequence": as_text(position.sequence)}
    return json.dumps(told, separators=(",", ":")).encode()


def acknowledged(payload: bytes) -> Position | None:
    """What an acknowledgement says; None where it says nothing that can be understood."""
    try:
        told: Any = value_of(payload)
        return Position(str(told["epoch"]), sequence_of(told["sequence"]))
    except (ValueError, LookupError, TypeError):
        return None


def sequence_of(text: object) -> int:
    """The number that 20 digits are; raises ValueError for anything else, and beyond a journal's last."""
    if not isinstance(text, str) or not _SEQUENCE.fullmatch(text) or int(text) > _LARGEST:
        raise ValueError("a sequence has 20 digits")
    return int(text)
