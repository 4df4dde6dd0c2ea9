"""The keys that a configuration may have, read from the models: for messages, listings and the reference."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union, cast, get_args, get_origin

from pydantic import BaseModel

from felt_daemon.config.document import as_table
from felt_daemon.config.model import Sections

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from felt_daemon.config.positions import Key


@dataclass(frozen=True, slots=True)
class Setting:
    """A key with a value."""

    field: FieldInfo


@dataclass(frozen=True, slots=True)
class TableOf:
    """A table with the keys of a model; of one of several `variants`, told apart by `mode`."""

    variants: tuple[type[BaseModel], ...]

    def model(self, given: object) -> type[BaseModel]:
        """The variant that a given table means; the first one where it does not say."""
        mode = (as_table(given) or {}).get("mode")
        return next((one for one in self.variants if mode_of(one) == mode), self.variants[0])


@dataclass(frozen=True, slots=True)
class Named:
    """A table of tables, each under an id of its own."""

    inner: type[BaseModel]


@dataclass(frozen=True, slots=True)
class Open:
    """A table whose keys somebody else defines: the elections of a rule pack."""

    field: FieldInfo


Node = Setting | TableOf | Named | Open


def node(field: FieldInfo) -> Node:
    """What stands under a field's key."""
    annotation: object = field.annotation
    if get_origin(annotation) is Mapping:
        inner = get_args(annotation)[1]
        return Named(inner) if _is_model(inner) else Open(field)
    arms = get_args(annotation) if get_origin(annotation) in {Union, types.UnionType} else (annotation,)
    models = tuple(arm for arm in arms if _is_model(arm))
    return TableOf(cast("tuple[type[BaseModel], ...]", models)) if models else Setting(field)


def find(key: Key, tree: object) -> Node | None:
    """What may stand at a path; None where nothing may. `tree` is the given file, for its variants."""
    here: Node | None = TableOf((Sections,))
    given = tree
    for part in key:
        if isinstance(part, int):
            return here  # an item of a list: what is said of the list holds for it
        if isinstance(here, TableOf):
            inner = here.model(given).model_fields.get(part)
            here = node(inner) if inner else None
        elif isinstance(here, Named):
            here = TableOf((here.inner,))
        elif isinstance(here, Open):
            here = Setting(here.field)
        else:
            return None
        given = (as_table(given) or {}).get(part)
    return here


def tables(tree: Mapping[str, object]) -> Iterator[tuple[Key, type[BaseModel]]]:
    """Every table with fixed keys, as this file has or may have it.

    Where the file has no entry for a table of tables, one with a placeholder, `<id>`, stands for it.
    """
    yield from _tables((), Sections, tree)


def _tables(key: Key, model: type[BaseModel], given: object) -> Iterator[tuple[Key, type[BaseModel]]]:
    yield key, model
    for name, field in model.model_fields.items():
        below = (as_table(given) or {}).get(name)
        inner = node(field)
        if isinstance(inner, TableOf):
            yield from _tables((*key, name), inner.model(below), below)
        elif isinstance(inner, Named):
            entries = {
                part: one for part, one in (as_table(below) or {}).items() if as_table(one) is not None
            }
            for part, one in (entries or {"<id>": {}}).items():
                yield from _tables((*key, name, part), inner.inner, one)


def _is_model(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def broker_modes() -> tuple[str, ...]:
    """The values of `broker.mode`, one for each variant of that table."""
    found = node(Sections.model_fields["broker"])
    variants = found.variants if isinstance(found, TableOf) else ()
    return tuple(mode_of(one) for one in variants)


def mode_of(variant: type[BaseModel]) -> str:
    """The value of `mode` that means this variant; empty for a table that has none."""
    field = variant.model_fields.get("mode")
    return str(get_args(field.annotation)[0]) if field else ""
