"""What processes take of the processor and of memory, as the kernel counts it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
# Where in /proc/PID/stat, behind the name, the time in user and in kernel mode stands. Source: proc(5).
_USER, _SYSTEM = 11, 12


@dataclass(slots=True)
class Usage:
    """Seconds of processor time, and the most memory that was ever resident.

    Several processes may play the same part one after the other: `look` adds up their time.
    """

    cpu_s: float = 0.0
    peak_mb: float = 0.0
    _pid: int = 0
    _this_s: float = 0.0

    def look(self, pid: int) -> None:
        """Look at the process that plays the part; one that is gone leaves what was seen last."""
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
            status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        except (FileNotFoundError, ProcessLookupError):
            return
        if pid != self._pid:
            self._pid, self._this_s = pid, 0.0
        fields = stat.rpartition(")")[2].split()
        used_s = (int(fields[_USER]) + int(fields[_SYSTEM])) / _TICKS
        self.cpu_s += used_s - self._this_s
        self._this_s = used_s
        # A process that is about to end has no memory any more, and no such line.
        peaks = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
        self.peak_mb = max(self.peak_mb, *(int(peak) / 1000 for peak in peaks), 0.0)

    def document(self) -> dict[str, float]:
        """Both, rounded."""
        return {"cpu_s": round(self.cpu_s, 2), "peak_mb": round(self.peak_mb, 1)}


def children(pid: int) -> list[int]:
    """The processes that a process has started, and that are there."""
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
