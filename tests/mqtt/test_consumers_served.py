"""Delivered means that the consumers have it: the real publisher, real brokers, consumers that come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.mqtt.conftest import Book, Broker, Hall


PIT = "[consumers.pit]\n"
TWO = "[consumers.pit]\n[consumers.rating]\n"

pytestmark = pytest.mark.asyncio


async def test_delivered_is_what_the_consumer_has_acknowledged(
    broker: Broker, book: Book, hall: Hall
) -> None:
    book.add_cards(40)
    async with hall.listening(broker.port, "other"), hall.publishing(book, broker.port, PIT) as floor:
        await floor.until(lambda: floor.cursors["broker"] == 40)
        assert floor.delivered == 0
        async with hall.listening(broker.port, "hub", consumer="pit") as hub:
            await hub.until(lambda: len(hub.events) == 40, 15.0)
            await floor.until(lambda: floor.delivered == 40)
            assert hub.sequences == list(range(1, 41))
            assert hub.unproved == 0
        assert floor.cursors["consumer:pit"] == 40
        assert floor.standings == {"pit": "current"}
