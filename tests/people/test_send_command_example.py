"""The example that sends a command, against a broker and somebody who answers as a table would."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiomqtt
import pytest
import pytest_asyncio

from felt_daemon.people.signed import who_signed
from felt_daemon.publisher.broker import EmbeddedBroker, chosen
from felt_protocols import topics
from felt_protocols.signed.claims import TokenRefused, Wanted
from felt_protocols.signed.making import pem_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from felt_daemon.people import Register

EXAMPLE = Path(__file__).parents[2] / "examples" / "send_command.py"
TABLE = "asia-1"


@pytest_asyncio.fixture
async def broker() -> AsyncIterator[tuple[str, int]]:
    """Run a broker."""
    one = EmbeddedBroker(chosen(), 0)
    await one.start()
    host, _, port = one.address.rpartition(":")
    yield host, int(port)
    await one.stop()


class Table:
    """Says that it is there, and answers the commands that the register's people sign."""

    def __init__(self, register: Register, mqtt: aiomqtt.Client) -> None:
        self._register = register
        self._mqtt = mqtt

    async def appear(self, start: str) -> None:
        """Publish the status of this run."""
        told = {"online": True, "start": start}
        await self._mqtt.publish(topics.status(TABLE), json.dumps(told), qos=1, retain=True)

    async def command(self) -> tuple[str, bytes]:
        """Wait for the next command: its name and its token."""
        message = await anext(aiter(self._mqtt.messages))
        place = topics.parse(str(message.topic))
        assert place is not None
        return place.item, bytes(message.payload)

    async def answer(self, start: str) -> None:
        """Carry out one command."""
        name, token = await self.command()
        wanted = Wanted(table=TABLE, start=start, command=name, now_s=None)
        reply: dict[str, Any]
        try:
            signed = who_signed(token, self._register, wanted)
        except TokenRefused as refused:
            reply = {"id": refused.jti, "ok": False, "code": refused.reason, "why": str(refused)}
        else:
            assert (signed.by.id, signed.claims.args) == ("pit-3", {"hold": 7})
            reply = {"id": signed.claims.jti, "ok": True, "sequence": 1042}
        await self._mqtt.publish(topics.reply(TABLE, "pit-3"), json.dumps(reply), qos=1)


@pytest_asyncio.fixture
async def table(broker: tuple[str, int], register: Register) -> AsyncIterator[Table]:
    """Connect a table, which has not appeared yet."""
    async with aiomqtt.Client(*broker, protocol=aiomqtt.ProtocolVersion.V5) as mqtt:
        await mqtt.subscribe(topics.commands_filter(TABLE), qos=1)
        yield Table(register, mqtt)


@pytest_asyncio.fixture
async def sender(
    broker: tuple[str, int], ben: Ed25519PrivateKey, tmp_path: Path
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start the example with the key of pit-3."""
    pem = tmp_path / "pit-3.pem"
    pem.write_bytes(pem_of(ben))
    host, port = broker
    words = (EXAMPLE, host, str(port), TABLE, "pit-3", pem, "7")
    child = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=asyncio.subprocess.PIPE)
    yield child
    await child.wait()


async def said(child: asyncio.subprocess.Process) -> str:
    """Give what it says before it ends."""
    output, _ = await child.communicate()
    return output.decode()


@pytest.mark.asyncio
async def test_the_example_tells_that_it_was_carried_out(
    table: Table, sender: asyncio.subprocess.Process
) -> None:
    await table.appear("0f3a9c52")
    await table.answer("0f3a9c52")
    assert await said(sender) == "done: row 1042\n"


@pytest.mark.long
@pytest.mark.asyncio
async def test_the_example_tells_why_it_was_refused(table: Table, sender: asyncio.subprocess.Process) -> None:
    await table.appear("0f3a9c52")
    await table.answer("aaaaaaaa")
    told = await said(sender)
    assert told.startswith("wrong-start: for the run 0f3a9c52, and this is aaaaaaaa")


@pytest.mark.long
@pytest.mark.asyncio
async def test_the_example_sends_nothing_twice(table: Table, sender: asyncio.subprocess.Process) -> None:
    await table.appear("0f3a9c52")
    await table.command()
    await table.appear("aaaaaaaa")
    assert (
        await said(sender)
        == "the table was started anew: look whether it was done before you send it again\n"
    )


def test_without_its_words_it_says_which_it_wants() -> None:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, EXAMPLE, "127.0.0.1"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "python send_command.py HOST PORT TABLE CLIENT KEY.pem HOLD" in done.stderr
    assert "Traceback" not in done.stderr
