"""Permission: what a gate still waits for, and the permit once nothing is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.focus import Asking
from felt_daemon.table.interlock import closing
from felt_daemon.table.lookup import lookup_for
from felt_protocols.events import device as devices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Gate, Pack
    from felt_daemon.table.state import Device, State
    from felt_protocols.events import Decision, Event


# The house's word for what nobody tells and nothing waits for.
ADVICE = "advice"


def permits(pack: Pack, state: State, _fact: Event) -> Iterator[Decision]:
    """An order for every gate that is open now and has not been granted for this round or batch."""
    for gate, device in gates_of(pack, state):
        key = key_of(state, gate, device)
        if key is None or granted(state, gate, device, key):
            continue
        if next(missing(pack, state, gate, device), None) is None:
            args: dict[str, int | str | bool] = {
                name: _argument(value, key) for name, value in gate.args.items()
            }
            yield devices.OrderIssued(device=device.id, order=gate.order, args=args, gate=gate.id, key=key)


def gates_of(pack: Pack, state: State) -> Iterator[tuple[Gate, Device]]:
    """Every gate with every device that it is for."""
    for gate in pack.gates:
        for device in state.devices.values():
            if device.family == gate.family:
                yield gate, device


def key_of(state: State, gate: Gate, device: Device) -> str | None:
    """What a permit would be for now: the round's number or the batch's; none when there is neither."""
    if gate.per == "batch":
        waiting = device.batch is not None and not device.working and not device.done
        return str(device.batch) if waiting else None
    return str(state.round.number) if state.round and not state.round.stacks else None


def granted(state: State, gate: Gate, device: Device, key: str) -> bool:
    """Whether this very permit was already given to this boot of the device."""
    grant = state.grants.get(f"{gate.id}/{device.id}")
    return grant is not None and grant.key == key and grant.boot == device.boot and grant.result != "unknown"


def missing(pack: Pack, state: State, gate: Gate, device: Device) -> Iterator[str]:
    """What the gate waits for, each in words."""
    if device.link != "ready":
        yield f"{device.id} is {device.link}"
    if device.retired:
        yield f"{device.id} is out of use"
        return
    if device.service:
        # A test shuffle needs its permit; cards are dealt to nobody in service.
        if gate.per == "round":
            yield f"{device.id} is in service"
        return
    # At the start nothing is permitted until each device has been heard or given up.
    for other in state.devices.values():
        if other.link in {"awaiting", "connected"} and other.id != device.id and not other.retired:
            yield f"{other.id} is {other.link}"
    for hold in closing(pack, state, gate, device):
        yield f"hold {hold.id} ({hold.row}): {hold.until}"
    lookup = lookup_for(pack, state, Asking(device.id))
    for need in gate.needs:
        if not need.when.holds(lookup) and state.setup.told.get(need.told or "") != ADVICE:
            yield need.says


def _argument(value: int | str, key: str) -> int | str:
    return int(key) if value == "key" else value
