"""A broker that forgot every subscription: the table subscribes again, and commands are answered."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from felt_daemon.publisher import broker as brokers

if TYPE_CHECKING:
    from pathlib import Path

    from tests.mqtt.commands.conftest import Kit
    from tests.mqtt.conftest import Hall


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.fault(
    "zwave-js/zwave-js-ui#3109",
    "home-assistant/core#7958",
    "mqttjs/MQTT.js#895",
    "eclipse-paho/paho.mqtt.c#221",
    "chirpstack/chirpstack-gateway-bridge#183",
)
async def test_after_each_restart_of_the_broker_a_command_is_answered_soon(
    hall: Hall, kit: Kit, tmp_path: Path
) -> None:
    program = brokers.mosquitto()
    assert program is not None
    assert "persistence false" in program.settings
    async with hall.running(program) as broker:
        daemon = kit.Daemon(tmp_path, f'mode = "external"\nhost = "127.0.0.1"\nport = {broker.port}')
        daemon.start()
        try:
            for number in range(1, 3):
                await broker.kill()
                await broker.start()
                began = time.monotonic()
                async with kit.client(daemon.people, broker.port) as client:
                    wish = client.wish("new-dealer")
                    [answer] = await client.ask_until_answered(wish, client.signed("ann", wish))
                assert time.monotonic() - began < 15.0
                assert answer["ok"]
                assert len(daemon.facts("dealer-came")) == number
        finally:
            daemon.stop()
