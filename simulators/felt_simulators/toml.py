"""Writes the small part of TOML that a configuration uses; Python reads TOML and does not write it."""

from __future__ import annotations

import json
from datetime import date, time
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping


def written(document: Mapping[str, object]) -> str:
    """The document as TOML. Raises `TypeError` for a value that a configuration cannot have."""
    return "\n".join(_table(document, ()))


def _table(table: Mapping[str, object], path: tuple[str, ...]) -> list[str]:
    own = {key: value for key, value in table.items() if not isinstance(value, dict)}
    lines = ["", f"[{'.'.join(path)}]"] if path else []
    lines += [f"{key} = {_value(value)}" for key, value in own.items()]
    for key, value in table.items():
        if isinstance(value, dict):
            lines += _table(cast("Mapping[str, object]", value), (*path, key))
    return lines


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in cast('list[object]', value))}]"
    raise TypeError(f"a configuration has no value like {value!r}")
