"""A host's session with one device: bytes and time in, items out; no I/O and no clock.

The owner opens the port and calls `opened`, gives what it reads to `receive`, calls `elapsed` when
`due()` has come, writes every `Send`, commits what has an `n` and then calls `acknowledge`. Bytes that
have arrived are given before `elapsed` is called, or a stalled process takes its own delay for the
device's silence. All times are monotonic seconds.
"""

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Final

from felt_protocols.link.families import CLEARED, FAMILIES, SAFE_ORDERS, check_order, leaks
from felt_protocols.link.frame import VERSION, Frame, FrameDecoder, Garbled
from felt_protocols.link.gatekeeper import (
    LEAKS_ORDER,
    NUMBERS_WENT_BACK,
    OTHER_VERSION,
    Gatekeeper,
    same_boot,
)
from felt_protocols.link.interlock import INHIBIT, Interlock
from felt_protocols.link.items import (
    Answered,
    Connected,
    Counters,
    Drained,
    InhibitFound,
    Item,
    LeaksOrder,
    Restarted,
    Send,
)
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
from felt_protocols.link.showing import Showing
from felt_protocols.link.silence import Silence
from felt_protocols.link.states import LISTENS, LinkMoveError, Move, State, moved
from felt_protocols.link.taking import Taking
from felt_protocols.link.waiting import WaitingOrders

HELLO_S: Final = 1.0
"""A host's HELLO is repeated every second until it is answered."""

PROBE_S: Final = 5.0
"""And more slowly after a refusal, for the device may be exchanged in silence."""

PING_S: Final = 0.5
PERMIT: Final = "permit"


class HostSession:
    """The host's side of Felt Link; `renew` says whether PING renews the lease of a permit."""

    def __init__(  # noqa: PLR0913, PLR0917  # the device's identity, and where its events stand
        self,
        session: int,
        family: str,
        serial: str | None,
        digest: bytes | None,
        last: tuple[int, int] | None,
        now: float,
        address: int = 0,
    ) -> None:
        """Begin closed. `serial` and `digest` None: any. `last`: boot id and n last committed."""
        if family not in FAMILIES:
            raise ValueError(f"no family {family!r}; families are {', '.join(FAMILIES)}")
        self.renew = False
        self.counters = Counters()
        self.shown: Pong | None = None
        self._session = session
        self._family = family
        self._address = address
        self._state = State.CLOSED
        self._decoder = FrameDecoder()
        self._gate = Gatekeeper(family, serial, digest)
        self._silence = Silence(now)
        self._interlock = Interlock()
        self._frames: dict[tuple[str, str], bytes] = {}
        self._orders = WaitingOrders()
        self._showing = Showing()
        self._taking = Taking(family, last, self.counters)
        self._hello: Hello | None = None
        self._told_drained = self._first_pong = False
        self._up_ms = 0
        self._send_due_s = inf
        self._queue: list[Item] = []
        self._queued_s = inf
        self._handlers: dict[type[Message], Callable[..., Sequence[Item]]] = {
            Event: self._on_event,
            Done: self._on_answer,
            Failed: self._on_answer,
            Pong: self._on_pong,
        }

    @property
    def state(self) -> State:
        """Where the host is with the device."""
        return self._state

    @property
    def hello(self) -> Hello | None:
        """Who was accepted last."""
        return self._hello

    def opened(self, now: float) -> list[Item]:
        """Take that the port was opened; LinkMoveError when it was open."""
        self._state = moved(self._state, Move.OPENED)
        self._decoder = FrameDecoder()
        self._gate.opened()
        self._send_due_s = now + HELLO_S
        return [self._send(HostHello(self._session))]

    def closed(self, now: float) -> list[Item]:
        """Take that the port was closed or is gone; LinkMoveError when it was closed.

        The silence goes on: it was not the port that mattered, but hearing the device.
        """
        self._state = moved(self._state, Move.SHUT)
        self._send_due_s = inf
        return self.elapsed(now)

    def receive(self, data: bytes, now: float) -> list[Item]:
        """Take bytes from the port, however they are cut; LinkMoveError when it is closed."""
        if self._state is State.CLOSED:
            raise LinkMoveError("the link is closed and has no move for: bytes received")
        self.counters.bytes += len(data)
        items: list[Item] = []
        for found in self._decoder.receive(data):
            if isinstance(found, Garbled):
                self.counters.garble(found)
            else:
                items.extend(self._on_frame(found, now))
        if self._taking.repeat_ack and self._state is State.ACCEPTED:
            items.append(self._send(Ack(self._taking.acknowledged)))
        self._taking.repeat_ack = False
        return items

    def due(self) -> float:
        """When `elapsed` next has something to do; `inf` when nothing is awaited."""
        return min(
            self._silence.due(),
            self._interlock.due(),
            self._send_due_s,
            min(self._orders.due(), self._showing.due()) if self._state is State.ACCEPTED else inf,
            self._queued_s,
        )

    def elapsed(self, now: float) -> list[Item]:
        """Do all that has become due."""
        items, self._queue, self._queued_s = self._queue, [], inf
        items.extend(self._silence.elapsed(now))
        items.extend(self._interlock.elapsed(now))
        messages: list[Message] = []
        if now >= self._send_due_s:
            messages.append(self._keep_alive(now))
        if self._state is State.ACCEPTED:
            messages.extend(self._orders.overdue(now))
            messages.extend(self._showing.overdue(now))
        if messages:
            items.append(self._send(*messages))
        return items

    def acknowledge(self, n: int, boot: int) -> bytes:
        """Say that the events of this boot up to `n` are committed; give the bytes to write."""
        if self._taking.acknowledge(n, boot) and self._state is State.ACCEPTED:
            return self._encoded(Ack(n))
        return b""

    def inhibit(self, why: str, when: str, now: float) -> bytes:
        """Wish the device inhibited, `now` or `after-round`; give the bytes to write at once.

        The wish is held, and sent when the device is there. A permit that was ordered and is not
        answered is not repeated: its result is unknown. ValueError: `why` or `when` is no word.
        """
        frame = self._frames.get((why, when)) or self.prepare(why, when)
        self._later(self._orders.give_up("inhibited", PERMIT), now)
        self._interlock.wish(why, when, now)
        return frame if self._state is State.ACCEPTED else b""

    def prepare(self, why: str, when: str = "now") -> bytes:
        """Have the frame of an inhibit ready before it is needed; gives it. ValueError as `inhibit`."""
        fields = {"why": why, "when": when}
        self._must_be_order(INHIBIT, fields)
        frame = self._encoded(Order(INHIBIT, fields, self._session))
        self._frames[why, when] = frame
        return frame

    def release(self) -> None:
        """Wish the device inhibited no longer; nothing is sent, it takes a permit to go on."""
        self._interlock.release()

    def order(self, name: str, fields: Mapping[str, object], number: Number | None, now: float) -> bytes:
        """Order something; give the bytes to write, none when it cannot be asked.

        Then, and when it is over, `Answered` comes. A permit cannot be asked while an inhibit is
        wished. ValueError: no such order, a field out of range, or numbered where it must not be.
        """
        self._must_be_order(name, fields)
        if name == INHIBIT or (number is None) is not (name in SAFE_ORDERS):
            raise ValueError(f"{name} with number {number}: inhibit() wishes, lamps and texts have none")
        order = Order(name, fields, self._session, number)
        if (hindrance := self._hindrance(name)) is not None:
            self._later([Answered(name, number, ok=False, why=hindrance)], now)
            return b""
        if number is not None:
            self._orders.add(order, now)
        return self._encoded(order)

    def show(self, wishes: Sequence[tuple[str, Mapping[str, object]]], now: float) -> bytes:
        """Wish these orders carried out, each by name and fields; give the bytes to write.

        They take the place of what was wished before, and only those that are new are written. All are
        sent again when the device says HELLO or `cleared`, and until each is answered. ValueError: no
        such order, a field out of range, too long for a frame, or an order that must have a number.
        """
        orders = [Order(*each, self._session) for each in wishes]
        for order in orders:
            self._must_be_order(order.name, order.fields)
            if order.name == INHIBIT or order.name not in SAFE_ORDERS:
                raise ValueError(f"{order.name} is nothing that can be shown again and again")
            self._encoded(order)
        fresh = self._showing.wish(orders, now)
        return b"".join(map(self._encoded, fresh)) if self._state is State.ACCEPTED else b""

    def leap(self, by_s: float) -> None:
        """Move every timer along with a simulated clock that leaps; the age of events is not."""
        self._silence.leap(by_s)
        self._interlock.leap(by_s)
        self._orders.leap(by_s)
        self._showing.leap(by_s)
        self._gate.leap(by_s)
        self._send_due_s += by_s
        self._queued_s += by_s

    def _on_frame(self, frame: Frame, now: float) -> Sequence[Item]:
        self.counters.frames += 1
        if frame.address != self._address:
            self.counters.unexpected += 1
            return ()
        if frame.version != VERSION and frame.kind == Hello.KIND:
            return self._refuse(OTHER_VERSION, None, now)
        message = parse(frame)
        if isinstance(message, Garbled):
            self.counters.garble(message)
            return ()
        if type(message) not in LISTENS[self._state]:
            self.counters.unexpected += 1
            return ()
        if isinstance(message, Hello):
            return self._on_hello(message, now)
        back = self._silence.heard(now)
        items = self._handlers[type(message)](message, now)
        return (*back, *items) if back else items

    def _on_hello(self, hello: Hello, now: float) -> Sequence[Item]:
        if (why := self._gate.judge(hello)) is not None:
            return self._refuse(why, hello, now)
        if self._state is State.ACCEPTED and self._hello is not None:
            if same_boot(hello, self._hello):
                return (*self._silence.heard(now), self._send(*self._welcome(hello, now)))
            # While the device of today is heard, a boot that is over is an echo on the line.
            if self._gate.superseded(hello) and not self._silence.quiet:
                self.counters.unexpected += 1
                return ()
        return self._accept(hello, now)

    def _accept(self, hello: Hello, now: float) -> Sequence[Item]:
        before, self._hello = self._hello, hello
        self._state = moved(self._state, Move.ACCEPT)
        greeted = self._taking.greet(hello, now)
        items: list[Item] = [Connected(hello, greeted.same_boot)]
        swapped = before is not None and before.serial != hello.serial
        if greeted.previous_boot is not None:
            self._gate.supersede((before or hello).serial, greeted.previous_boot)
            if not swapped:
                items.append(Restarted(hello, greeted.previous_boot))
        if not greeted.same_boot:
            items.extend(self._orders.give_up("device-exchanged" if swapped else "device-restarted"))
        items.extend(greeted.lost)
        items.extend(self._silence.heard(now))
        self._told_drained = False
        self._first_pong = True
        items.append(self._send(*self._welcome(hello, now)))
        return items

    def _welcome(self, hello: Hello, now: float) -> list[Message]:
        """Give all that a device must be told that has just said HELLO, the inhibit first."""
        self._up_ms = hello.up_ms
        self._send_due_s = now + PING_S
        inhibit = self._interlock.order(self._session)
        return [
            Welcome(self._session),
            *([] if inhibit is None else [inhibit]),
            Ack(self._taking.acknowledged),
            *self._orders.repeat(now),
            *self._showing.repeat(now),
            Ping(self._session, self.renew),
        ]

    def _refuse(self, why: str, hello: Hello | None, now: float) -> Sequence[Item]:
        self._state = moved(self._state, Move.REFUSE)
        self._send_due_s = now + PROBE_S
        return [
            self._send(news) if isinstance(news, Refused) else news
            for news in self._gate.refuse(why, hello, now)
        ]

    def _on_event(self, event: Event, now: float) -> Sequence[Item]:
        if leaks(self._family, event.fields) and self._hello is not None:
            self._gate.bar_leak(self._hello)
            return (LeaksOrder(), *self._refuse(LEAKS_ORDER, self._hello, now))
        if event.name == CLEARED:
            self._showing.hurry(now)
        return self._taking.take(event, now)

    def _on_answer(self, answer: Done | Failed, now: float) -> Sequence[Item]:
        if answer.number is not None:
            return self._orders.answer(answer)
        self._showing.answered(answer, now)
        if isinstance(answer, Failed):
            return (Answered(answer.name, None, ok=False, why=answer.why),)
        if answer.name == INHIBIT and not self._interlock.done():
            return ()
        return (Answered(answer.name, None, ok=True),)

    def _on_pong(self, pong: Pong, now: float) -> Sequence[Item]:
        if pong.up_ms < self._up_ms:
            self.counters.unexpected += 1
            return ()
        self._up_ms = pong.up_ms
        self._taking.saw(pong.up_ms, now)
        if pong.n < self._taking.taken and self._hello is not None:
            self._gate.bar_boot(self._hello)
            return self._refuse(NUMBERS_WENT_BACK, self._hello, now)
        self.shown = pong
        items: list[Item] = []
        if self._first_pong and pong.why is not None and not self._interlock.explains(pong.why):
            items.append(InhibitFound(pong.why))
        self._first_pong = False
        if not self._told_drained and pong.n <= self._taking.acknowledged:
            self._told_drained = True
            items.append(Drained(pong.n))
        return (*items, *self._compared(pong, now))

    def _compared(self, pong: Pong, now: float) -> Sequence[Item]:
        """Hold the wish against what the device shows."""
        if (again := self._interlock.contradicted(pong, self._session, now)) is not None:
            return (self._send(again),)
        if pong.inhibited and self._interlock.done():
            return (Answered(INHIBIT, None, ok=True),)
        return ()

    def _keep_alive(self, now: float) -> Message:
        """Give what the state repeats: HELLO until it is answered, then PING."""
        if self._state is State.ACCEPTED:
            self._send_due_s = now + PING_S
            return Ping(self._session, self.renew)
        self._send_due_s = now + (HELLO_S if self._state is State.GREETING else PROBE_S)
        return HostHello(self._session)

    def _hindrance(self, name: str) -> str | None:
        """Say why an order cannot be asked now."""
        if self._state is not State.ACCEPTED:
            return "not-connected"
        if name == PERMIT and self._interlock.wished:
            return "inhibited"
        return None

    def _must_be_order(self, name: str, fields: Mapping[str, object]) -> None:
        if (why := check_order(self._family, name, fields)) is not None:
            raise ValueError(f"{self._family} takes no such order as {name}: {why}")

    def _later(self, items: Sequence[Item], now: float) -> None:
        """Keep items that came about where only bytes are returned, until `elapsed`."""
        if items:
            self._queue.extend(items)
            self._queued_s = min(self._queued_s, now)

    def _encoded(self, message: Message) -> bytes:
        return encode(message, self._address)

    def _send(self, *messages: Message) -> Send:
        return Send(b"".join(self._encoded(message) for message in messages))
