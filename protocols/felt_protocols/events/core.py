"""What every event is: a named, versioned, closed model of one kind.

Every row of the journal is an event. A *fact* is what a device or a person told; a *decision* is what
the table made of it. An event has one name everywhere: class `ShuffleCompleted`, in a rule pack
`shuffle-completed`, over MQTT `felt.deck.shuffle-completed.v1`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field

from felt_protocols.errors import UnknownEvent
from felt_protocols.events.upcast import upcast

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal[
    "device",
    "card",
    "deck",
    "round",
    "ruling",
    "incident",
    "meter",
    "draw",
    "person",
    "system",
]
KINDS: tuple[str, ...] = get_args(Kind)

ID_PATTERN = r"^[a-z0-9][a-z0-9-]{0,31}$"
# Tables, devices, decks, meters, consumers and clients are all named in this one alphabet, which is
# safe in a topic, in a file name and in a certificate's common name.
Id = Annotated[str, Field(pattern=ID_PATTERN)]
Count = Annotated[int, Field(ge=0, le=2**53)]
Word = Annotated[str, Field(max_length=64)]
Text = Annotated[str, Field(max_length=400)]


class Event(BaseModel):
    """One row's content. Closed and immutable; `kind` and `v` belong to the class."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    kind: ClassVar[Kind]
    v: ClassVar[int] = 1
    # Names of the fields that never leave the private body: identities and composition.
    private: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def what(cls) -> str:
        """The event's name as packs and topics write it, `shuffle-completed`."""
        return _NAMES[cls]

    @classmethod
    def type_name(cls) -> str:
        """The event's published type, `felt.deck.shuffle-completed.v1`."""
        return f"felt.{cls.kind}.{cls.what()}.v{cls.v}"


class Fact(Event):
    """What a device, a person or the system itself told.

    `n` is the device's own number of the event since its boot, where it has one.
    """

    n: Annotated[int, Field(ge=1)] | None = None


class Decision(Event):
    """What the table made of a fact."""


_EventClass = TypeVar("_EventClass", bound=type[Event])
EVENTS: dict[str, type[Event]] = {}
_NAMES: dict[type[Event], str] = {}


def published(event: _EventClass) -> _EventClass:
    """Enter a class into the list of all events under its kebab-case name."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "-", event.__name__).lower()
    if name in EVENTS:
        raise ValueError(f"two events are called {name}")
    EVENTS[name] = event
    _NAMES[event] = name
    return event


def bodies(event: Event, context: Mapping[str, object]) -> tuple[bytes, bytes]:
    """The public and the private body of an event as canonical JSON (sorted keys, no spaces).

    `context` (round, deck, seat, hand, incident, as they apply) goes into the public body.
    """
    whole = event.model_dump(mode="json", exclude_none=True)
    secret = {name: whole.pop(name) for name in event.private if name in whole}
    if context:
        whole["context"] = dict(context)
    return canonical(whole), canonical(secret)


def canonical(value: Mapping[str, Any]) -> bytes:
    """Canonical JSON of a mapping: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def presented(what: str, v: int, body: Mapping[str, Any]) -> dict[str, Any]:
    """A stored body, without its context, as the present version of its event has it.

    It may be the public part alone. Raises `UnknownEvent` for a name or version that this release knows not.
    """
    event = EVENTS.get(what)
    if event is None:
        raise UnknownEvent(f"the journal holds {what} v{v}, which this release does not know")
    return upcast(what, v, event.v, body)


def restored(what: str, v: int, public: bytes, private: bytes) -> tuple[Event, dict[str, Any]]:
    """The event and context that `bodies` once wrote, in the present version of the event.

    Raises `UnknownEvent` for a name or version that this release does not know.
    """
    whole: dict[str, Any] = {**json.loads(public), **json.loads(private)}
    context: dict[str, Any] = whole.pop("context", {})
    body = presented(what, v, whole)
    return EVENTS[what].model_validate_json(canonical(body)), context
