"""JSON as it comes from the broker, whoever wrote it. Pure."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

# A table's own payloads have some five levels. What has a thousand breaks whoever walks through it: this
# package, or the program that stores the event, which then gets the same event at its next start.
DEEPEST: Final = 50
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def value_of(payload: bytes) -> Any:  # noqa: ANN401 - JSON
    """The value in a payload; raises ValueError where there is none that can be handed on.

    That is JSON in UTF-8 with at most DEEPEST levels, without NaN and numbers that are as good as infinite,
    and without half a surrogate pair, which no other program takes.
    """
    text = payload.decode()
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if text.count("[") + text.count("{") > DEEPEST and _is_deep(value):
        raise ValueError(_TOO_DEEP)
    if _SURROGATE.search(text):
        json.dumps(value, ensure_ascii=False).encode()  # raises a ValueError for half a pair
    return value


_TOO_DEEP: Final = f"more than {DEEPEST} levels"


def _is_deep(value: Any) -> bool:  # noqa: ANN401 - JSON
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        level = [part for whole in level for part in _parts(whole)]
    return any(isinstance(one, dict | list) for one in level)


def _parts(whole: Any) -> Iterable[Any]:  # noqa: ANN401 - JSON
    """What an object or an array holds; nothing else holds anything."""
    if isinstance(whole, dict):
        return cast("dict[str, Any]", whole).values()
    return cast("Iterable[Any]", whole) if isinstance(whole, list) else ()


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number")
    return number


_DECODER: Final = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)
