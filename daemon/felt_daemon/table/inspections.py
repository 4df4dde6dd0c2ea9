"""Inspections that a device must have in each gaming day: who has not had it yet, and is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.events import device, person, system

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import State
    from felt_protocols.events import Decision, Event

# When an inspection may fall due: a table opens, its day begins, or a device comes into use again.
_OCCASIONS = (person.TableOpened, system.GamingDayBegan, person.DeviceAccepted)


def inspections(pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """An inspection for each device that was not found in order in this gaming day, told once a day."""
    if not isinstance(fact, _OCCASIONS) or state.table not in {"open", "idle"} or not state.gaming_day:
        return
    for one in pack.inspections:
        for about in state.devices.values():
            fresh = state.gaming_day not in {about.inspected, about.inspection_due}
            if about.family == one.family and fresh and not about.retired:
                yield device.InspectionDue(
                    device=about.id, day=state.gaming_day, cite=one.cite, says=one.says
                )
