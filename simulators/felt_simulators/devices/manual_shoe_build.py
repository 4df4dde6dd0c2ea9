"""What kind of manual shoe one is, the states it can be in, and which hands may act in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from felt_simulators.devices.electronics import Identity
from felt_simulators.faults import SHOE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_simulators.devices.deal_keys import Setting


class State(Enum):
    """How the shoe is; the words go into its PONG."""

    STARTING = "starting"
    EMPTY = "empty"
    READY = "ready"
    JAMMED = "jammed"
    STOPPED = "stopped"
    BROKEN = "broken"


# A shoe without a lock gives cards even where its electronics see nothing.
HANDS: Mapping[str, frozenset[State]] = MappingProxyType(
    {
        "load": frozenset({State.EMPTY}),
        "draw": frozenset({State.READY, State.BROKEN, State.STARTING}),
        "key_in": frozenset({State.EMPTY, State.READY}),
        "remove_rest": frozenset(State) - {State.JAMMED, State.STOPPED},
        "clear_jam": frozenset({State.JAMMED, State.STOPPED, State.BROKEN}),
        "look_inside": frozenset(State),
        "repair": frozenset({State.BROKEN, State.READY, State.EMPTY}),
        "lay_aside": frozenset(State),
        "take_aside": frozenset(State),
        "change_sides": frozenset({State.EMPTY, State.READY}),
        "power_cycle": frozenset(State),
    }
)


@dataclass(frozen=True, slots=True)
class ManualShoeBuild:
    """What kind of shoe it is.

    `locks`: an inhibit closes a shutter, otherwise it only lights a lamp; `counts`: it tells how many cards
    were taken out at the end; `counts_loading`: also how many were put in. `set_to`: it reads the faces of
    the cards that go face up in this deal. `double`: it has a second compartment. `feels`: as it starts it
    finds out whether any card is in it.
    """

    serial: str = "ms-0001"
    model: str = "felt-sim-manual-shoe"
    firmware: str = "1.0.0"
    locks: bool = True
    counts: bool = True
    counts_loading: bool = False
    set_to: Setting | None = None
    double: bool = False
    feels: bool = True
    boot_s: float = 2.0

    def identity(self) -> Identity:
        """What it says of itself in HELLO."""
        offers = {
            "face-up": True,
            "count": self.counts,
            "lock": self.locks,
            "recognise": self.set_to is not None,
            "double": self.double,
        }
        capabilities = tuple(name for name, there in offers.items() if there)
        return Identity(SHOE, self.model, self.serial, self.firmware, capabilities)
