"""What kind of automated dealing shoe one is, the states it can be in, and which hands may act in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from felt_simulators.devices.electronics import Identity
from felt_simulators.faults import SHOE

if TYPE_CHECKING:
    from collections.abc import Mapping


class State(Enum):
    """What the shoe is doing; the words go into its PONG."""

    STARTING = "starting"
    EMPTY = "empty"
    READY = "ready"
    DEALING = "dealing"
    JAMMED = "jammed"
    STOPPED = "stopped"
    BROKEN = "broken"


_AWAKE = frozenset(State) - {State.STARTING}
HANDS: Mapping[str, frozenset[State]] = MappingProxyType(
    {
        "load": frozenset({State.EMPTY}),
        "press_deal": frozenset({State.READY}),
        "press_one": frozenset({State.READY}),
        "draw_card": frozenset({State.READY}),
        "take_stack": frozenset(State) - {State.DEALING},
        "remove_rest": frozenset({State.EMPTY, State.READY, State.BROKEN}),
        "clear_jam": frozenset({State.JAMMED, State.STOPPED, State.BROKEN}),
        "repair": frozenset({State.BROKEN}),
        "open_door": _AWAKE,
        "close_door": _AWAKE,
        "power_cycle": frozenset(State),
    }
)


@dataclass(frozen=True, slots=True)
class ShoeBuild:
    """What kind of shoe it is.

    `counts`: it tells how many cards were taken out at the end; `counts_loading`: also how many were put
    in. `size` is the stack's when the permit says none.
    """

    serial: str = "so-0001"
    model: str = "felt-sim-shoe"
    firmware: str = "1.0.0"
    counts: bool = True
    counts_loading: bool = False
    size: int = 7
    stack_s: float = 1.5
    boot_s: float = 2.0

    def identity(self) -> Identity:
        """What it says of itself in HELLO."""
        capabilities = ("stacks", "face-up", *(("count",) if self.counts else ()))
        return Identity(SHOE, self.model, self.serial, self.firmware, capabilities)
