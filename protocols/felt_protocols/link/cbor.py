"""Reads and writes the one CBOR that Felt Link allows: RFC 8949 section 4.2, deterministic.

A body is one map with ASCII string keys. Values are whole numbers of 64 bits, true and false, text,
byte strings, arrays and maps. Everything else that CBOR can say (tags, floats, null, undefined,
other simple values, indefinite lengths, bignums) is refused, and so is every second way of saying
the same thing (long heads, unsorted or repeated keys, trailing bytes).

What was read must be made of the types above only, its keys in order, and must be written again as
exactly the bytes that came: that is what makes it sound. The library's options keep hostile bytes
from costing work before that (deep nesting, tags that compile, parse or share).
"""

from collections.abc import Mapping
from typing import Any, Final, NoReturn, TypeAlias, TypeGuard

import cbor2

Value: TypeAlias = "int | bool | str | bytes | list[Value] | dict[str, Value]"
Body: TypeAlias = "dict[str, Value]"

MAX_DEPTH: Final = 4
"""Nested containers, the body's own map included."""

# Whole numbers are of 64 bits here: only a tag, which is refused, makes a bigger one.
_SCALARS: Final = frozenset({int, str, bool, bytes})

# Every tag that the library would interpret by itself: 0 and 1 dates, 2 to 5 big numbers, 25 and 256
# string references, 28 and 29 shared values, 35 regular expressions, 36 MIME, addresses, and so on.
# Any other tag is refused by its type.
_LIBRARY_TAGS: Final = (
    *(0, 1, 2, 3, 4, 5, 25, 28, 29, 30, 35, 36, 37, 52, 54, 100),
    *(256, 258, 260, 261, 1004, 43000, 55799),
)


class BodyError(ValueError):
    """The bytes are not a body of this link; the message is a reason of one or two words."""


def _refuse_tag(*_: object) -> NoReturn:
    raise BodyError("tag")


_REFUSE_TAGS: Final[dict[int, Any]] = dict.fromkeys(_LIBRARY_TAGS, _refuse_tag)


def is_map(value: object) -> TypeGuard[dict[object, object]]:
    """Tell a map from every other value of a body."""
    return type(value) is dict


def is_list(value: object) -> TypeGuard[list[object]]:
    """Tell an array from every other value of a body."""
    return type(value) is list


def encode_map(body: Mapping[str, object]) -> bytes:
    """Write a body; the caller's values must be of the types above (else the peer refuses them)."""
    return cbor2.dumps(body, canonical=True)


def decode_map(data: bytes) -> Body:
    """Read a body, or raise `BodyError`, and nothing else, whatever the bytes are."""
    try:
        value: object = cbor2.loads(
            data,
            max_depth=MAX_DEPTH,
            allow_indefinite=False,
            allow_duplicate_keys=False,
            strict_hashable_types=True,
            semantic_decoders=_REFUSE_TAGS,
        )
    except cbor2.CBORError:
        raise BodyError("cbor") from None
    if not is_map(value):
        raise BodyError("not a map")
    body = _checked_map(value)
    # Keys are known to be sorted here, so the plain writer must give the same bytes as came. It does
    # not when a head was longer than it needed to be, or when bytes follow the map.
    if cbor2.dumps(body) != data:
        raise BodyError("not deterministic")
    return body


def _checked_map(items: dict[object, object]) -> Body:
    length, last = -1, ""
    for key, value in items.items():
        if type(key) is not str or not key.isascii():
            raise BodyError("key")
        # Sorted by encoded bytes: for short text that is by length first, then by bytes.
        if len(key) < length or (len(key) == length and key <= last):
            raise BodyError("order of keys")
        length, last = len(key), key
        if type(value) not in _SCALARS:
            _check(value)
    return items  # type: ignore[return-value]  # every key and value was just seen to fit


def _check(value: object) -> None:
    if is_map(value):
        _checked_map(value)
    elif is_list(value):
        for item in value:
            if type(item) not in _SCALARS:
                _check(item)
    else:
        raise BodyError("type")
