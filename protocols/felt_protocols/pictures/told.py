"""What the models of messages have in common, and the forms of their words and numbers."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

SEQUENCE_PATTERN = r"^[0-9]{20}$"
TIME_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$"
DIGEST_PATTERN = r"^[0-9a-f]{64}$"
EPOCH_PATTERN = r"^[0-9a-f]{16}$"

Sequence = Annotated[str, Field(pattern=SEQUENCE_PATTERN)]
Time = Annotated[str, Field(pattern=TIME_PATTERN)]
Digest = Annotated[str, Field(pattern=DIGEST_PATTERN)]
Epoch = Annotated[str, Field(pattern=EPOCH_PATTERN)]


class Told(BaseModel):
    """A message or a part of one. Closed: what is published has these fields and no other."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)


class MomentPicture(Told):
    """When something happened, by the wall clock and by the box's own count of time."""

    utc_us: int
    """Microseconds since 1970, UTC; true only while `trusted`."""
    trusted: bool
    """Whether the wall clock was synchronized then."""
    mono_ns: Annotated[int, Field(ge=0)]
    """Nanoseconds since the kernel's boot, time asleep included; for durations within one boot."""
    boot: str
    """The kernel's boot that `mono_ns` counts from."""


class Stamped(Told):
    """A retained picture: which row of which journal it shows the table after."""

    sequence: Sequence
    """The last row of the journal that this picture reflects: 20 digits."""
    epoch: Epoch
    """The journal; sequences of different epochs have nothing to do with each other."""
