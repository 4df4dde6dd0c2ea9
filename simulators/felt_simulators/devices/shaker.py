"""An Asia Poker shaker: a box with a lid and three dice, which sees them when the lid is off.

Source: 58 Pa. Code § 659a.2(c)(1), § 659a.5(g)(1).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from felt_simulators.devices.electronics import Asked, Electronics, Identity, Woke, pass_time
from felt_simulators.devices.hands import allow
from felt_simulators.faults import SHAKER, Fault, Faults
from felt_simulators.truth import Roll, plain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from felt_simulators.devices.electronics import Heard, Send
    from felt_simulators.truth import Truth

DICE = 3


class State(Enum):
    """How the shaker is; the words go into its PONG."""

    STARTING = "starting"
    COVERED = "covered"
    UNCOVERED = "uncovered"
    BROKEN = "broken"


_AWAKE = frozenset(State) - {State.STARTING}
HANDS: Mapping[str, frozenset[State]] = MappingProxyType(
    {
        "shake": frozenset(State),
        "uncover": frozenset(State),
        "cover": frozenset(State),
        "gather": frozenset(State),
        "put_right": frozenset(State),
        "replace_dice": frozenset(State),
        "walk_away": frozenset(State),
        "come_back": frozenset(State),
        "repair": frozenset({State.BROKEN}),
        "power_cycle": frozenset(State),
    }
)


@dataclass(frozen=True, slots=True)
class ShakerBuild:
    """What kind of shaker it is.

    `reads_dice`: it tells the faces; `quality`: it judges each shake, in percent.
    """

    serial: str = "sk-0001"
    model: str = "felt-sim-shaker"
    firmware: str = "1.0.0"
    reads_dice: bool = True
    judges_shakes: bool = False
    read_s: float = 0.5
    unattended_s: float = 10.0
    boot_s: float = 2.0

    def identity(self) -> Identity:
        """What it says of itself in HELLO."""
        offers = {"dice": self.reads_dice, "quality": self.judges_shakes}
        capabilities = tuple(name for name, there in offers.items() if there)
        return Identity(SHAKER, self.model, self.serial, self.firmware, capabilities)


@dataclass(slots=True, eq=False)
class Die:
    """One die. `face` is 1 to 6 and means nothing while the die lies aslant or outside."""

    face: int = 1
    flat: bool = True
    inside: bool = True


class Shaker:
    """The box: `receive`, `due` and `elapsed` for its line, and hands for people.

    A hand that the box does not allow raises `Refused` and changes nothing. What a hand makes it say
    leaves with the next `elapsed`, which is then due at once. Nobody needs a permit to shake a box: its
    orders change what it shows and nothing else.
    """

    def __init__(self, build: ShakerBuild, rng: random.Random, now: float) -> None:
        self.build = build
        self.state = State.COVERED
        self.covered = True
        self.attended = True
        self.at_dealers_right = True
        self.dice = tuple(Die() for _ in range(DICE))
        self.faults = Faults(SHAKER, rng)
        self._rng = rng
        self._electronics = Electronics(build.identity(), self.faults, rng, now)
        self._dice_since = now
        self._read_at: float | None = None
        self._alarm_at: float | None = None
        self._left_at = now
        self._shakes = 0
        self._shaken: list[float] = []
        self._rolls: list[Roll] = []
        self._absences: list[dict[str, float | None]] = []
        self._broken = ""
        self._rest()

    @property
    def truth(self) -> Truth:
        """What really happened, as plain JSON; `felt_simulators.truth` says what its parts mean."""
        return {
            "family": SHAKER,
            "serial": self.build.serial,
            "boots": list(self._electronics.boots),
            "state": self.state.value,
            "covered": self.covered,
            "attended": self.attended,
            "at_dealers_right": self.at_dealers_right,
            "dice_since": self._dice_since,
            "dice": [{"face": die.face, "flat": die.flat, "inside": die.inside} for die in self.dice],
            "shaken": list(self._shaken),
            "rolls": plain(self._rolls),
            "absences": [dict(absence) for absence in self._absences],
            "faults": list(self.faults.struck),
        }

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
        """Put a fault in. Raises `UnknownFault` for one that a shaker cannot have."""
        pass_time(self, self._electronics, now)
        self.faults.set(fault)
        if not self._broken and (broken := self.faults.strike("unusable", now)):
            self._broken = broken.text
            self._rest()
            self._say("fault", now, code=self._broken)
        if self.attended and self.faults.strike("unattended", now):
            self.walk_away(now)
        if self.faults.strike("reboot", now):
            self.power_cycle(now)
        self._electronics.fall_silent(now)

    def lift_fault(self, name: str, now: float) -> None:
        """Take a fault out again; a device that was silent speaks."""
        pass_time(self, self._electronics, now)
        self.faults.lift(name)
        if name == "silent":
            self._electronics.speak_up()

    def shake(self, now: float) -> None:
        """Shake the covered box once."""
        self._begin("shake", now, self._open())
        for die in self.dice:
            die.face, die.flat = self._rng.randint(1, 6), True
        self._shakes += 1
        self._shaken.append(now)
        self.at_dealers_right = False
        self._say("shaken", now, quality=self._rng.randint(60, 100) if self.build.judges_shakes else None)

    def uncover(self, now: float) -> tuple[Die, ...]:
        """Take the lid off and see the dice."""
        self._begin("uncover", now, self._open())
        if aslant := self.faults.strike("not-flat", now):
            for die in self._rng.sample(self.dice, min(DICE, aslant.number)):
                die.flat = False
        if fallen := self.faults.strike("die-outside", now):
            for die in self._rng.sample(self.dice, min(DICE, fallen.number)):
                die.inside = False
        self.covered = False
        self._rolls.append(Roll(now, self._shakes, self._faces(), self._flat(), self._inside()))
        self._shakes = 0
        self._read_at = now + self.build.read_s if self.build.reads_dice else None
        self._rest()
        self._say("uncovered", now)
        return self.dice

    def gather(self, now: float) -> None:
        """Put the dice that lie outside back into the open box."""
        self._begin("gather", now, self._closed() or ("no die lies outside" if self._inside() else ""))
        for die in self.dice:
            die.inside = True

    def cover(self, now: float) -> None:
        """Put the lid on."""
        outside = "" if self._inside() else "a die lies outside"
        self._begin("cover", now, self._closed() or outside)
        self.covered = True
        self._read_at = None
        self._rest()
        self._say("covered", now)

    def put_right(self, now: float) -> None:
        """Set the covered box at the dealer's right."""
        self._begin("put_right", now, self._open())
        self.at_dealers_right = True

    def replace_dice(self, now: float) -> tuple[Die, ...]:
        """Put three new dice into the open box; give the old ones."""
        self._begin("replace_dice", now, self._closed())
        old, self.dice = self.dice, tuple(Die() for _ in range(DICE))
        self._dice_since = now
        return old

    def walk_away(self, now: float) -> None:
        """Leave the box alone."""
        self._begin("walk_away", now, "" if self.attended else "nobody is there")
        self.attended = False
        self._left_at = now
        self._alarm_at = now + self.build.unattended_s
        self._absences.append({"from": now, "to": None, "told_at": None})

    def come_back(self, now: float) -> None:
        """Come back to the box."""
        self._begin("come_back", now, "somebody is there" if self.attended else "")
        self.attended = True
        self._alarm_at = None
        self._absences[-1]["to"] = now

    def repair(self, now: float) -> None:
        """Make a broken box work again."""
        self._begin("repair", now)
        self._say("cleared", now, code=self._broken)
        self._broken = ""
        self._rest()

    def power_cycle(self, now: float) -> None:
        """Switch it off and on: it starts with a new boot id."""
        self._begin("power_cycle", now)
        self._read_at = None
        self._electronics.power_cycle(now, self.build.boot_s)
        self._become(State.STARTING)

    def next_at(self) -> float | None:
        """When the box itself has something to say."""
        moments = [moment for moment in (self._read_at, self._alarm_at) if moment is not None]
        return min(moments, default=None)

    def tick(self, at: float) -> None:
        """Do what the box has to do at this moment."""
        if self._read_at is not None and self._read_at <= at:
            self._read_at = None
            faces = [die.face if die.flat and die.inside else 0 for die in self.dice]
            self._say("dice", at, faces=faces, flat=self._flat(), inside=self._inside())
        if self._alarm_at is not None and self._alarm_at <= at:
            self._alarm_at = None
            self._absences[-1]["told_at"] = at
            self._say("unattended", at, seconds=round(at - self._left_at))

    def hear(self, heard: Heard, now: float) -> None:
        """Take what the electronics understood."""
        match heard:
            case Asked():
                self._electronics.grant(heard)
            case Woke():
                self._rest()
                if self._broken:
                    self._say("fault", now, code=self._broken)
            case _:
                pass

    def _begin(self, hand: str, now: float, obstacle: str = "") -> None:
        pass_time(self, self._electronics, now)
        allow(SHAKER, hand, self.state, HANDS, obstacle)

    def _become(self, state: State) -> None:
        self.state = state
        self._electronics.show(state.value)

    def _rest(self) -> None:
        if self._broken:
            self._become(State.BROKEN)
        else:
            self._become(State.COVERED if self.covered else State.UNCOVERED)

    def _open(self) -> str:
        return "" if self.covered else "the lid is off"

    def _closed(self) -> str:
        return "the lid is on" if self.covered else ""

    def _say(self, name: str, at: float, **fields: object) -> None:
        self._electronics.say(name, at, **fields)

    def _faces(self) -> list[int]:
        return [die.face for die in self.dice]

    def _flat(self) -> bool:
        return all(die.flat for die in self.dice)

    def _inside(self) -> bool:
        return all(die.inside for die in self.dice)
