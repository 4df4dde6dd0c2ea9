"""Whether an event's data obeys the published schema of its type."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs

from felt_protocols import schemas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

# More than these are not told of one event.
FAULTS_MOST: Final = 5
# Types are few; names that only look like one must not fill the memory.
TYPES_MOST: Final = 1_000


class Schemas:
    """The schemas of `felt_protocols.schemas`, each compiled when its type comes for the first time."""

    def __init__(self, schema_of: Callable[[str], dict[str, Any] | None] = schemas.schema_of) -> None:
        self._schema_of = schema_of
        self._compiled: dict[str, jsonschema_rs.Validator | None] = {}

    def knows(self, type_name: str) -> bool:
        """Whether there is a schema of this type and version."""
        return self._validator(type_name) is not None

    def faults(self, type_name: str, data: Mapping[str, Any]) -> tuple[str, ...]:
        """Where data breaks the schema of its type, in words; nothing where there is none to break."""
        return _told(self._validator(type_name), data)

    def faults_of_envelope(self, envelope: Mapping[str, Any]) -> tuple[str, ...]:
        """Where the attributes around the data break theirs, in words."""
        return _told(self._validator(schemas.ENVELOPE), envelope)

    def _validator(self, name: str) -> jsonschema_rs.Validator | None:
        if name not in self._compiled:
            if len(self._compiled) >= TYPES_MOST:
                self._compiled.clear()
            schema = self._schema_of(name)
            # Schemas refer to nothing outside themselves, and nothing is fetched on an event's account.
            self._compiled[name] = (
                None if schema is None else jsonschema_rs.validator_for(schema, offline=True)
            )
        return self._compiled[name]


def _told(validator: jsonschema_rs.Validator | None, instance: Mapping[str, Any]) -> tuple[str, ...]:
    if validator is None or validator.is_valid(instance):
        return ()
    errors = itertools.islice(validator.iter_errors(instance), FAULTS_MOST)
    return tuple(f"{_path(error.instance_path)}: {error.message}" for error in errors)


def _path(parts: Iterable[str | int]) -> str:
    return ".".join(str(part) for part in parts) or "as a whole"
