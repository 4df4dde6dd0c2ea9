"""A table's state as text and back, field by field, for whatever dataclasses it is made of.

Every value says what it is, so that nothing has to be guessed when it is read:

    a dataclass     {"is": "Deck", "id": …, "total": …}     every field under its name
    a mapping       {"map": [[key, value], …]}              in its order, which decisions go by
    a tuple         {"tuple": [value, …]}
    a frozen set    {"set": [value, …]}                     sorted

Text, numbers, booleans and none are themselves. The setup is no part of it: configuration and pack say that
anew at each start. There is no version: text is only ever read by the very program that wrote it, which the
digest beside a snapshot sees to.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from felt_daemon.rules.part import Part
from felt_daemon.table import state as states
from felt_daemon.table.state import Setup, State
from felt_protocols.events import Moment

_SETUP: Final = "setup"
_PLAIN: Final = (str, int, bool, type(None))


class Unreadable(ValueError):  # noqa: N818 - it is what was met
    """Text that is no state, or a state that has no text."""


def _fields() -> dict[type[Any], tuple[str, ...]]:
    """Every dataclass that a state can be made of, with the names of its fields."""
    found = [one for one in vars(states).values() if isinstance(one, type) and dataclasses.is_dataclass(one)]
    return {one: tuple(field.name for field in dataclasses.fields(one)) for one in (*found, Moment)}


_FIELDS: Final = _fields() | {
    State: tuple(field.name for field in dataclasses.fields(State) if field.name != _SETUP)
}
_CLASSES: Final = {one.__name__: one for one in _FIELDS if one is not State}


def written(state: State) -> str:
    """The state as text, without its setup; raises `Unreadable` where it holds what has none."""
    return _json(_plain(state))


def read(text: str, setup: Setup) -> State:
    """The state that `written` once wrote, with this setup; raises `Unreadable`."""
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is no JSON: {error}") from None
    fields = _object(plain)
    if fields.pop("is", None) != State.__name__:
        raise Unreadable("it is no state")
    return State(setup=setup, **_values(State, fields))


def digest(setup: Setup) -> str:
    """SHA-256, in hex, of all that a setup holds, the parts of its pack included."""
    return hashlib.sha256(_json(_plain(setup)).encode()).hexdigest()


def _json(plain: object) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def _plain(value: object) -> object:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if (names := _FIELDS.get(kind)) is not None:
        return {"is": kind.__name__, **{name: _plain(getattr(value, name)) for name in names}}
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {"map": [[_plain(key), _plain(one)] for key, one in items]}
    if isinstance(value, tuple):
        return {"tuple": [_plain(one) for one in cast("tuple[object, ...]", value)]}
    if isinstance(value, frozenset):
        return {"set": sorted(cast("frozenset[str]", value))}
    if isinstance(value, Part):
        # One way only: a setup has parts of a pack, and its text is never read back.
        return {"part": repr(value)}
    raise Unreadable(f"a state cannot hold {value!r}")


def _value(plain: object) -> Any:  # noqa: ANN401 - whatever the text holds
    if type(plain) in _PLAIN:
        return plain
    fields = _object(plain)
    kind = _CLASSES.get(str(fields.get("is")))
    if kind is not None:
        return kind(**_values(kind, {name: one for name, one in fields.items() if name != "is"}))
    if len(fields) == 1:
        [(what, items)] = fields.items()
        if what in _GROUPS:
            return _GROUPS[what](_list(items))
    raise Unreadable(f"nothing in a state is written like {str(plain)[:80]}")


def _object(plain: object) -> dict[str, object]:
    if not isinstance(plain, dict):
        raise Unreadable(f"a state cannot hold {str(plain)[:80]}")
    return cast("dict[str, object]", plain)


def _list(plain: object) -> list[object]:
    if not isinstance(plain, list):
        raise Unreadable(f"no list is {str(plain)[:80]}")
    return cast("list[object]", plain)


def _mapping(pairs: list[object]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for pair in pairs:
        parts = _list(pair)
        if len(parts) != len(("key", "value")) or not isinstance(parts[0], (str, int)):
            raise Unreadable(f"no mapping in a state holds {str(parts)[:80]}")
        found[parts[0]] = _value(parts[1])
    return found


def _set(items: list[object]) -> frozenset[Any]:
    if not all(type(one) in _PLAIN for one in items):
        raise Unreadable(f"no set in a state is {str(items)[:80]}")
    return frozenset(items)


_GROUPS: Final[Mapping[str, Callable[[list[object]], Any]]] = {
    "map": _mapping,
    "tuple": lambda items: tuple(_value(one) for one in items),
    "set": _set,
}


def _values(kind: type[Any], fields: dict[str, object]) -> dict[str, Any]:
    names = _FIELDS[kind]
    if fields.keys() != set(names):
        raise Unreadable(f"a {kind.__name__} has other fields than {', '.join(sorted(fields))}")
    return {name: _value(fields[name]) for name in names}
