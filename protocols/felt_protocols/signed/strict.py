"""JSON of which there is one reading only: I-JSON (RFC 7493) without fractions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

# "for applications where integers are used, the range [-(2**53)+1, (2**53)-1]". Source: RFC 7493, 2.2.
LARGEST_INTEGER = 2**53 - 1
DEEPEST = 8
_MOST_FIGURES = len(str(LARGEST_INTEGER)) + 1


def parsed(data: bytes) -> dict[str, Any]:
    """The object in these bytes.

    Raises ValueError for what two readers could take for two things: a name given twice, a fraction, an
    integer beyond 2**53 - 1, half a surrogate pair, another encoding than UTF-8; and for nesting deeper
    than 8.
    """
    try:
        value: Any = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_object,
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
            parse_int=_integer,
        )
    except RecursionError:
        raise ValueError(f"nested deeper than {DEEPEST}") from None
    _look_through(value, 0)
    if not isinstance(value, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - wrong text, not a wrong call
    return cast("dict[str, Any]", value)


def canonical(value: Mapping[str, Any]) -> str:
    """The same text for the same JSON; unlike `==`, it tells true from 1."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice")
    return found


def _no_fraction(text: str) -> object:
    raise ValueError(f"{text[:20]} is no integer")


def _integer(text: str) -> int:
    if len(text) > _MOST_FIGURES or abs(number := int(text)) > LARGEST_INTEGER:
        raise ValueError("an integer is larger than 2**53 - 1")
    return number


def _look_through(value: object, depth: int) -> None:
    if depth > DEEPEST:
        raise ValueError(f"nested deeper than {DEEPEST}")
    if isinstance(value, str):
        value.encode("utf-8")
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            _look_through(item, depth + 1)
    elif isinstance(value, dict):
        for name, item in cast("dict[str, object]", value).items():
            _look_through(name, depth + 1)
            _look_through(item, depth + 1)
