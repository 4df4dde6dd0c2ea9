"""A random number generator for the starting position: it draws 1 to 7 when it is ordered to.

Source: 58 Pa. Code § 659a.2(c)(2), § 659a.5(g)(2).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from felt_simulators.devices.electronics import Electronics, Identity, Told, Woke, pass_time
from felt_simulators.devices.hands import allow
from felt_simulators.faults import GENERATOR, Fault, Faults

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from felt_protocols.link.messages import Number
    from felt_simulators.devices.electronics import Heard, Send
    from felt_simulators.truth import Truth

REMEMBERED = 64
_BITS = 3

# Epoch and number of a draw: the host counts draws anew in each epoch of its journal.
Which: TypeAlias = tuple[str, int]


class State(Enum):
    """How the generator is; the words go into its PONG."""

    STARTING = "starting"
    READY = "ready"
    DRAWING = "drawing"
    UNHEALTHY = "unhealthy"
    BROKEN = "broken"


HANDS: Mapping[str, frozenset[State]] = MappingProxyType(
    {
        "repair": frozenset({State.UNHEALTHY, State.BROKEN}),
        "power_cycle": frozenset(State),
    }
)


@dataclass(frozen=True, slots=True)
class GeneratorBuild:
    """What kind of generator it is."""

    serial: str = "rn-0001"
    model: str = "felt-sim-generator"
    firmware: str = "1.0.0"
    draw_s: float = 0.5
    boot_s: float = 1.0

    def identity(self) -> Identity:
        """What it says of itself in HELLO."""
        return Identity(GENERATOR, self.model, self.serial, self.firmware, ())


@dataclass(frozen=True, slots=True)
class Asked:
    """A draw that is ordered, and when it will be made."""

    which: Which
    order: Number | str
    at: float


@dataclass(slots=True)
class Draw:
    """One number that was drawn, and how often it was told as the answer to its draw."""

    epoch: str
    draw: int
    number: int
    at: float
    told: int = 0


class Generator:
    """The generator: `receive`, `due` and `elapsed` for its line, and hands for people.

    Draws are made in turn. One that it remembers is answered with its number again, whichever order asks:
    no draw gets two numbers. What a hand makes it say leaves with the next `elapsed`, which is then due at
    once.
    """

    def __init__(self, build: GeneratorBuild, rng: random.Random, now: float) -> None:
        self.build = build
        self.state = State.READY
        self.faults = Faults(GENERATOR, rng)
        self._rng = rng
        self._electronics = Electronics(
            build.identity(), self.faults, rng, now, obeys=frozenset({"draw", "selftest"})
        )
        # What it remembers since it has power; the oldest first.
        self._known: dict[Which, Draw] = {}
        self._draws: list[Draw] = []
        self._asked: list[Asked] = []
        self._shown: int | None = None
        self._failed = ""
        self._broken = ""
        self._wake(now)

    @property
    def truth(self) -> Truth:
        """What really happened, as plain JSON; `failed` is the test of itself that failed, if one did."""
        return {
            "family": GENERATOR,
            "serial": self.build.serial,
            "boots": list(self._electronics.boots),
            "state": self.state.value,
            "failed": self._failed,
            "display": self.display,
            "draws": [asdict(draw) for draw in self._draws],
            "faults": list(self.faults.struck),
        }

    @property
    def display(self) -> int | None:
        """The number that people see on it."""
        return self._shown

    def receive(self, data: bytes, now: float) -> list[Send]:
        """Take what came over the line; give what is to be sent."""
        pass_time(self, self._electronics, now)
        for heard in self._electronics.receive(data, now):
            self.hear(heard, now)
        return self._electronics.drain(now)

    def due(self) -> float | None:
        """When `elapsed` has something to do; a moment that is past means at once."""
        moments = (self._electronics.due(), self.next_at())
        return min((moment for moment in moments if moment is not None), default=None)

    def elapsed(self, now: float) -> list[Send]:
        """Do what is due until now; give what is to be sent."""
        pass_time(self, self._electronics, now)
        return self._electronics.drain(now)

    def set_fault(self, fault: Fault, now: float) -> None:
        """Put a fault in. Raises `UnknownFault` for one that a generator cannot have."""
        pass_time(self, self._electronics, now)
        self.faults.set(fault)
        if not self._failed and (failed := self.faults.strike("bad-health", now)):
            self._failed = failed.text
            self._stop(State.UNHEALTHY)
            self._say_health(now, self._failed)
        if not self._broken and (broken := self.faults.strike("unusable", now)):
            self._broken = broken.text
            self._stop(State.BROKEN)
            self._say("fault", now, code=self._broken)
        if self.faults.strike("reboot", now):
            self.power_cycle(now)
        self._electronics.fall_silent(now)

    def lift_fault(self, name: str, now: float) -> None:
        """Take a fault out again; a device that was silent speaks."""
        pass_time(self, self._electronics, now)
        self.faults.lift(name)
        if name == "silent":
            self._electronics.speak_up()

    def repair(self, now: float) -> None:
        """Make it work again: it tests itself, and says that it is well."""
        self._begin("repair", now)
        if self._broken:
            self._say("cleared", now, code=self._broken)
        failed, self._failed, self._broken = self._failed, "", ""
        self._rest()
        if failed:
            self._say_health(now, failed)

    def power_cycle(self, now: float) -> None:
        """Switch it off and on: it starts with a new boot id, and remembers no draw."""
        self._begin("power_cycle", now)
        self._known.clear()
        self._asked.clear()
        self._shown = None
        self._electronics.power_cycle(now, self.build.boot_s)
        self._become(State.STARTING)

    def next_at(self) -> float | None:
        """When it will have drawn."""
        return self._asked[0].at if self._asked else None

    def tick(self, at: float) -> None:
        """Draw, show the number, tell it, and answer the order."""
        asked = self._asked.pop(0)
        self._rest()
        before = self._draws[-1] if self._draws else None
        draw = self._known.get(asked.which) or self._draw(asked.which, at)
        self._shown = draw.number
        if before is not None and self.faults.strike("stale-draw", at):
            draw = before
        more = self.faults.strike("repeated-draw", at)
        for _ in range(1 + (more.number if more else 0)):
            draw.told += 1
            self._say("drawn", at, number=draw.number, draw=draw.draw)
        self._electronics.answer(asked.order)

    def hear(self, heard: Heard, now: float) -> None:
        """Take what the electronics understood."""
        if isinstance(heard, Told):
            self._obey(heard, now)
        elif isinstance(heard, Woke):
            self._wake(now)

    def _obey(self, told: Told, now: float) -> None:
        """Draw, or test itself."""
        match told.fields.get("draw"), told.number:
            case int(draw), (epoch, _):
                self._order((epoch, draw), told.which, now)
            case _:
                self._say_health(now, "selftest")
                self._electronics.answer(told.which, self._why_not())

    def _order(self, which: Which, order: Number | str, now: float) -> None:
        """Take an order to draw, or say why there is no draw."""
        if why := self._why_not():
            self._electronics.answer(order, why)
        elif not self.faults.strike("never-draws", now):
            begins = self._asked[-1].at if self._asked else now
            self._asked.append(Asked(which, order, begins + self.build.draw_s))
            self._rest()

    def _draw(self, which: Which, at: float) -> Draw:
        """Draw a number without bias: of three random bits, 0 to 7, a 0 is drawn again."""
        number = 0
        while not number:
            number = self._rng.getrandbits(_BITS)
        self._known[which] = draw = Draw(*which, number, at)
        self._draws.append(draw)
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]
        return draw

    def _wake(self, now: float) -> None:
        """Start: it tests itself and says how it is."""
        self._rest()
        self._say_health(now, self._failed or "startup")
        if self._broken:
            self._say("fault", now, code=self._broken)

    def _why_not(self) -> str:
        """Say why it draws nothing, or nothing."""
        if self._broken:
            return State.BROKEN.value
        return State.UNHEALTHY.value if self._failed else ""

    def _stop(self, why: State) -> None:
        """Draw no more, and show no number."""
        for asked in self._asked:
            self._electronics.answer(asked.order, why.value)
        self._asked.clear()
        self._shown = None
        if self.state is not State.STARTING:
            self._rest()

    def _begin(self, hand: str, now: float) -> None:
        pass_time(self, self._electronics, now)
        allow(GENERATOR, hand, self.state, HANDS)

    def _rest(self) -> None:
        if self._broken:
            self._become(State.BROKEN)
        elif self._failed:
            self._become(State.UNHEALTHY)
        else:
            self._become(State.DRAWING if self._asked else State.READY)

    def _become(self, state: State) -> None:
        self.state = state
        self._electronics.show(state.value)

    def _say_health(self, at: float, test: str) -> None:
        self._say("health", at, state="failed" if self._failed else "good", test=test)

    def _say(self, name: str, at: float, **fields: object) -> None:
        self._electronics.say(name, at, **fields)
