"""The configuration that holds, with its digest and the origin of every value."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, cast

from pydantic import BaseModel, PrivateAttr

from felt_daemon.config.document import as_table
from felt_daemon.config.model import Device, Sections
from felt_daemon.config.positions import dotted
from felt_protocols.events.core import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.config.document import Document
    from felt_daemon.config.positions import Key

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Effective:
    """One value that holds: its key, the value as TOML, and `FILE:LINE` or "default"."""

    key: str
    value: str
    source: str


class Config(Sections):
    """A whole, valid configuration."""

    _document: Document = PrivateAttr()

    @classmethod
    def of(cls, sections: Sections, document: Document) -> Self:
        """The configuration of valid sections that were read from a document."""
        config = cls.model_construct(**dict(sections))
        config._document = document  # noqa: SLF001 - its own class, at construction
        return config

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of the values that hold, and of the order of decks and devices.

        Which deck or device is named first decides where all else is equal. Comments, the order of everything
        else and origin make no difference.
        """
        values = self.model_dump(mode="json")
        order = {"decks": [*self.decks], "devices": [*self.devices]}
        return hashlib.sha256(canonical({"values": values, "order": order})).hexdigest()

    @property
    def text(self) -> str:
        """The values that hold, as JSON, in the order of the file, which decides where all else is equal."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def recalled(cls, text: str) -> Self:
        """The configuration of such a text, without its file; raises `ValueError`."""
        # JSON has no times, dates and paths.
        return cls.model_validate(json.loads(text), strict=False)

    def effective(self) -> tuple[Effective, ...]:
        """Every value that holds, with its origin, to be shown at every start."""
        return tuple(self._effective((), self))

    def devices_of(self, family: str) -> dict[str, Device]:
        """The devices of one family by their ids, in the order of the file."""
        return {name: one for name, one in self.devices.items() if one.family == family}

    def _effective(self, key: Key, value: object) -> Iterator[Effective]:
        for name, inner in _entries(value):
            path = (*key, name)
            if isinstance(inner, BaseModel) or as_table(inner) is not None:
                yield from self._effective(path, inner)
            elif inner is not None:
                given = self._document.has(path)
                source = f"{self._document.file}:{self._document.line(path)}" if given else DEFAULT
                yield Effective(dotted(path), toml(inner), source)


def _entries(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, BaseModel):
        yield from value
    else:
        yield from (as_table(value) or {}).items()


def toml(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, (dt.time, dt.date)):
        return value.isoformat()
    if isinstance(value, tuple):
        return "[" + ", ".join(toml(item) for item in cast("tuple[object, ...]", value)) + "]"
    if isinstance(value, (bool, int)):
        return json.dumps(value)
    return json.dumps(str(value), ensure_ascii=False)
