"""The clocks of the text: timers that run per device from an event and survive a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.events import system

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import State
    from felt_protocols.events import Decision, Event

SECONDS_PER_HOUR = 3600


def clocks(pack: Pack, _state: State, fact: Event) -> Iterator[Decision]:
    """Start the clocks that this fact winds; one that runs is wound anew."""
    for clock in pack.clocks:
        if clock.on == fact.what():
            about = getattr(fact, "device", None) or getattr(fact, "deck", "")
            yield system.TimerSet(timer=f"{clock.id}/{about}", after_s=clock.hours * SECONDS_PER_HOUR)
