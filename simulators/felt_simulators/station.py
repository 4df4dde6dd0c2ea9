"""One device on one line: what comes out of the one goes into the other. The time comes from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from felt_simulators.faults import LINE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from enum import Enum

    from felt_protocols.link.items import Send
    from felt_simulators.faults import Fault, Faults
    from felt_simulators.line import Line
    from felt_simulators.truth import Truth


class Device(Protocol):
    """What every simulated device offers to its line and to whoever looks after it."""

    faults: Faults

    @property
    def truth(self) -> Truth:
        """What really happened, as plain JSON."""
        ...

    def receive(self, data: bytes, now: float) -> Sequence[Send]:
        """Take what came over the line; give what is to be sent."""
        ...

    def due(self) -> float | None:
        """When `elapsed` has something to do; a moment that is past means at once."""
        ...

    def elapsed(self, now: float) -> Sequence[Send]:
        """Do what is due until now; give what is to be sent."""
        ...

    def set_fault(self, fault: Fault, now: float) -> None:
        """Put a fault in. Raises `UnknownFault` for one that the device cannot have."""
        ...

    def lift_fault(self, name: str, now: float) -> None:
        """Take a fault out again."""
        ...

    def power_cycle(self, now: float) -> None:
        """Switch the device off and on."""
        ...


class Machine(Device, Protocol):
    """A device at a table, where people look after it."""

    @property
    def state(self) -> Enum:
        """What it is doing; every device has a state `broken`."""
        ...

    def repair(self, now: float) -> None:
        """Make it work again. Raises `Refused` when it is not broken."""
        ...


class Station:
    """A device at the far end of its line.

    Call `turn` when the line's descriptor is readable, when `due` has come, and after a hand has acted.
    """

    def __init__(self, device: Device, line: Line) -> None:
        self.device = device
        self.line = line

    def fileno(self) -> int | None:
        """The descriptor to wait on; another one after every `turn` in which the line changed."""
        return self.line.fileno()

    def due(self) -> float | None:
        """When `turn` has something to do; a moment that is past means at once."""
        moments = (self.device.due(), self.line.due())
        return min((moment for moment in moments if moment is not None), default=None)

    def turn(self, now: float) -> None:
        """Read what the host has sent, let the time pass, write what is due."""
        self.line.elapsed(now)
        while data := self.line.receive():
            self._write(self.device.receive(data, now), now)
        self._write(self.device.elapsed(now), now)
        self.line.elapsed(now)

    def set_fault(self, fault: Fault, now: float) -> None:
        """Put a fault into the device or into its line. Raises `UnknownFault`."""
        if fault.suits(LINE):
            self.line.set_fault(fault, now)
        else:
            self.device.set_fault(fault, now)

    def lift_fault(self, name: str, now: float) -> None:
        """Take a fault out of both."""
        self.line.lift_fault(name)
        self.device.lift_fault(name, now)

    def _write(self, effects: Sequence[Send], now: float) -> None:
        for effect in effects:
            self.line.send(effect.data, now)
