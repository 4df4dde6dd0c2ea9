"""The far end of a serial line: a real pseudo-terminal under a symlink, with what can go wrong on it."""

from __future__ import annotations

import contextlib
import os
import tty
from typing import TYPE_CHECKING

from felt_simulators.faults import LINE, Fault, Faults
from felt_simulators.wire import Wire

if TYPE_CHECKING:
    import random
    from pathlib import Path

READ_SIZE = 4096


class Line:
    """The device's end of a serial line; the host opens `link` as if it were a serial port.

    `sent` and `received` count the bytes that went into the pseudo-terminal and came out of it; `overrun`
    those that the device sent and nobody took, lost as on a real line without flow control. Whoever opened
    it closes it.
    """

    def __init__(self, link: Path, rng: random.Random) -> None:
        self.link = link
        self.sent = 0
        self.received = 0
        self.overrun = 0
        self.faults = Faults(LINE, rng)
        self._wire = Wire(self.faults, rng)
        self._master: int | None = None
        self._slave: int | None = None
        self._back_at: float | None = None

    @property
    def up(self) -> bool:
        """Whether the line is there."""
        return self._master is not None

    def fileno(self) -> int | None:
        """The descriptor that is readable when the host has sent something.

        None while the line is hung up or left unread; another one after it came back.
        """
        if self.faults.waiting("line-unread"):
            return None
        return self._master

    def open(self) -> None:
        """Make a new pseudo-terminal and point the symlink to it. Raises `OSError`.

        A file that is in the way and is no symlink is left alone: `FileExistsError`.
        """
        if self._master is not None:
            return
        if self.link.exists() and not self.link.is_symlink():
            raise FileExistsError(f"{self.link} is there and is no symlink")
        # The slave stays open here too, so that the host's closing it is no hang-up of the device's end.
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        # Renaming replaces the old link in one step: the host never finds half of one.
        fresh = self.link.with_name(f".{self.link.name}.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(self._slave))
        fresh.replace(self.link)

    def close(self) -> None:
        """Hang up for good and take the symlink away."""
        self._drop_terminal()
        self._back_at = None
        self.link.unlink(missing_ok=True)

    def hang_up(self, now: float, back_after_s: float | None = None) -> None:
        """Hang up as if the plug were pulled; come back after `back_after_s`, or not by itself."""
        self._drop_terminal()
        self._wire.cut()
        self.link.unlink(missing_ok=True)
        self._back_at = None if back_after_s is None else now + back_after_s

    def come_back(self) -> None:
        """Appear again under the same symlink, which is another pseudo-terminal. Raises `OSError`."""
        self._back_at = None
        self.open()

    def set_fault(self, fault: Fault, now: float) -> None:
        """Put a line fault in. Raises `UnknownFault` for one of a device."""
        self.faults.set(fault)
        if fault.name == "line-hang-up" and self.faults.strike(fault.name, now):
            self.faults.lift(fault.name)
            self.hang_up(now, fault.number / 1000 if fault.number else None)

    def lift_fault(self, name: str) -> None:
        """Take a line fault out; a line that hung up for ever stays so until `come_back`."""
        self.faults.lift(name)

    def send(self, data: bytes, now: float) -> None:
        """Send what the device says; while the line is down it is lost."""
        if self._master is None:
            return
        self._wire.send(data, now)
        self.elapsed(now)

    def receive(self) -> bytes:
        """What the host has sent, or nothing; never waits."""
        descriptor = self.fileno()
        if descriptor is None:
            return b""
        try:
            data = os.read(descriptor, READ_SIZE)
        except BlockingIOError:
            return b""
        self.received += len(data)
        return data

    def due(self) -> float | None:
        """When `elapsed` has something to do."""
        moments = [moment for moment in (self._wire.due(), self._back_at) if moment is not None]
        return min(moments, default=None)

    def elapsed(self, now: float) -> None:
        """Write what is due, and come back when it is time."""
        if self._back_at is not None and self._back_at <= now:
            self.come_back()
        for piece in self._wire.elapsed(now):
            self._write(piece)

    def _write(self, piece: bytes) -> None:
        if self._master is None:
            return
        try:
            written = os.write(self._master, piece)
        except BlockingIOError:
            written = 0
        self.sent += written
        self.overrun += len(piece) - written

    def _drop_terminal(self) -> None:
        for descriptor in (self._master, self._slave):
            if descriptor is not None:
                with contextlib.suppress(OSError):
                    os.close(descriptor)
        self._master = self._slave = None
