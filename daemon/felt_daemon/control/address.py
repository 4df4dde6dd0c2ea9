"""The socket's place in the file system: one live daemon owns it, a dead one is never in the way."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from felt_protocols.errors import FeltError

if TYPE_CHECKING:
    from pathlib import Path

MODE: Final = 0o660
_BACKLOG = 64


class SocketTaken(FeltError):  # noqa: N818 - the name says what happened
    """The socket cannot be had: another daemon answers there, or something else lies in its place."""


class Listener:
    """A listening socket at a path, held until `close`.

    A lock beside it (`PATH.lock`) says whether the daemon that made a socket still lives: the kernel lets a
    lock go with its process, while a socket's file stays. The lock file itself is never removed, since two
    daemons could then lock two files of the same name.
    """

    def __init__(self, path: Path, socket_: socket.socket, lock: int) -> None:
        self.path = path
        self.socket = socket_
        self._lock = lock
        self._inode = path.stat().st_ino

    @classmethod
    def opened(cls, path: Path) -> Listener:
        """Listen at `path`, mode 0660, in place of what a dead daemon left.

        Raises `SocketTaken` where another daemon lives or the path is no socket, `OSError` where the folder
        cannot be written.
        """
        lock = _locked(path)
        try:
            _cleared(path)
            return cls(path, _listening(path), lock)
        except BaseException:
            os.close(lock)
            raise

    def close(self) -> None:
        """Stop listening and take the file away, if it is still this daemon's."""
        self.socket.close()
        with suppress(FileNotFoundError):
            if self.path.stat().st_ino == self._inode:
                self.path.unlink()
        os.close(self._lock)


def _locked(path: Path) -> int:
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise SocketTaken(f"another feltd is running with the control socket {path}") from None
    return lock


def _cleared(path: Path) -> None:
    """Take away the socket of a dead daemon; leave everything else alone."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise SocketTaken(f"{path} is there and is no socket; feltd does not remove it")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(0)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
        except BlockingIOError:
            pass  # its queue is full: somebody listens
    raise SocketTaken(f"something answers at the control socket {path}: another feltd is running")


def _listening(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.settimeout(0)
        listener.bind(str(path))
        # Nobody can connect before `listen`, so the mode is right before the first caller comes.
        path.chmod(MODE)
        listener.listen(_BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener
