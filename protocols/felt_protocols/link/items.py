"""What a host's session tells its owner, in the order in which it came about.

An item that has an `n` counts one event of the device: the owner commits it, then calls
`HostSession.acknowledge(n, boot)`. No item ever holds a card that was not face up.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from felt_protocols.link.frame import Garbled
from felt_protocols.link.messages import Hello, Number


@dataclass(frozen=True, slots=True)
class Send:
    """Write these bytes to the port: whole frames."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Connected:
    """A device is accepted; `same_boot`: it is the boot whose events were taken before."""

    hello: Hello
    same_boot: bool


@dataclass(frozen=True, slots=True)
class Restarted:
    """The known device has booted since: counts that lived in it are void. Follows `Connected`."""

    hello: Hello
    previous_boot: int


@dataclass(frozen=True, slots=True)
class RefusedDevice:
    """A device was not accepted; `hello` is None when it speaks another version."""

    why: str
    hello: Hello | None = None


@dataclass(frozen=True, slots=True)
class Happened:
    """An event, once and in order. `age_s` ago; `late`: before acceptance, or over 2 s ago."""

    n: int
    name: str
    fields: Mapping[str, object]
    age_s: float
    late: bool
    boot: int


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """An event that the family's table does not know: a fault of the device, its fields dropped."""

    n: int
    why: str
    age_s: float
    late: bool
    boot: int


@dataclass(frozen=True, slots=True)
class EventsLost:
    """The device says that it could not keep events `first` to `last`; acknowledge `n`."""

    first: int
    last: int
    n: int
    boot: int


@dataclass(frozen=True, slots=True)
class Answered:
    """An order's result; `ok` is None when it is unknown and will stay so."""

    name: str
    number: Number | None
    ok: bool | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Drained:
    """Everything that happened up to `n` is acknowledged; once after each acceptance."""

    n: int


@dataclass(frozen=True, slots=True)
class Stale:
    """Nothing was heard for 1.5 s."""

    silent_s: float


@dataclass(frozen=True, slots=True)
class Lost:
    """Nothing was heard for 5 s."""

    silent_s: float


@dataclass(frozen=True, slots=True)
class Back:
    """The device is heard again after `Stale` or `Lost`."""


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """The device did not show an inhibit in time; once for each inhibit."""

    name: str
    after_s: float


@dataclass(frozen=True, slots=True)
class InhibitFound:
    """The device was found inhibited for a reason that is neither this session's nor its own."""

    why: str


@dataclass(frozen=True, slots=True)
class LeaksOrder:
    """The device offered the order of undealt cards; the bytes are dropped, and it is barred."""


Item: TypeAlias = (
    Send
    | Connected
    | Restarted
    | RefusedDevice
    | Happened
    | NotUnderstood
    | EventsLost
    | Answered
    | Drained
    | Stale
    | Lost
    | Back
    | Unconfirmed
    | InhibitFound
    | LeaksOrder
)


@dataclass(slots=True)
class Counters:
    """What a session has met since it began; health, never rows."""

    bytes: int = 0
    frames: int = 0
    garbled: dict[str, int] = field(default_factory=dict[str, int])
    last_garbled: Garbled | None = None
    duplicates: int = 0
    gaps: int = 0
    unexpected: int = 0

    def garble(self, garbled: Garbled) -> None:
        """Count one piece that was no message, by its reason."""
        self.garbled[garbled.why] = self.garbled.get(garbled.why, 0) + 1
        self.last_garbled = garbled
