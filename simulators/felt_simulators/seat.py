"""The daemon's seat at a simulated run: the time socket, and the program that sits there."""

from __future__ import annotations

import selectors
import socket
from typing import TYPE_CHECKING

from felt_protocols.hosting import HOST_VARIABLE, Greeting, Idle, Messages, NoHosting, Turn, encode
from felt_simulators.program import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from felt_protocols.hosting import Reading

_READ_SIZE = 65536


class RunFailed(Exception):  # noqa: N818 - the name says what happened to the run
    """The simulated run cannot go on; the text says who was waited for and what they had last said."""


class Seat:
    """Who sits there and what it said last. Nothing here waits; `fileno` is readable when there is news.

    `greet` gives the greeting of the n-th program that sits down. Whoever makes it closes it.
    """

    def __init__(self, path: Path, command: Sequence[str], log: Path) -> None:
        self._path = path
        self._command = command
        self._log = log
        self._selector = selectors.DefaultSelector()
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen(1)
        self._selector.register(self._listener, selectors.EVENT_READ, self._sit_down)
        self._program: Program | None = None
        self._leaving = False
        self._connection: socket.socket | None = None
        self._messages = Messages()
        self._idle: Idle | None = None
        self._turn = 0
        self._greet: Callable[[int], Greeting] | None = None
        # How many programs have sat down.
        self.runs = 0
        self.exit_code: int | None = None

    # The program.

    def start(self, greet: Callable[[int], Greeting]) -> None:
        """Start the program. Raises `RunFailed` when it cannot be started."""
        self._greet = greet
        self._leaving = False
        self.exit_code = None
        try:
            self._program = Program(self._command, self._log, {HOST_VARIABLE: str(self._path)})
        except OSError as error:
            raise RunFailed(f"cannot start {self._command[0]}: {error.strerror}") from error
        self._selector.register(self._program, selectors.EVENT_READ, self._take_leave)

    def terminate(self) -> None:
        """Ask the program to stop; it still has time."""
        if self._program is not None:
            self._leaving = True
            self._program.terminate()

    def kill(self) -> None:
        """Kill the program; nothing happens before it is gone."""
        if self._program is not None:
            self._leaving = True
            self._leave_table()
            self._program.kill()

    def freeze(self) -> None:
        """Stop the program without ending it: a run must notice that."""
        if self._program is not None:
            self._program.freeze()

    def close(self) -> None:
        """End the program and close the socket."""
        self._leave_table()
        if self._program is not None:
            self._program.close()
            self._program = None
        self._listener.close()
        self._selector.close()
        self._path.unlink(missing_ok=True)

    # What the host asks.

    def fileno(self) -> int:
        """The descriptor that is readable when there is news."""
        return self._selector.fileno()

    @property
    def empty(self) -> bool:
        """Whether nobody sits there."""
        return self._connection is None

    @property
    def expected(self) -> bool:
        """Whether a program lives that is on its way to the seat or from it."""
        return self._program is not None and self._connection is None

    @property
    def idle(self) -> bool:
        """Whether the daemon has taken its last turn and come to rest."""
        return self._idle is not None and self._idle.turn == self._turn

    @property
    def due_ns(self) -> int | None:
        """The daemon's next deadline."""
        return self._idle.due_ns if self._idle is not None else None

    def links(self, device: str) -> tuple[int, int] | None:
        """Bytes that the daemon read and wrote on this link since it opened it; None: it is closed."""
        return self._idle.links.get(device) if self._idle is not None else None

    def news(self) -> bool:
        """Take what there is. True when there was something. Raises `RunFailed`."""
        ready = self._selector.select(0)
        for key, _ in ready:
            key.data()
        return bool(ready)

    def give_turn(self, reading: Reading, coming: int) -> None:
        """Tell the daemon what time it is and how many bytes it will find; it comes to rest again."""
        self._turn += 1
        self._send(encode(Turn(self._turn, reading, coming)))

    def last_words(self) -> str:
        """What the daemon last said, for people."""
        if self._idle is None:
            said = "had said nothing"
        else:
            links = ", ".join(
                f"{device} read {read} and wrote {written}"
                for device, (read, written) in self._idle.links.items()
            )
            said = f"came to rest in turn {self._idle.turn} of {self._turn}; bytes: {links or 'no link open'}"
        log = self._program.last_lines() if self._program is not None else ""
        return f"{said}; the end of its log:{log}"

    # What happens at the descriptors.

    def _sit_down(self) -> None:
        connection, _ = self._listener.accept()
        self._leave_table()
        self.runs += 1
        self._connection = connection
        self._messages = Messages()
        self._turn = 0
        self._selector.register(connection, selectors.EVENT_READ, self._listen)
        if self._greet is not None:
            self._send(encode(self._greet(self.runs)))

    def _listen(self) -> None:
        if self._connection is None:
            return
        try:
            data = self._connection.recv(_READ_SIZE)
        except ConnectionError:
            data = b""
        if not data:
            self._leave_table()
            return
        try:
            for message in self._messages.receive(data):
                if isinstance(message, Idle):
                    self._idle = message
        except NoHosting as error:
            raise RunFailed(str(error)) from error

    def _take_leave(self) -> None:
        if self._program is None:
            return
        program, self._program = self._program, None
        self._selector.unregister(program)
        self.exit_code = program.ended()
        last_lines = program.last_lines()
        program.close()
        self._leave_table()
        if not self._leaving:
            raise RunFailed(f"{self._command[0]} ended by itself with code {self.exit_code}:{last_lines}")

    def _leave_table(self) -> None:
        self._idle = None
        if self._connection is not None:
            self._selector.unregister(self._connection)
            self._connection.close()
            self._connection = None

    def _send(self, data: bytes) -> None:
        if self._connection is None:
            return
        try:
            self._connection.sendall(data)
        except OSError:
            self._leave_table()
