"""One sample of every event with all its fields, and how it is published: same time, same place, same salt.

Only the present version of an event has a sample here. What an older one looked like is in its golden file.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from felt_daemon.journal.chain import digests, envelope, row_of
from felt_daemon.journal.entry import Entry
from felt_protocols import cloudevents
from felt_protocols.events import Decision, bodies

from .samples_of_devices import DEVICES
from .samples_of_people import PEOPLE
from .samples_of_the_table import TABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_protocols.events import Event

EPOCH = "5f1c9a0b7d3e4c21"
SALT = bytes(range(16))
SEQ = 1234
RECORDED_US = 1_796_066_405_004_000

SAMPLES: dict[str, tuple[Event, Mapping[str, object]]] = {
    event.type_name(): (event, context) for event, context in (*DEVICES, *TABLE, *PEOPLE)
}


def private_of(event: Event) -> bytes:
    """What is withheld of an event, as the journal has it."""
    _public, private = bodies(event, {})
    return private


def published(event: Event, context: Mapping[str, object]) -> bytes:
    """The payload that tells this event as row 1234 of a simulated table, with hashes that prove it."""
    public, private = bodies(event, context)
    entry = Entry(
        stream="asia-1",
        seq=SEQ,
        type=event.what(),
        v=event.v,
        boot="1d2e3f40-0000-4000-8000-000000000001",
        start="7b0c91de",
        mono_ns=93_784_000_001_250,
        utc_us=1_796_066_405_000_123,
        clock="trusted",
        late=False,
        simulated=True,
        cause=SEQ - 1 if isinstance(event, Decision) else None,
        public=public,
        private=private,
    )
    # The row before is each event's own, so that no event's sample depends on another's.
    previous = hashlib.sha256(event.type_name().encode()).digest()
    columns = row_of(entry, cloudevents.instant(RECORDED_US))
    made = digests(previous, envelope(EPOCH, columns), entry, SALT)
    row = cloudevents.Committed(
        stream=entry.stream,
        seq=entry.seq,
        name=entry.type,
        v=entry.v,
        boot=entry.boot,
        start=entry.start,
        mono_ns=entry.mono_ns,
        utc_us=entry.utc_us,
        recorded_us=RECORDED_US,
        trusted=True,
        late=entry.late,
        simulated=entry.simulated,
        cause=entry.cause,
        public=public,
        hash=made.hash,
        previous=previous,
        privatehash=made.privatehash,
    )
    return cloudevents.structured(row, EPOCH)
