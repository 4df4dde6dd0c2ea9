"""What the journal takes and what it gives back."""

import json
import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from felt_daemon.journal.errors import EntryError
from felt_daemon.journal.instant import LAST_UTC_US, utc_us

Clock = Literal["trusted", "untrusted"]
_CLOCKS: dict[str, Clock] = {"trusted": "trusted", "untrusted": "untrusted"}

NOTHING_PRIVATE = b"{}"
LARGEST_INTEGER = 2**63 - 1

# Printable ASCII without the two characters that JSON would have to escape: so the envelope's
# bytes are the same in every language's JSON writer.
_PLAIN = re.compile(r"[ !#-\[\]-~]{1,200}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row as its maker hands it over; what it says never changes afterwards.

    `mono_ns` is CLOCK_BOOTTIME in nanoseconds, `utc_us` microseconds since 1970-01-01 UTC.
    `public` and `private` are JSON objects in UTF-8; the private one is hidden from the floor,
    and only its salted digest leaves the house. `cause` is the seq of the row that led to this one.
    """

    stream: str
    seq: int
    type: str
    v: int
    boot: str
    start: str
    mono_ns: int
    utc_us: int
    clock: Clock
    late: bool
    simulated: bool
    cause: int | None
    public: bytes
    private: bytes = NOTHING_PRIVATE


class Head(NamedTuple):
    """The last row of a stream: its seq (from 1) and its hash (32 bytes)."""

    seq: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Stored:
    """A committed row: the entry, and what the journal added to it.

    `id` orders all streams of one file and serves as a cursor. `previous` is the hash of the row
    before it in its stream, 32 zero bytes for the first.
    """

    id: int
    entry: Entry
    recorded_us: int
    salt: bytes
    publichash: bytes
    privatehash: bytes
    previous: bytes
    hash: bytes


class Raw(NamedTuple):
    """A row exactly as its columns hold it, whatever somebody may have done to them."""

    id: int
    stream: str
    seq: int
    type: str
    v: int
    boot: str
    start: str
    mono_ns: int
    utc: str
    clock: str
    recorded_utc: str
    late: int
    simulated: int
    cause: int | None
    public: str
    private: str
    salt: bytes
    publichash: bytes
    privatehash: bytes
    hash: bytes

    def stored(self, previous: bytes) -> Stored:
        """Return the row in the shape of the program; raises ValueError if a column makes no sense."""
        entry = Entry(
            stream=self.stream,
            seq=self.seq,
            type=self.type,
            v=self.v,
            boot=self.boot,
            start=self.start,
            mono_ns=self.mono_ns,
            utc_us=utc_us(self.utc),
            clock=_clock(self.clock),
            late=bool(self.late),
            simulated=bool(self.simulated),
            cause=self.cause,
            public=text_bytes(self.public),
            private=text_bytes(self.private),
        )
        return Stored(
            id=self.id,
            entry=entry,
            recorded_us=utc_us(self.recorded_utc),
            salt=self.salt,
            publichash=self.publichash,
            privatehash=self.privatehash,
            previous=previous,
            hash=self.hash,
        )


COLUMNS = Raw._fields


def text_bytes(text: str) -> bytes:
    """Return the bytes that a TEXT column holds, also those that are no UTF-8."""
    return text.encode("utf-8", "surrogateescape")


def check(entry: Entry) -> None:
    """Raise EntryError unless the entry can be stored as it is and hashed without doubt."""
    for name, text in (
        ("stream", entry.stream),
        ("type", entry.type),
        ("boot", entry.boot),
        ("start", entry.start),
    ):
        if not _PLAIN.fullmatch(text):
            raise EntryError(f'{name} is {text!r}: 1 to 200 printable ASCII characters without " and \\ go')
    for name, number, least, most in (
        ("seq", entry.seq, 1, LARGEST_INTEGER),
        ("v", entry.v, 1, LARGEST_INTEGER),
        ("mono_ns", entry.mono_ns, 0, LARGEST_INTEGER),
        ("utc_us", entry.utc_us, 0, LAST_UTC_US),
        ("cause", 1 if entry.cause is None else entry.cause, 1, LARGEST_INTEGER),
    ):
        if not least <= number <= most:
            raise EntryError(f"{name} is {number}, outside {least} to {most}")
    if entry.clock not in _CLOCKS:
        raise EntryError(f"clock is {entry.clock!r}, neither trusted nor untrusted")
    _check_body("public", entry.public)
    _check_body("private", entry.private)


def _clock(text: str) -> Clock:
    known = _CLOCKS.get(text)
    if known is None:
        raise ValueError(f"clock is {text!r}, neither trusted nor untrusted")
    return known


def _check_body(name: str, body: bytes) -> None:
    if body == NOTHING_PRIVATE:
        return
    try:
        value: object = json.loads(body.decode("utf-8"))
    except ValueError as error:
        raise EntryError(f"the {name} body is no JSON in UTF-8: {error}; {body[:200]!r}") from error
    if not isinstance(value, dict):
        raise EntryError(f"the {name} body is no JSON object: {body[:200]!r}")
