"""A small program on the daemon's clock, in the daemon's place: it pings its devices and journals nothing.

Every 500 ms of link time it writes `ping N` to each port; what it hears it writes to the file named by its
argument, with the time at which it heard it. `table` timers ring after 24 hours of loop time.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
import tty
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from felt_daemon.clock import run

if TYPE_CHECKING:
    from felt_daemon.clock import Clock

EVERY_S = 0.5
DAY_S = 86_400.0


class Port:
    """One open port and its pings."""

    def __init__(self, name: str, path: str, clock: Clock, said: TextIO) -> None:
        self.read = self.written = 0
        self._name, self._clock, self._said = name, clock, said
        self._loop = asyncio.get_running_loop()
        self._fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._fd)
        self._loop.add_reader(self._fd, self._hear)
        self._count = 0
        self._due = clock.link_now()
        self.open = True
        self._ring()

    def _ring(self) -> None:
        if not self.open:
            return
        if self._clock.link_now() >= self._due - 1e-6:
            self._count += 1
            self.written += os.write(self._fd, b"ping %d\n" % self._count)
            self._due += EVERY_S
        self._loop.call_at(self._clock.loop_time(self._due), self._ring)

    def _hear(self) -> None:
        try:
            data = os.read(self._fd, 4096)
        except OSError:
            data = b""
        if not data:
            self.open = False
            self._loop.remove_reader(self._fd)
            os.close(self._fd)
            self._said.write(f"{self._name} hung up\n")
            return
        self.read += len(data)
        now = self._clock.moment().mono_ns
        self._said.write(f"{now} {self._name} {data.decode(errors='replace')!r}\n")


async def main(clock: Clock) -> int:
    """Ping until told to stop."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    # Line by line, so that a kill loses nothing of it.
    with Path(sys.argv[1]).open("a", encoding="utf-8", buffering=1) as said:  # noqa: ASYNC230 - before anything runs
        ports = {name: Port(name, path, clock, said) for name, path in clock.ports.items()}
        clock.links = lambda: {name: (port.read, port.written) for name, port in ports.items() if port.open}
        loop.call_later(DAY_S, lambda: said.write(f"{clock.moment().mono_ns} a day\n"))
        if "--thread" in sys.argv:
            # Real time, in which no simulated time may pass.
            await asyncio.to_thread(time.sleep, 0.05)
            said.write(f"{clock.moment().mono_ns} thread done\n")
        if "--outside" in sys.argv:
            # As while another process is waited for: pauses pass in real time, the table's time stands still.
            clock.busy = lambda: True
            await asyncio.sleep(0.3)
            clock.busy = lambda: False
            said.write(f"{clock.moment().mono_ns} waited outside\n")
        if "--die" in sys.argv:
            return 3
        await stop.wait()
        said.write(f"{clock.moment().mono_ns} stopped\n")
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
