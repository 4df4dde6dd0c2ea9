"""The device process's side: starts the publisher, keeps it running, and speaks with it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import random
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from felt_daemon.config.model import EmbeddedBroker as EmbeddedBrokerSettings
from felt_daemon.publisher.backoff import Backoff
from felt_daemon.publisher.bell import Bell
from felt_daemon.publisher.broker import EmbeddedBroker, Program, chosen
from felt_daemon.publisher.report import decoded, encoded
from felt_daemon.publisher.request import RemoteRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from felt_daemon.config import Config
    from felt_daemon.publisher.report import Line

_log = logging.getLogger(__name__)

# A publisher that has not read so many bytes is told only the last of everything, when it reads again.
_UNREAD_BYTES = 65_536
# More than the publisher's own limits for draining and for its farewell.
_STOP_S = 4.0
# A publisher that closed its end of the pipe is about to end.
_GONE_S = 1.0
_LINE_BYTES = 1_048_576


def _nothing(*_: object) -> None:
    return


@dataclass(frozen=True, slots=True, kw_only=True)
class Callbacks:
    """What the device process wants to hear. All run in its event loop and must be quick.

    cursors(stream, moved): how far everybody is, by the names of `delivery.py`; set the journal's cursors.
    consumers(stream, standings): how every consumer stands.
    suspended(stream, consumer, seq), returned(...): write a row about it, and set the cursor that says so.
    ack_refused(stream, refused): an acknowledgement was not taken, as in `report.py`; write a row about it.
    retained(topics): add them to the journal's list, then call `tell_noted`.
    broker(up, why): the broker is reached, or is not.
    lane(why, stream, seq, code): events wait at `seq`, "no-subscriber", "refused", "poison", or None again.
    dead_letter(stream, seq): write a row about it, then call `tell_skipped`.
    trouble(text): only people can put this right.
    certificate(said): something about certificates, as `report.py` has it.
    request(request): somebody asked for something over MQTT; then call `tell_answer`.
    uncounted(count): so many requests were turned away.
    failed(): a bug, here or in one of these; nothing more will be heard.
    """

    cursors: Callable[[str, Mapping[str, int]], None] = _nothing
    consumers: Callable[[str, Mapping[str, str]], None] = _nothing
    suspended: Callable[[str, str, int], None] = _nothing
    returned: Callable[[str, str, int], None] = _nothing
    ack_refused: Callable[[str, Mapping[str, str]], None] = _nothing
    retained: Callable[[Sequence[str]], None] = _nothing
    broker: Callable[[bool, str], None] = _nothing
    lane: Callable[[str | None, str, int, int], None] = _nothing
    dead_letter: Callable[[str, int], None] = _nothing
    trouble: Callable[[str], None] = _nothing
    certificate: Callable[[Mapping[str, str]], None] = _nothing
    request: Callable[[RemoteRequest], None] = _nothing
    uncounted: Callable[[int], None] = _nothing
    failed: Callable[[], None] = _nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Which run this is: the rule pack as one text, the journal's file, the run's id, the version."""

    pack: str
    journal: Path
    start: str
    version: str
    simulated: bool


class PublisherProcess:
    """The publisher child, started again with growing pauses whenever it dies.

    What it is told while it does not run is not lost: a new one reads the journal from its cursor. It is
    given the configuration and the pack of this run, whatever has become of their files since.
    """

    def __init__(self, config: Config, identity: Identity, callbacks: Callbacks) -> None:
        self._config = config
        self._identity = identity
        self._callbacks = callbacks
        self._broker: EmbeddedBroker | None = None
        self._child: asyncio.subprocess.Process | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._stopping = asyncio.Event()
        self._committed: dict[str, int] = {}
        self._bell = Bell()
        self._health: Mapping[str, Mapping[str, Any]] = {}
        self._now_us: int | None = None
        self._journal: Mapping[str, str] | None = None
        self._catching_up: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The child's process id, None while there is none."""
        return None if self._child is None else self._child.pid

    @property
    def broker(self) -> str:
        """HOST:PORT of the broker."""
        settings = self._config.broker
        if isinstance(settings, EmbeddedBrokerSettings):
            return "" if self._broker is None else self._broker.address
        return f"{settings.host}:{settings.port}"

    async def start(self, program: Program | None = None) -> None:
        """Start the embedded broker, if one is configured, and the child; raises NoBroker.

        `program` chooses the broker to embed; otherwise the first that is installed is taken.
        """
        settings = self._config.broker
        if isinstance(settings, EmbeddedBrokerSettings):
            self._broker = EmbeddedBroker(program or chosen(), settings.port)
            await self._broker.start()
            self._spawn(self._broker.keep(Backoff(random.uniform), self._callbacks.trouble))
        self._spawn(self._keep())

    def tell_committed(self, heads: Mapping[str, int]) -> None:
        """Rows are committed: the last seq of each stream. What `ring` has told is not told again."""
        self._committed.update(heads)
        if heads.get(self._config.table.id, 0) <= self._bell.rung:
            return
        self._tell({"committed": dict(heads)}, again=True)

    def ring(self, seq: int) -> None:
        """Rows of the table up to `seq` are committed: from any thread, and at once."""
        self._bell.ring(seq)

    def tell_health(self, health: Mapping[str, Mapping[str, Any]]) -> None:
        """The health of every device, by stream and device; about once a second."""
        self._health = health
        self._tell({"health": health}, again=True)

    def tell_clock(self, now_us: int | None) -> None:
        """What time it is, in microseconds since 1970; None while nobody can say. About once a second."""
        self._now_us = now_us
        self._tell({"clock": now_us}, again=True)

    def tell_journal(self, trouble: Mapping[str, str] | None) -> None:
        """Why the journal cannot be written, as a picture says it; None when it is written again."""
        self._journal = trouble
        self._tell({"journal": trouble}, again=True)

    def tell_answer(self, client: str, said: Mapping[str, Any]) -> None:
        """What became of a request. Nothing is kept for a child that is not there: it is asked for again."""
        self._tell({"answer": said, "client": client})

    def tell_noted(self, topics: Sequence[str]) -> None:
        """These retained topics are in the journal's list now."""
        self._tell({"noted": list(topics)})

    def tell_skipped(self, stream: str, seq: int) -> None:
        """The row about this dead letter is committed."""
        self._tell({"skipped": {stream: seq}})

    def tell_replay(self, stream: str, consumer: str, after: int) -> None:
        """A consumer is to be sent again what stands behind `after`."""
        self._tell({"replay": {stream: {"consumer": consumer, "after": after}}})

    def tell_snapshot(self, stream: str) -> None:
        """The whole picture is to be published again."""
        self._tell({"snapshot": stream})

    async def stop(self, reason: str = "stopped") -> None:
        """Let the child send what is left and say why the table goes offline; then end the broker."""
        self._stopping.set()
        if self._child is not None and self._child.returncode is None:
            self._tell({"committed": self._committed})
            self._tell({"stop": reason})
            await _gone(self._child, _STOP_S)
        self._bell.close()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._broker is not None:
            await self._broker.stop()

    def _spawn(self, work: Any) -> None:  # noqa: ANN401 - a coroutine of any kind
        task = asyncio.create_task(work)
        task.add_done_callback(self._over)
        self._tasks.append(task)

    def _over(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (bug := task.exception()) is not None:
            _log.error("the publisher's keeper failed", exc_info=bug)
            self._callbacks.failed()

    async def _keep(self) -> None:
        backoff = Backoff(random.uniform)
        loop = asyncio.get_running_loop()
        while not self._stopping.is_set():
            began = loop.time()
            child = await self._launch()
            try:
                await self._read(child)
            finally:
                await _gone(child, _GONE_S)
            if self._stopping.is_set():
                return
            pause_s = backoff.died(loop.time() - began)
            _log.warning("the publisher ended with code %s; again in %.1f s", child.returncode, pause_s)
            self._callbacks.broker(False, f"the publisher ended with code {child.returncode}")  # noqa: FBT003
            await asyncio.sleep(pause_s)

    async def _launch(self) -> asyncio.subprocess.Process:
        bell = self._bell.hang()
        try:
            self._child = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "felt_daemon.publisher",
                self._config.table.id,
                *self._options(bell),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LINE_BYTES,
                # Signals from a terminal are for the device process, which then says when to go.
                start_new_session=True,
                pass_fds=(bell,),
            )
        finally:
            os.close(bell)
        self._tell({"table": {"config": self._config.text, "pack": self._identity.pack}})
        if self._health:
            self._tell({"health": self._health})
        self._tell({"clock": self._now_us})
        if self._journal is not None:
            self._tell({"journal": self._journal})
        return self._child

    def _options(self, bell: int) -> list[str]:
        identity = self._identity
        options = ["--journal", str(identity.journal), "--start", identity.start]
        options += ["--release", identity.version, "--bell", str(bell)]
        if self._broker is not None:
            options += ["--broker", self._broker.address]
        if identity.simulated:
            options += ["--simulated"]
        return options

    async def _read(self, child: asyncio.subprocess.Process) -> None:
        assert child.stdout is not None  # noqa: S101 - it was asked for above
        async for line in child.stdout:
            self._hear(decoded(line))

    def _hear(self, line: Line) -> None:
        for name, value in line.items():
            if name in _HEARD:
                _HEARD[name](self._callbacks, value, line)

    def _tell(self, line: Line, *, again: bool = False) -> None:
        """Send a line. One that may be told `again` is left out while the child does not read."""
        stdin = None if self._child is None else self._child.stdin
        if stdin is None or stdin.is_closing():
            return
        if again and stdin.transport.get_write_buffer_size() > _UNREAD_BYTES:
            if self._catching_up is None or self._catching_up.done():
                self._catching_up = asyncio.create_task(self._catch_up(stdin))
            return
        stdin.write(encoded(line))

    async def _catch_up(self, stdin: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            await stdin.drain()
            stdin.write(encoded({"committed": self._committed}))
            stdin.write(encoded({"health": self._health}))
            stdin.write(encoded({"clock": self._now_us}))
            stdin.write(encoded({"journal": self._journal}))


def _each(call: Callable[[str, Any], None], of_streams: Mapping[str, Any]) -> None:
    for stream, value in of_streams.items():
        call(stream, value)


# What each line of the child leads to: its callbacks, the value under the line's name, and the line.
_HEARD: Mapping[str, Callable[[Callbacks, Any, Line], None]] = {
    "cursors": lambda to, value, _: _each(to.cursors, value),
    "consumers": lambda to, value, _: _each(to.consumers, value),
    "suspended": lambda to, value, line: to.suspended(line["stream"], value, line["seq"]),
    "returned": lambda to, value, line: to.returned(line["stream"], value, line["seq"]),
    "ack_refused": lambda to, value, line: to.ack_refused(line["stream"], value),
    "retained": lambda to, value, _: to.retained(value),
    "broker": lambda to, value, line: to.broker(value == "up", line["why"]),
    "lane": lambda to, value, line: to.lane(value, line["stream"], line["seq"], line["code"]),
    "dead_letter": lambda to, value, line: to.dead_letter(line["stream"], value),
    "trouble": lambda to, value, _: to.trouble(value),
    "certificate": lambda to, value, _: to.certificate(value),
    "request": lambda to, value, _: to.request(RemoteRequest.model_validate(value)),
    "uncounted": lambda to, value, _: to.uncounted(value),
}


async def _gone(child: asyncio.subprocess.Process, limit_s: float) -> None:
    """Wait for the child's end, and bring it about after `limit_s`."""
    try:
        async with asyncio.timeout(limit_s):
            await child.wait()
    except TimeoutError:
        _log.warning("the publisher does not end and is killed")
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        await child.wait()
