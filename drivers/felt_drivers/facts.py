"""How a device's event becomes a fact: one closed table for each family, from the event's name.

A table says nothing twice: where the wire and the fact have the same field names, `plain` is the whole
translation. What a table does not have, or what its fact does not take, is malformed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pydantic import ValidationError

from felt_protocols.events import Fact, device

Fields: TypeAlias = Mapping[str, object]
Build: TypeAlias = Callable[[str, Fields], Fact]
Table: TypeAlias = Mapping[str, Build]


class Malformed(Exception):  # noqa: N818 - the name says how the event was
    """An event that is none of its family's; the text never quotes what the device sent."""


def plain(fact: type[Fact]) -> Build:
    """The fact with the event's own fields."""

    def build(name: str, fields: Fields) -> Fact:
        return fact.model_validate({**fields, "device": name})

    return build


def translate(table: Table, name: str, event: str, fields: Fields) -> Fact:
    """The fact that device `name` told with an event. Raises `Malformed`."""
    build = table.get(event)
    if build is None:
        raise Malformed("no such event")
    try:
        return build(name, fields)
    except ValidationError as wrong:
        # Only which of the fact's fields are wrong, and how: values and foreign keys may be a card's name.
        known = sorted({str(each["loc"][0]) for each in wrong.errors() if each["type"] != "extra_forbidden"})
        raise Malformed(f"wrong {', '.join(known) or 'keys'}") from None


# What every family may tell.
EVERY: Table = {
    "fault": plain(device.DeviceFaulted),
    "cleared": plain(device.DeviceCleared),
}
