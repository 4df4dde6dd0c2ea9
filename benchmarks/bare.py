"""What benchmarks of the way to the floor share: a table at a broker, and the barest client there is.

The client is one blocking socket: what it costs is the broker's and the kernel's, and nothing of ours.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import collections
import contextlib
import getpass
import os
import select
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from configured import configuration_of
from jam_to_inhibit import Shoe, is_inhibit
from typing_extensions import override

from felt_simulators.floor import packets

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

TABLE: Final = "bench"
HOST: Final = "127.0.0.1"
ANSWER_S: Final = 30.0
START_S: Final = 300.0
READ_SIZE: Final = 65_536
# What `felt run` says when it serves its devices, and when its publisher is connected.
SERVES: Final = "is up; control socket"
TELLS: Final = "broker up"

_EXTERNAL: Final = """mode = "external"
host = "127.0.0.1"
port = {port}
keepalive_s = 5
{consumers}
[control.roles]
floor = {{ users = ["{user}"] }}
"""


def configuration(folder: Path, port: int, consumers: Sequence[str]) -> Path:
    """A table's configuration with a broker at this port, and these consumers.

    Its devices are `folder/shoe`, `folder/shuffler` and `folder/shaker`; whoever runs it is a floorperson.
    """
    sections = "\n".join(f"[consumers.{name}]" for name in consumers)
    external = _EXTERNAL.format(port=port, consumers=sections, user=getpass.getuser())
    text = configuration_of("659a", folder).replace('mode = "embedded"\n', external)
    text = text.replace(f"{folder}/no-", f"{folder}/")
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def felt() -> str:
    """The program `felt` beside this Python."""
    return str(Path(sys.executable).with_name("felt"))


class Said:
    """The lines of a process, and when it said what."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: list[tuple[float, str]] = []
        self._news = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def until(self, word: str, limit_s: float = START_S) -> float:
        """When it said this word for the first time (monotonic). Raises TimeoutError."""
        with self._news:
            if not self._news.wait_for(lambda: self._when(word) is not None, limit_s):
                raise TimeoutError(f"nothing was said of {word!r}")
            return self._when(word) or 0.0

    def _when(self, word: str) -> float | None:
        return next((at for at, line in self._lines if word in line), None)

    def _read(self) -> None:
        for line in self.process.stdout or ():
            with self._news:
                self._lines.append((time.monotonic(), line))
                self._news.notify_all()


@contextlib.contextmanager
def running(command: Sequence[str]) -> Generator[Said]:
    """A process and what it says; told to end with the block."""
    process = subprocess.Popen(  # noqa: S603 - our own programs
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield Said(process)
    finally:
        process.terminate()
        process.wait()


def consuming(broker: str, consumer: str, store: Path) -> contextlib.AbstractContextManager[Said]:
    """A consumer that stores and acknowledges, as a process."""
    program = [sys.executable, str(Path(__file__).with_name("consumer.py"))]
    return running([*program, "--broker", broker, "--consumer", consumer, "--store", str(store)])


class Client:
    """A connection to a broker, with what it subscribed to."""

    def __init__(self, port: int, name: str, filters: Sequence[str]) -> None:
        self._socket = socket.create_connection((HOST, port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._receiver = packets.Receiver()
        self._waiting: list[packets.Packet] = []
        self._number = 0
        self.send(packets.connect(name, 0, f"bench/{name}", b""))
        self.expect(packets.Connack)
        if filters:
            self.send(packets.subscribe(filters, self.number()))
            self.expect(packets.Suback)

    def fileno(self) -> int:
        """What to wait for."""
        return self._socket.fileno()

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def number(self) -> int:
        """The number of the next packet."""
        self._number = self._number % 65_535 + 1
        return self._number

    def send(self, data: bytes) -> None:
        """Send a packet."""
        self._socket.sendall(data)

    def expect(self, kind: type[packets.Packet]) -> packets.Packet:
        """The next packet of a kind; others before it are dropped. Raises TimeoutError."""
        while True:
            for packet in self.take(ANSWER_S):
                if isinstance(packet, kind):
                    return packet

    def take(self, within_s: float) -> list[packets.Packet]:
        """What comes in one go; messages are acknowledged. Raises TimeoutError when nothing comes."""
        if not select.select([self._socket], [], [], within_s)[0]:
            raise TimeoutError("the broker says nothing")
        data = self._socket.recv(READ_SIZE)
        if not data:
            raise ConnectionError("the broker hung up")
        found = list(self._receiver.take(data))
        for packet in found:
            if isinstance(packet, packets.Published) and packet.number is not None:
                self.send(packets.puback(packet.number))
        return found

    def until(self, wanted: Callable[[packets.Published], bool], limit_s: float = ANSWER_S) -> int:
        """When a message that is wanted has come (perf_counter_ns). Raises TimeoutError."""
        end_s = time.monotonic() + limit_s
        while True:
            found = self.take(max(0.0, end_s - time.monotonic()))
            now_ns = time.perf_counter_ns()
            if any(isinstance(packet, packets.Published) and wanted(packet) for packet in found):
                return now_ns


class WatchingShoe(Shoe):
    """A shoe that is a subscriber as well, in the same process and by the same clock.

    `inhibited_ns` is when the last inhibit came.
    """

    def __init__(self, path: Path, port: int, filters: Sequence[str]) -> None:
        super().__init__(path)
        self.inhibited_ns = 0
        self._subscriber = Client(port, "bench-shoe", filters)
        self._came: collections.deque[tuple[int, packets.Published]] = collections.deque()

    def close(self) -> None:
        """Leave the broker, and hang up."""
        self._subscriber.close()
        os.close(self.master)

    def happen(self, event: str, fields: dict[str, object]) -> int:
        """Tell something; when its bytes were handed over (ns). What came before is forgotten."""
        self._came.clear()
        items = self._session.happen(event, fields, time.monotonic())
        began_ns = time.perf_counter_ns()
        self._send(items)
        return began_ns

    def until(
        self, wanted: Callable[[packets.Published], int | None], limit_s: float = ANSWER_S
    ) -> tuple[int, int]:
        """When the first message came of which something is wanted (ns), and what. Raises TimeoutError."""
        end_s = time.monotonic() + limit_s
        while True:
            while self._came:
                at_ns, message = self._came.popleft()
                if (found := wanted(message)) is not None:
                    return at_ns, found
            left_s = end_s - time.monotonic()
            if left_s <= 0:
                raise TimeoutError("no such message came")
            self.serve(left_s)

    @override
    def idle(self, for_s: float) -> None:
        """Serve the link and the connection to the broker for a while."""
        with contextlib.suppress(TimeoutError):
            self.until(lambda _message: None, for_s)

    def serve(self, within_s: float) -> None:
        """Take what comes next, from whichever side."""
        ready, _, _ = select.select([self._subscriber.fileno(), self.master], [], [], within_s)
        if self._subscriber.fileno() in ready:
            found = self._subscriber.take(0.0)
            now_ns = time.perf_counter_ns()
            self._came += [(now_ns, one) for one in found if isinstance(one, packets.Published)]
        if self.master in ready:
            self.serve_device(0.0)

    def serve_device(self, within_s: float) -> None:
        """Take what comes next over the link."""
        data = self._read(within_s)
        now_ns = time.perf_counter_ns()
        self._send(self._session.receive(data, time.monotonic()))
        if any(is_inhibit(frame) for frame in self._decoder.receive(data)):
            self.inhibited_ns = now_ns
