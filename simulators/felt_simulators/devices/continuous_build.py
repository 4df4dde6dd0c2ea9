"""What kind of continuous shuffler one is, the states it can be in, and which hands may act in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from felt_simulators.devices.electronics import Identity
from felt_simulators.devices.mouth import SENSOR
from felt_simulators.faults import CONTINUOUS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_simulators.devices.deal_keys import Setting

MOUTH = "mouth"


class State(Enum):
    """How the machine is; the words go into its PONG."""

    STARTING = "starting"
    EMPTY = "empty"
    READY = "ready"
    INTERRUPTED = "interrupted"
    BROKEN = "broken"


_AWAKE = frozenset(State) - {State.STARTING}
HANDS: Mapping[str, frozenset[State]] = MappingProxyType(
    {
        "put_back": frozenset({State.EMPTY, State.READY}),
        "draw": frozenset({State.READY}),
        "key_in": frozenset({State.EMPTY, State.READY}),
        "press_count": frozenset({State.EMPTY, State.READY}),
        "remove_all": frozenset({State.READY, State.BROKEN}),
        "clear_jam": frozenset({State.INTERRUPTED, State.BROKEN}),
        "repair": frozenset({State.BROKEN, State.READY, State.EMPTY}),
        "open_door": _AWAKE,
        "close_door": _AWAKE,
        "look_inside": _AWAKE,
        "drop_cards": frozenset(State),
        "search_rail": frozenset(State),
        "power_cycle": frozenset(State),
    }
)


@dataclass(frozen=True, slots=True)
class ContinuousBuild:
    """What kind of continuous shuffler it is.

    Cards go into `slots` of `slot_cards` each; with `ready_cards` or fewer in its mouth it empties another
    slot into it. `counts`: it tells how many were put back, taken out and are inside; `set_to`: it reads the
    faces of the cards that go face up in this deal.
    """

    serial: str = "cs-0001"
    model: str = "felt-sim-continuous"
    firmware: str = "1.0.0"
    counts: bool = True
    has_light: bool = True
    set_to: Setting | None = None
    slots: int = 48
    slot_cards: int = 10
    ready_cards: int = 8
    card_s: float = 0.1
    boot_s: float = 2.0

    def identity(self) -> Identity:
        """What it says of itself in HELLO."""
        offers = {
            "face-up": True,
            "count": self.counts,
            "light": self.has_light,
            "recognise": self.set_to is not None,
        }
        capabilities = tuple(name for name, there in offers.items() if there)
        return Identity(CONTINUOUS, self.model, self.serial, self.firmware, capabilities)


def where_broken(code: str) -> str:
    """The part that is broken when a fault has this code."""
    return MOUTH if code == SENSOR else "wheel"
