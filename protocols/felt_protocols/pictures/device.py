"""The retained picture of one device."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from felt_protocols.events.core import Count, Id
from felt_protocols.pictures.told import Stamped, Told

Link = Literal["awaiting", "connected", "ready", "stale", "lost", "refused"]
Age = Annotated[float, Field(ge=0)] | None


class Level(Told):
    """A part of a device's health. A driver may tell more than stands here."""

    model_config = ConfigDict(extra="allow")


class LinkHealth(Level):
    """The port that the device is at."""

    port: str
    """The port's path."""
    open: bool
    """Whether it is open."""
    session: str
    """How far the greeting of daemon and device has come."""
    standing: str
    """Whether the device is heard."""
    diagnosis: str | None
    """What is wrong with the line, in words, if anything is."""


class BytesHealth(Level):
    """Bytes at the device's ports since the daemon's start."""

    read: Count
    """Bytes read."""
    written: Count
    """Bytes written."""
    age_s: Age
    """Seconds since the last one was read; null if none was."""


class FramesHealth(Level):
    """Frames from the device since the daemon's start."""

    count: Count
    """Frames that were whole."""
    garbled: dict[str, int]
    """Frames that were not, by what was wrong."""
    duplicates: Count
    """Frames that came twice."""
    gaps: Count
    """Frames that are missing, by their numbers."""
    unexpected: Count
    """Whole frames that had no place where they came."""
    age_s: Age
    """Seconds since the last whole frame; null if none came."""


class FactsHealth(Level):
    """Facts from the device since the daemon's start."""

    count: Count
    """Facts that were understood."""
    not_understood: Count
    """Events that no fact could be made of."""
    age_s: Age
    """Seconds since the last fact; null if none came."""


class Failure(Level):
    """One failure to keep the device's link."""

    what: str
    """What failed."""
    why: str
    """Why, in a few words."""
    at_s: float
    """When, in seconds of the links' own clock, which begins with the box."""


class Health(Level):
    """How the device is heard, level by level. It is measured and no row of the journal."""

    link: LinkHealth
    """The port and what is heard at it."""
    bytes: BytesHealth
    """Bytes at the port."""
    frames: FramesHealth
    """Whole frames."""
    facts: FactsHealth
    """What was understood."""
    stale: bool
    """Whether the values here are old because the device is not heard."""
    firmware: str
    """The firmware's version as the device says; empty while it has not."""
    state: str
    """The device's own word for what it does; empty while it has not said."""
    inhibited: bool | None
    """Whether the device shows that it is inhibited; null while it has not said."""
    attempts: Count
    """How often its link was tried."""
    failures: Count
    """How often in a row that failed."""
    first_failure: Failure | None
    """The first failure since the daemon's start."""
    last_failure: Failure | None
    """The last one."""


class DevicePicture(Stamped):
    """One device. Retained; an empty payload when it leaves the configuration."""

    device: Id
    """The device's id in the configuration."""
    family: str
    """What it is: shoe, shuffler, shaker and so on."""
    link: Link
    """Whether it is heard, and whether all that it kept has been decided (ready)."""
    model: str | None
    """The model on its plate; null while it has not said."""
    serial: str | None
    """The serial number on its plate; null while it has not said."""
    firmware: str | None
    """Its firmware's version; null while it has not said."""
    digest: str | None
    """The digest of its firmware; null while it has not said."""
    boot: str | None
    """Its own boot id, in hexadecimal; null while it has not said."""
    jam: str | None
    """Where it is jammed; null if it is not."""
    faults: dict[str, str]
    """The faults that it reports, each with where it is."""
    door_open: bool
    """Whether a door of it is open."""
    light: str | None
    """The colour that its own light shows; null if none is known."""
    service: Literal["on", "ending"] | None
    """on: what it tells is a test; ending: its selftest must pass yet; null otherwise."""
    retired: bool
    """Whether it is out of use."""
    sign: str | None
    """covered or out-of-order; null if it is neither."""
    inspected: str | None
    """The gaming day on which it was last found in order; null if never."""
    health: Health | None = None
    """How it is heard, measured about once a second; absent until it was measured."""
