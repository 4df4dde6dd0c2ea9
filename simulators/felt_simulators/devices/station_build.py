"""What kind of progressive station one is, the states it can be in, and which hands may act in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from felt_simulators.devices.electronics import Identity
from felt_simulators.faults import STATION

if TYPE_CHECKING:
    from collections.abc import Mapping


class State(Enum):
    """How the station is; the words go into its PONG."""

    STARTING = "starting"
    OPEN = "open"
    LOCKED = "locked"
    BROKEN = "broken"


HANDS: Mapping[str, frozenset[State]] = MappingProxyType(
    {
        "place_bet": frozenset(State),
        "take_bet": frozenset(State),
        "press_start": frozenset(State),
        "collect": frozenset({State.LOCKED}),
        "key_in": frozenset(State),
        "turn_key": frozenset(State),
        "repair": frozenset(State) - {State.STARTING},
        "power_cycle": frozenset(State),
    }
)


@dataclass(frozen=True, slots=True)
class StationBuild:
    """What kind of station it is.

    `tray`: the wagers that the dealer collects fall into a tray that knows each again; only then can it
    tell one that was taken back. `keys`: its key switches.
    """

    serial: str = "st-0001"
    model: str = "felt-sim-station"
    firmware: str = "1.0.0"
    seats: int = 6
    tray: bool = True
    keys: tuple[str, ...] = ("reset", "payout")
    tray_s: float = 2.0
    boot_s: float = 1.5

    def identity(self) -> Identity:
        """What it says of itself in HELLO."""
        capabilities = ("tray",) if self.tray else ()
        return Identity(STATION, self.model, self.serial, self.firmware, capabilities)


@dataclass(slots=True)
class Sensor:
    """One seat's sensor, and the wager that lies on it or does not.

    `stuck`: what it sees whatever lies there, None while it is sound. `seen`: what it last saw.
    `taken`: the station locked the wager, which is not collected yet.
    """

    wager: bool = False
    stuck: bool | None = None
    seen: bool = False
    taken: bool = False
    lamp: str = "off"

    @property
    def sees(self) -> bool:
        """Whether it sees a wager."""
        return self.wager if self.stuck is None else self.stuck
