"""Copies of frozen dataclasses with some fields changed, fast enough for a jam's way to its inhibit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    # For the type checkers it is the library's, which checks names and types of what is changed.
    from dataclasses import replace as changed
else:
    _One = TypeVar("_One")

    def changed(one: _One, **changes: Any) -> _One:  # noqa: ANN401 - see the checkers' branch above
        """A copy with these fields changed; it asks for a dataclass without slots."""
        other = object.__new__(type(one))
        fields = other.__dict__
        fields.update(one.__dict__)
        fields.update(changes)
        return other


__all__ = ["changed"]
