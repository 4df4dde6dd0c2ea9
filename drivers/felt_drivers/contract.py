"""What the daemon gives every driver, what it gets from it, and what the supervisor needs of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_protocols.events import Fact


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the sequence of events of one boot of a device: the boot's id and the event's number."""

    boot: int
    n: int


@dataclass(frozen=True, slots=True)
class Device:
    """A configured device: where it is plugged in, and who it must say it is.

    `serial` and `digest` (SHA-256 of its firmware): None accepts any. `baud`: bits per second.
    """

    id: str
    family: str
    path: str
    baud: int = 115_200
    link: str = "felt-link"
    serial: str | None = None
    digest: bytes | None = None


class Clock(Protocol):
    """Link time: seconds that silence, leases and resending are measured in.

    It never runs backwards. In a simulated run it stands still during a leap of the event loop's time,
    so whoever wakes looks at `link_now` again before it acts.
    """

    def link_now(self) -> float:
        """The link time now."""
        ...

    def loop_time(self, link_t: float) -> float:
        """The event loop's time at which the link time will be `link_t`, if nothing leaps."""
        ...


class Take(Protocol):
    """Where facts go: called at once, in order, in the callback that read the device's bytes.

    `age_s`: seconds since it happened. `late`: told long after it happened. `mark`: what to acknowledge
    when the fact is committed; None for a fact that the driver itself observed.
    An exception that it raises is no fault of the device, and ends the supervisor.
    """

    def __call__(self, device: str, fact: Fact, age_s: float, late: bool, mark: Mark | None, /) -> None:  # noqa: FBT001 - the five are always given in this order
        """Take one fact."""
        ...


class Driver(Protocol):
    """One device, driven. Everything is called from the event loop's thread and returns at once."""

    @property
    def id(self) -> str:
        """The device's id in the configuration."""
        ...

    async def attend(self, settled: Callable[[], None]) -> None:
        """Open the port and serve it; ends only by raising `LinkLost` or whatever bug came up.

        Calls `settled` once the device has been heard for so long that earlier failures are history.
        """
        ...

    def faulted(self, why: str) -> None:
        """A bug ended `attend`: tell the table, once until an attempt has settled."""
        ...

    def close(self) -> None:
        """Let go of port and timers, for good."""
        ...

    def overdue_s(self) -> float:
        """Seconds of link time since the driver ought to have acted; 0 while it keeps its promises."""
        ...

    def inhibit(self, why: str, *, after_round: bool = False) -> None:
        """Stop the device, at once or after the round; said again until the device shows it.

        Ignored, as `prepare` is, for a device whose family has nothing that could be stopped.
        """
        ...

    def prepare(self, why: str) -> None:
        """Have the inhibit for this reason ready, so that it only has to be written."""
        ...

    def release(self) -> None:
        """Wish the device no longer inhibited. Nothing is sent: only a permit frees it."""
        ...

    def order(self, number: tuple[str, int], name: str, args: Mapping[str, int | str | bool]) -> None:
        """Send an order that is committed as row `number` (epoch, seq)."""
        ...

    def show(self, lines: tuple[str, ...], lamps: Mapping[str, str]) -> None:
        """Wish people shown these lines and lamps, in place of whatever was wished before.

        Cheap when nothing has changed: what differs is written, and all of it again when the device says
        HELLO or has not answered. Nothing is queued while the port is closed; the last wish counts.
        `lines`: any text, folded to what the device can show. `lamps`: patterns (`off`, `on`, `slow`,
        `fast`) by name (`call`, `hold`, `deal`); a lamp that is left out is off. Raises `ValueError` for
        another lamp or pattern. Ignored for a device whose family shows no text.
        """
        ...

    def acknowledge(self, mark: Mark) -> None:
        """Tell the device that its events up to `mark` are committed."""
        ...

    def renew(self, wish: bool) -> None:  # noqa: FBT001 - `renew(False)` reads as it is meant
        """Whether the leases of permits are renewed."""
        ...

    def health(self) -> dict[str, object]:
        """How the device is heard, level by level: link, bytes, frames, facts; JSON types only."""
        ...

    def links(self) -> tuple[int, int] | None:
        """Bytes read and bytes written since the port was opened; None while it is closed."""
        ...
