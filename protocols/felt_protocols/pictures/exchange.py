"""Short messages: who is there, who has what, answers to commands, and what one consumer alone gets."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from felt_protocols.events.core import Count
from felt_protocols.pictures.told import Epoch, Sequence, Time, Told

RequestId = Annotated[str, Field(pattern=r"^[!-~]{1,64}$")]


class Status(Told):
    """Whether the table is there. Retained; the table's will is this message with `lost`."""

    online: bool
    """Whether the table is there."""
    start: str
    """New with every run of the daemon; a signed command names it."""
    epoch: Epoch
    """New with every new journal."""
    version: str
    """The release of feltd."""
    since: Time
    """When this session with the broker began: UTC, RFC 3339, microseconds."""
    reason: Literal["stopped", "renewing", "failed", "lost"] | None
    """Why it is not there: stopped in order; renewing its certificate; failed; lost. None while it is."""
    simulated: bool
    """True where nothing is real."""


class FloorStatus(Told):
    """The floor's birth: every table publishes its picture again, within 5 seconds. Written by the floor."""

    online: bool
    """True when the floor's system starts."""


class Ack(Told):
    """What a consumer has stored: all events up to `sequence`. Retained, written by the consumer."""

    epoch: Epoch
    """The journal that `sequence` belongs to."""
    sequence: Sequence
    """The last event that is stored with all before it: 20 digits, all of them zeros for none."""


class Done(Told):
    """The answer to a command that was carried out."""

    id: RequestId
    """The `jti` of the command's token."""
    ok: Literal[True]
    """True: it was carried out."""
    sequence: Count
    """The row of the journal that says so."""


class Refused(Told):
    """The answer to a command that was not carried out."""

    id: RequestId
    """The `jti` of the command's token."""
    ok: Literal[False]
    """False: it was not carried out."""
    code: str
    """refused, forbidden, malformed, busy, late or replayed; take a word that you do not know for a no."""
    why: str
    """The reason, for people; its text may change."""


class Private(Told):
    """What is withheld of one event, for a consumer that is configured to have it."""

    epoch: Epoch
    """The journal of the event."""
    sequence: Sequence
    """The event: 20 digits."""
    salt: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    """16 bytes in hexadecimal: the event's `privatehash` is SHA-256 of these bytes followed by `private`."""
    private: dict[str, Any]
    """What is withheld: hashed as JSON with sorted keys, without spaces, in UTF-8."""
