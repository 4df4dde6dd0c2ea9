"""Says which keys a body may have and what each may hold.

A reason never quotes the device: neither its values nor its own key names. It may be logged, counted
and shown, whatever the bytes were.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from felt_protocols.link.cbor import is_list, is_map

U63_MAX: Final = 2**63 - 1
U64_MAX: Final = 2**64 - 1

_SHA256: Final = 32

_TOKEN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_WORD: Final = re.compile(r"[a-z][a-z0-9_-]{0,31}")


@dataclass(frozen=True, slots=True)
class Field:
    """What one key may hold: in words, for reasons and for the makers' page, and as a test."""

    says: str
    holds: Callable[[object], bool]


class Shape:
    """The keys of a body: those that must be there, and those that may."""

    __slots__ = ("fields", "optional", "required")

    def __init__(
        self,
        required: Mapping[str, Field] | None = None,
        optional: Mapping[str, Field] | None = None,
    ) -> None:
        self.required: Final = required or {}
        self.optional: Final = optional or {}
        self.fields: Final = {**self.required, **self.optional}

    def why_not(self, name: str, body: Mapping[str, object]) -> str | None:
        """Say why the body is not of this shape, or None when it is; `name` must be one of ours."""
        for key, value in body.items():
            known = self.fields.get(key)
            if known is None:
                return f"{name} has a key of its own"
            if not known.holds(value):
                return f"{key} of {name} is not {known.says}"
        for key in self.required:
            if key not in body:
                return f"{name} has no {key}"
        return None


def whole(low: int, high: int) -> Field:
    """Promise a whole number from `low` to `high`, both included; true and false are none."""
    return Field(
        f"a whole number, {_written(low)} to {_written(high)}",
        lambda value: type(value) is int and low <= value <= high,
    )


def one_of(*words: str, says: str = "") -> Field:
    """Promise one of the words given; `says` stands for them when they are many."""
    known = frozenset(words)
    return Field(says or " or ".join(words), lambda value: type(value) is str and value in known)


def text(longest: int) -> Field:
    """Promise 1 to `longest` printable characters."""
    return Field(
        f"1 to {longest} printable characters",
        lambda value: type(value) is str and 1 <= len(value) <= longest and value.isprintable(),
    )


def list_of(item: Field, least: int, most: int) -> Field:
    """Promise an array of `least` to `most` items."""
    count = f"{least}" if least == most else f"{least} to {most}"
    return Field(
        f"an array of {count}, each {item.says}",
        lambda value: (
            is_list(value) and least <= len(value) <= most and all(item.holds(each) for each in value)
        ),
    )


def map_of(key: Field, item: Field) -> Field:
    """Promise a map whose keys and values are all of one sort."""
    return Field(
        f"a map; each key {key.says}; each value {item.says}",
        lambda value: (
            is_map(value) and all(key.holds(name) and item.holds(each) for name, each in value.items())
        ),
    )


def _is_number(value: object) -> bool:
    if not is_list(value) or len(value) != len(_NUMBER_PARTS):
        return False
    return all(part.holds(each) for part, each in zip(_NUMBER_PARTS, value, strict=True))


def _written(number: int) -> str:
    powers = {U63_MAX: "2^63-1", U64_MAX: "2^64-1"}
    return powers.get(number, str(number))


FLAG: Final = Field("true or false", lambda value: type(value) is bool)
WORD: Final = Field(
    "a word",
    lambda value: type(value) is str and _WORD.fullmatch(value) is not None,
)
TOKEN: Final = Field(
    "a token",
    lambda value: type(value) is str and _TOKEN.fullmatch(value) is not None,
)
DIGEST: Final = Field("32 bytes", lambda value: type(value) is bytes and len(value) == _SHA256)
U63: Final = whole(0, U63_MAX)
U64: Final = whole(0, U64_MAX)
_NUMBER_PARTS: Final = (TOKEN, U63)
NUMBER: Final = Field("an array of two: a token, and a whole number, 0 to 2^63-1", _is_number)
