"""How a consumer stands, for a screen or a monitor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHealth:
    """One table. Everything but the first seven counts since this process began.

    `online` is what the table's `status` says, None before it said anything. Everything up to `taken` came,
    in order; everything up to `acked` the application has stored. Of what came after a gap `early` wait here,
    `missing` are known to be and are not here. `journal`: why the table cannot write its journal, in words,
    empty while it can; known only where `states` are taken.

    `given` to the application; `doubled` came more than once; `asked`: how often the missing were asked for;
    `dropped` for want of room, to come again; `left_out`: dead letters, whose data the table cannot send;
    `unproved`: the hash does not follow; `conflicts`: another event under the same number; `unknown` type or
    version; `breaches` of a schema; `unreadable`: no event at all.
    """

    online: bool | None
    epoch: str
    taken: int
    acked: int
    early: int
    missing: int
    journal: str
    given: int
    doubled: int
    asked: int
    dropped: int
    left_out: int
    unproved: int
    conflicts: int
    unknown: int
    breaches: int
    unreadable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The connection, what waits for the application, and every table heard of.

    `connections` counts those that came about; `why` is the reason of the last one that did not or was lost.
    """

    connected: bool
    connections: int
    why: str
    waiting: int
    tables: Mapping[str, TableHealth]
