"""A progressive station: a sensor for each seat's wager, a Start Game key, a keypad and a display.

Source: 58 Pa. Code § 687a.8(c), § 687a.9(b).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from felt_simulators.devices.electronics import Electronics, Told, Woke, pass_time
from felt_simulators.devices.hands import allow
from felt_simulators.devices.station_build import HANDS, Sensor, State, StationBuild
from felt_simulators.faults import STATION, Fault, Faults, UnknownFault

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from felt_simulators.devices.electronics import Heard, Send
    from felt_simulators.truth import Truth

ALONE_S = 5.0
"""A station that has not heard its host for so long shows no amount: it may have changed."""

OBEYS = frozenset({"lock", "unlock", "lamp", "show"})
_WORD = re.compile(r"[a-z][a-z0-9_-]{0,31}")


class ProgressiveStation:
    """The station: `receive`, `due` and `elapsed` for its line, and hands for people.

    A hand that cannot be made raises `Refused` and changes nothing; what the station makes of one is
    another matter. What a hand makes it say leaves with the next `elapsed`, which is then due at once.
    """

    def __init__(self, build: StationBuild, rng: random.Random, now: float) -> None:
        self.build = build
        self.state = State.OPEN
        self.faults = Faults(STATION, rng)
        self._rng = rng
        self._electronics = Electronics(build.identity(), self.faults, rng, now, obeys=OBEYS)
        self._sensors = {seat: Sensor() for seat in range(1, build.seats + 1)}
        # Seats whose wager left its sensor and is not in the tray: when that will be told.
        self._missing: dict[int, float] = {}
        self._keys = dict.fromkeys(build.keys, False)
        self._meters: dict[str, int] = {}
        self._heard_at = now
        self._alone = False
        self._broken = ""
        self._locks: list[dict[str, object]] = []
        self._moves: list[dict[str, object]] = []
        self._hands: list[dict[str, object]] = []
        self._orders: list[dict[str, object]] = []
        self._become(State.OPEN)

    @property
    def truth(self) -> Truth:
        """What really happened, as plain JSON; `felt_simulators.truth` says what its parts mean.

        `wagers`: the seats on whose sensors one lies; `moves`: each wager that was laid, taken or
        collected; `locks`: by what, the seats with a wager, and those that it told.
        """
        return {
            "family": STATION,
            "serial": self.build.serial,
            "boots": list(self._electronics.boots),
            "state": self.state.value,
            "wagers": [seat for seat, sensor in self._sensors.items() if sensor.wager],
            "moves": [dict(move) for move in self._moves],
            "locks": [dict(lock) for lock in self._locks],
            "hands": [dict(hand) for hand in self._hands],
            "keys": dict(self._keys),
            "lamps": {str(seat): pattern for seat, pattern in self.lamps.items()},
            "display": dict(self.display),
            "orders": [dict(order) for order in self._orders],
            "faults": list(self.faults.struck),
        }

    @property
    def lamps(self) -> Mapping[int, str]:
        """How the lamp of each seat shines: `off`, `on`, `slow` or `fast`."""
        works = self.state in {State.OPEN, State.LOCKED}
        return {seat: sensor.lamp if works else "off" for seat, sensor in self._sensors.items()}

    @property
    def display(self) -> Mapping[str, int]:
        """The amounts that people read, in cents by meter; none that may be an old one."""
        works = self.state in {State.OPEN, State.LOCKED}
        return dict(self._meters) if works and not self._alone else {}

    def receive(self, data: bytes, now: float) -> list[Send]:
        """Take what came over the line; give what is to be sent."""
        pass_time(self, self._electronics, now)
        frames = self._electronics.frames
        for heard in self._electronics.receive(data, now):
            self.hear(heard, now)
        if self._electronics.frames != frames:
            self._heard_at, self._alone = now, False
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
        """Put a fault in. Raises `UnknownFault` for one that this station cannot have."""
        pass_time(self, self._electronics, now)
        if fault.name.startswith("sensor-") and not 0 <= fault.number <= self.build.seats:
            raise UnknownFault(f"this station has the seats 1 to {self.build.seats}, not {fault.number}")
        self.faults.set(fault)
        self._stick(now)
        if not self._broken and (broken := self.faults.strike("unusable", now)):
            self._broken = broken.text
            if self.state is not State.STARTING:
                self._become(State.BROKEN)
                self._say("fault", now, code=self._broken)
        if self.faults.strike("reboot", now):
            self.power_cycle(now)
        self._electronics.fall_silent(now)

    def lift_fault(self, name: str, now: float) -> None:
        """Take a fault out again; a device that was silent speaks, and a sensor that stuck comes free."""
        pass_time(self, self._electronics, now)
        self.faults.lift(name)
        if name == "silent":
            self._electronics.speak_up()
        if name.startswith("sensor-stuck-"):
            self._free(name == "sensor-stuck-on", now)

    def place_bet(self, seat: int, now: float) -> None:
        """Lay a wager on the seat's sensor."""
        sensor = self._sensor("place_bet", seat, now)
        allow(STATION, "place_bet", self.state, HANDS, "a wager lies there" if sensor.wager else "")
        sensor.wager = True
        self._note("laid", seat, now)
        self._look(now)

    def take_bet(self, seat: int, now: float) -> None:
        """Take the wager from the seat's sensor, into whatever hand."""
        sensor = self._sensor("take_bet", seat, now)
        allow(STATION, "take_bet", self.state, HANDS, "" if sensor.wager else "no wager lies there")
        sensor.wager = False
        self._note("taken", seat, now)
        self._look(now)

    def press_start(self, now: float) -> None:
        """Press Start Game: what lies on the sensors is locked, and lights up."""
        self._begin("press_start", now)
        if self.state not in {State.OPEN, State.LOCKED}:
            return
        self._say("start_game", now)
        if self.state is State.OPEN:
            self._lock("key", now)

    def collect(self, now: float) -> tuple[int, ...]:
        """Sweep the wagers of the lit seats into the tray; give the seats."""
        pass_time(self, self._electronics, now)
        lit = tuple(seat for seat, sensor in self._sensors.items() if sensor.taken and sensor.wager)
        allow(STATION, "collect", self.state, HANDS, "" if lit else "no wager lies at a lamp that is lit")
        for seat in lit:
            self._sensors[seat].wager = self._sensors[seat].taken = False
            self._note("collected", seat, now)
        self._look(now)
        return lit

    def key_in(self, seat: int, rank: str, now: float) -> None:
        """Key in a winning hand; the rank is one word."""
        self._sensor("key_in", seat, now)
        known = "" if _WORD.fullmatch(rank) else "a hand is one word, as straight-flush"
        allow(STATION, "key_in", self.state, HANDS, known)
        told = self._tell("hand", now, seat=seat, rank=rank)
        self._hands.append({"seat": seat, "rank": rank, "at": now, "told": told})

    def turn_key(self, which: str, now: float, *, on: bool) -> None:
        """Turn a key switch."""
        known = "" if which in self._keys else f"it has no key {which}; it has {', '.join(self._keys)}"
        there = "it stands there" if self._keys.get(which) is on else ""
        self._begin("turn_key", now, known or there)
        self._keys[which] = on
        self._tell("key", now, which=which, on=on)

    def repair(self, now: float) -> None:
        """Make whatever is broken work again: the station, sensors that stick."""
        stuck = any(sensor.stuck is not None for sensor in self._sensors.values())
        self._begin("repair", now, "" if self._broken or stuck else "nothing is broken")
        if self._broken:
            self._say("cleared", now, code=self._broken)
            self._broken = ""
            self._start_over(now)
        for which in (True, False):
            self._free(which, now)

    def power_cycle(self, now: float) -> None:
        """Switch it off and on: it starts with a new boot id, open, and knows of no wager that it took."""
        self._begin("power_cycle", now)
        self._meters.clear()
        self._alone = False
        self._electronics.power_cycle(now, self.build.boot_s)
        self._become(State.STARTING)

    def next_at(self) -> float | None:
        """When the tray misses a wager, or the station sees that it is alone."""
        moments = list(self._missing.values())
        if self.state is not State.STARTING and not self._alone:
            moments.append(self._heard_at + ALONE_S)
        return min(moments, default=None)

    def tick(self, at: float) -> None:
        """Tell the wagers that the tray misses, and see whether the host is still there."""
        for seat in [seat for seat, due in self._missing.items() if due <= at]:
            del self._missing[seat]
            self._sensors[seat].taken = False
            self._say("bet_removed", at, seat=seat)
        if self.state is not State.STARTING and at >= self._heard_at + ALONE_S:
            self._alone = True

    def hear(self, heard: Heard, now: float) -> None:
        """Take what the electronics understood."""
        if isinstance(heard, Told):
            why = State.BROKEN.value if self._broken else self._obey(heard.name, heard.fields, now)
            self._orders.append({"name": heard.name, "at": now, "done": not why, **heard.fields})
            self._electronics.answer(heard.which, why)
        elif isinstance(heard, Woke):
            self._heard_at = now
            if self._broken:
                self._become(State.BROKEN)
                self._say("fault", now, code=self._broken)
            else:
                self._start_over(now)

    def _obey(self, name: str, fields: Mapping[str, object], now: float) -> str:
        """Carry out an order; say why it cannot be, or nothing."""
        match name, fields:
            case "lock", _:
                if self.state is State.OPEN:
                    self._lock("order", now)
            case "unlock", _:
                if self.state is State.LOCKED:
                    self._start_over(now)
            case "show", {"meter": str(meter), "cents": int(cents)}:
                self._meters[meter] = cents
            case _, {"seat": int(seat), "pattern": str(pattern)} if seat in self._sensors:
                self._sensors[seat].lamp = pattern
            case _:
                return "no-such-seat"
        return ""

    def _lock(self, by: str, now: float) -> None:
        """Take the wagers that the sensors see, and light them up."""
        self._become(State.LOCKED)
        told: list[int] = []
        for seat, sensor in self._sensors.items():
            sensor.taken = sensor.sees
            sensor.lamp = "on" if sensor.taken else "off"
            if sensor.taken:
                told.append(seat)
        wagers = [seat for seat, sensor in self._sensors.items() if sensor.wager]
        self._locks.append({"at": now, "by": by, "wagers": wagers, "told": list(told)})
        self._say("locked", now, seats=told)

    def _start_over(self, now: float) -> None:
        """Be open, with no wager taken; those that lie there are told anew."""
        self._missing.clear()
        for sensor in self._sensors.values():
            sensor.seen = sensor.taken = False
            sensor.lamp = "off"
        self._become(State.OPEN)
        self._look(now)

    def _look(self, now: float) -> None:
        """Tell what the sensors see that they have not seen before."""
        if self.state not in {State.OPEN, State.LOCKED}:
            return
        for seat, sensor in self._sensors.items():
            if sensor.sees is sensor.seen:
                continue
            sensor.seen = sensor.sees
            if self.state is State.OPEN:
                self._say("bet", now, seat=seat, present=sensor.seen)
            elif sensor.seen:
                self._laid_late(seat, sensor, now)
            elif sensor.taken and self.build.tray:
                self._missing[seat] = now + self.build.tray_s
            else:
                sensor.taken = False

    def _laid_late(self, seat: int, sensor: Sensor, now: float) -> None:
        """Take a wager that appears while locked; one that only lifted off and lies again is none."""
        if self._missing.pop(seat, None) is None and not sensor.taken:
            self._say("late_bet", now, seat=seat)

    def _stick(self, now: float) -> None:
        """Let sensors stick where that fault strikes."""
        for name, sees in (("sensor-stuck-on", True), ("sensor-stuck-off", False)):
            if fault := self.faults.strike(name, now):
                seat = fault.number or self._rng.randint(1, self.build.seats)
                self._sensors[seat].stuck = sees
        self._look(now)

    def _free(self, sees: bool, now: float) -> None:  # noqa: FBT001 - what the sensors that stick see
        for sensor in self._sensors.values():
            if sensor.stuck is sees:
                sensor.stuck = None
        self._look(now)

    def _sensor(self, hand: str, seat: int, now: float) -> Sensor:
        """The seat's sensor. Raises `Refused` for a seat that the table has not."""
        known = seat in self._sensors
        self._begin(hand, now, "" if known else f"there are the seats 1 to {self.build.seats}")
        return self._sensors[seat]

    def _note(self, what: str, seat: int, now: float) -> None:
        self._moves.append({"what": what, "seat": seat, "at": now})

    def _begin(self, hand: str, now: float, obstacle: str = "") -> None:
        pass_time(self, self._electronics, now)
        allow(STATION, hand, self.state, HANDS, obstacle)

    def _become(self, state: State) -> None:
        self.state = state
        self._electronics.show(state.value)

    def _tell(self, name: str, at: float, **fields: object) -> bool:
        """Say it, if the station makes anything of it."""
        works = self.state in {State.OPEN, State.LOCKED}
        if works:
            self._say(name, at, **fields)
        return works

    def _say(self, name: str, at: float, **fields: object) -> None:
        self._electronics.say(name, at, **fields)
