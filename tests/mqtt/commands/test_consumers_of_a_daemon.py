"""`felt run` with a consumer: what it acknowledges, what is ordered for it, and what `felt health` says."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from felt_protocols.events import person
from felt_simulators.listener import Listener

if TYPE_CHECKING:
    from pathlib import Path

    from tests.mqtt.commands.conftest import Kit

REPLAY = "felt/1/t-1/replay/pit"

pytestmark = [pytest.mark.asyncio, pytest.mark.long]


async def test_a_consumer_is_served_is_sent_what_is_ordered_for_it_and_is_seen_in_health(
    tmp_path: Path, kit: Kit
) -> None:
    table = kit.Daemon(tmp_path)
    with table.config.open("a", encoding="utf-8") as config:
        config.write("[consumers.pit]\n")
    table.start()
    hub = Listener("127.0.0.1", table.port, consumer="pit")
    running = asyncio.create_task(hub.run())
    try:
        await hub.until(lambda: len(hub.events) >= 1, 15.0)
        async with kit.client(table.people, table.port) as hall:
            order = hall.wish("replay", {"consumer": "pit", "after": 0})
            assert (await hall.ask("hall", order))["ok"]
            await hub.until(lambda: REPLAY in hub.topics, 15.0)
            [asked] = [row.event for row in table.facts("replay-asked")]
            assert isinstance(asked, person.ReplayAsked)
            assert (asked.consumer, asked.after, asked.request) == ("pit", 0, order.jti)
            assert (await hall.ask("hall", hall.wish("snapshot", {"consumer": "pit"})))["ok"]
            assert len(table.facts("snapshot-asked")) == 1
            refused = await hall.ask("hall", hall.wish("replay", {"consumer": "bar", "after": 0}))
            assert refused["why"] == "table t-1 has no consumer bar; there are: pit"
            denied = await hall.ask("ann", hall.wish("replay", {"consumer": "pit", "after": 0}))
            assert denied["code"] == "forbidden"
        head = table.health()["delivery"]["head"]
        await hub.until(lambda: hub.sequences[-1] >= head, 15.0)
        async with asyncio.timeout(15):
            while (seen := table.health()["delivery"])["delivered"] < head:  # noqa: ASYNC110 - it wakes nobody
                await asyncio.sleep(0.05)
        assert seen["held"] is None
        assert seen["consumers"]["pit"]["standing"] == "current"
        assert seen["consumers"]["pit"]["position"] >= head
        assert hub.unproved == 0
    finally:
        running.cancel()
        await asyncio.wait((running,))
        table.stop()
