"""Is the table there? What others' gateways told wrongly, tried on ours."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from felt_simulators.listener import Listener

from .ways import way

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.mqtt.conftest import Book, Broker, Hall

    from .programs import Table
    from .ways import Namespace

    Late = Callable[..., Awaitable[tuple[dict[str, Any], bool]]]
    NewTable = Callable[..., Table]

pytestmark = [pytest.mark.asyncio, pytest.mark.long]
STATUS = "felt/1/asia-1/status"
OF_PROGRAM = "felt/1/t-1/status"
# keepalive_s of every table here.
KEEPALIVE_S = 5.0


def reported(listener: Listener) -> tuple[bool, str | None] | None:
    """What the program's status says: whether it is there, and why not."""
    status = listener.retained.get(OF_PROGRAM)
    return None if status is None else (status["online"], status["reason"])


@pytest.mark.fault("Koenkk/zigbee2mqtt#4854", "OctoPrint/OctoPrint-MQTT#94")
async def test_after_each_restart_of_the_broker_whoever_comes_late_sees_the_table_soon(
    broker: Broker, book: Book, hall: Hall, late: Late
) -> None:
    async with hall.publishing(book, broker.port) as floor:
        await floor.until(lambda: floor.broker == [(True, "")])
        for _ in range(2):
            await broker.kill()
            await floor.until(lambda: not floor.broker[-1][0])
            await broker.start()
            marked = False
            async with asyncio.timeout(15.0):
                while not marked:
                    # Whoever is quicker than the table hears it live, and comes again.
                    status, marked = await late(broker.port, STATUS)
                    assert status["online"] is True


@pytest.mark.fault("pinkywafer/PinkyLEDs#6", "arendst/Tasmota#7189")
async def test_killed_or_stopped_whoever_comes_late_sees_it_and_why(
    any_broker: Broker, new_table: NewTable, late: Late, hall: Hall
) -> None:
    table = new_table(any_broker.port)
    async with hall.listening(any_broker.port) as listener:
        for end, reason in ((table.kill, "failed"), (table.stop, "stopped")):
            table.start()
            await listener.until(lambda: reported(listener) == (True, None), 30.0)
            end()
            await listener.until(lambda reason=reason: reported(listener) == (False, reason), 30.0)
            status, marked = await late(any_broker.port, OF_PROGRAM)
            assert (status["online"], status["reason"], marked) == (False, reason, True)


@pytest.mark.fault("F1p/Home-Assistant-Mitsubishi-CN105-to-MQTT#60")
async def test_a_killed_box_is_lost_to_whoever_comes_late(
    any_broker: Broker, new_table: NewTable, late: Late, hall: Hall
) -> None:
    table = new_table(any_broker.port)
    async with hall.listening(any_broker.port) as listener:
        table.start()
        await listener.until(lambda: reported(listener) == (True, None), 30.0)
        # As when the power fails: nobody is left to say anything.
        os.kill(table.publisher, signal.SIGSTOP)
        publisher = table.publisher
        table.kill()
        os.kill(publisher, signal.SIGKILL)
        await listener.until(lambda: reported(listener) == (False, "lost"), 30.0)
        status, marked = await late(any_broker.port, OF_PROGRAM)
        assert (status["reason"], marked) == ("lost", True)


@pytest.mark.fault("jagheterfredrik/wallbox-mqtt-bridge#107", "jagheterfredrik/wallbox-mqtt-bridge#108")
async def test_an_old_connection_that_dies_half_open_does_not_put_a_living_table_offline(
    broker: Broker, book: Book, hall: Hall, late: Late
) -> None:
    async with way(broker.port) as road, hall.publishing(book, road.port) as floor:
        await floor.until(lambda: floor.broker == [(True, "")])
        road.swallow()
        await floor.until(lambda: len(floor.broker) >= 3 and floor.broker[-1] == (True, ""), 40.0)
        async with hall.listening(broker.port) as listener:
            await listener.until(lambda: listener.retained.get(STATUS, {}).get("online") is True, 15.0)
            since = listener.retained[STATUS]["since"]
            # Three times keepalive, in which any broker finds that the old one is dead.
            await asyncio.sleep(3 * KEEPALIVE_S)
            assert listener.retained[STATUS] == {**listener.retained[STATUS], "online": True, "since": since}
            await floor.add_cards(1)
            await floor.until(lambda: floor.delivered == 1)
        assert road.connections == 2
        status, marked = await late(broker.port, STATUS)
        assert (status["online"], marked) == (True, True)


@pytest.mark.fault("OctoPrint/OctoPrint-MQTT#77")
async def test_after_a_time_without_packets_the_table_says_again_that_it_is_there(
    namespace: Namespace, far_broker: str, new_table: NewTable, late: Late
) -> None:
    table = new_table(1883, host=far_broker)
    table.start()
    status, _ = await late(1883, OF_PROGRAM, far_broker)
    assert status["online"]
    namespace.cut()
    last = table.happen()
    async with asyncio.timeout(60):
        while table.connected:  # noqa: ASYNC110 - health tells nobody when it changes
            await asyncio.sleep(0.1)
    # The broker has to see it, too: it gives up after one and a half of keepalive.
    await asyncio.sleep(2 * KEEPALIVE_S)
    namespace.mend()
    listener = Listener(far_broker, 1883, "t-1", "listener")
    listening = asyncio.create_task(listener.run())
    try:
        await listener.until(lambda: last in listener.sequences, 60.0)
        await listener.until(lambda: reported(listener) == (True, None), 60.0)
    finally:
        listening.cancel()
        await asyncio.wait((listening,))
    again, marked = await late(1883, OF_PROGRAM, far_broker)
    assert (again["online"], marked) == (True, True)
    assert again["since"] > status["since"]
