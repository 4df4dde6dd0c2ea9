"""The access list on the page for integrators, on a broker that keeps it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from felt_daemon.publisher import broker as brokers
from felt_daemon.publisher.adapter import (
    NO_MATCHING_SUBSCRIBERS,
    NOT_AUTHORIZED,
    SUCCESS,
    Access,
    Connection,
    Message,
)
from felt_protocols import topics

if TYPE_CHECKING:
    from tests.mqtt.commands.conftest import Kit
    from tests.mqtt.conftest import Hall

PAGE = (Path(__file__).parents[3] / "docs" / "mqtt.md").read_text(encoding="utf-8")


@pytest.mark.asyncio
@pytest.mark.long
async def test_the_page_lets_a_client_ask_and_nobody_read_what_is_anothers(
    hall: Hall, kit: Kit, tmp_path: Path
) -> None:
    [rules] = re.findall(r"```\n(pattern write .*?)```", PAGE, re.DOTALL)
    acl = tmp_path / "acl"
    acl.write_text(rules.replace("user pit-3", "user hall"), encoding="utf-8")
    acl.chmod(0o700)
    program = brokers.mosquitto()
    assert program is not None
    async with hall.running(hall.with_settings(program, f"acl_file {acl}\n")) as broker:
        (tmp_path / "password").write_text("any\n", encoding="utf-8")
        user = f'user = "t-1"\npassword_file = "{tmp_path}/password"'
        daemon = kit.Daemon(tmp_path, f'mode = "external"\nhost = "127.0.0.1"\nport = {broker.port}\n{user}')
        daemon.start()
        try:
            async with kit.client(daemon.people, broker.port, user="hall") as client:
                wish = client.wish("new-dealer")
                assert (await client.ask("hall", wish))["ok"]
                # The answer to somebody else is not for this user, although the subscription was granted.
                asked = client.wish("new-dealer")
                await client.send("new-dealer", client.signed("ann", asked))
                assert (await client.ask("hall", client.wish("new-dealer")))["ok"]
                assert {who for who, _ in client.answers} == {"hall"}
            access = Access(host="127.0.0.1", port=broker.port, client_id="x", user="hall")
            connection = await Connection.open(access, Message("will", b""), lambda *_: None)
            for topic, code in (
                (topics.command("t-1", "new-dealer"), SUCCESS),
                (topics.status("t-1"), NOT_AUTHORIZED),
                (topics.event("t-1", "person"), NOT_AUTHORIZED),
                (topics.reply("t-1", "ann"), NOT_AUTHORIZED),
            ):
                assert await connection.start(Message(topic, b"x")) == code, topic
            await connection.close(1.0)
            await only_its_own(broker.port)
        finally:
            daemon.stop()


async def only_its_own(port: int) -> None:
    """A table writes what it shows, and neither what its consumers say nor what is asked of it."""
    access = Access(host="127.0.0.1", port=port, client_id="y", user="t-2")
    connection = await Connection.open(access, Message("will", b""), lambda *_: None)
    for topic, code in (
        (topics.status("t-2"), NO_MATCHING_SUBSCRIBERS),
        (topics.ack("t-2", "rating"), NOT_AUTHORIZED),
        (topics.command("t-2", "new-dealer"), NOT_AUTHORIZED),
    ):
        assert await connection.start(Message(topic, b"x", retain=True)) == code, topic
    await connection.close(1.0)
