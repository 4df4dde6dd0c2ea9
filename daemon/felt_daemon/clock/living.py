"""Runs the daemon's main coroutine in the time that the environment names."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.clock.hosted import Host, HostedLoop, HostLost
from felt_daemon.clock.real import RealClock
from felt_protocols.hosting import HOST_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from felt_daemon.clock.contract import Clock

# The exit code of a simulated run that lost its host.
EXIT_HOST_LOST = 69


def run(main: Callable[[Clock], Awaitable[int]]) -> int:
    """Run `main` until it returns its exit code.

    With `FELT_HOST` in the environment, which names a Unix socket, time is the simulation host's and
    everything is marked as simulated; without it, time is real.
    """
    path = os.environ.get(HOST_VARIABLE)
    if not path:
        return asyncio.run(_called(main, RealClock()))
    try:
        host = Host(Path(path))
    except HostLost as error:
        print(f"felt: {error}", file=sys.stderr)  # noqa: T201 - there is no log yet
        return EXIT_HOST_LOST
    return _hosted(main, host)


async def _called(main: Callable[[Clock], Awaitable[int]], clock: Clock) -> int:
    return await main(clock)


def _hosted(main: Callable[[Clock], Awaitable[int]], host: Host) -> int:
    # Pauses are jittered by chance; the same run is to have the same ones each time.
    random.seed(host.clock.moment().start)
    try:
        with asyncio.Runner(loop_factory=lambda: HostedLoop(host)) as runner:
            return runner.run(_called(main, host.clock))
    except HostLost as error:
        print(f"felt: {error}; the simulated run ends here", file=sys.stderr, flush=True)  # noqa: T201 - as above
        # There is no time left in which to stop in an orderly way, and threads may wait for some.
        os._exit(EXIT_HOST_LOST)
    finally:
        host.close()
