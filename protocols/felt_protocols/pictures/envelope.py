"""The envelope that every event comes in: CloudEvents 1.0, structured mode."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from felt_protocols.events.core import Count, Id, Word
from felt_protocols.events.person import Seat
from felt_protocols.pictures.told import Digest, Epoch, Sequence, Time, Told

TYPE_PATTERN = r"^felt\.[a-z]+\.[a-z][a-z-]*\.v[1-9][0-9]*$"
SCHEMA_PATTERN = r"^urn:felt:schema:[a-z]+:[a-z][a-z-]*:[1-9][0-9]*$"


class Context(Told):
    """To what a row belongs, as far as it applies and is known."""

    round: Count | None = None
    """The round's number in this journal."""
    deck: Id | None = None
    """The deck, by its name."""
    seat: Seat | None = None
    """The position: 0 is the dealer, 1 farthest to the dealer's left."""
    hand: Count | None = None
    """The hand of that position, from 1; reserved."""
    incident: Count | None = None
    """The incident's number in this journal."""
    test: Word | None = None
    """The device that is in service or out of use: what it tells is part of no game."""


class Envelope(Told):
    """One row of a table's journal as the floor gets it, in CloudEvents 1.0, structured mode, JSON."""

    specversion: Literal["1.0"]
    """The version of CloudEvents."""
    id: Annotated[str, Field(pattern=r"^[0-9a-f]{16}-[0-9]{20}$")]
    """`epoch`, a hyphen and `sequence`: the same every time this event is sent."""
    source: Annotated[str, Field(pattern=r"^/felt/[a-z0-9][a-z0-9-]{0,31}$")]
    """The table, `/felt/asia-1`."""
    type: Annotated[str, Field(pattern=TYPE_PATTERN)]
    """What happened, of which kind it is, and the version of `data`: `felt.deck.shuffle-completed.v1`."""
    subject: Annotated[str, Field(min_length=3)]
    """The thing that it is about: `device/shoe-1`, `deck/blue`, `hold/7`, or `table/asia-1`."""
    dataschema: Annotated[str, Field(pattern=SCHEMA_PATTERN)]
    """The `$id` of the schema of `data`."""
    time: Time
    """When it happened: UTC, RFC 3339, microseconds; true only where `clock` is `trusted`."""
    recordedtime: Time
    """When it was committed to the journal: UTC, RFC 3339, microseconds."""
    sequence: Sequence
    """The row's number in the journal, from 1, without gaps: 20 digits, so text order is number order."""
    epoch: Epoch
    """The journal; sequences of different epochs have nothing to do with each other."""
    boot: Annotated[str, Field(min_length=1)]
    """The boot of the box's kernel."""
    start: Annotated[str, Field(min_length=1)]
    """The run of the daemon."""
    monotonic: Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]{9}$")]
    """Seconds since that boot, with nine decimals, as text; for durations within one boot."""
    clock: Literal["trusted", "untrusted"]
    """`trusted` where the wall clock was synchronized; wall time may run backwards, `sequence` never."""
    late: bool
    """True when it was told long after it happened."""
    simulated: bool
    """True when nothing of it is real."""
    hash: Digest
    """SHA-256 of this row, which binds it to all rows before: hexadecimal."""
    previous: Digest
    """`hash` of the row before, 64 zeros before the first."""
    privatehash: Digest
    """SHA-256 of what is withheld of this row, with a salt: hexadecimal."""
    cause: Sequence | None = None
    """The row of the fact that this decision was made from; only on decisions."""
    rule: Annotated[str, Field(min_length=1)] | None = None
    """The citations of a ruling, separated by a comma and a space; absent for the daemon's own rules."""
    deadletter: Literal[True] | None = None
    """True where the row could not be sent: `data` is empty then, and `hash` still that of the whole row."""
    data: dict[str, Any]
    """What happened, by the schema that `dataschema` names."""
