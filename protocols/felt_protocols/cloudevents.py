"""A journal row as the floor gets it: CloudEvents 1.0, structured mode, JSON.

Source: CloudEvents 1.0.2, JSON event format and MQTT protocol binding.

Only the public body comes in, so nothing private can go out. The value of `data` is the journal's public
body byte for byte: its SHA-256 is what the hash chain binds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from felt_protocols.errors import UnknownEvent
from felt_protocols.events import EVENTS

CONTENT_TYPE = "application/cloudevents+json"
# A signed 64-bit number has 19 digits; one more keeps text order number order for ever.
SEQUENCE_DIGITS = 20

_UNIX_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NS_PER_S = 1_000_000_000

# The thing that an event of a kind is about: the first of these fields that its data has. Every other
# event is about the table.
_SUBJECTS: dict[str, tuple[str, ...]] = {
    "device": ("device",),
    "card": ("device",),
    "deck": ("deck", "device"),
    "round": ("round",),
    "incident": ("hold", "incident"),
    "draw": ("device", "round"),
    "person": ("hold", "deck", "device", "round"),
    "system": ("timer",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What may be told of a committed row. There is no place here for a private body.

    `name` and `v` are the event's, `shuffle-completed` and 1; `public` its body in canonical JSON. Times
    are microseconds since 1970 and nanoseconds since the kernel's boot; hashes have 32 bytes.
    """

    stream: str
    seq: int
    name: str
    v: int
    boot: str
    start: str
    mono_ns: int
    utc_us: int
    recorded_us: int
    trusted: bool
    late: bool
    simulated: bool
    cause: int | None
    public: bytes
    hash: bytes
    previous: bytes
    privatehash: bytes


def kind_of(name: str) -> str:
    """Return the kind of the event of this name; raises UnknownEvent."""
    event = EVENTS.get(name)
    if event is None:
        raise UnknownEvent(f"the journal holds {name}, which this release does not know")
    return event.kind


def sequence(seq: int) -> str:
    """A seq as text whose order is the order of the numbers."""
    return f"{seq:0{SEQUENCE_DIGITS}d}"


def instant(utc_us: int) -> str:
    """Microseconds since 1970 in RFC 3339, `2026-11-30T19:04:05.000123Z`."""
    moment = _UNIX_EPOCH + timedelta(microseconds=utc_us)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def schema(name: str, v: int) -> str:
    """The URN of the schema of an event's data, `urn:felt:schema:deck:shuffle-completed:1`."""
    return f"urn:felt:schema:{kind_of(name)}:{name}:{v}"


def structured(row: Committed, epoch: str) -> bytes:
    """Return the payload that tells this row. The same row always gives the same bytes.

    Raises UnknownEvent for an event that this release does not know, ValueError for a body that is none.
    """
    return _joined(_attributes(row, epoch), row.public)


def dead_letter(row: Committed, epoch: str) -> bytes:
    """Return the payload that stands where the row cannot be sent: what it is, and nothing of its body.

    The attribute `deadletter` says so. Raises what `structured` raises.
    """
    return _joined(_attributes(row, epoch) | {"deadletter": True}, b"{}")


def _attributes(row: Committed, epoch: str) -> dict[str, str | bool]:
    data: dict[str, Any] = json.loads(row.public)
    kind = kind_of(row.name)
    attributes: dict[str, str | bool] = {
        "specversion": "1.0",
        "id": f"{epoch}-{sequence(row.seq)}",
        "source": f"/felt/{row.stream}",
        "type": f"felt.{kind}.{row.name}.v{row.v}",
        "subject": _subject(kind, row.stream, data),
        "dataschema": schema(row.name, row.v),
        "time": instant(row.utc_us),
        "recordedtime": instant(row.recorded_us),
        "sequence": sequence(row.seq),
        "epoch": epoch,
        "boot": row.boot,
        "start": row.start,
        "monotonic": f"{row.mono_ns // _NS_PER_S}.{row.mono_ns % _NS_PER_S:09d}",
        "clock": "trusted" if row.trusted else "untrusted",
        "late": row.late,
        "simulated": row.simulated,
        "hash": row.hash.hex(),
        "previous": row.previous.hex(),
        "privatehash": row.privatehash.hex(),
    }
    if row.cause is not None:
        attributes["cause"] = sequence(row.cause)
    if kind == "ruling" and data["cite"]:
        attributes["rule"] = ", ".join(data["cite"])
    return attributes


def _joined(attributes: dict[str, str | bool], data: bytes) -> bytes:
    head = json.dumps(attributes, ensure_ascii=False, separators=(",", ":")).encode()
    return head[:-1] + b',"data":' + data + b"}"


def _subject(kind: str, table: str, data: dict[str, Any]) -> str:
    """The thing an event is about, written like the topic that shows it: `device/shoe-1`, `hold/7`."""
    if kind == "ruling":
        return f"{data['subject']}/{data['subject_id']}"
    for field in _SUBJECTS.get(kind, ()):
        if field in data:
            return f"{field}/{data[field]}"
    return f"table/{table}"
