"""The clock of a simulated run: time comes from the host's socket.

The event loop, and everything that runs in it, is the same as at a real table.
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any, TypeVar

from typing_extensions import override

from felt_daemon.clock.contract import never_busy, no_links
from felt_daemon.clock.hosted_selector import HostedSelector
from felt_protocols.errors import FeltError
from felt_protocols.events import Moment
from felt_protocols.hosting import Greeting, Idle, Messages, Reading, Turn, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor
    from pathlib import Path

    from felt_protocols.hosting import Message

_S_IN_NS = 1_000_000_000
_GREETING_TIMEOUT_S = 10.0
_READ_SIZE = 65536
_Result = TypeVar("_Result")


class HostLost(FeltError):  # noqa: N818 - the name says what happened to the host
    """The host of the simulated run is gone, and time with it."""


class HostedClock:
    """What the host last said about time."""

    simulated = True

    def __init__(self, greeting: Greeting) -> None:
        self.ports: Mapping[str, str] = greeting.ports
        self.busy: Callable[[], bool] = never_busy
        self.links: Callable[[], Mapping[str, tuple[int, int]]] = no_links
        self.reading: Reading = greeting.clock
        self._boot = greeting.boot
        self._start = greeting.start

    @property
    def trusted(self) -> bool:
        """Whether the host says that the wall clock is synchronized."""
        return self.reading.trusted

    def moment(self, *, late: bool = False, age_s: float = 0.0) -> Moment:
        """The moment `age_s` seconds ago."""
        age_ns = round(age_s * _S_IN_NS)
        return Moment(
            boot=self._boot,
            start=self._start,
            mono_ns=self.reading.now_ns - age_ns,
            utc_us=self.reading.utc_us - age_ns // 1000,
            trusted=self.trusted,
            late=late,
        )

    def link_now(self) -> float:
        """Seconds since the run's beginning without the leaps."""
        return (self.reading.now_ns - self.reading.leapt_ns) / _S_IN_NS

    def loop_time(self, link_t: float) -> float:
        """The loop's time at this link time."""
        return link_t + self.reading.leapt_ns / _S_IN_NS


class Host:
    """The daemon's end of the time socket."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._messages = Messages()
        self._told: Idle | None = None
        self._turn = 0
        try:
            self._socket.settimeout(_GREETING_TIMEOUT_S)
            self._socket.connect(str(path))
            self.clock = HostedClock(self._greeting())
            self._socket.settimeout(None)
        except OSError as error:
            self._socket.close()
            raise HostLost(f"no time host at {path}: {error.strerror or error}") from error
        except FeltError:
            self._socket.close()
            raise

    def fileno(self) -> int:
        """The descriptor that is readable when the host has said something."""
        return self._socket.fileno()

    def listen(self) -> Turn | None:
        """Take what the host has said, the last turn if it gave one. Raises `HostLost`."""
        turn: Turn | None = None
        for message in self._messages.receive(self._read()):
            turn = self._taken(message)
        return turn

    def tell(self, due_ns: int | None) -> None:
        """Say that nothing is runnable before `due_ns`, unless the host knows it. Raises `HostLost`."""
        idle = Idle(self._turn, due_ns, dict(self.clock.links()))
        if idle == self._told:
            return
        try:
            self._socket.sendall(encode(idle))
        except OSError as error:
            raise HostLost("the time host is gone") from error
        self._told = idle

    def close(self) -> None:
        """Leave the host."""
        self._socket.close()

    def _greeting(self) -> Greeting:
        while True:
            # The host says nothing more before it has heard from us.
            for message in self._messages.receive(self._read()):
                if not isinstance(message, Greeting):
                    raise HostLost("the time host did not begin with its greeting")
                return message

    def _read(self) -> bytes:
        try:
            data = self._socket.recv(_READ_SIZE)
        except ConnectionError as error:
            raise HostLost("the time host is gone") from error
        if not data:
            raise HostLost("the time host is gone")
        return data

    def _taken(self, message: Message) -> Turn:
        if not isinstance(message, Turn):
            raise HostLost(f"a time host gives turns, not {type(message).__name__}")
        self._turn = message.number
        self.clock.reading = message.clock
        return message


class HostedLoop(asyncio.SelectorEventLoop):
    """An event loop that lives in the host's time."""

    def __init__(self, host: Host) -> None:
        self._hosted = HostedSelector(host)
        self._clock = host.clock
        super().__init__(self._hosted)

    @override
    def time(self) -> float:
        """Seconds of the host's time."""
        return self._clock.reading.now_ns / _S_IN_NS + self._hosted.crept_s

    @override
    def run_in_executor(  # type: ignore[override]  # typeshed gives it a coroutine's type, asyncio a future's
        self, executor: Executor | None, func: Callable[..., _Result], *args: Any
    ) -> asyncio.Future[_Result]:
        """Run it in a thread; time stands still until it is done."""
        future: asyncio.Future[_Result] = super().run_in_executor(executor, func, *args)
        self._hosted.away += 1
        future.add_done_callback(self._returned)
        return future

    def _returned(self, _future: asyncio.Future[Any]) -> None:
        self._hosted.away -= 1
