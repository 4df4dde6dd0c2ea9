"""A program of a benchmark that is started again whenever it ends, as systemd would, but without a pause."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import TYPE_CHECKING, Final

from felt_simulators.floor.usage import children

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

AGAIN_S: Final = 0.05
# A program that is told to end, and what it has started, may take so long.
END_S: Final = 30.0


class Program:
    """A program that is started again whenever it ends.

    `words` are looked for in its lines; `saw` is which of them it has said since it was started.
    """

    def __init__(self, command: Sequence[str], log: Path, words: Sequence[str]) -> None:
        self._command = command
        self._log = log
        self._words = words
        self._news = asyncio.Event()
        self._killed = False
        self._process: asyncio.subprocess.Process | None = None
        self.saw: set[str] = set()
        self.starts = 0
        # Codes of ends that nobody brought about.
        self.ended_by_itself: list[int] = []
        # How often it did not end although it was told to.
        self.outstayed = 0

    @property
    def pid(self) -> int | None:
        """Its process, None between two."""
        return None if self._process is None else self._process.pid

    async def run(self) -> None:
        """Keep it running until cancelled; then end it in an orderly way."""
        while True:
            process = await asyncio.create_subprocess_exec(
                *self._command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
            )
            self._process, self._killed = process, False
            self.saw = set()
            self.starts += 1
            try:
                await self._follow(process)
            except asyncio.CancelledError:
                await self._end(process)
                raise
            self._process = None
            if not self._killed:
                self.ended_by_itself.append(process.returncode or 0)
                await asyncio.sleep(AGAIN_S)

    def kill(self) -> None:
        """Kill it where it stands."""
        if self._process is not None:
            self._killed = True
            self.saw = set()
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def until(self, word: str, limit_s: float) -> bool:
        """Wait until it has said this word since its start; whether it did in time."""
        try:
            async with asyncio.timeout(limit_s):
                while word not in self.saw:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return False
        return True

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(END_S):
                await self._follow(process)
        except TimeoutError:
            self.outstayed += 1
            # Its lines end when nobody has their other end any more, what it started included.
            for pid in (*children(process.pid), process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            await self._follow(process)

    async def _follow(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None  # noqa: S101 - it was asked for
        with self._log.open("ab") as log:
            async for line in process.stdout:
                log.write(line)
                said = {word for word in self._words if word.encode() in line}
                if said:
                    self.saw |= said
                    self._news.set()
        await process.wait()
