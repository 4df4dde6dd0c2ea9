"""What every device has beside its mechanics: a supply, a boot id, a session with the host, an outbox.

A device is made of mechanics and electronics; `pass_time` lets both do what is due, in the order in which
it is due.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Protocol, TypeAlias

from felt_protocols.link.device import (
    DeviceSession,
    Inhibited,
    LeaseLapsed,
    Ordered,
    Permitted,
)
from felt_protocols.link.frame import FrameDecoder, Garbled, encode_frame
from felt_protocols.link.items import Send
from felt_protocols.link.messages import Hello, Order, parse
from felt_protocols.link.ring import RING_LEAST

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from felt_protocols.link.device import DeviceItem
    from felt_protocols.link.messages import Number
    from felt_simulators.faults import Faults

__all__ = [
    "Asked",
    "Electronics",
    "Heard",
    "Identity",
    "Lapsed",
    "Send",
    "Stop",
    "Told",
    "Woke",
    "pass_time",
]


@dataclass(frozen=True, slots=True)
class Identity:
    """What a device says of itself; its firmware's digest follows from model and version."""

    family: str
    model: str
    serial: str
    firmware: str
    capabilities: tuple[str, ...]

    def hello(self, boot: int) -> Hello:
        """The HELLO of one boot."""
        return Hello(
            family=self.family,
            model=self.model,
            serial=self.serial,
            firmware=self.firmware,
            digest=hashlib.sha256(f"{self.model} {self.firmware}".encode()).digest(),
            boot=boot,
            capabilities=self.capabilities,
        )


@dataclass(frozen=True, slots=True)
class Stop:
    """The host inhibits, `now` or `after-round`."""

    when: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The host offers a permit: `grant` takes it, `refuse` does not."""

    fields: Mapping[str, object]
    number: Number


@dataclass(frozen=True, slots=True)
class Lapsed:
    """The host no longer renews the permit."""


@dataclass(frozen=True, slots=True)
class Told:
    """The host orders what the machine itself carries out: `answer` says what became of it."""

    name: str
    fields: Mapping[str, object]
    number: Number | None = None

    @property
    def which(self) -> Number | str:
        """What its answer names: its number, or its name when it has none."""
        return self.name if self.number is None else self.number


@dataclass(frozen=True, slots=True)
class Woke:
    """The electronics have started again, with a new boot id."""


Heard: TypeAlias = Stop | Asked | Lapsed | Told | Woke


class Electronics:
    """Speaks for a device. `boots` says when it started, and with which boot ids.

    `obeys`: the orders that the machine carries out and answers itself; `knows_end`: the machine knows when
    a round is over, and where it does not, its lease lapses to a lamp.
    """

    def __init__(  # noqa: PLR0913 - what makes one device's electronics differ from another's, by name
        self,
        identity: Identity,
        faults: Faults,
        rng: random.Random,
        now: float,
        *,
        obeys: frozenset[str] = frozenset(),
        knows_end: bool = True,
    ) -> None:
        self.boots: list[dict[str, object]] = []
        self._identity = identity
        self._faults = faults
        self._rng = rng
        self._obeys = obeys
        self._knows_end = knows_end
        self._outbox: list[Send] = []
        self._filter = FrameDecoder()
        self._state = "idle"
        self._silent_until = -inf
        self._up_at: float | None = None
        self._session: DeviceSession | None = None
        self._now = now
        self._boot(now)

    @property
    def permit(self) -> Mapping[str, int]:
        """The fields of the permit that is held; empty without one."""
        held = None if self._session is None else self._session.permit
        return {name: value for name, value in (held or {}).items() if isinstance(value, int)}

    @property
    def lamp(self) -> bool:
        """Whether the lamp is on that asks people not to go on: inhibited, or its lease has lapsed."""
        session = self._session
        return session is not None and (session.inhibited or session.lapsed)

    @property
    def frames(self) -> int:
        """How many whole frames came since it started."""
        return 0 if self._session is None else self._session.counters.frames

    def receive(self, data: bytes, now: float) -> list[Heard]:
        """Take what came over the line."""
        self._now = now
        if self._session is None or self._silent(now):
            return []
        if self._faults.waiting("ignore-inhibit"):
            data = self._without_inhibits(data, now)
        return self._sorted(self._session.receive(data, now))

    def timer(self) -> float:
        """When `elapsed` has something to do by itself."""
        if self._session is None:
            return inf if self._up_at is None else self._up_at
        return self._session.due()

    def due(self) -> float | None:
        """When something is to be sent or to be done."""
        due = self._now if self._outbox else self.timer()
        return None if due == inf else due

    def elapsed(self, now: float) -> list[Heard]:
        """Do what is due."""
        self._now = now
        if self._session is None:
            self._boot(now)
            return [Woke()]
        return self._sorted(self._session.elapsed(now))

    def drain(self, now: float) -> list[Send]:
        """Take what is to be sent now: nothing comes from a silent device."""
        sends, self._outbox = self._outbox, []
        self._now = now
        return [] if self._silent(now) else sends

    def say(self, name: str, at: float, **fields: object) -> None:
        """Tell the host what happened; fields that are None are left out. What is off is mute."""
        self._tell(name, at, fields, unchecked=False)

    def leak(self, name: str, at: float, **fields: object) -> None:
        """Tell the host what no device may tell."""
        self._tell(name, at, fields, unchecked=True)

    def _tell(self, name: str, at: float, fields: Mapping[str, object], *, unchecked: bool) -> None:
        self._now = at
        if self._session is not None:
            told = {key: value for key, value in fields.items() if value is not None}
            self._sorted(self._session.happen(name, told, at, unchecked=unchecked))

    def show(self, state: str) -> None:
        """Let PONG show this state."""
        self._state = state
        if self._session is not None:
            self._session.state = state

    def grant(self, asked: Asked) -> None:
        """Take a permit that is offered."""
        if self._session is not None:
            self._send(self._session.done(asked.number))

    def refuse(self, asked: Asked, why: str) -> None:
        """Do not take a permit that is offered."""
        if self._session is not None:
            self._send(self._session.failed(asked.number, why))

    def answer(self, which: Number | str, why: str = "") -> None:
        """Answer an order, by its number or by its name without one: done, or why not."""
        if self._session is not None:
            self._send(self._session.failed(which, why) if why else self._session.done(which))

    def why_not(self, *, begun: bool = False) -> str:
        """Say why the machine may not work, or nothing; `begun`: a round or cycle goes on already."""
        session = self._session
        if session is None:
            return "it is starting"
        if session.inhibited:
            return f"it is inhibited: {session.why}"
        if session.permit is None:
            return "it has no permit"
        return "its memory is full" if session.starts_nothing_new and not begun else ""

    def begin(self) -> None:
        """Take that the cycle or round of the permit has begun."""
        if self._session is not None:
            self._session.began_cycle()

    def spent(self, now: float) -> None:
        """Take that the cycle or round is over: its permit is spent."""
        if self._session is not None:
            self._session.finished_cycle(now)

    def power_cycle(self, now: float, boot_s: float) -> None:
        """Switch off, and on again: up after `boot_s`."""
        self._session = None
        self._outbox.clear()
        self._up_at = now + boot_s
        self._now = now

    def fall_silent(self, now: float) -> None:
        """Fall silent if that fault strikes."""
        if fault := self._faults.strike("silent", now):
            self._silent_until = now + fault.number if fault.number else inf

    def speak_up(self) -> None:
        """Be silent no longer."""
        self._silent_until = -inf

    def _boot(self, now: float) -> None:
        boot = self._rng.getrandbits(64)
        self._up_at = None
        self._session = DeviceSession(self._identity.hello(boot), RING_LEAST, now, knows_end=self._knows_end)
        self._session.state = self._state
        self.boots.append({"boot": boot, "at": now})
        self._sorted(self._session.opened(now))

    def _silent(self, now: float) -> bool:
        return now < self._silent_until

    def _send(self, data: bytes) -> None:
        if data:
            self._outbox.append(Send(data))

    def _sorted(self, items: Sequence[DeviceItem]) -> list[Heard]:
        """Keep what is to be sent, answer what every device can, and give what is for the machine."""
        heard: list[Heard] = []
        for item in items:
            match item:
                case Send():
                    self._outbox.append(item)
                case Permitted(fields, number):
                    heard.append(Asked(fields, number))
                case Inhibited(_, when):
                    heard.append(Stop(when))
                case LeaseLapsed():
                    heard.append(Lapsed())
                case Ordered(name, fields, number) if name in self._obeys:
                    heard.append(Told(name, fields, number))
                case Ordered():
                    self._carry_out(item)
                case _:
                    pass
        return heard

    def _carry_out(self, order: Ordered) -> None:
        """Carry out what moves nothing: a self-test that finds nothing, a lamp."""
        if self._session is not None:
            self._send(self._session.done(order.name if order.number is None else order.number))

    def _without_inhibits(self, data: bytes, now: float) -> bytes:
        """The bytes of all frames but those of inhibits."""
        kept: list[bytes] = []
        for found in self._filter.receive(data):
            if isinstance(found, Garbled):
                continue
            message = parse(found)
            inhibits = isinstance(message, Order) and message.name == "inhibit"
            if not inhibits or self._faults.strike("ignore-inhibit", now) is None:
                kept.append(encode_frame(found.kind, found.address, found.body))
        return b"".join(kept)


class Machine(Protocol):
    """The mechanics of a device, as `pass_time` sees them."""

    def next_at(self) -> float | None:
        """When the mechanics have something to do."""
        ...

    def tick(self, at: float) -> None:
        """Do it."""
        ...

    def hear(self, heard: Heard, now: float) -> None:
        """Take what the electronics understood."""
        ...


def pass_time(machine: Machine, electronics: Electronics, now: float) -> None:
    """Let mechanics and electronics do what is due until now, each at its own time."""
    while True:
        own, talk = machine.next_at(), electronics.timer()
        if own is not None and own <= min(talk, now):
            machine.tick(own)
        elif talk <= now:
            # What has been due since ever is due now.
            at = talk if talk > -inf else now
            for heard in electronics.elapsed(at):
                machine.hear(heard, at)
        else:
            return
