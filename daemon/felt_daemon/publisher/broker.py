"""A broker of our own, as a child process on 127.0.0.1: for the demo and for a table without a floor.

Debian's mosquitto where it is installed, else the one in the iotcore wheel. It keeps nothing on the disk:
the journal is what everything can be told from again.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import shutil
import socket
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from felt_protocols.errors import FeltError

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.publisher.backoff import Backoff

HOST = "127.0.0.1"
# Debian keeps daemons where an ordinary user's PATH does not look.
_DAEMON_FOLDERS = ("/usr/sbin", "/usr/local/sbin")
_READY_S = 10.0
_READY_EVERY_S = 0.02

# user: as root it would become another user, and then no longer end with its parent.
_MOSQUITTO = """\
user root
listener {port} 127.0.0.1
allow_anonymous true
persistence false
set_tcp_nodelay true
max_inflight_messages 100
max_queued_messages 100000
log_dest stderr
log_type error
"""

_IOTCORE = """\
id = 0

[router]
id = 0
max_connections = 1000
max_outgoing_packet_count = 200
max_segment_size = 1048576
max_segment_count = 3

[v5.1]
name = "v5"
listen = "127.0.0.1:{port}"
next_connection_delay_ms = 1

[v5.1.connections]
connection_timeout_ms = 60000
max_payload_size = 262144
max_inflight_count = 100
"""


class NoBroker(FeltError):  # noqa: N818 - the name says what is missing
    """A broker of our own was asked for and cannot be had; the text says what to install."""


@dataclass(frozen=True, slots=True)
class Program:
    """A broker to start: its name, its configuration with a place for the port, its command line.

    The command line is followed by the path of the configuration, which is called `file`.
    """

    name: str
    file: str
    settings: str
    command: tuple[str, ...]


def mosquitto() -> Program | None:
    """Debian's mosquitto, where it is installed."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *_DAEMON_FOLDERS))
    found = shutil.which("mosquitto", path=path)
    return None if found is None else Program("mosquitto", "mosquitto.conf", _MOSQUITTO, (found, "-c"))


def iotcore() -> Program | None:
    """The broker in the iotcore wheel, where it is installed."""
    if importlib.util.find_spec("iotcore") is None:
        return None
    # It logs each message as an error unless told to be silent.
    quiet = ("--log-level", "CRITICAL")
    # -P: nothing in the working directory may stand in for the package.
    return Program(
        "iotcore", "iotcore.toml", _IOTCORE, (sys.executable, "-P", "-m", "iotcore", *quiet, "--config")
    )


def chosen() -> Program:
    """The broker to start; raises NoBroker where there is none."""
    program = mosquitto() or iotcore()
    if program is None:
        raise NoBroker(
            "broker.mode is 'embedded', and there is no broker to embed. Install Debian's package"
            " 'mosquitto', or 'felt-daemon[embedded]' for the iotcore wheel, or set mode = 'external'"
        )
    return program


class EmbeddedBroker:
    """One broker process. It ends with its parent; `stop` it all the same."""

    def __init__(self, program: Program, port: int = 0) -> None:
        self.program = program
        self.port = port or _free_port()
        self._folder = Path(tempfile.mkdtemp(prefix="felt-broker-"))
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        """The process's id, None when there is none."""
        return None if self._process is None else self._process.pid

    @property
    def address(self) -> str:
        """HOST:PORT."""
        return f"{HOST}:{self.port}"

    async def start(self) -> None:
        """Start and wait until it takes connections; raises NoBroker with its own words if it does not."""
        if not _is_free(self.port):
            # Somebody else would answer for it.
            raise NoBroker(f"no broker can be started on {self.address}: another program listens there")
        settings = self._folder / self.program.file
        settings.write_text(self.program.settings.format(port=self.port), encoding="utf-8")
        with (self._folder / "errors").open("wb") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *_dies_with_its_parent(),
                *self.program.command,
                str(settings),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
        try:
            async with asyncio.timeout(_READY_S):
                while not await self._answers():
                    if self._process.returncode is not None:
                        raise NoBroker(self._last_words("ended at once"))
                    await asyncio.sleep(_READY_EVERY_S)
        except TimeoutError:
            await self._end()
            raise NoBroker(self._last_words(f"took no connection in {_READY_S:.0f} s")) from None

    async def ended(self) -> None:
        """Wait until the process ends, whatever the reason."""
        if self._process is not None:
            await self._process.wait()

    async def keep(self, backoff: Backoff, told: Callable[[str], None]) -> None:
        """Start it again, on the same port, whenever it ends; `told` hears why."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await self.ended()
            told(self._last_words("ended"))
            await asyncio.sleep(backoff.died(loop.time() - began))
            try:
                await self.start()
            except NoBroker:
                pass  # its words are told when it is tried again
            except OSError as error:
                told(f"the broker {self.program.name} cannot be started: {error}")

    async def stop(self) -> None:
        """End the process and remove what it was given."""
        await self._end()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            # It keeps nothing, so that there is nothing to say good-bye for; and iotcore's own handler of a
            # SIGTERM does not always come to an end.
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _answers(self) -> bool:
        try:
            _, writer = await asyncio.open_connection(HOST, self.port)
        except OSError:
            return False
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        return True

    def _last_words(self, what: str) -> str:
        errors = self._folder / "errors"
        words = errors.read_text(encoding="utf-8", errors="replace").strip() if errors.exists() else ""
        return f"the broker {self.program.name} on {self.address} {what}" + (
            f": {words[-400:]}" if words else ""
        )


def _dies_with_its_parent() -> tuple[str, ...]:
    """The command that has the kernel end the broker when this process dies, where there is one."""
    setpriv = shutil.which("setpriv")
    return () if setpriv is None else (setpriv, "--pdeathsig", "KILL", "--")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # What an earlier broker left behind is no other program.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
