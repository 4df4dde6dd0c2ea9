"""A device's service: it ends with its selftest, where it has one, after it was shown empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.evolve_facts import SERVICE
from felt_protocols.events import device as devices
from felt_protocols.events import person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import State
    from felt_protocols.events import Decision, Event


def service(_pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """The selftest that a service ends with, and the end when it is passed."""
    if isinstance(fact, person.ServiceEnding):
        if fact.device in state.setup.selftests:
            yield devices.OrderIssued(
                device=fact.device, order="selftest", args={}, gate=SERVICE, key=str(state.seq)
            )
        else:
            yield devices.ServiceEnded(device=fact.device)
    elif isinstance(fact, devices.OrderAnswered) and fact.result == "done":
        grant = state.grants.get(f"{SERVICE}/{fact.device}")
        about = state.devices.get(fact.device)
        ending = about is not None and about.service == "ending"
        if ending and grant is not None and grant.order == fact.order:
            yield devices.ServiceEnded(device=fact.device)
