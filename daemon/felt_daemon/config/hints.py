"""Where a key that is not valid here may have been meant to stand."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from felt_daemon.config import schema
from felt_daemon.config.document import Document, as_table
from felt_daemon.config.positions import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from felt_daemon.config.positions import Key

# Above this likeness a key is a slip of the one beside it, whatever else is called like it elsewhere.
_SURELY_A_SLIP = 0.85
_MOST_PLACES = 3


def unknown_key(document: Document, key: Key) -> str:
    """What to do about a key that is not valid where it stands."""
    name = str(key[-1])
    where = f"[{dotted(key[:-1])}]" if len(key) > 1 else "the top level of the file"
    if mode := _mode_with(document, key):
        return f"valid only with {mode}"
    siblings = _keys(document, key[:-1])
    close = nearest(name, siblings, cutoff=_SURELY_A_SLIP)
    if close:
        return f"unknown key; nearest valid key: {close}"
    given = document.value(*(str(part) for part in key))
    homes = _homes(document, key, given)
    if homes:
        return f"no key of {where}; it belongs under {_places(homes)}"
    if close := nearest(name, siblings):
        return f"unknown key; nearest valid key: {close}"
    if close := _nearest_anywhere(document, name):
        return f"unknown key; nearest valid key: {close}"
    return f"unknown key; valid keys of {where}: {', '.join(siblings)}"


def nearest(name: str, choices: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The choice most like a name, case aside; None where none is like it."""
    folded = {choice.casefold(): choice for choice in choices}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=cutoff)
    return folded[near[0]] if near else None


def with_nearest(words: str, given: object, choices: tuple[str, ...]) -> str:
    """What a value must be, and the choice that was probably meant."""
    close = nearest(given, choices) if isinstance(given, str) and len(choices) > 1 else None
    return f'{words}; nearest: "{close}"' if close else words


def belongs_to_a_device(document: Document, key: Key) -> str | None:
    """Where a single setting that stands among tables by name, `devices.baud`, belongs; None if nowhere."""
    above = schema.find(key[:-1], document.tree)
    if not isinstance(above, schema.Named) or str(key[-1]) not in above.inner.model_fields:
        return None
    homes = [table for table, model in schema.tables(document.tree) if model is above.inner]
    return f"belongs under {_places(homes)}"


def _keys(document: Document, table: Key) -> list[str]:
    found = schema.find(table, document.tree)
    if not isinstance(found, schema.TableOf):
        return []
    return list(found.model(document.value(*(str(part) for part in table))).model_fields)


def _mode_with(document: Document, key: Key) -> str | None:
    """The setting under which another variant of the same table has this key."""
    found = schema.find(key[:-1], document.tree)
    for variant in found.variants if isinstance(found, schema.TableOf) else ():
        if "mode" in variant.model_fields and str(key[-1]) in variant.model_fields:
            return f'{dotted(key[:-1])}.mode = "{schema.mode_of(variant)}"'
    return None


def _homes(document: Document, key: Key, given: object) -> list[Key]:
    """The tables in which this key, or this block of keys, is valid."""
    name = str(key[-1])
    block = as_table(given)
    if block is None:
        return [
            table
            for table, model in schema.tables(document.tree)
            if name in model.model_fields
            and isinstance(schema.node(model.model_fields[name]), schema.Setting)
        ]
    same = [
        (*table, name)
        for table, model in schema.tables(document.tree)
        if name in model.model_fields
        and not isinstance(schema.node(model.model_fields[name]), schema.Setting)
    ]
    return same or _named_homes(name, block)


def _named_homes(name: str, block: Mapping[str, object]) -> list[Key]:
    """Where a block whose every key is valid in a table by name, such as a device's, would stand."""
    return [
        (*table[:-1], name)
        for table, model in schema.tables({})
        if table and table[-1] == "<id>" and block and set(block) <= set(model.model_fields)
    ]


def _places(tables: list[Key]) -> str:
    shown = [f"[{'.'.join(str(part) for part in table)}]" for table in tables[:_MOST_PLACES]]
    return " or ".join(shown) + (" (or another of these)" if len(tables) > _MOST_PLACES else "")


def _nearest_anywhere(document: Document, name: str) -> str | None:
    paths = {
        field: ".".join(str(part) for part in (*table, field))
        for table, model in schema.tables(document.tree)
        for field in model.model_fields
    }
    close = nearest(name, paths)
    return paths[close] if close else None
