"""What people may do with a device, and the clear refusal when they cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from enum import Enum

    from felt_simulators.cards import Card


class Refused(Exception):  # noqa: N818 - a refusal is an answer of the device, no mistake of the program
    """A hand tried what the device does not allow now; nothing has changed. The text says why."""

    def __init__(self, device: str, hand: str, why: str) -> None:
        super().__init__(f"{device}: cannot {hand.replace('_', ' ')}: {why}")
        self.device = device
        self.hand = hand
        self.why = why


class CardSticks(Refused):
    """The hand did act: the card that it drew sticks half out, and the device has told so."""


def allow(
    device: str, hand: str, state: Enum, table: Mapping[str, frozenset[Enum]], obstacle: str = ""
) -> None:
    """Raise `Refused` unless the table lets this hand act in this state and there is no obstacle."""
    if state not in table[hand]:
        allowed = " or ".join(sorted(str(other.value) for other in table[hand]))
        raise Refused(device, hand, f"it is {state.value}, and must be {allowed}")
    if obstacle:
        raise Refused(device, hand, obstacle)


class TakesStack(Protocol):
    """A shoe into which a shuffler can put its stack."""

    def open_for_stack(self, now: float) -> None:
        """Make sure that a stack can come. Raises `Refused` when it cannot."""
        ...

    def load(self, cards: Sequence[Card], now: float) -> None:
        """Take it. Raises `Refused`."""
        ...
