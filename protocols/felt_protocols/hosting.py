"""How a simulated run's host and the daemon agree on time: JSON lines over a Unix socket.

The host greets; then it gives turns and the daemon answers each with `Idle` once nothing in it is runnable or
uncommitted, and again whenever it comes to rest after input of its own. Bytes that the host has written
and the daemon not yet read (or the other way round) show in the counters, so time never overtakes a byte.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from felt_protocols.errors import FeltError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# The environment variable that names the host's socket; without it the daemon lives in real time.
HOST_VARIABLE = "FELT_HOST"
VERSION = 1


class NoHosting(FeltError):  # noqa: N818 - the name says what was met
    """What arrived on the time socket is no message of ours."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The clocks at one moment of a simulated run.

    `now_ns` is the loop's and the journal's monotonic time. `leapt_ns` of it were leaps, in which time on
    the links stood still. `utc_us` is microseconds since 1970 and true while `trusted`.
    """

    now_ns: int
    leapt_ns: int
    utc_us: int
    trusted: bool


@dataclass(frozen=True, slots=True)
class Greeting:
    """The host's first line: who this run is and where its devices are (device id to path)."""

    boot: str
    start: str
    clock: Reading
    ports: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Turn:
    """It is this time now: do all that is due and answer with this number.

    `coming` bytes are under way on the links. The turn begins when all of them are there.
    """

    number: int
    clock: Reading
    coming: int = 0


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing is runnable or uncommitted; the next deadline is `due_ns`, if there is one.

    `turn` is the last turn that was taken. `links` has, for each device whose port is open, the bytes
    read and written since it was opened.
    """

    turn: int
    due_ns: int | None
    links: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])


Message = Greeting | Turn | Idle


def encode(message: Message) -> bytes:
    """The message as one line."""
    body: dict[str, Any]
    match message:
        case Idle():
            body = {
                "kind": "idle",
                "turn": message.turn,
                "due_ns": message.due_ns,
                "links": dict(message.links),
            }
        case Turn():
            body = {
                "kind": "turn",
                "number": message.number,
                "clock": _clock(message.clock),
                "coming": message.coming,
            }
        case Greeting():  # pragma: no branch - there are no other messages
            body = {
                "kind": "greeting",
                "boot": message.boot,
                "start": message.start,
                "clock": _clock(message.clock),
                "ports": dict(message.ports),
            }
    return json.dumps({"hosting": VERSION, **body}, separators=(",", ":")).encode() + b"\n"


def _clock(clock: Reading) -> dict[str, int | bool]:
    return {
        "now_ns": clock.now_ns,
        "leapt_ns": clock.leapt_ns,
        "utc_us": clock.utc_us,
        "trusted": clock.trusted,
    }


def _parse(line: bytes) -> Message:
    body: dict[str, Any] = json.loads(line)
    if body.pop("hosting") != VERSION:
        raise NoHosting("the two sides of the simulated run are of different releases")
    kind = body.pop("kind")
    if kind == "idle":
        links = {device: (read, written) for device, (read, written) in body.pop("links").items()}
        return Idle(**body, links=links)
    clock = Reading(**body.pop("clock"))
    if kind == "turn":
        return Turn(**body, clock=clock)
    if kind == "greeting":
        return Greeting(**body, clock=clock)
    raise NoHosting(f"there is no message {kind!r} on the time socket")


class Messages:
    """Cuts a stream of bytes into messages."""

    def __init__(self) -> None:
        self._rest = b""

    def receive(self, data: bytes) -> Iterator[Message]:
        """Every message that is whole now, in order. Raises `NoHosting`."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            try:
                message = _parse(line)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise NoHosting(f"no message of a time host: {line[:80]!r}") from error
            yield message
