"""The serial port: what a line does to it, and that nothing on it ever waits."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import resource
import select
import termios
import time
from typing import TYPE_CHECKING

import pytest

from felt_drivers.port import terminal
from felt_drivers.port.serial import QUEUE_LIMIT, SerialPort
from felt_protocols.errors import LinkLost

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator

    from tests.drivers.conftest import Bench, FarEnd

pytestmark = pytest.mark.asyncio

HEARTBEAT_LIMIT_S = 0.25


class Ends:
    """One port that is open at one far end, and what it said."""

    def __init__(self, bench: Bench, far: FarEnd) -> None:
        self.bench = bench
        self.far = far
        self.received = b""
        self.lost: list[LinkLost] = []
        self.port = self.open()

    def open(self) -> SerialPort:
        """Open another port at the same path."""
        return SerialPort(
            str(self.far.link), 115_200, self.bench.clock, received=self._receive, lost=self.lost.append
        )

    def _receive(self, data: bytes) -> None:
        self.received += data


@pytest.fixture
def ends(bench: Bench) -> Iterator[Callable[[], Ends]]:
    """Opens a port at a far end that never answers; closes it after the test."""
    opened: list[Ends] = []

    def open_ends() -> Ends:
        far = bench.far("line")
        far.plug()
        far.turn_deaf()
        opened.append(Ends(bench, far))
        return opened[-1]

    yield open_ends
    for each in opened:
        each.port.close()


@contextlib.asynccontextmanager
async def beating() -> AsyncGenerator[None]:
    """A heartbeat that fails the test when the loop stood still for more than 250 ms."""
    gaps = [0.0]

    async def beat() -> None:
        last = time.monotonic()
        while True:
            await asyncio.sleep(0.01)
            now = time.monotonic()
            gaps.append(now - last)
            last = now

    task = asyncio.get_running_loop().create_task(beat())
    yield
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert max(gaps) < HEARTBEAT_LIMIT_S


async def test_bytes_arrive_as_they_are_and_are_counted(ends: Callable[[], Ends]) -> None:
    line = ends()
    everything = bytes(range(256)) * 4
    line.far.say(everything)
    await line.bench.until(lambda: line.received == everything)
    assert line.port.bytes_read == 1024


async def test_bytes_leave_within_the_call(ends: Callable[[], Ends]) -> None:
    line = ends()
    everything = bytes(range(256))
    line.port.write(everything)
    assert os.read(line.far.master, 1000) == everything
    assert (line.port.bytes_written, line.port.queued) == (256, 0)


async def test_the_port_is_raw_8n1_and_keeps_dtr(ends: Callable[[], Ends]) -> None:
    line = ends()
    iflag, oflag, cflag, lflag, ispeed, ospeed, cc = termios.tcgetattr(line.port.fileno())
    assert not iflag & (
        termios.ICRNL | termios.IXON | termios.BRKINT | termios.PARMRK | termios.INPCK | termios.ISTRIP
    )
    assert not oflag & termios.OPOST
    assert not lflag & (termios.ICANON | termios.ECHO | termios.ISIG)
    assert cflag & (termios.CSIZE | termios.PARENB | termios.CSTOPB) == termios.CS8
    assert not cflag & termios.HUPCL
    assert (ispeed, ospeed) == (termios.B115200, termios.B115200)
    assert (cc[termios.VMIN], cc[termios.VTIME]) == (1, 0)


async def test_a_hang_up_is_one_link_lost(ends: Callable[[], Ends]) -> None:
    line = ends()
    line.far.pull()
    await line.bench.until(lambda: line.lost)
    line.port.write(b"into the void")
    line.port.close()
    await line.bench.pass_time(0.1)
    assert [lost.why for lost in line.lost] == ["hung up"]
    assert str(line.far.link) in str(line.lost[0])
    assert not line.port.open


async def test_a_hang_up_that_is_met_while_writing_is_one_link_lost(ends: Callable[[], Ends]) -> None:
    line = ends()
    line.far.pull()
    line.port.write(b"into the void")
    line.port.write(b"and again")
    await line.bench.pass_time(0.1)
    assert [lost.why for lost in line.lost] == ["hung up"]


@pytest.mark.parametrize(
    "fault", [OSError(5, "EIO"), termios.error(5, "EIO"), ValueError("fd"), TypeError("None")]
)
@pytest.mark.parametrize("call", ["read", "write"])
async def test_whatever_a_port_call_raises_is_one_link_lost(
    ends: Callable[[], Ends], monkeypatch: pytest.MonkeyPatch, fault: Exception, call: str
) -> None:
    line = ends()
    true_call, fd = getattr(os, call), line.port.fileno()

    def failing(descriptor: int, rest: object) -> object:
        if descriptor == fd:
            raise fault
        return true_call(descriptor, rest)

    monkeypatch.setattr(os, call, failing)
    line.far.say(b"wake up")
    if call == "write":
        line.port.write(b"anything")
    await line.bench.until(lambda: line.lost)
    assert [lost.why for lost in line.lost] == ["hung up"]


@pytest.mark.parametrize("speed", [4], indirect=True)
async def test_a_far_end_that_does_not_read_costs_the_link_and_never_the_loop(
    ends: Callable[[], Ends],
) -> None:
    line = ends()
    async with beating():
        while not line.port.queued:
            line.port.write(bytes(1000))
        line.port.write(b"tail")
        await line.bench.until(lambda: line.lost)
    assert [lost.why for lost in line.lost] == ["write timed out"]


@pytest.mark.parametrize("speed", [4], indirect=True)
async def test_a_half_sent_frame_is_abandoned_and_not_sent_again(ends: Callable[[], Ends]) -> None:
    line = ends()
    while not line.port.queued:
        line.port.write(b"a" * 1000)
    line.port.write(b"b" * 1000)
    drained = os.read(line.far.master, 5)
    await line.bench.until(lambda: line.lost)
    assert line.lost[0].why == "write timed out"
    line.port = line.open()
    line.port.write(b"fresh")
    while not drained.endswith(b"fresh"):
        await line.bench.until(lambda: _is_readable(line.far.master))
        drained += os.read(line.far.master, 65_536)
    assert drained.startswith(b"aaaaa")
    assert set(drained) <= set(b"abfresh")
    assert drained.count(b"b") <= 1000, "what was cut short was sent again"


@pytest.mark.parametrize("speed", [4], indirect=True)
async def test_a_reader_that_was_slow_gets_everything_once_and_in_order(ends: Callable[[], Ends]) -> None:
    line = ends()
    sent = b""
    while not line.port.queued:
        piece = len(sent).to_bytes(4, "big") * 200
        line.port.write(piece)
        sent += piece
    line.port.write(b"last")
    sent += b"last"
    got = b""

    def drained() -> bool:
        nonlocal got
        got += _drain(line.far.master, 65_536)
        return len(got) >= len(sent)

    await line.bench.until(drained)
    assert got == sent
    assert line.port.queued == 0
    assert line.port.bytes_written == len(sent)
    await line.bench.pass_time(1.2)
    assert not line.lost, "the deadline is not for what is out"


async def test_the_queue_has_an_end(ends: Callable[[], Ends]) -> None:
    line = ends()
    longest = 0
    while not line.lost:
        line.port.write(bytes(1000))
        longest = max(longest, line.port.queued)
    assert [lost.why for lost in line.lost] == ["write queue full"]
    assert longest <= QUEUE_LIMIT


async def test_a_flood_leaves_the_loop_alive(ends: Callable[[], Ends]) -> None:
    line = ends()
    async with beating():
        end = time.monotonic() + 1.0
        while time.monotonic() < end:
            line.far.say(bytes(range(256)) * 16)
            await asyncio.sleep(0)
    assert line.port.bytes_read > 500_000
    assert not line.lost


async def test_a_second_opener_is_told_who_has_the_port_and_the_first_loses_no_byte(
    ends: Callable[[], Ends],
) -> None:
    line = ends()
    line.far.say(b"before ")
    with pytest.raises(LinkLost) as refused:
        line.open()
    line.far.say(b"after")
    await line.bench.until(lambda: line.received == b"before after")
    assert refused.value.why == "port busy"
    assert str(line.far.link) in str(refused.value)
    assert f"pid {os.getpid()}" in str(refused.value)


@pytest.mark.parametrize("speed", [10], indirect=True)
async def test_a_port_that_a_prober_has_locked_opens_when_the_prober_leaves(bench: Bench) -> None:
    far = bench.far("line")
    far.plug()
    prober = os.open(far.link, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(prober, fcntl.LOCK_EX)
    bench.supervise(bench.driver("line"))
    await bench.until(lambda: "DeviceLost" in bench.ledger.names())
    os.write(prober, b"AT\r")
    os.close(prober)
    await bench.until(lambda: "DeviceDrained" in bench.ledger.names(), within_s=20)


async def test_an_absent_port_is_told_as_absent(bench: Bench) -> None:
    with pytest.raises(LinkLost, match="port absent: /dev/no-such-port"):
        SerialPort("/dev/no-such-port", 9600, bench.clock, received=print, lost=print)


async def test_what_is_no_terminal_is_refused_by_name(bench: Bench) -> None:
    path = bench.folder / "letter"
    path.write_text("dear port")
    with pytest.raises(LinkLost, match=f"port refused: {path}"):
        SerialPort(str(path), 9600, bench.clock, received=print, lost=print)


async def test_a_forbidden_port_tells_its_owner_and_mode(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = bench.far("line")
    far.plug()
    true_open = os.open

    def refuse(path: str, flags: int, mode: int = 0o777) -> int:
        if path == str(far.link):
            raise PermissionError(13, "Permission denied")
        return true_open(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(LinkLost, match=r"no permission: .*owner \d+:\d+, mode [0-7]{3}"):
        SerialPort(str(far.link), 9600, bench.clock, received=print, lost=print)


async def test_a_port_that_takes_no_8n1_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    far = bench.far("line")
    far.plug()
    true_get = termios.tcgetattr

    answers = iter((False, False, True))

    def seven_bits_in_the_end(fd: int) -> list[object]:
        found = true_get(fd)
        if next(answers):
            found[2] = found[2] & ~termios.CSIZE | termios.CS7
        return list(found)

    monkeypatch.setattr(termios, "tcgetattr", seven_bits_in_the_end)
    with pytest.raises(LinkLost, match="refuses 8 data bits"):
        SerialPort(str(far.link), 9600, bench.clock, received=print, lost=print)


async def test_descriptors_from_1024_up_work(ends: Callable[[], Ends]) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    spare = [os.open("/dev/null", os.O_RDONLY) for _ in range(1100)]
    line = ends()
    try:
        assert line.port.fileno() >= 1024
        line.far.say(b"ping")
        await line.bench.until(lambda: line.received == b"ping")
        line.port.write(b"pong")
        assert os.read(line.far.master, 10) == b"pong"
        while not line.port.queued:
            line.port.write(bytes(1000))
        line.far.pull()
        await line.bench.until(lambda: line.lost)
    finally:
        line.port.close()
        for fd in spare:
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_closing_with_the_output_stopped_does_not_wait(ends: Callable[[], Ends]) -> None:
    line = ends()
    while not line.port.queued:
        line.port.write(bytes(1000))
    termios.tcflow(line.port.fileno(), termios.TCOOFF)
    start = time.monotonic()
    line.port.close()
    assert time.monotonic() - start < HEARTBEAT_LIMIT_S


async def test_a_port_that_keeps_its_unsent_bytes_is_closed_by_a_thread(
    ends: Callable[[], Ends], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ends()
    fd = line.port.fileno()
    monkeypatch.setattr(terminal, "unsent", _twelve_bytes)
    line.port.close()

    def closed() -> bool:
        try:
            os.fstat(fd)
        except OSError:
            return True
        return False

    await line.bench.until(closed)


async def test_only_real_ports_are_claimed_against_programs_that_ignore_locks(
    ends: Callable[[], Ends], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ends()
    get_exclusive = 0x80045440  # TIOCGEXCL; Source: ioctl_tty(2)
    assert fcntl.ioctl(line.port.fileno(), get_exclusive, bytes(4)) == bytes(4)
    monkeypatch.setattr(terminal, "_PSEUDO_TERMINALS", ())
    terminal.claim(line.port.fileno())
    assert fcntl.ioctl(line.port.fileno(), get_exclusive, bytes(4)) == b"\x01\x00\x00\x00"


def _twelve_bytes(_fd: int) -> int:
    return 12


def _is_readable(fd: int) -> bool:
    return bool(select.select([fd], [], [], 0)[0])


def _drain(fd: int, size: int) -> bytes:
    try:
        return os.read(fd, size)
    except BlockingIOError:
        return b""
