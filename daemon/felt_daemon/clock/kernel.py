"""What the kernel says about its own clock."""

from __future__ import annotations

import ctypes
from pathlib import Path

# Source: adjtimex(2). The clock is not synchronized while this bit of `status` is set.
STA_UNSYNC = 0x0040
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class _Timex(ctypes.Structure):
    """The head of `struct timex`; the C library writes a longer one, hence the room at its end."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("room", ctypes.c_byte * 256),
    )


_adjtimex = ctypes.CDLL(None, use_errno=True).adjtimex


def synchronized() -> bool:
    """Whether the kernel holds its wall clock for synchronized.

    Whatever keeps the time (systemd-timesyncd, chrony, ntpd, ptp4l) tells the kernel so, and the kernel
    takes it back after some hours without news. No right is needed to ask. Source: adjtimex(2).
    """
    timex = _Timex()
    if _adjtimex(ctypes.byref(timex)) < 0:
        return False
    return not timex.status & STA_UNSYNC


def boot_id() -> str:
    """The kernel's random id of this boot."""
    return _BOOT_ID.read_text(encoding="ascii").strip()
