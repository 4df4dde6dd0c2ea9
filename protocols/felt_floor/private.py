"""What a table tells this consumer alone, kept until its event comes. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from felt_floor.payload import value_of
from felt_floor.positions import sequence_of
from felt_floor.proof import canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_floor.event import Envelope

# A private part comes just before its event; those of events that never come give way to others.
KEPT: Final = 1_000


@dataclass(frozen=True, slots=True)
class Private:
    """The private part of one event, and the salt that is hashed before it."""

    salt: bytes
    said: Mapping[str, Any]

    def proves(self, envelope: Envelope) -> bool:
        """Whether the event's `privatehash` binds it."""
        digest = hashlib.sha256(self.salt + canonical(self.said)).hexdigest()
        return bool(digest == envelope["privatehash"])


class Privates:
    """Private parts, by the event that they belong to."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, int], Private] = {}

    def keep(self, table: str, payload: bytes) -> bool:
        """Keep what a message on the topic `private/{consumer}` says; whether it could be read."""
        try:
            told: Any = value_of(payload)
            key = (table, str(told["epoch"]), sequence_of(told["sequence"]))
            said = told["private"]
            private = Private(bytes.fromhex(told["salt"]), cast("dict[str, Any]", said))
        except (ValueError, LookupError, TypeError):
            return False
        if not isinstance(said, dict):
            return False
        self._kept.pop(key, None)
        self._kept[key] = private
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return True

    def of(self, table: str, envelope: Envelope) -> Private | None:
        """The private part of this event, which is given once; None where there is none."""
        return self._kept.pop((table, envelope["epoch"], int(envelope["sequence"])), None)
