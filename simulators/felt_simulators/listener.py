"""A floor system's side of MQTT: takes events, sees gaps and doubles, checks the chain.

It knows the contract and nothing of the publisher, so that both can be wrong only independently.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import aiomqtt

from felt_protocols import topics

if TYPE_CHECKING:
    from collections.abc import Callable

Envelope = dict[str, Any]
Verdict = Literal["new", "double", "early"]

_AGAIN_S = 0.05
# A consumer says what it has at most so often, and asks for what is missing after so long.
_ACK_EVERY_S = 0.1
_ASK_AFTER_S = 2.0
_NS_DIGITS = 9


@dataclass(slots=True)
class Ledger:
    """What a consumer keeps of one table and epoch: the last sequence, and what it took so far.

    Only the next sequence is taken. A lower one is a double. A higher one came early: what is missing will
    be sent again, and the early one after it.
    """

    last: int | None = None
    events: list[Envelope] = field(default_factory=list[Envelope])
    doubles: int = 0
    early: int = 0
    # Events whose hash is not what their own content and the event before them say.
    unproved: int = 0
    # What was said last at this connection, and since when something has been missing.
    said: int | None = None
    missing: float | None = None

    def take(self, envelope: Envelope) -> Verdict:
        """Take an event, or say why it is not taken."""
        seq = int(envelope["sequence"])
        if self.last is not None and seq <= self.last:
            self.doubles += 1
            return "double"
        if self.last is not None and seq > self.last + 1:
            self.early += 1
            return "early"
        before = self.events[-1]["hash"] if self.events else envelope["previous"]
        if envelope["previous"] != before or not proved(envelope):
            self.unproved += 1
        self.last = seq
        self.events.append(envelope)
        return "new"


class Listener:
    """Subscribes to one table, or to all, and keeps a ledger for each table and epoch.

    `run` connects again for ever; it ends when it is cancelled. `retained` is what each retained topic of a
    table shows; an empty one is not there. As a `consumer` it takes its own replays too, says what it has,
    and asks for what is missing.
    """

    def __init__(
        self,
        host: str,
        port: int,
        table: str | None = None,
        client_id: str = "listener",
        *,
        consumer: str | None = None,
    ) -> None:
        self._host = host
        self._port = port
        self._table = table
        self._client_id = client_id
        self._consumer = consumer
        self._changed = asyncio.Condition()
        self.connected = False
        self.connections = 0
        self.ledgers: dict[tuple[str, str], Ledger] = {}
        self.retained: dict[str, Any] = {}
        # Every status that was seen, in order.
        self.statuses: list[Any] = []
        # Topics in the order in which they came, events and retained ones alike.
        self.topics: list[str] = []
        # What came on topics of private things, in order.
        self.private: list[Any] = []

    @property
    def events(self) -> list[Envelope]:
        """Every event taken, in the order of the ledgers' tables and epochs."""
        return [envelope for ledger in self.ledgers.values() for envelope in ledger.events]

    @property
    def sequences(self) -> list[int]:
        """The sequence of every event taken."""
        return [int(envelope["sequence"]) for envelope in self.events]

    @property
    def doubles(self) -> int:
        """How many events came again."""
        return sum(ledger.doubles for ledger in self.ledgers.values())

    @property
    def early(self) -> int:
        """How many events came before one that was still missing."""
        return sum(ledger.early for ledger in self.ledgers.values())

    @property
    def unproved(self) -> int:
        """How many events do not prove their place in the chain."""
        return sum(ledger.unproved for ledger in self.ledgers.values())

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            try:
                await self._listen()
            except aiomqtt.MqttError:
                self.connected = False
                await asyncio.sleep(_AGAIN_S)

    async def until(self, condition: Callable[[], bool], limit_s: float) -> None:
        """Wait until the condition holds, looking whenever something came; raises TimeoutError."""
        async with asyncio.timeout(limit_s), self._changed:
            await self._changed.wait_for(condition)

    async def _listen(self) -> None:
        async with aiomqtt.Client(
            self._host,
            self._port,
            identifier=self._client_id,
            protocol=aiomqtt.ProtocolVersion.V5,
            keepalive=5,
        ) as client:
            await client.subscribe(topics.everything_filter(self._table), qos=1)
            async with self._changed:
                self.connected = True
                self.connections += 1
                self._changed.notify_all()
            for ledger in self.ledgers.values():
                ledger.said = ledger.missing = None
            over = asyncio.Event()
            saying = asyncio.create_task(self._say(client, over))
            try:
                async for message in client.messages:
                    async with self._changed:
                        self._take(str(message.topic), message.payload)
                        self._changed.notify_all()
            finally:
                # Before Python 3.12 asyncio.wait_for loses a cancellation that comes with its answer.
                over.set()
                saying.cancel()

    async def _say(self, client: aiomqtt.Client, over: asyncio.Event) -> None:
        """Tell each table what of its events is stored, as a consumer, until this connection is over."""
        now = asyncio.get_running_loop().time
        while self._consumer is not None and not over.is_set():
            for (table, epoch), ledger in list(self.ledgers.items()):
                if ledger.missing is not None and now() >= ledger.missing + _ASK_AFTER_S:
                    ledger.said = ledger.missing = None
                if ledger.last is not None and ledger.said != ledger.last:
                    ledger.said = ledger.last
                    said = json.dumps({"epoch": epoch, "sequence": f"{ledger.last:020d}"})
                    try:
                        await client.publish(topics.ack(table, self._consumer), said, qos=1, retain=True)
                    except aiomqtt.MqttError:
                        return  # the connection is gone, and its end is seen elsewhere
            await asyncio.sleep(_ACK_EVERY_S)

    def _take(self, topic: str, payload: bytes) -> None:
        place = topics.parse(topic)
        if place is None:
            return
        self.topics.append(topic)
        if place.what == "event" or (place.what == "replay" and place.item == self._consumer):
            envelope: Envelope = json.loads(payload)
            self._enter(self._ledger(place.table, envelope["epoch"]), envelope)
        elif place.what == "private":
            self.private.append(json.loads(payload))
        elif place.what in {"ack", "replay", "command", "reply"}:
            return  # other people's
        elif not payload:
            self.retained.pop(topic, None)
        else:
            self.retained[topic] = json.loads(payload)
            if self._consumer is not None and "epoch" in self.retained[topic]:
                self._ledger(place.table, self.retained[topic]["epoch"])
            if place.what == "status":
                self.statuses.append(self.retained[topic])

    def _ledger(self, table: str, epoch: str) -> Ledger:
        """The ledger of a table's journal; a consumer's begins with nothing, any other's where it came in."""
        fresh = Ledger(last=None if self._consumer is None else 0)
        return self.ledgers.setdefault((table, epoch), fresh)

    @staticmethod
    def _enter(ledger: Ledger, envelope: Envelope) -> None:
        verdict = ledger.take(envelope)
        if verdict == "new":
            ledger.missing = None
        elif verdict == "early" and ledger.missing is None:
            ledger.missing = asyncio.get_running_loop().time()


def proved(envelope: Envelope) -> bool:
    """Whether an event's hash follows from its own content and from `previous`."""
    name, version = envelope["type"].split(".")[2:]
    seconds, _, fraction = envelope["monotonic"].partition(".")
    columns = {
        "boot": envelope["boot"],
        "cause": int(envelope["cause"]) if "cause" in envelope else None,
        "clock": envelope["clock"],
        "epoch": envelope["epoch"],
        "late": int(envelope["late"]),
        "mono_ns": int(seconds) * 10**_NS_DIGITS + int(fraction),
        "recorded_utc": envelope["recordedtime"],
        "seq": int(envelope["sequence"]),
        "simulated": int(envelope["simulated"]),
        "start": envelope["start"],
        "stream": envelope["source"].removeprefix("/felt/"),
        "type": name,
        "utc": envelope["time"],
        "v": int(version.removeprefix("v")),
    }
    public = hashlib.sha256(_canonical(envelope["data"])).digest()
    whole = bytes.fromhex(envelope["previous"]) + _canonical(columns) + public
    digest = hashlib.sha256(whole + bytes.fromhex(envelope["privatehash"])).hexdigest()
    return digest == str(envelope["hash"])


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
