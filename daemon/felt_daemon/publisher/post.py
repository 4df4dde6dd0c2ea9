"""Rows of the journal as messages: to everybody, to one consumer again, and what only some may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from felt_daemon.publisher.adapter import Message
from felt_daemon.publisher.source import COMPOSITION
from felt_protocols import cloudevents, topics
from felt_protocols.events import EVENTS, canonical

if TYPE_CHECKING:
    from collections.abc import Collection

    from felt_daemon.publisher.source import Source
    from felt_protocols.cloudevents import Committed

# Bytes of a PUBLISH packet beside its topic and payload, with its properties; generous.
_PACKET_EXTRA_BYTES = 64


@dataclass(frozen=True, slots=True)
class Parcel:
    """An event's message, and what goes out before it to those who may have more."""

    message: Message
    private: tuple[Message, ...]


class Post:
    """Makes one table's messages; raises what `Source` raises.

    Of the rows in `dead` a notice is made. `composition`: consumers that are told what a deck is made of.
    """

    def __init__(self, source: Source, dead: Collection[int], composition: Collection[str]) -> None:
        self._source = source
        self._dead = dead
        self._composition = composition

    def event(self, seq: int) -> Parcel:
        """The row for everybody."""
        row = self._source.told(seq)
        topic = topics.event(row.stream, cloudevents.kind_of(row.name))
        return self._parcel(topic, row, self._composition)

    def again(self, seq: int, consumer: str) -> Parcel:
        """The row for one consumer: the same payload on its own topic."""
        row = self._source.told(seq, consumer)
        may = [consumer] if consumer in self._composition else []
        return self._parcel(topics.replay(row.stream, consumer), row, may)

    def _parcel(self, topic: str, row: Committed, may: Collection[str]) -> Parcel:
        told = cloudevents.dead_letter if row.seq in self._dead else cloudevents.structured
        message = Message(topic, told(row, self._source.epoch), content_type=cloudevents.CONTENT_TYPE)
        return Parcel(message, self._private(row, may) if may and _composed(row.name) else ())

    def _private(self, row: Committed, may: Collection[str]) -> tuple[Message, ...]:
        found = self._source.composition(row.seq)
        if found is None:
            return ()
        head = {"epoch": self._source.epoch, "sequence": cloudevents.sequence(row.seq)}
        said = canonical(head | {"salt": found.salt.hex()})
        # Byte for byte as it was hashed.
        payload = said[:-1] + b',"private":' + found.private + b"}"
        return tuple(Message(topics.private(row.stream, consumer), payload) for consumer in may)


def size(message: Message) -> int:
    """Bytes of the message's packet at most."""
    return len(message.topic) + len(message.payload) + _PACKET_EXTRA_BYTES


def _composed(name: str) -> bool:
    event = EVENTS.get(name)
    return event is not None and event.private == frozenset({COMPOSITION})
