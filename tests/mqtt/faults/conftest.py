"""What a fault needs beside a broker and a publisher: tables as programs, and whoever comes late."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import uuid
from typing import TYPE_CHECKING, Any

import aiomqtt
import pytest
import pytest_asyncio

from .programs import DEADLINE_S, Table
from .ways import HOST, Namespace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path


@pytest.fixture
def new_table(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Make a table as a program, in a folder of its own; it is ended with the test."""
    made: list[Table] = []

    def make(port: int, **more: Any) -> Table:  # noqa: ANN401 - as Table has it
        folder = more.pop("folder", tmp_path / f"table-{len(made)}")
        made.append(Table(folder, port, **more))
        return made[-1]

    yield make
    for one in made:
        one.stop()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of four megabytes, where this process may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", "size=4m,mode=0755", "felt-test", str(folder))
    if subprocess.run(mount, check=False, capture_output=True).returncode != 0:  # noqa: S603 - a constant command
        pytest.skip("mounting a small file system needs root")
    yield folder
    subprocess.run(("umount", "-l", str(folder)), check=True)  # noqa: S603, S607 - a constant command


@pytest.fixture
def namespace() -> Iterator[Namespace]:
    """A network of its own, where this process may make one."""
    if os.geteuid() != 0 or shutil.which("ip", path="/usr/sbin") is None:
        pytest.skip("only root can make a network whose packets are dropped")
    one = Namespace()
    try:
        one.begin()
    except subprocess.CalledProcessError as refused:
        pytest.skip(f"this machine makes no network of its own: {refused.stderr.decode().strip()}")
    yield one
    one.end()


@pytest_asyncio.fixture
async def far_broker(namespace: Namespace, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a mosquitto at the other end of the namespace's link, on port 1883."""
    mosquitto = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin")
    if mosquitto is None:
        pytest.skip("mosquitto is not installed")
    settings = tmp_path / "far.conf"
    settings.write_text("user root\nlistener 1883\nallow_anonymous true\nlog_dest none\n", encoding="utf-8")
    command = ("/usr/sbin/ip", "netns", "exec", namespace.name, mosquitto, "-c", str(settings))
    process = await asyncio.create_subprocess_exec(*command)
    async with asyncio.timeout(DEADLINE_S):
        while not await _answers(namespace.address):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.05)
    yield namespace.address
    process.kill()
    await process.wait()


async def _answers(address: str) -> bool:
    try:
        _, writer = await asyncio.open_connection(address, 1883)
    except OSError:
        return False
    writer.close()
    return True


async def kept(port: int, topic: str, host: str = HOST) -> tuple[dict[str, Any], bool]:
    """What somebody hears of this topic who comes late, and whether it is marked as kept."""
    async with aiomqtt.Client(
        host, port, identifier=f"late-{uuid.uuid4().hex[:8]}", protocol=aiomqtt.ProtocolVersion.V5
    ) as client:
        await client.subscribe(topic, qos=1)
        async with asyncio.timeout(DEADLINE_S):
            message = await anext(aiter(client.messages))
    assert isinstance(message.payload, bytes)
    return json.loads(message.payload), message.retain


@pytest.fixture
def late() -> Callable[..., Any]:
    """Somebody who subscribes to a topic late."""
    return kept
