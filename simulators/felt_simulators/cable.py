"""One simulated device on its line, in a simulated run: whose bytes are where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.faults import LINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from felt_protocols.link.items import Send
    from felt_simulators.faults import Fault
    from felt_simulators.line import Line
    from felt_simulators.station import Device


class Cable:
    """A device and its line.

    Nothing leaves before `flush`, so that the host decides in which order bytes set out. While nobody
    has the port open, what the device sends is lost, as on a plug without a listener.
    """

    def __init__(self, name: str, device: Device, line: Line) -> None:
        self.name = name
        self.device = device
        self.line = line
        self._outbox: list[bytes] = []
        self._open = False
        # The counters of line and daemon when the port was opened: only their growth is compared.
        self._sent_before = 0
        self._received_before = 0
        self._read_before = 0
        self._read = 0
        self._written = 0

    def observe(self, counters: tuple[int, int] | None, now: float) -> None:
        """Take the daemon's counters of this link: bytes read and written since it opened the port.

        None: its port is closed; the device still gets what was under way to it.
        """
        if counters is None:
            self.let_go(now)
            return
        if not self._open:
            self._open = True
            self._sent_before = self.line.sent
            self._received_before = self.line.received
            self._read_before = counters[0]
        self._read, self._written = counters

    def let_go(self, now: float) -> None:
        """Nobody has the port open any more."""
        if self._open:
            self._open = False
            self._drain(now)

    @property
    def going(self) -> int:
        """How many bytes are under way to the daemon."""
        if not self._open or not self.line.up:
            return 0
        return self.line.sent - self._sent_before - self.taken

    @property
    def taken(self) -> int:
        """How many bytes the daemon has read since it opened the port."""
        return self._read - self._read_before

    @property
    def coming(self) -> int:
        """How many bytes are under way to the device, or wait in a line that it does not read."""
        if not self._open or self.line.fileno() is None:
            return 0
        return self._written - (self.line.received - self._received_before)

    @property
    def waiting(self) -> bool:
        """Whether the device has something to send."""
        return bool(self._outbox)

    def receive(self, data: bytes, now: float) -> None:
        """Let the device have what came over the line."""
        self._keep(self.device.receive(data, now))

    def due(self) -> float | None:
        """When device or line has something to do."""
        moments = [moment for moment in (self.device.due(), self.line.due()) if moment is not None]
        return min(moments, default=None)

    def elapsed(self, now: float) -> None:
        """Let device and line do what is due."""
        self.line.elapsed(now)
        self._keep(self.device.elapsed(now))

    def flush(self, now: float) -> None:
        """Send what waits."""
        pieces, self._outbox = self._outbox, []
        if self._open:
            for piece in pieces:
                self.line.send(piece, now)

    def set_fault(self, fault: Fault, now: float) -> None:
        """Put a fault into the device or its line. Raises `UnknownFault`."""
        if fault.suits(LINE):
            self.line.set_fault(fault, now)
        else:
            self.device.set_fault(fault, now)

    def lift_fault(self, name: str, now: float) -> None:
        """Take a fault out again."""
        unread = self.line.fileno() is None
        self.line.lift_fault(name)
        self.device.lift_fault(name, now)
        if unread and self.line.fileno() is not None:
            self._catch_up(now)

    def truth(self) -> dict[str, object]:
        """What really happened at the device and on the line."""
        return {**self.device.truth, "line": {"faults": list(self.line.faults.struck)}}

    def _catch_up(self, now: float) -> None:
        """Read what piled up. The daemon may have thrown away part of it, so the count starts anew."""
        self._drain(now)
        self._received_before = self.line.received - self._written

    def _drain(self, now: float) -> None:
        while data := self.line.receive():
            self._keep(self.device.receive(data, now))

    def _keep(self, sendings: Sequence[Send]) -> None:
        self._outbox += [sending.data for sending in sendings]
