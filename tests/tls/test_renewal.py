"""A table's certificate is renewed while the table runs: the publisher's own process and a real broker."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import shutil
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from tests.tls.conftest import Pit, Publishing, Site, TlsMosquitto

    from felt_daemon.config.model import Tls
    from felt_daemon.publisher.broker import EmbeddedBroker

    Listening = Callable[[int], AbstractAsyncContextManager[Pit]]

DAY = dt.timedelta(days=1)
HOST = "localhost"
NOT_YET_VALID = "the broker's certificate is not yet valid by the clock of this box"
OF_ANOTHER_PAIR = "it does not belong to {}: one of the two is of another pair"

pytestmark = [pytest.mark.asyncio, pytest.mark.long]


async def again(broker: EmbeddedBroker) -> None:
    """Kill a broker and start it again, on the same port and with its files as they are by now."""
    assert broker.pid is not None
    os.kill(broker.pid, signal.SIGKILL)
    await broker.ended()
    await broker.start()


async def test_a_new_pair_is_used_at_once_and_consumers_see_a_short_clean_reconnect(
    broker: EmbeddedBroker, publishing: Publishing, listening: Listening, site: Site, table: Tls
) -> None:
    book = publishing.book
    book.add_cards(5)
    async with listening(broker.port) as pit:
        async with publishing(broker.port, table) as publisher:
            await pit.until(lambda: pit.sequences == [1, 2, 3, 4, 5])
            site.issue("table", "asia-1", into=table.certificate.parent)
            await publisher.until(lambda: bool(publisher.certificates("renewed")))
            await pit.until(lambda: [one["online"] for one in pit.statuses] == [True, False, True])
            assert [one["reason"] for one in pit.statuses] == [None, "renewing", None]
            assert pit.statuses[0]["since"] < pit.statuses[2]["since"]
            last = book.add_cards(5)
            publisher.tell({"committed": {"asia-1": last}})
            await pit.until(lambda: pit.sequences == list(range(1, 11)))
        assert len(publisher.certificates("renewed")) == 1
        assert publisher.certificates("unusable") == []
        assert [one for one in publisher.all("broker") if one == "down"] == []


async def test_certificates_renewed_in_the_middle_of_a_round_lose_and_double_nothing(
    broker: EmbeddedBroker, publishing: Publishing, listening: Listening, site: Site, table: Tls
) -> None:
    async with listening(broker.port) as pit, publishing(broker.port, table) as publisher:
        await publisher.until(lambda: publisher.all("broker") == ["up"])
        last = 0
        for times in range(1, 6):
            site.issue("table", "asia-1", into=table.certificate.parent)
            while (
                len(publisher.certificates("renewed")) < times or publisher.all("broker").count("up") <= times
            ):
                last = publishing.book.add_cards(3)
                publisher.tell({"committed": {"asia-1": last}})
                await asyncio.sleep(0.005)  # a dealer is not faster
        await pit.until(lambda: bool(pit.sequences) and pit.sequences[-1] == last)
        assert pit.sequences == list(range(1, last + 1))
        reasons = [one["reason"] for one in pit.statuses]
        assert reasons == [None, *["renewing", None] * 5]


async def test_a_half_replaced_pair_is_told_once_and_the_old_one_stays_in_use_until_the_files_fit(
    broker: EmbeddedBroker, publishing: Publishing, site: Site, table: Tls
) -> None:
    fresh = site.issue("table", "asia-1")
    async with publishing(broker.port, table) as publisher:
        await publisher.until(lambda: publisher.all("broker") == ["up"])
        shutil.copyfile(fresh.certificate, table.certificate)
        await publisher.until(lambda: bool(publisher.certificates("unusable")))
        await again(broker)
        await publisher.until(
            lambda: publisher.all("broker")[-1] == "up" and len(publisher.all("broker")) > 2
        )
        assert publisher.certificates("unusable") == [
            {"unusable": f"{table.key}: {OF_ANOTHER_PAIR.format(table.certificate)}"}
        ]
        assert publisher.certificates("renewed") == []
        shutil.copyfile(fresh.key, table.key)
        await publisher.until(lambda: bool(publisher.certificates("renewed")))
        await publisher.until(lambda: len(publisher.certificates("seen")) > 6)
    assert len(publisher.certificates("unusable")) == 1


async def test_a_table_that_starts_with_a_key_of_another_pair_connects_once_it_has_its_own(
    broker: EmbeddedBroker, publishing: Publishing, site: Site, table: Tls
) -> None:
    good = table.key.read_bytes()
    shutil.copyfile(site.issue("table", "asia-1").key, table.key)
    why = f"{table.key}: {OF_ANOTHER_PAIR.format(table.certificate)}"
    async with publishing(broker.port, table) as publisher:
        await publisher.until(lambda: bool(publisher.all("trouble")))
        assert publisher.certificates("unusable") == [{"unusable": why}]
        table.key.write_bytes(good)
        await publisher.until(lambda: "up" in publisher.all("broker"))
        # however often it was tried
        assert publisher.all("trouble") == [f"no connection: {why}"]
        assert len(publisher.certificates("renewed")) == 1


@pytest.mark.fault("jetkvm/kvm#576", "espressif/esp-at#432")
async def test_a_broker_s_certificate_that_is_not_yet_valid_is_no_verdict_while_the_clock_is_not_set(
    tls_mosquitto: TlsMosquitto, publishing: Publishing, site: Site, table: Tls
) -> None:
    # As far as TLS can tell, this box has started with a clock of yesterday.
    early = site.issue("broker", HOST, hosts=(HOST,), begins=DAY)
    async with (
        tls_mosquitto(early) as broker,
        publishing(broker.port, table, clock_set=False) as publisher,
    ):
        await publisher.until(lambda: publisher.all("broker").count("down") > 3)
        assert publisher.all("trouble") == [
            f"no connection: {NOT_YET_VALID}, and that clock is not set yet: tried again"
        ]
        site.issue("broker", HOST, hosts=(HOST,), into=early.certificate.parent)
        await again(broker)
        await publisher.until(lambda: "up" in publisher.all("broker"))
        assert len(publisher.all("trouble")) == 1


async def test_every_certificate_in_use_is_told_with_its_end(
    tls_mosquitto: TlsMosquitto, publishing: Publishing, site: Site, table: Tls
) -> None:
    served = site.issue("broker", HOST, hosts=(HOST,), until=dt.timedelta(days=20))
    async with tls_mosquitto(served) as broker, publishing(broker.port, table) as publisher:
        await publisher.until(lambda: len(publisher.certificates("seen")) == 3)
    seen = {said["seen"]: dt.datetime.fromisoformat(said["until"]) for said in publisher.certificates("seen")}
    now = dt.datetime.now(dt.UTC)
    assert {which: (until - now).days for which, until in seen.items()} == {
        "table": 299,
        "authority": 3649,
        "broker": 19,
    }
