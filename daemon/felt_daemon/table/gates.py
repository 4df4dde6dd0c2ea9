"""Permission: what a gate still waits for, and the permit once nothing is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.deal import begun, hands_due
from felt_daemon.table.focus import Asking
from felt_daemon.table.interlock import closing
from felt_daemon.table.lookup import lookup_for
from felt_daemon.table.whereabouts import SHOE, is_of
from felt_protocols.events import device as devices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Gate, Pack
    from felt_daemon.table.state import Device, Grant, Hold, State
    from felt_protocols.events import Decision, Event


# The house's word for what nobody tells and nothing waits for.
ADVICE = "advice"
# The measure that an order takes the number of its stacks from.
STACKS_DUE = "stacks_due"


def permits(pack: Pack, state: State, _fact: Event) -> Iterator[Decision]:
    """An order for every gate that is open now and has not been granted for this round or batch."""
    for gate, device in gates_of(pack, state):
        key = key_of(state, gate, device)
        if key is None or granted(state, gate, device, key):
            continue
        if next(missing(pack, state, gate, device), None) is None:
            args = dict(_arguments(pack, state, gate, device, key))
            yield devices.OrderIssued(device=device.id, order=gate.order, args=args, gate=gate.id, key=key)


def gates_of(pack: Pack, state: State) -> Iterator[tuple[Gate, Device]]:
    """Every gate with every device that it is for."""
    for gate in pack.gates:
        for device in state.devices.values():
            if is_of(device, gate.family):
                yield gate, device


def key_of(state: State, gate: Gate, device: Device) -> str | None:
    """What a permit would be for now: the round's number or the batch's; none when there is neither."""
    if gate.per == "batch":
        waiting = device.batch is not None and not device.working and not device.done
        return str(device.batch) if waiting else None
    now = state.round
    if now is None or (gate.lasts == "first-card" and begun(state)):
        return None
    return str(now.number)


def granted(state: State, gate: Gate, device: Device, key: str) -> bool:
    """Whether this very permit was already given to this boot of the device.

    One for a whole round does not outlive a stop: when the device may go on, it needs another. One for
    so many stacks does not outlive a correction of who plays.
    """
    grant = state.grants.get(f"{gate.id}/{device.id}")
    if grant is None or (gate.lasts == "round" and device.stopped > grant.order):
        return False
    if grant.key != key or grant.boot != device.boot or grant.result == "unknown" or grant.withdrawn:
        return False
    return begun(state) or not _of_other_hands(state, gate, grant)


def _of_other_hands(state: State, gate: Gate, grant: Grant) -> bool:
    """Whether a permit is for another number of stacks than are due, before the first one is out."""
    due = hands_due(state) if gate.args.get("stacks") == STACKS_DUE else None
    return due is not None and grant.args.get("stacks", due) != due


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
    for hold in _closing_now(pack, state, gate, device):
        yield f"hold {hold.id} ({hold.row}): {hold.until}"
    lookup = lookup_for(pack, state, Asking(device.id))
    for need in gate.needs:
        if not need.when.holds(lookup) and state.setup.told.get(need.told or "") != ADVICE:
            yield need.says


def _closing_now(pack: Pack, state: State, gate: Gate, device: Device) -> Iterator[Hold]:
    # What closes the next round lets the one that is on be finished: there, only a stop stops.
    now = state.round
    permitted = now is not None and now.permitted and begun(state)
    going_on = gate.lasts == "round" and gate.family == SHOE and permitted
    for hold in closing(pack, state, gate, device):
        if not going_on or (hold.cause and hold.stops == device.id):
            yield hold


def _arguments(
    pack: Pack, state: State, gate: Gate, device: Device, key: str
) -> Iterator[tuple[str, int | str | bool]]:
    """The order's arguments by name; one that nobody knows is left out."""
    lookup = lookup_for(pack, state, Asking(device.id))
    for name, value in gate.args.items():
        if value == "key":
            yield name, int(key)
        elif isinstance(value, int):
            yield name, value
        else:
            known = lookup(value)
            if isinstance(known, (int, str)):
                yield name, known
