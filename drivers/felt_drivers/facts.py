"""How a device's event becomes a fact: one closed table for each family, from the event's name.

Where the wire and the fact have the same field names, the fact's model is the whole translation. What a
table does not have, or what its fact does not take, is malformed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from pydantic import ValidationError

from felt_protocols.events import Fact, device

# An event's fields, with `device` and `n` beside them.
Fields: TypeAlias = dict[str, Any]
Build: TypeAlias = Callable[[Fields], Fact]
Table: TypeAlias = Mapping[str, Build]
# Lines and lamps that people are to see, as orders by name and fields.
Screen: TypeAlias = Callable[[tuple[str, ...], Mapping[str, str]], Sequence[tuple[str, Mapping[str, object]]]]


class Malformed(Exception):  # noqa: N818 - the name says how the event was
    """An event that is none of its family's; the text never quotes what the device sent."""


def translate(table: Table, name: str, event: str, fields: Mapping[str, object], n: int) -> Fact:
    """The fact that device `name` told with its event number `n`. Raises `Malformed`."""
    build = table.get(event)
    if build is None:
        raise Malformed("no such event")
    try:
        return build({**fields, "device": name, "n": n})
    except ValidationError as wrong:
        # Which of the fact's own fields are wrong. Values and foreign keys might name a card.
        known = sorted({str(each["loc"][0]) for each in wrong.errors() if each["type"] != "extra_forbidden"})
        raise Malformed(f"wrong {', '.join(known) or 'keys'}") from None


# What every family may tell.
EVERY: Table = {
    "fault": device.DeviceFaulted.model_validate,
    "cleared": device.DeviceCleared.model_validate,
}
