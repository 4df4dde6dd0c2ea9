"""The hash chain: whether an event is what its table's journal holds, at the place where it holds it.

Source: docs/mqtt.md, "Proving an event".
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from felt_floor.event import Envelope

# A journal's first event has no other before it.
FIRST_PREVIOUS: Final = "0" * 64
_NS_DIGITS: Final = 9
_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def faults(envelope: Envelope, before: str | None) -> tuple[str, ...]:
    """What is wrong with an event's hashes, in words; nothing where it is proved.

    `before` is the hash of the event before it, None where that is not known. A dead letter lacks the content
    that its hash was made of: it has only its place in the chain.
    """
    found: list[str] = []
    if "deadletter" not in envelope and not proved(envelope):
        found.append("its hash does not follow from its content")
    if before is not None and envelope["previous"] != before:
        found.append("it does not follow the event before it in the chain of hashes")
    return tuple(found)


def proved(envelope: Envelope) -> bool:
    """Whether an event's hash follows from its own content and from `previous`."""
    try:
        columns = canonical(_columns(envelope))
        data = canonical(envelope["data"])
    except (ValueError, LookupError, TypeError):
        return False
    link = bytes.fromhex(envelope["previous"]) + columns + hashlib.sha256(data).digest()
    digest = hashlib.sha256(link + bytes.fromhex(envelope["privatehash"])).hexdigest()
    return bool(digest == envelope["hash"])


def _columns(envelope: Envelope) -> dict[str, object]:
    _, _, name, version = envelope["type"].split(".")
    seconds, _, fraction = envelope["monotonic"].partition(".")
    return {
        "boot": envelope["boot"],
        "cause": int(envelope["cause"]) if "cause" in envelope else None,
        "clock": envelope["clock"],
        "epoch": envelope["epoch"],
        "late": int(envelope["late"]),
        "mono_ns": int(seconds) * 10**_NS_DIGITS + int(fraction.ljust(_NS_DIGITS, "0")),
        "recorded_utc": envelope["recordedtime"],
        "seq": int(envelope["sequence"]),
        "simulated": int(envelope["simulated"]),
        "start": envelope["start"],
        "stream": envelope["source"].removeprefix("/felt/"),
        "type": name,
        "utc": envelope["time"],
        "v": int(version.removeprefix("v")),
    }


def canonical(value: object) -> bytes:
    """JSON of which there is one form only; raises ValueError for text that is half a surrogate pair."""
    return _ENCODER.encode(value).encode()
