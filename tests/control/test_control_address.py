"""The socket's file: who may open it, what a dead daemon left, and that two daemons never share one."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from felt_daemon.control import Listener, SocketTaken

if TYPE_CHECKING:
    from pathlib import Path

DAEMON = (
    "import sys, time\n"
    "from pathlib import Path\n"
    "from felt_daemon.control import Listener\n"
    "listener = Listener.opened(Path(sys.argv[1]))\n"
    "print('listening', flush=True)\n"
    "time.sleep(60)\n"
)


def test_the_file_is_for_its_owner_and_its_group_whatever_the_umask(path: Path) -> None:
    before = os.umask(0o777)
    try:
        listener = Listener.opened(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    listener.close()
    assert not path.exists()


def test_the_socket_of_a_killed_daemon_is_replaced_and_that_of_a_living_one_is_not(path: Path) -> None:
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", DAEMON, str(path)], stdout=subprocess.PIPE
    ) as daemon:
        assert daemon.stdout is not None
        assert daemon.stdout.readline() == b"listening\n"
        with pytest.raises(SocketTaken, match=f"another feltd is running with the control socket {path}"):
            Listener.opened(path)
        assert path.exists()
        daemon.send_signal(signal.SIGKILL)
        daemon.wait()
    assert path.exists()
    Listener.opened(path).close()


def test_a_socket_that_somebody_answers_is_left_alone_even_without_a_lock(path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
        other.bind(str(path))
        other.listen(1)
        with pytest.raises(SocketTaken, match="something answers at the control socket"):
            Listener.opened(path)
        assert path.exists()
    # The refused daemon has let go of the lock, and nobody answers any more.
    Listener.opened(path).close()


def test_a_socket_whose_queue_is_full_is_a_living_one(path: Path) -> None:
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as waiting,
    ):
        other.bind(str(path))
        other.listen(0)
        waiting.connect(str(path))
        with pytest.raises(SocketTaken, match="something answers"):
            Listener.opened(path)


def test_a_file_that_is_no_socket_is_never_removed(path: Path) -> None:
    path.write_text("precious", encoding="utf-8")
    with pytest.raises(SocketTaken, match="is there and is no socket; feltd does not remove it"):
        Listener.opened(path)
    assert path.read_text(encoding="utf-8") == "precious"


def test_the_file_of_another_daemon_is_not_taken_away_at_the_end(path: Path) -> None:
    listener = Listener.opened(path)
    path.unlink()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
        other.bind(str(path))
        listener.close()
        assert path.exists()


def test_a_folder_that_is_not_there_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Listener.opened(tmp_path / "none" / "control")
