"""A simulated table's own journal: every row that it made, as it has to arrive."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from felt_protocols import cloudevents, topics
from felt_protocols.events import bodies, canonical

if TYPE_CHECKING:
    from felt_simulators.floor.evening import Told

_FIRST_PREVIOUS = bytes(32)
_SALT_BYTES = 16
FINGERPRINT_BYTES = 8


def fingerprint(type_name: str, data: bytes) -> str:
    """What a row says, in a few letters: the truth and what the floor got are compared by it.

    `data` is the event's `data` in canonical JSON. It does not rest on the row's own hash.
    """
    return hashlib.blake2b(type_name.encode() + data, digest_size=FINGERPRINT_BYTES).hexdigest()


class Book:
    """The rows of one epoch of a table, numbered from 1.

    `happened_ns` and `fingerprints` have an entry for each; the first row's is at 0.
    """

    def __init__(self, table: str, epoch: str, boot: str, start: str) -> None:
        self.table = table
        self.epoch = epoch
        self.start = start
        self._boot = boot
        self._rows: list[tuple[str, bytes]] = []
        self._previous = _FIRST_PREVIOUS
        self._fact: int | None = None
        self.happened_ns: list[int] = []
        self.fingerprints: list[str] = []

    @property
    def head(self) -> int:
        """The number of the last row, 0 before the first."""
        return len(self._rows)

    def row(self, seq: int) -> tuple[str, bytes]:
        """The topic and the payload of a row."""
        return self._rows[seq - 1]

    def add(self, told: Told, now_ns: int, utc_us: int, salt: bytes) -> None:
        """Write a row down. `now_ns`: the monotonic clock; `salt`: random bytes for what is withheld."""
        event = told.event
        public, private = bodies(event, told.context)
        row = cloudevents.Committed(
            stream=self.table,
            seq=self.head + 1,
            name=event.what(),
            v=event.v,
            boot=self._boot,
            start=self.start,
            mono_ns=now_ns,
            utc_us=utc_us,
            recorded_us=utc_us,
            trusted=True,
            late=False,
            simulated=True,
            cause=self._fact if told.caused else None,
            public=public,
            hash=b"",
            previous=self._previous,
            privatehash=hashlib.sha256(salt[:_SALT_BYTES] + private).digest(),
        )
        self._fact = self._fact if told.caused else row.seq
        self._previous = _linked(row, self.epoch)
        payload = cloudevents.structured(replace(row, hash=self._previous), self.epoch)
        self._rows.append((topics.event(self.table, event.kind), payload))
        self.happened_ns.append(now_ns)
        self.fingerprints.append(fingerprint(event.type_name(), public))


def _linked(row: cloudevents.Committed, epoch: str) -> bytes:
    """The row's hash. Source: docs/mqtt.md, "Proving an event"."""
    columns = canonical(
        {
            "boot": row.boot,
            "cause": row.cause,
            "clock": "trusted" if row.trusted else "untrusted",
            "epoch": epoch,
            "late": int(row.late),
            "mono_ns": row.mono_ns,
            "recorded_utc": cloudevents.instant(row.recorded_us),
            "seq": row.seq,
            "simulated": int(row.simulated),
            "start": row.start,
            "stream": row.stream,
            "type": row.name,
            "utc": cloudevents.instant(row.utc_us),
            "v": row.v,
        }
    )
    whole = row.previous + columns + hashlib.sha256(row.public).digest() + row.privatehash
    return hashlib.sha256(whole).digest()
