"""A device's session with its host: bytes and time in, items out; no I/O and no clock.

It keeps the events until the host has them safe, carries out no order twice, and lets nothing start
without a permit whose lease the host renews. What the machine does is its owner's matter: it calls
`happen`, answers orders with `done` or `failed`, and says when a cycle or round begins and ends.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final, TypeAlias, cast

from felt_protocols.link.families import FAMILIES, SAFE_ORDERS, check, check_order
from felt_protocols.link.frame import Frame, FrameDecoder, Garbled
from felt_protocols.link.interlock import INHIBIT, NOW
from felt_protocols.link.items import Counters, Send
from felt_protocols.link.lease import Lease
from felt_protocols.link.memory import OrderMemory
from felt_protocols.link.messages import (
    Ack,
    Done,
    Event,
    Failed,
    Hello,
    HostHello,
    Message,
    Number,
    Order,
    Ping,
    Pong,
    Refused,
    Welcome,
    encode,
    parse,
)
from felt_protocols.link.ring import Ring
from felt_protocols.link.shapes import U63_MAX


@dataclass(frozen=True, slots=True)
class Ordered:
    """Carry this out, then call `done` or `failed` with its number, or its name when it has none."""

    name: str
    fields: Mapping[str, object]
    number: Number | None


@dataclass(frozen=True, slots=True)
class Permitted:
    """A permit is offered: call `done` to take it, `failed` when it fits nothing here."""

    fields: Mapping[str, object]
    number: Number


@dataclass(frozen=True, slots=True)
class Inhibited:
    """The host inhibits: stop now, or when `in_cycle` and `after-round`, after this round."""

    why: str
    when: str


@dataclass(frozen=True, slots=True)
class LeaseLapsed:
    """The host has not renewed the permit: finish the round or cycle, or light the lamp."""


@dataclass(frozen=True, slots=True)
class Welcomed:
    """The host has accepted this device for a session."""

    session: int


@dataclass(frozen=True, slots=True)
class RefusedByHost:
    """The host does not accept this device."""

    why: str


DeviceItem: TypeAlias = Send | Ordered | Permitted | Inhibited | LeaseLapsed | Welcomed | RefusedByHost

PERMIT: Final = "permit"


class DeviceSession:
    """The device's side of Felt Link; `state` is the word that PONG shows."""

    def __init__(
        self,
        hello: Hello,
        ring_size: int,
        now: float,
        address: int = 0,
        *,
        knows_end: bool = True,
    ) -> None:
        """Power up at `now`, with the boot id of `hello`.

        `knows_end` False: a device that cannot know the end of a round; its lease lapses to a lamp.
        """
        if hello.family not in FAMILIES:
            raise ValueError(f"no family {hello.family!r}; families are {', '.join(FAMILIES)}")
        self.state = "idle"
        self.counters = Counters()
        self._hello = hello
        self._address = address
        self._boot_s = now
        self._decoder = FrameDecoder()
        self._ring = Ring(ring_size)
        self._memory = OrderMemory()
        self._lease = Lease(knows_end=knows_end, needed=PERMIT in FAMILIES[hello.family].orders)
        self._session: int | None = None
        self._welcomed = False
        self._handlers: dict[type[Message], Callable[..., Sequence[DeviceItem]]] = {
            HostHello: self._on_host_hello,
            Welcome: self._on_welcome,
            Refused: self._on_refused,
            Ack: self._on_ack,
            Order: self._on_order,
            Ping: self._on_ping,
        }

    @property
    def inhibited(self) -> bool:
        """Whether the machine must not start."""
        return self._lease.why is not None

    @property
    def why(self) -> str | None:
        """Why it is inhibited; None when it is not."""
        return self._lease.why

    @property
    def permit(self) -> Mapping[str, object] | None:
        """The fields of the permit that is held; `{}` is one too."""
        return self._lease.permit

    @property
    def lapsed(self) -> bool:
        """Whether the lease of the permit has lapsed: where no end is known, the lamp is on."""
        return self._lease.lapsed

    @property
    def starts_nothing_new(self) -> bool:
        """Whether the ring is over three quarters full."""
        return self._ring.nearly_full

    @property
    def may_start(self) -> bool:
        """Whether a cycle or round may begin now."""
        lease = self._lease
        return not (self.inhibited or lease.in_cycle or lease.lapsed or self.starts_nothing_new)

    def opened(self, now: float) -> list[DeviceItem]:
        """Say HELLO: the device has powered up, or its port is there again."""
        self._decoder = FrameDecoder()
        return [self._send(self._hello_now(now))]

    def receive(self, data: bytes, now: float) -> list[DeviceItem]:
        """Take bytes from the port, however they are cut."""
        self.counters.bytes += len(data)
        items: list[DeviceItem] = []
        for found in self._decoder.receive(data):
            if isinstance(found, Garbled):
                self.counters.garble(found)
            else:
                items.extend(self._on_frame(found, now))
        return items

    def due(self) -> float:
        """When `elapsed` next has something to do; `inf` when nothing is awaited."""
        return min(self._lease.due(), self._ring.due() if self._welcomed else inf)

    def elapsed(self, now: float) -> list[DeviceItem]:
        """Do all that has become due."""
        lapsed: list[DeviceItem] = [LeaseLapsed()] if self._lease.elapsed(now) else []
        return [*lapsed, *self._resent(now)]

    def happen(
        self, name: str, fields: Mapping[str, object], now: float, *, unchecked: bool = False
    ) -> list[DeviceItem]:
        """Number and keep an event, and send it when there is a host.

        ValueError: no event of this family, unless `unchecked`, or too long for a frame.
        """
        why = None if unchecked else check(self._hello.family, name, fields)
        if why is not None:
            raise ValueError(f"{self._hello.family} has no such event as {name}: {why}")
        encode(Event(U63_MAX, U63_MAX, name, fields))
        event = self._ring.add(name, fields, self._up_ms(now), now)
        return [self._send(event)] if event is not None and self._welcomed else []

    def done(self, which: Number | str) -> bytes:
        """Answer that an order is carried out; nothing when it was answered before.

        A permit is held from here on. `which` is the order's number, or its name without one.
        """
        if isinstance(which, str):
            return self._encoded(Done(which))
        order = self._memory.carrying_out(which)
        if order is None:
            return b""
        if order.name == PERMIT:
            self._lease.grant(order.fields)
        return self._encoded(self._memory.answer(which))

    def failed(self, which: Number | str, why: str) -> bytes:
        """Answer that an order is not carried out; nothing when it was answered before."""
        if isinstance(which, str):
            return self._encoded(Failed(which, None, why))
        if self._memory.carrying_out(which) is None:
            return b""
        return self._encoded(self._memory.answer(which, why))

    def began_cycle(self) -> None:
        """Take that the cycle or round of the permit has begun: the lease will let it end."""
        self._lease.in_cycle = True

    def finished_cycle(self, now: float) -> None:
        """Take that the cycle or round is over, or broken off: its permit is spent."""
        self._lease.finish(now)

    def leap(self, by_s: float) -> None:
        """Move every timer along with a simulated clock that leaps; the uptime goes on."""
        self._lease.leap(by_s)
        self._ring.leap(by_s)

    def _on_frame(self, frame: Frame, now: float) -> Sequence[DeviceItem]:
        self.counters.frames += 1
        message = parse(frame)
        if isinstance(message, Garbled):
            self.counters.garble(message)
            return ()
        handler = self._handlers.get(type(message))
        if handler is None or frame.address != self._address:
            self.counters.unexpected += 1
            return ()
        return handler(message, now)

    def _on_host_hello(self, hello: HostHello, now: float) -> Sequence[DeviceItem]:
        if hello.session != self._session:
            self._session, self._welcomed = hello.session, False
        return (self._send(self._hello_now(now)),)

    def _on_welcome(self, welcome: Welcome, now: float) -> Sequence[DeviceItem]:
        known = self._welcomed and welcome.session == self._session
        self._session, self._welcomed = welcome.session, True
        self._ring.hurry()
        return (*(() if known else (Welcomed(welcome.session),)), *self._resent(now))

    def _on_refused(self, refused: Refused, _now: float) -> Sequence[DeviceItem]:
        self._welcomed = False
        return (RefusedByHost(refused.why),)

    def _on_ack(self, ack: Ack, now: float) -> Sequence[DeviceItem]:
        if not self._welcomed:
            self.counters.unexpected += 1
            return ()
        self._ring.drop(ack.n, self._up_ms(now))
        return self._resent(now)

    def _on_ping(self, ping: Ping, now: float) -> Sequence[DeviceItem]:
        if not self._welcomed:
            return (self._send(self._hello_now(now)),)
        if ping.session != self._session:
            self.counters.unexpected += 1
            return ()
        if ping.renew:
            self._lease.renew(now)
        return (self._send(self._pong(now)),)

    def _on_order(self, order: Order, now: float) -> Sequence[DeviceItem]:
        if not self._welcomed or order.session != self._session:
            self.counters.unexpected += 1
            return ()
        if (order.number is None) is not (order.name in SAFE_ORDERS):
            return (self._send(Failed(order.name, order.number, "needs-number")),)
        if order.number is not None and self._memory.seen(order.number):
            self.counters.duplicates += 1
            answer = self._memory.recall(order)
            return () if answer is None else (self._send(answer),)
        if check_order(self._hello.family, order.name, order.fields) is not None:
            return (self._send(Failed(order.name, order.number, "no-such-order")),)
        if order.name == INHIBIT:
            return self._inhibit(order)
        return self._begin(order, now)

    def _inhibit(self, order: Order) -> Sequence[DeviceItem]:
        """Inhibit, and answer the permits that were offered and not yet taken."""
        why, when = str(order.fields["why"]), str(order.fields["when"])
        if when == NOW:
            self._lease.inhibit(why)
        else:
            self._lease.inhibit_after_round(why)
        answers = [self._memory.answer(each, "inhibited") for each in self._memory.unanswered(PERMIT)]
        return (self._send(Done(INHIBIT), *answers), Inhibited(why, when))

    def _begin(self, order: Order, now: float) -> Sequence[DeviceItem]:
        number = order.number
        if number is None:
            return (Ordered(order.name, order.fields, None),)
        if not self._memory.begin(order):
            # No room to remember it: it is not begun, and the host will repeat it.
            return ()
        if order.name != PERMIT:
            return (Ordered(order.name, order.fields, number),)
        if self._lease.busy:
            return (self._send(self._memory.answer(number, "busy")),)
        self._lease.renew(now)
        return (Permitted(order.fields, number),)

    def _hello_now(self, now: float) -> Hello:
        return replace(self._hello, first=self._ring.first, up_ms=self._up_ms(now))

    def _pong(self, now: float) -> Pong:
        lease = self._lease
        permit = None if lease.permit is None else cast("Mapping[str, int]", lease.permit)
        return Pong(self.state, self.inhibited, lease.why, permit, self._ring.last, self._up_ms(now))

    def _up_ms(self, now: float) -> int:
        return round((now - self._boot_s) * 1000)

    def _resent(self, now: float) -> list[DeviceItem]:
        events = self._ring.resend(now) if self._welcomed else []
        return [self._send(*events)] if events else []

    def _encoded(self, message: Message) -> bytes:
        return encode(message, self._address)

    def _send(self, *messages: Message) -> Send:
        return Send(b"".join(self._encoded(message) for message in messages))
