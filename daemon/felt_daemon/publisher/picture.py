"""The retained topics of one table: what they show, what changed, and what must be cleared.

A pure machine. The picture follows from the journal, from whether that can be written, from the devices'
health and from nothing else, so that it can be given again, whole, to a broker that has forgotten everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.publisher.adapter import Message
from felt_protocols import topics
from felt_protocols.cloudevents import sequence
from felt_protocols.events import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Payload = dict[str, Any]
CLEARED = b""
# These two always belong to a table: they are never ghosts, and nobody need note them down.
_ALWAYS = ("status", "state")


class Picture:
    """What one table's retained topics show and which of them wait to be sent.

    `noted`: the topics that the journal knows to have been retained. A topic that it does not know is asked
    for in `unknown` and waits until it is `note`d: otherwise nobody would clear it after a crash.
    """

    def __init__(self, table: str, epoch: str, noted: Iterable[str]) -> None:
        self._table = table
        self._epoch = epoch
        self._always = frozenset(topics.pictured(table, key) for key in _ALWAYS)
        self._noted = {topic for topic in noted if _is_of(topic, table)}
        self._shown: dict[str, Payload] = {}
        self._seq = 0
        self._hash = bytes(32)
        # In the order in which they go out; a newer payload takes an older one's place.
        self._waiting: dict[str, bytes] = {}
        self._unknown: set[str] = set()
        self._asked: set[str] = set()

    @property
    def waiting(self) -> bool:
        """Whether something is to be sent."""
        return bool(self._waiting)

    def show(self, pictures: Mapping[str, Payload], seq: int, digest: bytes) -> None:
        """The picture after row `seq`, whose hash is `digest`, by the ends of its topics.

        What differs from the last picture waits to be sent, and what is gone to be cleared.
        """
        moved = seq != self._seq
        before, self._shown = (
            self._shown,
            {topics.pictured(self._table, key): payload for key, payload in pictures.items()},
        )
        self._seq, self._hash = seq, digest
        for topic in before:
            if topic not in self._shown:
                self._wait(topic, CLEARED)
        state = topics.state(self._table)
        for topic, payload in self._shown.items():
            # The state carries the head of the chain, which every row moves.
            if _differs(before.get(topic), payload) or (moved and topic == state):
                self._wait(topic, self._payload(topic, payload))

    def everything(self, status: bytes) -> None:
        """Everything goes out again: first what is to be cleared, last the status."""
        self._waiting = {
            topic: CLEARED
            for topic in sorted(self._noted)
            if topic not in self._shown and topic not in self._always
        }
        state = topics.state(self._table)
        for topic in sorted(self._shown, key=lambda topic: topic == state):
            self._wait(topic, self._payload(topic, self._shown[topic]))
        self.status(status)

    def status(self, status: bytes) -> None:
        """The status waits to be sent, after all else that waits now."""
        topic = topics.status(self._table)
        self._waiting.pop(topic, None)
        self._waiting[topic] = status

    def take(self) -> Message | None:
        """The next message to send, None if nothing waits."""
        if not self._waiting:
            return None
        topic = next(iter(self._waiting))
        return Message(topic, self._waiting.pop(topic), retain=True)

    def forget(self) -> None:
        """The connection is gone: nothing waits until `everything`."""
        self._waiting.clear()

    def unknown(self) -> list[str]:
        """Topics that are to be noted; each is named here once."""
        fresh = sorted(self._unknown - self._asked)
        self._asked.update(fresh)
        return fresh

    def note(self, noted: Iterable[str]) -> None:
        """The journal knows these topics now: they may be sent."""
        for topic in noted:
            if not _is_of(topic, self._table):
                continue
            self._noted.add(topic)
            waited = topic in self._unknown
            self._unknown.discard(topic)
            if waited and topic in self._shown:
                self._waiting[topic] = self._payload(topic, self._shown[topic])

    def _wait(self, topic: str, payload: bytes) -> None:
        if topic in self._noted or topic in self._always:
            self._waiting[topic] = payload
        elif payload != CLEARED:
            self._unknown.add(topic)

    def _payload(self, topic: str, payload: Payload) -> bytes:
        stamp: Payload = {"sequence": sequence(self._seq), "epoch": self._epoch}
        if topic == topics.state(self._table):
            stamp["hash"] = self._hash.hex()
        return canonical(payload | stamp)


def _is_of(topic: str, table: str) -> bool:
    place = topics.parse(topic)
    return place is not None and place.table == table


def _differs(before: Payload | None, now: Payload) -> bool:
    if before is None:
        return True
    return {**before, "sequence": None} != {**now, "sequence": None}
