"""An event as an application gets it, and the reading of its envelope."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, cast

from felt_floor.payload import value_of
from felt_floor.positions import Position, sequence_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Envelope = dict[str, Any]

_TYPE: Final = re.compile(r"felt\.([a-z]+)\.([a-z0-9-]+)\.v([1-9][0-9]*)")
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_EPOCH: Final = re.compile(r"[0-9a-f]{16}")
_HASHES: Final = ("hash", "previous", "privatehash")
_TEXTS: Final = ("boot", "start", "clock", "monotonic")


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What was found out about an envelope: see `Event`."""

    known: bool = True
    faults: tuple[str, ...] = ()
    private: Mapping[str, Any] | None = None


class UnreadableError(ValueError):
    """A message that is no event of the table whose topic it came on; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event of one table, in its place: everything before it was given out before it.

    `name` is `shuffle-completed` where `type` is `felt.deck.shuffle-completed.v1`. `time` and `recorded` are
    aware, in UTC; wall time may run backwards, `sequence` never does. `context` is the round, deck, seat,
    hand and incident it belongs to, as they apply. `envelope` is everything that came, as it came.

    `known` says that this release has a schema of its type and version. `faults` are in words: where the data
    breaks that schema, or the hash does not follow from the content and the event before. An event with
    faults is given all the same, for it is what the table said.

    `deadletter`: the table could not get this event through the broker; `data` is empty, and stands in the
    table's journal. `private` is what the table told this consumer alone, None where it told nothing.
    """

    table: str
    epoch: str
    sequence: int
    kind: str
    name: str
    version: int
    type: str
    time: datetime
    recorded: datetime
    late: bool
    simulated: bool
    data: Mapping[str, Any]
    context: Mapping[str, Any]
    envelope: Mapping[str, Any]
    known: bool
    faults: tuple[str, ...]
    deadletter: bool
    private: Mapping[str, Any] | None
    acknowledge: Callable[[Event], None] = field(repr=False, compare=False)

    @property
    def position(self) -> Position:
        """Where this event stands: what an application stores with it."""
        return Position(self.epoch, self.sequence, str(self.envelope["hash"]))

    async def ack(self) -> None:
        """Say that this event, and every one before it of its table, is stored and never needed again.

        The table hears of it soon: some acknowledgements are told as one.
        """
        self.acknowledge(self)


def read(table: str, payload: bytes) -> Envelope:
    """The envelope in a message on a topic of this table; raises UnreadableError."""
    try:
        envelope: Any = value_of(payload)
    except ValueError as error:
        raise UnreadableError(f"no JSON: {error}") from None
    if not isinstance(envelope, dict):
        raise UnreadableError("no JSON object")
    _look_at(table, cast("Envelope", envelope))
    return cast("Envelope", envelope)


def event_of(table: str, envelope: Envelope, found: Findings, acknowledge: Callable[[Event], None]) -> Event:
    """The event in an envelope that `read` has given."""
    kind, name, version = _parts(envelope)
    data = envelope["data"]
    context = data.get("context")
    return Event(
        table=table,
        epoch=envelope["epoch"],
        sequence=int(envelope["sequence"]),
        kind=kind,
        name=name,
        version=version,
        type=envelope["type"],
        time=datetime.fromisoformat(envelope["time"]),
        recorded=datetime.fromisoformat(envelope["recordedtime"]),
        late=envelope["late"],
        simulated=envelope["simulated"],
        data=data,
        context=cast("dict[str, Any]", context) if isinstance(context, dict) else {},
        envelope=envelope,
        known=found.known,
        faults=found.faults,
        deadletter="deadletter" in envelope,
        private=found.private,
        acknowledge=acknowledge,
    )


def _look_at(table: str, envelope: Envelope) -> None:
    """Raise UnreadableError unless everything is there that the rest of this package reads."""
    try:
        source = envelope["source"]
        if envelope["specversion"] != "1.0" or source != f"/felt/{table}":
            raise UnreadableError(f"CloudEvents {envelope['specversion']!r} from {source!r}")
        sequence_of(envelope["sequence"])
        _parts(envelope)
        for name in ("time", "recordedtime"):
            if datetime.fromisoformat(envelope[name]).tzinfo is None:
                raise UnreadableError(f"{name} is of no time zone")
        wrong = [] if _EPOCH.fullmatch(envelope["epoch"]) else ["epoch"]
        wrong += [name for name in _TEXTS if not isinstance(envelope[name], str)]
        wrong += [name for name in _HASHES if not _HASH.fullmatch(envelope[name])]
        wrong += [name for name in ("late", "simulated") if not isinstance(envelope[name], bool)]
        if not isinstance(envelope["data"], dict):
            wrong.append("data")
    except KeyError as error:
        raise UnreadableError(f"{error.args[0]} is missing") from None
    except (ValueError, TypeError) as error:
        raise UnreadableError(str(error)) from None
    if wrong:
        raise UnreadableError(f"{wrong[0]} is of another form")


def _parts(envelope: Envelope) -> tuple[str, str, int]:
    """Kind, name and version of an event's type; raises UnreadableError."""
    found = _TYPE.fullmatch(envelope["type"])
    if found is None:
        raise UnreadableError(f"no type of an event: {envelope['type']!r}")
    return found[1], found[2], int(found[3])
