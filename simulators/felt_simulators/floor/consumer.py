"""The process of the floor's one consumer in a trial: takes events through felt_floor and stores them.

    python -m felt_simulators.floor.consumer --broker HOST:PORT --consumer pit --store FILE

A line is written before its event is acknowledged, so that a consumer that is killed goes on exactly where
its store ends. It says that it is there and, at its end, how it fared, in JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from felt_floor import Floor, Position
from felt_protocols.events import canonical
from felt_simulators.floor.book import fingerprint
from felt_simulators.floor.store import Stored, last_of_each

if TYPE_CHECKING:
    from felt_floor import Event, Trouble

_PERMISSIONS: Final = 0o600
# What is summed up over the tables at the end; felt_floor's health says what each is.
_COUNTS: Final = (
    "given",
    "doubled",
    "asked",
    "dropped",
    "left_out",
    "unproved",
    "conflicts",
    "unknown",
    "breaches",
    "unreadable",
    "missing",
)


class Consumer:
    """Stores and acknowledges until it is told to stop."""

    def __init__(self, store: Path) -> None:
        self._positions = {
            name: Position(last.epoch, last.sequence, last.hash) for name, last in last_of_each(store).items()
        }
        self._file = os.open(store, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _PERMISSIONS)
        self._troubles: dict[str, int] = {}

    async def run(self, host: str, port: int, name: str) -> dict[str, object]:
        """Take events until SIGTERM; how it fared."""
        async with Floor(
            host, port, consumer=name, positions=self._positions, on_trouble=self._trouble
        ) as floor:
            taking = asyncio.create_task(self._take(floor))
            for number in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(number, taking.cancel)
            _say({"up": True})
            with contextlib.suppress(asyncio.CancelledError):
                await taking
            health = floor.health()
        tables = health.tables.values()
        sums = {what: sum(getattr(table, what) for table in tables) for what in _COUNTS}
        return {"connections": health.connections, **sums, "troubles": self._troubles}

    async def _take(self, floor: Floor) -> None:
        async for event in floor.events():
            os.write(self._file, _stored(event).line())
            await event.ack()

    def _trouble(self, trouble: Trouble) -> None:
        self._troubles[trouble.kind] = self._troubles.get(trouble.kind, 0) + 1


def _stored(event: Event) -> Stored:
    place, short = event.position, fingerprint(event.type, canonical(event.data))
    return Stored(event.table, place.epoch, place.sequence, str(place.hash), short, time.monotonic_ns())


def _say(what: dict[str, object]) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - it is what the trial reads


def main() -> None:
    """Consume until SIGTERM."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--broker", required=True)
    parser.add_argument("--consumer", required=True)
    parser.add_argument("--store", type=Path, required=True)
    wanted = parser.parse_args()
    host, _, port = wanted.broker.rpartition(":")
    _say(asyncio.run(Consumer(wanted.store).run(host, int(port), wanted.consumer)))


if __name__ == "__main__":
    main()
