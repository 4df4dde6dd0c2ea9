"""A floor of the simplest kind: a broker that forgets what it took, and consumers that come and go."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from felt_daemon.publisher.consumers import Consumers, Terms
from felt_daemon.publisher.delivery import Beside, Delivery
from felt_daemon.publisher.lane import Lane

SUCCESS: Final = 0x00
NOBODY: Final = 0x10
# Small numbers, so that a few steps reach every bound.
TERMS: Final = Terms(ahead=5, reach=12, stall_s=30.0, longest_s=120.0, rewind_s=2.0, silent_s=86_400.0)
QUEUE: Final = 8
ASKS_AFTER_S: Final = 3.0


@dataclass
class Client:
    """A consumer's program: stores the next sequence and no other, says what it has, asks for what lacks."""

    name: str
    stored: int = 0
    online: bool = False
    queue: deque[int] = field(default_factory=deque[int])
    said: int | None = None
    missing: float | None = None

    def comes(self) -> None:
        """It has a connection, and nothing of what was queued before."""
        self.online = True
        self.queue.clear()
        self.said = self.missing = None

    def goes(self) -> None:
        """It is away, and so is what the broker kept for it."""
        self.online = False
        self.queue.clear()

    def reads(self, now: float, count: int) -> None:
        """Take some of what the broker has for it."""
        for _ in range(min(count, len(self.queue))):
            seq = self.queue.popleft()
            if seq == self.stored + 1:
                self.stored = seq
                self.missing = None
            elif seq > self.stored and self.missing is None:
                self.missing = now

    def says(self, now: float) -> int | None:
        """What it says now; None where it need say nothing."""
        if self.missing is not None and now >= self.missing + ASKS_AFTER_S:
            self.missing = None
            self.said = None
        if not self.online or self.said == self.stored:
            return None
        self.said = self.stored
        return self.stored


class World:
    """The delivery of one table between a journal that grows and that floor.

    `tells`: the broker says so when nobody is subscribed, as mosquitto does.
    """

    def __init__(self, consumers: int, *, tells: bool, receive_maximum: int) -> None:
        self.clients = {f"c-{n}": Client(f"c-{n}") for n in range(consumers)}
        self.tells = tells
        self.receive_maximum = receive_maximum
        self.window = min(20, receive_maximum)
        self.now = 1000.0
        self.head = 0
        positions = dict.fromkeys(self.clients, 0)
        self.delivery = Delivery(Lane(0), Consumers(positions, (), 0, self.now, TERMS))
        self.connected = self.resumed = False
        self.others = 0
        # Without a PUBACK, in the order in which they went out: of the common stream, and beside it.
        self.wire: deque[int | Beside] = deque()
        # What went out on this connection, and which of it was refused.
        self.once: set[int] = set()
        self.words: list[object] = []
        # Who alone holds up the common stream, with what it has, and since when.
        self.holds_up: tuple[str, int, float] | None = None

    # What happens.

    def commit(self, count: int) -> None:
        """The journal has more rows."""
        self.head += count
        self.delivery.lane.committed(self.head)

    def connect(self) -> None:
        """The publisher has a new connection; consumers' retained positions come."""
        self.connected = True
        self.once.clear()
        self.delivery.connected(self.receive_maximum)

    def resume(self) -> None:
        """Events may go out."""
        self.resumed = True
        self.words += self.delivery.resumed(self.now)

    def lose(self, *, broker: bool) -> None:
        """The connection breaks; if it is the broker that died, all that it had taken is gone."""
        self.words += self.delivery.lost(self.now, None, others=True)
        self.connected = self.resumed = False
        self.wire.clear()
        self.others = 0
        if broker:
            for client in self.clients.values():
                client.goes()

    def wait(self, seconds: float) -> None:
        """Time goes by, and the delivery is woken when its consumers ask for it and at no other moment."""
        end = self.now + seconds
        while (due := self.delivery.consumers.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.words += self.delivery.elapsed(self.now)
            again = self.delivery.consumers.due()
            assert again is None or again > self.now, "woken, and at once due again"
        self.now = end

    def ack(self, name: str) -> None:
        """A consumer says what it has, if it has anything to say."""
        said = self.clients[name].says(self.now)
        if said is None or not self.connected:
            return
        self.words += self.delivery.acked(name, said, self.now, retained=False)

    def remember(self, name: str, back: int) -> None:
        """The broker says what a consumer had said before, or what it has kept from a time before that."""
        said = max(0, self.clients[name].stored - back)
        self.words += self.delivery.acked(name, said, self.now, retained=True)

    def send(self) -> None:
        """Everything goes out that may."""
        delivery = self.delivery
        for seq in delivery.common(self.others, self.now):
            self._common(seq)
            delivery.sent(seq, self.now)
            self.wire.append(seq)
        for beside in delivery.beside(self.others, self.now):
            assert beside.seq <= self.head
            delivery.beside_sent(beside, self.now)
            self.wire.append(beside)
        self.bounds()
        self._patience()

    def answer(self, count: int) -> None:
        """The broker answers some of what was sent, and passes it on."""
        for _ in range(min(count, len(self.wire))):
            one = self.wire.popleft()
            if isinstance(one, int):
                code = self._passed(one, list(self.clients.values()))
                if code != SUCCESS:
                    self.once = {seq for seq in self.once if seq < one}
                self.words += self.delivery.answered(one, code, self.now)
            else:
                code = self._passed(one.seq, [self.clients[one.consumer]])
                self.delivery.beside_answered(one, code, self.now)
            self.bounds()

    # What holds at any time.

    def bounds(self) -> None:
        """No more are on their way than may be."""
        delivery = self.delivery
        assert delivery.on_their_way == len(self.wire)
        assert len(self.wire) + self.others <= self.window
        beside = sum(isinstance(one, Beside) for one in self.wire)
        assert beside <= max(1, self.window // 2)

    def _patience(self) -> None:
        """Nobody whose acknowledgement stands still holds up the common stream for long."""
        delivery = self.delivery
        limit = delivery.consumers.limit()
        if self.wire or delivery.lane.held or limit is None or not limit <= delivery.lane.up_to < self.head:
            self.holds_up = None
            return
        lowest = min(
            (one for one in delivery.consumers if one.standing == "current"), key=lambda one: one.position
        )
        if self.holds_up is None or self.holds_up[:2] != (lowest.id, lowest.position):
            self.holds_up = (lowest.id, lowest.position, self.now)
        assert self.now < self.holds_up[2] + TERMS.stall_s

    def _common(self, seq: int) -> None:
        assert self.resumed
        assert seq not in self.once, f"{seq} again on one connection"
        self.once.add(seq)
        current = [one.position for one in self.delivery.consumers if one.standing == "current"]
        assert not current or seq <= min(current) + TERMS.ahead

    def _passed(self, seq: int, clients: list[Client]) -> int:
        there = [client for client in clients if client.online]
        for client in there:
            if len(client.queue) < QUEUE:  # the newest are dropped, and it says that it took them
                client.queue.append(seq)
        return SUCCESS if there or not self.tells else NOBODY
