"""Facts about devices as such, whatever their family, and the orders given to them."""

from __future__ import annotations

from typing import ClassVar, Literal

from felt_protocols.events.core import Count, Decision, Fact, Id, Kind, Text, Word, published


class DeviceFact(Fact):
    """A fact of one device."""

    kind: ClassVar[Kind] = "device"
    device: Id


@published
class DeviceConnected(DeviceFact):
    """A device said HELLO and was accepted. `device_boot` is its 64-bit boot id, in hex."""

    family: Word
    model: Word
    serial: Word
    firmware: Word
    digest: Word
    device_boot: Word
    # True when this is the boot that the journal already knows: its unacknowledged events still count.
    same_boot: bool


@published
class DeviceRestarted(DeviceFact):
    """A device in play came back with a new boot id: what it counted in memory is void."""

    device_boot: Word
    previous_boot: Word


@published
class DeviceRefused(DeviceFact):
    """A device said HELLO and was not accepted."""

    why: Text


@published
class DeviceDrained(DeviceFact):
    """Every event that the device had kept for us has arrived; `upto` is the last one's number."""

    upto: Count


@published
class DeviceStale(DeviceFact):
    """The device has been silent for longer than it may; its last values are old."""

    silent_ms: Count


@published
class DeviceLost(DeviceFact):
    """The device is gone: silent for too long, its port closed, or never seen since the start."""

    why: Literal["silent", "link", "never-seen"]


@published
class DeviceBack(DeviceFact):
    """A stale or lost device is heard again."""


@published
class DeviceFaulted(DeviceFact):
    """The device reports a fault: it cannot be used until the fault is cleared."""

    code: Word
    where: Word = ""


@published
class DeviceCleared(DeviceFact):
    """The device reports that a jam (no code) or a fault (its code) is gone."""

    code: Word = ""
    where: Word = ""


@published
class DoorMoved(DeviceFact):
    """A door of the device was opened or closed."""

    open: bool


@published
class LightShown(DeviceFact):
    """The device's own light changed its colour."""

    colour: Word


@published
class EventsLost(DeviceFact):
    """The device says that its memory overflowed and events `first` to `last` are gone for ever."""

    first: Count
    last: Count


@published
class OrderLeaked(DeviceFact):
    """The device offered the order of undealt cards.

    Its bytes were dropped unlogged, and it is not accepted any more.
    """


@published
class InterlockUnconfirmed(DeviceFact):
    """The device does not show an inhibit that it was sent `after_ms` ago."""

    after_ms: Count


@published
class InhibitFound(DeviceFact):
    """The device is inhibited for a reason that this daemon did not give."""

    why: Text


@published
class LeaseLapsed(DeviceFact):
    """The device inhibited itself because its permit was not renewed; it needs a new one to begin."""


@published
class OrderAnswered(DeviceFact):
    """A numbered order's result. `order` is the seq of its `OrderIssued` row.

    `unknown`: the device restarted before it answered, and the order is not repeated.
    """

    order: Count
    result: Literal["done", "failed", "unknown"]
    why: Text = ""


@published
class OrderIssued(Decision):
    """An order that is a row first and is sent after the commit, numbered by this row's seq."""

    kind: ClassVar[Kind] = "device"
    device: Id
    order: Word
    args: dict[str, int | str | bool]
    # The gate that granted it and what it was granted for: a round's or a batch's number.
    gate: Word
    key: Word


@published
class ServiceEnded(Decision):
    """A device's service is over: it was shown empty and passed its selftest, where it has one."""

    kind: ClassVar[Kind] = "device"
    device: Id


@published
class InspectionDue(Decision):
    """A device in use was not inspected in this gaming day; shown until it is, and found in order."""

    kind: ClassVar[Kind] = "device"
    device: Id
    day: Word
    cite: tuple[Word, ...]
    says: Text
