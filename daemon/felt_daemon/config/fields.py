"""The kinds of value that a configuration has, each with its limits and with words for what is right.

Nothing is ever converted: `"1883"` is no number, `52.0` is not 52, `1` is no truth value. Closed lists of
numbers are checked by type here, because a pydantic `Literal` takes `True` and `1.0` for 1.
"""

from __future__ import annotations

import datetime as dt
import re
import zoneinfo
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args, get_origin

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator

from felt_daemon.rules import chapters
from felt_protocols.events.core import ID_PATTERN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pydantic.fields import FieldInfo


@dataclass(frozen=True, slots=True)
class Expect:
    """What a value must be, in words that follow "must be"; `choices` are valid ones to suggest."""

    words: str
    choices: Callable[[], Iterable[str]] | None = None


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What holds where a key is left out, as Markdown, where that depends on other keys."""

    holds: str


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of a number, where its key does not say enough."""

    words: str


def expected(field: FieldInfo) -> Expect:
    """What a field's value must be, from what stands beside it in the model."""
    for note in (*field.metadata, *_inner_notes(field.annotation)):
        if isinstance(note, Expect):
            return note
    if get_origin(field.annotation) is Literal:
        choices = tuple(str(choice) for choice in get_args(field.annotation))
        quoted = ", ".join(f'"{choice}"' for choice in choices)
        return Expect(f"one of {quoted}" if len(choices) > 1 else quoted, lambda: choices)
    low, high, unit = (_noted(field, name) for name in ("ge", "le", "words"))
    if field.annotation is not int or low is None or high is None:
        raise TypeError(f"a setting has no words for what is right: {field!r}")
    return Expect(f"a whole number from {low} to {high}" + (f" ({unit})" if unit else ""))


def _noted(field: FieldInfo, name: str) -> object:
    """What the limits beside a field say under a name, such as `ge`; None where none does."""
    return next((getattr(note, name) for note in field.metadata if hasattr(note, name)), None)


def _inner_notes(annotation: object) -> list[object]:
    """What stands beside the one kind of value in `X | None`, or beside the values of a mapping."""
    inner = [arm for arm in get_args(annotation) if get_origin(arm) is Annotated]
    return [note for arm in inner for note in get_args(arm)[1:]]


RESERVED_ID = "floor"
ID_WORDS = (
    "an id: 1 to 32 of a to z, 0 to 9 and -, beginning with a letter or a figure,"
    f' and not "{RESERVED_ID}", which the topics of the floor system need'
)


def _id(value: str) -> str:
    if re.fullmatch(ID_PATTERN, value) is None or value == RESERVED_ID:
        raise ValueError(ID_WORDS)
    return value


def _printable(value: str) -> str:
    if not value.isprintable() or value != value.strip():
        raise ValueError("has control characters or outer spaces")
    return value


def _absolute(value: object) -> object:
    """A `Path` for absolute text; anything else is left for the strict check to refuse."""
    absolute = isinstance(value, str) and value.startswith("/") and value.isprintable()
    return Path(value) if isinstance(value, str) and absolute else value


def _socket_length(value: Path) -> Path:
    # A Unix socket's address has 108 bytes, and the last one is zero (unix(7)).
    if len(str(value).encode()) > LONGEST_SOCKET_PATH:
        raise ValueError("too long for a socket")
    return value


def _zone(value: str) -> str:
    if value not in zoneinfo.available_timezones():
        raise ValueError("unknown time zone")
    return value


def _baud(value: int) -> int:
    if value not in BAUD_RATES:
        raise ValueError("no rate of a serial port")
    return value


def _whole_minute(value: dt.time) -> dt.time:
    if value.second or value.microsecond:
        raise ValueError("not a whole minute")
    return value


def _answer(value: object) -> str | int | bool:
    if isinstance(value, (str, int)):
        return value
    raise ValueError("no answer to an election")


LONGEST_SOCKET_PATH = 107
BAUD_RATES = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600)

Id = Annotated[str, AfterValidator(_id), Expect(ID_WORDS)]
Colour = Annotated[
    str,
    Field(pattern=r"^[a-z][a-z-]{0,31}$"),
    Expect('a colour in quotes and small letters, such as "red"'),
]
DisplayName = Annotated[
    str,
    Field(min_length=1, max_length=64),
    AfterValidator(_printable),
    Expect("text in quotes, 1 to 64 characters, without control characters or outer spaces"),
]
AbsolutePath = Annotated[
    Path,
    BeforeValidator(_absolute),
    Expect('an absolute path in quotes (it begins with "/")'),
]
SocketPath = Annotated[
    Path,
    BeforeValidator(_absolute),
    AfterValidator(_socket_length),
    Expect(f"an absolute path in quotes, at most {LONGEST_SOCKET_PATH} bytes, as sockets have it"),
]
TimeZone = Annotated[
    str,
    AfterValidator(_zone),
    Expect(
        'a time zone of the IANA database in quotes, such as "America/New_York"',
        zoneinfo.available_timezones,
    ),
]
MinuteOfDay = Annotated[
    dt.time,
    AfterValidator(_whole_minute),
    Expect("a local time without quotes and on a whole minute, such as 06:00:00"),
]
LocalDate = Annotated[dt.date, Expect("a local date without quotes, year first, such as 2026-01-17")]
Baud = Annotated[
    int,
    AfterValidator(_baud),
    Expect("one of " + ", ".join(str(rate) for rate in BAUD_RATES) + " (bits per second)"),
]
GameName = Annotated[
    str,
    # Which packs there are is found out with the file, which may name a folder of more.
    Expect('the name of a rule pack in quotes, such as "659a"', chapters),
]
PanelWord = Annotated[str, Expect('"told", or another word of the game, below')]
Sha256 = Annotated[
    str,
    Field(pattern=r"^[0-9a-f]{64}$"),
    Expect("a SHA-256 in quotes: 64 of 0 to 9 and a to f, small letters"),
]
HostName = Annotated[
    str,
    Field(pattern=r"^[A-Za-z0-9.:_-]{1,253}$"),
    Expect("a host name or an IP address in quotes, without a scheme or a port"),
]
Switch = Annotated[bool, Expect("true or false")]
AccountNames = Annotated[
    # Lax for the list alone: TOML has no tuples. What is in it stays strict.
    tuple[Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_-]{0,31}$")], ...],
    Field(strict=False, max_length=64),
    Expect('a list of account names, such as ["anna", "ben"]'),
]
Answer = Annotated[
    str | int | bool,
    PlainValidator(_answer),
    Expect("text in quotes, a whole number, true or false"),
]
