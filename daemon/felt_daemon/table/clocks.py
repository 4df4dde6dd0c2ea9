"""The clocks of the text: timers that run per device from an event and survive a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.events import person, system

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import State
    from felt_protocols.events import Decision, Event

SECONDS_PER_HOUR = 3600


def clocks(pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """Start the clocks that this fact winds, anew where one runs, and stop those of a retired device."""
    if isinstance(fact, person.DeviceRetired):
        for timer in state.timers:
            if timer.partition("/")[2] == fact.device:
                yield system.TimerCancelled(timer=timer)
    for clock in pack.clocks:
        if clock.on == fact.what():
            about = getattr(fact, "device", None) or getattr(fact, "deck", "")
            yield system.TimerSet(timer=f"{clock.id}/{about}", after_s=clock.hours * SECONDS_PER_HOUR)
