"""A broker of our own: which one is taken, where it listens, and that it never outlives its parent."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from felt_daemon.config import load
from felt_daemon.publisher import broker as brokers
from felt_daemon.publisher.backoff import Backoff
from felt_daemon.publisher.broker import EmbeddedBroker, NoBroker, Program
from felt_daemon.publisher.process import Callbacks, Identity, PublisherProcess
from felt_daemon.setup import pack_text_of

if TYPE_CHECKING:
    from tests.mqtt.conftest import Book, Broker, Hall

pytestmark = pytest.mark.asyncio


DEBIAN_S = Path("/usr/sbin/mosquitto")


def listening_on(port: int) -> list[str]:
    """The addresses, as the kernel writes them, on which somebody listens at a port."""
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    places = [line.split()[1].split(":") for line in lines if line.split()[3] == "0A"]
    return [address for address, number in places if int(number, 16) == port]


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.skipif(not DEBIAN_S.exists(), reason="mosquitto is not installed")
async def test_mosquitto_is_found_where_debian_hides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    program = brokers.mosquitto()
    assert program is not None
    assert program.command[0] == "/usr/sbin/mosquitto"
    assert brokers.chosen() == program


async def test_without_mosquitto_iotcore_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brokers, "_DAEMON_FOLDERS", ())
    monkeypatch.setenv("PATH", "/nowhere")
    assert brokers.mosquitto() is None
    assert brokers.chosen().name == "iotcore"


async def test_without_any_broker_the_error_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brokers, "mosquitto", lambda: None)
    monkeypatch.setattr(brokers, "iotcore", lambda: None)
    with pytest.raises(NoBroker, match=r"'mosquitto'.*'felt-daemon\[embedded\]'"):
        brokers.chosen()


async def test_it_listens_on_this_machine_only(broker: Broker) -> None:
    assert listening_on(broker.port) == ["0100007F"]


async def test_a_terminal_that_interrupts_us_does_not_interrupt_it(broker: Broker) -> None:
    assert broker.pid is not None
    assert os.getsid(broker.pid) == broker.pid != os.getsid(0)


async def test_a_port_of_another_program_is_left_alone(program: Program) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        one = EmbeddedBroker(program, port)
        with pytest.raises(NoBroker, match=f"on 127.0.0.1:{port}: another program listens there"):
            await one.start()
        await one.stop()


async def test_a_broker_that_ends_at_once_is_told_in_its_own_words(program: Program, hall: Hall) -> None:
    one = EmbeddedBroker(hall.with_settings(program, "what is this\n"))
    with pytest.raises(NoBroker, match=rf"{program.name} on 127.0.0.1:\d+ ended at once: .+"):
        await one.start()
    await one.stop()


async def test_it_goes_when_its_parent_is_killed(program: Program, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import asyncio, sys\n"
        "from felt_daemon.publisher import broker\n"
        "async def main():\n"
        f"    one = broker.EmbeddedBroker(broker.{program.name}())\n"
        "    await one.start()\n"
        "    print(one.pid, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n",
        encoding="utf-8",
    )
    parent = await asyncio.create_subprocess_exec(sys.executable, str(script), stdout=asyncio.subprocess.PIPE)
    assert parent.stdout is not None
    pid = int(await asyncio.wait_for(parent.stdout.readline(), 15.0))
    assert alive(pid)
    parent.kill()
    await parent.wait()
    async with asyncio.timeout(5.0):
        while alive(pid):  # noqa: ASYNC110 - somebody else's child can only be looked at
            await asyncio.sleep(0.01)


async def test_a_broker_that_dies_is_started_again_on_its_port(broker: Broker) -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    keeping = asyncio.create_task(broker.keep(Backoff(lambda low, _: low), told.put_nowait))
    first = broker.pid
    await broker.kill()
    assert f"{broker.program.name} on {broker.address} ended" in await asyncio.wait_for(told.get(), 5.0)
    async with asyncio.timeout(10.0):
        while broker.pid == first or not await broker._answers():  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.01)
    keeping.cancel()
    await asyncio.wait((keeping,))


async def test_a_broker_that_the_system_cannot_start_is_told_and_tried_again(any_broker: Broker) -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    keeping = asyncio.create_task(any_broker.keep(Backoff(lambda _, high: high), told.put_nowait))
    away = any_broker._folder.rename(any_broker._folder.with_suffix(".away"))
    await any_broker.kill()
    assert " ended" in await asyncio.wait_for(told.get(), 5.0)
    assert "cannot be started: [Errno 2] No such file" in await asyncio.wait_for(told.get(), 5.0)
    away.rename(any_broker._folder)
    async with asyncio.timeout(10.0):
        while not await any_broker._answers():  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.01)
    keeping.cancel()
    await asyncio.wait((keeping,))


async def test_stopped_it_leaves_no_process_and_no_file(program: Program) -> None:
    one = EmbeddedBroker(program)
    await one.start()
    pid, folder = one.pid, one._folder
    assert pid is not None
    assert folder.exists()
    await one.stop()
    assert not alive(pid)
    assert not folder.exists()
    await one.stop()


async def test_the_publisher_brings_an_embedded_broker_along(
    program: Program, book: Book, hall: Hall
) -> None:
    config = load(hall.config_file(book.path.parent, 'mode = "embedded"'))
    delivered: asyncio.Queue[int] = asyncio.Queue()
    process = PublisherProcess(
        config,
        Identity(
            pack=pack_text_of(config), journal=book.path, start="run-1", version="0.1.0", simulated=True
        ),
        Callbacks(cursors=lambda _, moved: delivered.put_nowait(moved["floor"])),
    )
    assert process.broker == ""
    await process.start(program)
    try:
        host, _, port = process.broker.partition(":")
        assert host == "127.0.0.1"
        async with hall.listening(int(port)) as listener:
            process.tell_committed({"asia-1": book.add_cards(3)})
            await listener.until(lambda: listener.sequences == [1, 2, 3], 15.0)
            while await asyncio.wait_for(delivered.get(), 5.0) != 3:
                pass
    finally:
        await process.stop()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(host, int(port))
