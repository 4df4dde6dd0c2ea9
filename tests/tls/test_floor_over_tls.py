"""The floor's client and a table, each with its certificate, at a broker with the pages' access list."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import felt_floor

if TYPE_CHECKING:
    from tests.tls.conftest import Publishing, Site, TlsMosquitto

    from felt_daemon.config.model import Tls

DOCS = Path(__file__).parents[2] / "docs"

pytestmark = [pytest.mark.asyncio, pytest.mark.long]


def access_list() -> str:
    """What the page for integrators gives to tables, and the page on TLS to the consumer `pit`."""
    blocks = [
        block
        for page in ("mqtt.md", "tls.md")
        for block in re.findall(
            r"^```\w*\n(.*?)^```$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        )
    ]
    return "".join(block for block in blocks if block.startswith(("pattern write ", "user pit\n")))


async def test_a_consumer_gets_and_acknowledges_everything_over_a_renewal_of_the_table_s_certificate(
    tls_mosquitto: TlsMosquitto, publishing: Publishing, site: Site, served: Tls, table: Tls
) -> None:
    files = site.issue("consumer", "pit")
    tls = felt_floor.Tls(authority=files.authority, certificate=files.certificate, key=files.key)
    book = publishing.book
    last = book.add_cards(20)
    taken: list[int] = []
    async with tls_mosquitto(served, acl=access_list()) as broker:
        floor = felt_floor.Floor("localhost", broker.port, consumer="pit", tls=tls)
        async with (
            floor,
            publishing(broker.port, table, consumers="[consumers.pit]\n") as publisher,
            asyncio.timeout(60.0),
        ):
            async for event in floor.events():
                taken.append(event.sequence)
                await event.ack()
                if len(taken) == 20:
                    site.issue("table", "asia-1", into=table.certificate.parent)
                    await publisher.until(lambda: bool(publisher.certificates("renewed")))
                    last = book.add_cards(20)
                    publisher.tell({"committed": {"asia-1": last}})
                if len(taken) == 40:
                    break
            # Delivered is what the consumer has said that it has.
            await publisher.until(
                lambda: any(said["asia-1"].get("floor") == 40 for said in publisher.all("cursors"))
            )
    assert taken == list(range(1, 41))
