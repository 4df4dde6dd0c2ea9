"""What a session of Felt Link says about the link, as facts: one closed table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_protocols.events import device as facts
from felt_protocols.link import items

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_protocols.events import Fact

_RESULTS = {True: "done", False: "failed", None: "unknown"}


def _connected(name: str, item: items.Connected) -> Fact:
    hello = item.hello
    return facts.DeviceConnected(
        device=name,
        family=hello.family,
        model=hello.model,
        serial=hello.serial,
        firmware=hello.firmware,
        digest=hello.digest.hex(),
        device_boot=boot_text(hello.boot),
        same_boot=item.same_boot,
    )


def _restarted(name: str, item: items.Restarted) -> Fact:
    return facts.DeviceRestarted(
        device=name,
        device_boot=boot_text(item.hello.boot),
        previous_boot=boot_text(item.previous_boot),
    )


def _answered(name: str, item: items.Answered) -> Fact | None:
    # An order without a number is a wish; what became of it shows in PONG.
    if item.number is None:
        return None
    result: Any = _RESULTS[item.ok]
    return facts.OrderAnswered(device=name, order=item.number[1], result=result, why=item.why or "")


_FACTS: Mapping[type[Any], Callable[[str, Any], Fact | None]] = {
    items.Connected: _connected,
    items.Restarted: _restarted,
    items.RefusedDevice: lambda name, item: facts.DeviceRefused(device=name, why=item.why),
    items.Answered: _answered,
    items.Drained: lambda name, item: facts.DeviceDrained(device=name, upto=item.n),
    items.EventsLost: lambda name, item: facts.EventsLost(
        device=name, first=item.first, last=item.last, n=item.n or None
    ),
    items.Unconfirmed: lambda name, item: facts.InterlockUnconfirmed(
        device=name, after_ms=round(item.after_s * 1000)
    ),
    items.InhibitFound: lambda name, item: facts.InhibitFound(device=name, why=item.why),
    items.LeaksOrder: lambda name, _item: facts.OrderLeaked(device=name),
}


def link_fact(name: str, item: items.Item) -> Fact | None:
    """The fact that device `name` gave rise to; None when the item is none for the table."""
    return _FACTS[type(item)](name, item)


def boot_text(boot: int) -> str:
    """A device's boot id as facts have it: sixteen hexadecimal digits."""
    return f"{boot:016x}"
