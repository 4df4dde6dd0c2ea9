"""The wall clock steps by years while a table runs: with libfaketime, for the real daemon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mqtt.conftest import Broker, Hall

    from .programs import Table

    NewTable = Callable[..., Table]

# Debian's package faketime.
LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
PIT = "[consumers.pit]\n"

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.long,
    pytest.mark.skipif(not LIBRARIES, reason="libfaketime is not installed (Debian: faketime)"),
]


class Clock:
    """The wall clock of a table: so far from the real one."""

    def __init__(self, table: Table) -> None:
        self._file = table.folder / "clock"
        table.environment = {
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            # Only the wall clock steps; the kernel's goes on.
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def step(self, offset: str) -> None:
        """Set it."""
        fresh = self._file.with_suffix(".new")
        fresh.write_text(f"{offset}\n", encoding="ascii")
        fresh.replace(self._file)


@pytest.mark.fault(
    "eclipse-mosquitto/mosquitto#3238",
    "eclipse-mosquitto/mosquitto#3405",
    "rfmoz/tuptime#33",
    "balena-os/balena-supervisor#488",
)
async def test_steps_of_hours_and_years_lose_nothing_change_no_order_and_break_no_connection(
    any_broker: Broker, hall: Hall, new_table: NewTable
) -> None:
    table = new_table(any_broker.port, consumers=PIT)
    clock = Clock(table)
    clock.step("-5y")
    table.start()
    async with hall.listening(any_broker.port, "hub", consumer="pit") as hub:
        for offset in ("-5y", "+0", "+1h", "-1h", "+5y", "+0"):
            clock.step(offset)
            last = table.happen()
            await hub.until(lambda last=last: last in hub.sequences, 30.0)  # type: ignore[misc] # bound at once
        assert [one["online"] for one in hub.statuses] == [True]
        assert hub.sequences == list(range(1, len(hub.events) + 1))
        assert (hub.unproved, hub.doubles) == (0, 0)
        years = [int(one["time"][:4]) for one in hub.events if one["type"].endswith("dealer-came.v1")]
        assert years[0] + 5 == years[1] == years[3] == years[4] - 5 == years[5]
        seconds = [float(one["monotonic"]) for one in hub.events]
        assert seconds == sorted(seconds)


@pytest.mark.fault("eclipse-mosquitto/mosquitto#3238")
async def test_nothing_that_waits_grows_too_old_however_far_the_clock_steps(
    any_broker: Broker, hall: Hall, new_table: NewTable
) -> None:
    table = new_table(any_broker.port, consumers=PIT)
    clock = Clock(table)
    clock.step("+0")
    table.start()
    async with hall.listening(any_broker.port, "hub", consumer="pit") as hub:
        before = table.happen()
        await hub.until(lambda: before in hub.sequences, 30.0)
        await any_broker.kill()
        table.happen()
        clock.step("+5y")
        table.happen()
        table.stop()
        clock.step("-5y")
        table.start()
        last = table.happen()
        await any_broker.start()
        await hub.until(lambda: last in hub.sequences, 60.0)
        assert hub.sequences == list(range(1, len(hub.events) + 1))
        assert hub.unproved == 0
