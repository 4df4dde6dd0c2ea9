"""A row without its private body: what a story reads, and what a bundle hands on."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from felt_daemon.journal import chain
from felt_daemon.journal.entry import text_bytes
from felt_daemon.journal.instant import utc_us
from felt_protocols.errors import UnknownEvent
from felt_protocols.events import presented

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_daemon.journal.entry import Raw

_DIGESTS = ("publichash", "privatehash", "previous", "hash")


class BadRow(ValueError):  # noqa: N818 - it is what was met
    """A document that is no row."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a row says: its envelope as the columns hold it, and its public body as text.

    There is no place here for a private body or its salt.
    """

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

    @cached_property
    def whole(self) -> dict[str, Any]:
        """The public body with its context, in the present version of its event as far as that is known.

        Empty where somebody made it something else.
        """
        try:
            found: object = json.loads(self.public)
        except ValueError:
            return {}
        body = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
        context = {"context": body.pop("context")} if "context" in body else {}
        with contextlib.suppress(UnknownEvent):
            body = presented(self.type, self.v, body)
        return body | context

    @property
    def context(self) -> Mapping[str, Any]:
        """Round, deck, seat, hand and incident, as they apply."""
        found: object = self.whole.get("context")
        return cast("dict[str, Any]", found) if isinstance(found, dict) else {}

    @property
    def trusted(self) -> bool:
        """Whether the wall clock was synchronized."""
        return self.clock == "trusted"

    @property
    def utc_us(self) -> int | None:
        """Microseconds since 1970; none where the column holds no time."""
        try:
            return utc_us(self.utc)
        except ValueError:
            return None

    def get(self, name: str, instead: Any = None) -> Any:  # noqa: ANN401 - whatever the body holds
        """A field of the public body."""
        return self.whole.get(name, instead)


@dataclass(frozen=True, kw_only=True)
class PublicRow(Said):
    """A row with its digests, 32 bytes each, so that the chain can be gone through without private bodies."""

    publichash: bytes
    privatehash: bytes
    previous: bytes
    hash: bytes


_SAID = tuple(field.name for field in fields(Said))
_NAMES = tuple(field.name for field in fields(PublicRow))
_INTEGERS = {"seq", "v", "mono_ns", "late", "simulated"}
_TYPES: dict[str, tuple[type, ...]] = {name: (int,) if name in _INTEGERS else (str,) for name in _NAMES} | {
    "cause": (int, type(None))
}


def said(raw: Raw) -> Said:
    """What a row of the journal says in public."""
    return Said(**{name: getattr(raw, name) for name in _SAID})


def public_row(raw: Raw, previous: bytes) -> PublicRow:
    """The public side of a row of the journal; `previous` is the hash of the row before it."""
    return PublicRow(previous=previous, **{name: getattr(raw, name) for name in _NAMES if name != "previous"})


def row_document(row: PublicRow) -> dict[str, str | int | None]:
    """A row for JSON: columns under their names, digests in hexadecimal, the body as its text."""
    values = {name: getattr(row, name) for name in _NAMES}
    return {name: value.hex() if name in _DIGESTS else value for name, value in values.items()}


def row_from(document: object) -> PublicRow:
    """The row that `row_document` once wrote; raises BadRow."""
    if not isinstance(document, dict):
        raise BadRow("a row is no object")
    values = cast("dict[str, Any]", document)
    if values.keys() != set(_NAMES):
        raise BadRow(
            f"a row has other fields than it should: {', '.join(sorted(values.keys() ^ set(_NAMES)))}"
        )
    for name, value in values.items():
        if type(value) not in _TYPES[name]:
            raise BadRow(f"the field {name} of a row is {value!r}")
    try:
        return PublicRow(**{name: _read(name, value) for name, value in values.items()})
    except ValueError as error:
        raise BadRow(f"a row holds what no row can: {error}") from None


def _read(name: str, value: Any) -> Any:  # noqa: ANN401 - its type was looked at before
    if isinstance(value, str):
        value.encode()  # half a character can be written in JSON, and no row holds one
    if name not in _DIGESTS:
        return value
    digest = bytes.fromhex(value)
    # One way to write a digest: what differs in its letters only would be another file, unnoticed.
    if digest.hex() != value or len(digest) != len(chain.FIRST_PREVIOUS):
        raise ValueError(value)
    return digest


def fault(row: PublicRow, epoch: str) -> str | None:
    """What shows that the row is not what was recorded; none if its digests fit together."""
    if chain.public_digest(text_bytes(row.public)) != row.publichash:
        return "its public body is not the one that its publichash was made of"
    envelope = chain.envelope(epoch, [getattr(row, name) for name in chain.ENVELOPE])
    if chain.link(row.previous, envelope, row.publichash, row.privatehash) != row.hash:
        return "its hash is not the one of its envelope, its digests and the row before it"
    if row.seq == 1 and row.previous != chain.FIRST_PREVIOUS:
        return "it is the first row of its stream, and yet names one before it"
    return None
