"""The daemon as a program: started, stopped, killed, and what it wrote to its log."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_LAST_LINES = 15


class Program:
    """One run of a command. `fileno` is readable once it has ended; then `ended` reaps it.

    Whoever starts it calls `close`. Raises `OSError` when it cannot be started.
    """

    def __init__(self, command: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        self.log = log
        self.exit_code: int | None = None
        with log.open("ab") as sink:
            self._process = subprocess.Popen(  # noqa: S603 - the caller's own command line
                command,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                env={**os.environ, **environment},
            )
        self._pidfd = os.pidfd_open(self._process.pid)

    def fileno(self) -> int:
        """The descriptor that is readable when the program has ended."""
        return self._pidfd

    def ended(self) -> int:
        """The exit code of the program that has ended; negative when a signal ended it."""
        self.exit_code = self._process.wait()
        return self.exit_code

    def terminate(self) -> None:
        """Ask it to stop in an orderly way."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """Kill it: it has no time for anything."""
        self._send(signal.SIGKILL)

    def freeze(self) -> None:
        """Stop it as a debugger does: it is there and does nothing."""
        self._send(signal.SIGSTOP)

    def close(self) -> None:
        """See that it is gone."""
        if self.exit_code is None:
            self.kill()
            self.ended()
        os.close(self._pidfd)

    def last_lines(self) -> str:
        """The end of its log, indented, for a message to people."""
        try:
            text = self.log.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            # What the message is about matters more than its log.
            return f"\n    (its log cannot be read: {error.strerror})"
        lines = text.rstrip().splitlines()[-_LAST_LINES:]
        return "".join(f"\n    {line}" for line in lines) or "\n    (its log is empty)"

    def _send(self, number: signal.Signals) -> None:
        if self.exit_code is None:
            self._process.send_signal(number)
