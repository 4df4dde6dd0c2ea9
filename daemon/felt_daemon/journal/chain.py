"""The hash chain: which bytes are hashed, so that anybody can do it again.

    envelope    = canonical JSON of the columns in ENVELOPE and of the journal's epoch
    publichash  = SHA-256(public)
    privatehash = SHA-256(salt, private)
    hash        = SHA-256(previous, envelope, publichash, privatehash)

A comma is plain joining of bytes: everything but the envelope has 32 bytes (the salt 16), so the
joined bytes can be read in one way only. The salt is random for each row: without it, whoever
holds the digest of a card would find the card in 53 attempts.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

from felt_daemon.journal.entry import Entry, Raw, text_bytes
from felt_daemon.journal.instant import utc_text

FIRST_PREVIOUS = bytes(32)
SALT_BYTES = 16

ENVELOPE = (
    "stream",
    "seq",
    "type",
    "v",
    "boot",
    "start",
    "mono_ns",
    "utc",
    "clock",
    "recorded_utc",
    "late",
    "simulated",
    "cause",
)

_CANONICAL = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


class Digests(NamedTuple):
    """The three digests of a row, 32 bytes each."""

    publichash: bytes
    privatehash: bytes
    hash: bytes


def canonical(value: object) -> bytes:
    """Return JSON that has one form only: keys sorted, no spaces, UTF-8 unescaped, no floats' NaN."""
    return _CANONICAL.encode(value).encode("utf-8", "surrogateescape")


def envelope(epoch: str, values: Sequence[str | int | None]) -> bytes:
    """Return the canonical bytes of the columns named in ENVELOPE, in that order, and the epoch.

    Booleans are 0 and 1 and times are text, as the columns hold them.
    """
    return canonical(dict(zip(ENVELOPE, values, strict=True)) | {"epoch": epoch})


def public_digest(public: bytes) -> bytes:
    """Return SHA-256 of the public body."""
    return hashlib.sha256(public).digest()


def private_digest(salt: bytes, private: bytes) -> bytes:
    """Return SHA-256 of the salt followed by the private body."""
    return hashlib.sha256(salt + private).digest()


def link(previous: bytes, envelope_bytes: bytes, publichash: bytes, privatehash: bytes) -> bytes:
    """Return the hash of a row, which binds it to all rows before it."""
    return hashlib.sha256(previous + envelope_bytes + publichash + privatehash).digest()


def row_of(entry: Entry, recorded_utc: str) -> tuple[str | int | None, ...]:
    """Return the columns named in ENVELOPE of an entry that is about to be recorded."""
    return (
        entry.stream,
        entry.seq,
        entry.type,
        entry.v,
        entry.boot,
        entry.start,
        entry.mono_ns,
        utc_text(entry.utc_us),
        entry.clock,
        recorded_utc,
        int(entry.late),
        int(entry.simulated),
        entry.cause,
    )


def digests(previous: bytes, envelope_bytes: bytes, entry: Entry, salt: bytes) -> Digests:
    """Return the three digests of an entry that follows the row with the hash `previous`."""
    publichash = public_digest(entry.public)
    privatehash = private_digest(salt, entry.private)
    return Digests(publichash, privatehash, link(previous, envelope_bytes, publichash, privatehash))


def raw_envelope(epoch: str, row: Raw) -> bytes:
    """Return the envelope of a row as its columns stand now."""
    return envelope(epoch, [getattr(row, name) for name in ENVELOPE])


def raw_digests(previous: bytes, epoch: str, row: Raw) -> Digests:
    """Return the digests that a row ought to have, from its columns as they stand now."""
    publichash = public_digest(text_bytes(row.public))
    privatehash = private_digest(row.salt, text_bytes(row.private))
    return Digests(
        publichash,
        privatehash,
        link(previous, raw_envelope(epoch, row), publichash, privatehash),
    )
