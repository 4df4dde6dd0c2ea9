"""A terminal device opened for raw bytes: pyserial opens and configures it, then only its descriptor is used.

pyserial's own reading and writing wait with `select`, spin on a full buffer and fail for descriptors
from 1024 up; none of that is called here.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import struct
import termios
import threading
from pathlib import Path

import serial

from felt_protocols.errors import LinkLost

# What a port call can raise, on any kind of adapter, when the far end or the adapter is gone.
FAULTS = (serial.SerialException, OSError, termios.error, ValueError, TypeError)

_ABSENT = frozenset({errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ENOTDIR})
_DENIED = frozenset({errno.EACCES, errno.EPERM})
_BUSY = frozenset({errno.EBUSY, errno.EAGAIN})
_PSEUDO_TERMINALS = range(136, 144)  # major numbers of Unix 98 slaves; Source: Linux devices.txt
_IFLAG, _CFLAG, _CC = 0, 2, 6


def open_terminal(path: str, baud: int) -> int:
    """The descriptor of the terminal at `path`: ours alone, non-blocking, raw, 8N1.

    What was received before is thrown away. The caller closes it with `close_terminal`. Raises
    `LinkLost` whose `why` is "port absent", "no permission", "port busy" or "port refused".
    """
    try:
        port = serial.Serial(path, baud, exclusive=True, timeout=0)
    except FAULTS as fault:
        raise _explained(path, fault) from fault
    try:
        fd = os.dup(port.fileno())
    except FAULTS as fault:
        raise _explained(path, fault) from fault
    finally:
        port.close()
    try:
        _settle(fd)
    except FAULTS as fault:
        close_terminal(fd)
        raise _explained(path, fault) from fault
    return fd


def close_terminal(fd: int) -> None:
    """Close at once; what was not sent yet is thrown away.

    A driver that will not forget its unsent bytes makes the kernel wait for them for up to 30 s at the
    last close. Only then is the closing left to a thread, which does nothing but wait.
    """
    with contextlib.suppress(*FAULTS):
        termios.tcflush(fd, termios.TCOFLUSH)
    if unsent(fd):
        threading.Thread(target=_shut, args=(fd,), name="closing-port", daemon=True).start()
    else:
        _shut(fd)


def unsent(fd: int) -> int:
    """How many bytes the kernel has still to send; 0 when the port is gone."""
    with contextlib.suppress(*FAULTS):
        (count,) = struct.unpack("I", fcntl.ioctl(fd, termios.TIOCOUTQ, bytes(4)))
        return int(count)
    return 0


def holder(path: str) -> str:
    """Who has locked the port, as far as this system tells: `python3 (pid 812)`, or empty."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        port = Path(path).stat()
        # Source: proc(5), /proc/locks
        key = f"{os.major(port.st_dev):02x}:{os.minor(port.st_dev):02x}:{port.st_ino}"
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            words = line.split()
            if "FLOCK" in words and words[-3] == key:
                pid = int(words[-4])
                name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace").strip()
                return f"{name} (pid {pid})"
    return ""


def claim(fd: int) -> None:
    """Refuse the port to programs that do not look at locks either.

    A pseudo-terminal would keep the refusal after this process was killed, so it is left out there.
    """
    if os.major(os.fstat(fd).st_rdev) not in _PSEUDO_TERMINALS:
        fcntl.ioctl(fd, termios.TIOCEXCL)


def _settle(fd: int) -> None:
    """Finish what pyserial leaves open, and see that the port took its settings."""
    claim(fd)
    wanted = termios.tcgetattr(fd)
    # A break is one NUL, which ends a frame, and never flushes the queues.
    wanted[_IFLAG] &= ~termios.BRKINT
    # Keep DTR when the port is closed: many adapter boards restart when it falls.
    wanted[_CFLAG] &= ~termios.HUPCL
    # "Nothing there" is EAGAIN, so that a read of zero bytes can only mean a hang-up.
    wanted[_CC][termios.VMIN], wanted[_CC][termios.VTIME] = 1, 0
    termios.tcsetattr(fd, termios.TCSANOW, wanted)
    # tcsetattr succeeds when any one of the settings was taken.
    frame = termios.CSIZE | termios.CSTOPB | termios.PARENB
    if termios.tcgetattr(fd)[_CFLAG] & frame != termios.CS8:
        raise OSError(errno.EINVAL, "the port refuses 8 data bits, no parity, 1 stop bit")


def _explained(path: str, fault: BaseException) -> LinkLost:
    code = getattr(fault, "errno", None)
    if code in _ABSENT:
        return LinkLost("port absent", f"{path}: nothing there")
    if code in _DENIED:
        return LinkLost("no permission", f"{path}: {_ownership(path)}")
    if code in _BUSY:
        return LinkLost("port busy", f"{path}: held by {holder(path) or 'another program'}")
    return LinkLost("port refused", f"{path}: {fault}")


def _ownership(path: str) -> str:
    try:
        found = Path(path).stat()
    except OSError as fault:
        return str(fault)
    return f"owner {found.st_uid}:{found.st_gid}, mode {found.st_mode & 0o777:o}, we are {os.geteuid()}"


def _shut(fd: int) -> None:
    with contextlib.suppress(OSError):
        os.close(fd)
