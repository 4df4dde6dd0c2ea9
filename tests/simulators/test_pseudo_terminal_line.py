"""The far end of a line is a real pseudo-terminal under a symlink that hangs up and comes back."""

from __future__ import annotations

import os
import select
from typing import TYPE_CHECKING

import pytest

from felt_simulators.chance import seeded
from felt_simulators.faults import Fault
from felt_simulators.line import Line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    line = Line(tmp_path / "port", seeded(1))
    line.open()
    yield line
    line.close()


def opened(line: Line) -> int:
    return os.open(line.link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)


def readable(line: Line) -> bool:
    """Whether the host's bytes come within 2 s."""
    descriptor = line.fileno()
    assert descriptor is not None
    return bool(select.select([descriptor], [], [], 2.0)[0])


def heard(descriptor: int, size: int) -> bytes:
    """Read `size` bytes, or fail after 2 s."""
    data = b""
    while len(data) < size:
        assert select.select([descriptor], [], [], 2.0)[0], f"only {data!r} came"
        data += os.read(descriptor, size - len(data))
    return data


def test_bytes_go_both_ways_unchanged_and_are_counted(line: Line) -> None:
    host = opened(line)
    every = bytes(range(256))
    line.send(every, 0.0)
    assert heard(host, 256) == every
    os.write(host, every)
    assert readable(line)
    assert line.receive() == every
    assert (line.sent, line.received, line.overrun) == (256, 256, 0)
    os.close(host)


def test_nothing_is_echoed(line: Line) -> None:
    line.send(b"hello\n", 0.0)
    host = opened(line)
    assert heard(host, 6) == b"hello\n"
    os.write(host, b"!")
    assert readable(line)
    assert line.receive() == b"!"
    os.close(host)


def test_the_host_may_close_and_open_the_port_without_a_hang_up(line: Line) -> None:
    os.close(opened(line))
    assert line.receive() == b""
    host = opened(line)
    line.send(b"still there", 0.0)
    assert heard(host, 11) == b"still there"
    os.close(host)


def test_a_hang_up_ends_the_host_and_takes_the_link_away(line: Line) -> None:
    host = opened(line)
    line.hang_up(5.0)
    assert not line.up
    assert not line.link.is_symlink()
    assert line.fileno() is None
    line.send(b"lost", 5.0)
    assert select.select([host], [], [], 2.0)[0]
    assert os.read(host, 10) == b""
    os.close(host)
    assert line.due() is None


def test_the_line_comes_back_under_the_same_link_as_another_terminal(line: Line) -> None:
    before, host = line.link.readlink(), opened(line)
    line.set_fault(Fault("line-hang-up", 300), 5.0)
    assert line.due() == pytest.approx(5.3)
    line.elapsed(5.29)
    assert line.fileno() is None
    line.elapsed(5.31)
    assert line.fileno() is not None
    assert line.link.readlink() != before
    os.close(host)
    host = opened(line)
    line.send(b"back", 6.0)
    assert heard(host, 4) == b"back"
    os.close(host)


def test_a_line_that_hung_up_for_ever_comes_back_by_hand(line: Line) -> None:
    line.set_fault(Fault("line-hang-up", 0), 5.0)
    assert line.due() is None
    line.come_back()
    assert line.up


def test_what_nobody_reads_is_lost_and_never_blocks(line: Line) -> None:
    for _ in range(100):
        line.send(bytes(1000), 0.0)
    assert line.overrun > 0
    assert line.sent + line.overrun == 100_000


def test_an_unread_peer_leaves_the_hosts_bytes_until_the_fault_is_lifted(line: Line) -> None:
    host = opened(line)
    line.set_fault(Fault("line-unread"), 0.0)
    os.write(host, b"hello")
    assert line.fileno() is None
    assert line.receive() == b""
    line.lift_fault("line-unread")
    assert readable(line)
    assert line.receive() == b"hello"
    os.close(host)


def test_closing_takes_the_link_away(line: Line) -> None:
    line.close()
    assert not line.link.is_symlink()
