"""What kind of shuffler one is, the states it can be in, and which hands may act in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from felt_simulators.devices.electronics import Identity
from felt_simulators.faults import SHUFFLER

if TYPE_CHECKING:
    from collections.abc import Mapping


class State(Enum):
    """What the shuffler is doing; the words go into its PONG."""

    STARTING = "starting"
    EMPTY = "empty"
    LOADED = "loaded"
    SHUFFLING = "shuffling"
    SHUFFLED = "shuffled"
    INTERRUPTED = "interrupted"
    BROKEN = "broken"


_AWAKE = frozenset(State) - {State.STARTING}
HANDS: Mapping[str, frozenset[State]] = MappingProxyType(
    {
        "load": frozenset({State.EMPTY}),
        "unload": frozenset({State.LOADED, State.SHUFFLED}),
        "insert": frozenset({State.SHUFFLED}),
        "clear_jam": frozenset({State.INTERRUPTED, State.BROKEN}),
        "repair": frozenset({State.BROKEN}),
        "switch_mode": frozenset({State.EMPTY, State.LOADED, State.SHUFFLED}),
        "open_door": _AWAKE,
        "close_door": _AWAKE,
        "look_inside": _AWAKE - {State.SHUFFLING},
        "drop_cards": frozenset(State),
        "search_rail": frozenset(State),
        "power_cycle": frozenset(State),
    }
)


@dataclass(frozen=True, slots=True)
class ShufflerBuild:
    """What kind of shuffler it is.

    `counts`: it tells how many cards went through; `counts_loading`: also how many were put in;
    `recognises`: it tells the composition; `has_light`: it has a light and tells its colour. `feeds_shoe`: it
    can put the shuffled stack straight into a shoe; `reshuffles`: it was approved as one that reshuffles the
    cards by itself, which changes what people must do (659a.5(f)) and nothing in what it tells. A batch of
    several decks wants a longer `shuffle_s`.
    """

    serial: str = "sh-0001"
    model: str = "felt-sim-shuffler"
    firmware: str = "1.0.0"
    counts: bool = True
    counts_loading: bool = False
    recognises: bool = False
    has_light: bool = True
    feeds_shoe: bool = False
    reshuffles: bool = False
    shuffle_s: float = 30.0
    boot_s: float = 2.0

    def identity(self) -> Identity:
        """What it says of itself in HELLO."""
        offers = {
            "count": self.counts,
            "composition": self.recognises,
            "light": self.has_light,
            "feed": self.feeds_shoe,
            "reshuffle": self.reshuffles,
        }
        capabilities = tuple(name for name, there in offers.items() if there)
        return Identity(SHUFFLER, self.model, self.serial, self.firmware, capabilities)
