"""What a change of a schema means for those who have the one before: nothing, something more, or a breach.

Everything that was written by the one must be read by the other, both ways: consumers keep the schema of the
day on which they were built, and rows of the journal stay as they were stored.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

Schema = dict[str, Any]

_WORDS: Final = frozenset({"description", "title"})
_FIELDS: Final = frozenset({"properties", "required"})


class Change(NamedTuple):
    """One difference of two schemas, `where` by its fields. What is not breaking keeps the version."""

    where: str
    what: str
    breaking: bool = True

    def told(self) -> str:
        """The change in words."""
        return f"{self.where}: {self.what}" if self.where else self.what


class Comparison:
    """Compares schemas. `read`: what the table reads and others write, who need not use all that it takes."""

    def __init__(self, *, read: bool) -> None:
        self._read = read

    def changes(self, before: Schema, after: Schema, where: str = "") -> Iterator[Change]:
        """Every difference that a program could notice; words are none."""
        yield from self._fields(before, after, where)
        for keyword in sorted((before.keys() | after.keys()) - _WORDS - _FIELDS):
            was, is_ = before.get(keyword), after.get(keyword)
            if was != is_:
                yield from self._keyword(keyword, was, is_, where)

    def _keyword(self, keyword: str, was: object, is_: object, where: str) -> Iterator[Change]:
        match was, is_:
            case dict(), dict():
                place = f"{where}[]" if keyword == "items" else where
                yield from self.changes(cast("Schema", was), cast("Schema", is_), place)
            case list(), list() if keyword == "enum":
                yield from self._values(cast("list[object]", was), cast("list[object]", is_), where)
            case list(), list():
                yield from self._forms(cast("list[Schema]", was), cast("list[Schema]", is_), where)
            case _:
                yield Change(where, f"{keyword} was {_shown(was)} and is {_shown(is_)}")

    def _fields(self, before: Schema, after: Schema, where: str) -> Iterator[Change]:
        was: Schema = before.get("properties", {})
        is_: Schema = after.get("properties", {})
        needed, needs = set[str](before.get("required", ())), set[str](after.get("required", ()))
        for name in was | is_:
            place = f"{where}.{name}" if where else name
            if name not in is_:
                yield Change(place, "the field was removed")
            elif name not in was and name in needs:
                yield Change(place, "a field was added that must be there, and older ones do not have it")
            elif name not in was:
                yield Change(place, "a field was added", breaking=False)
            else:
                if name in needs - needed:
                    yield Change(place, "the field must be there, and did not have to be")
                if name in needed - needs:
                    yield Change(place, "the field had to be there, and need not be", breaking=not self._read)
                yield from self.changes(was[name], is_[name], place)

    def _values(self, was: list[object], is_: list[object], where: str) -> Iterator[Change]:
        for value in was:
            if value not in is_:
                yield Change(where, f"the value {_shown(value)} was removed")
        for value in is_:
            if value not in was:
                # Who has the schema of before knows nothing of another value; what the table reads, it knows.
                yield Change(where, f"the value {_shown(value)} was added", breaking=not self._read)

    def _forms(self, was: list[Schema], is_: list[Schema], where: str) -> Iterator[Change]:
        if len(was) == len(is_):
            for one, other in zip(was, is_, strict=True):
                yield from self.changes(one, other, where)
        else:
            yield Change(where, f"it had {len(was)} forms and has {len(is_)}")


def _shown(value: object) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)
