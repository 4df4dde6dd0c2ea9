"""What happens at a table whose shoe jams: an incident, and the hold that it opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.events import incident

if TYPE_CHECKING:
    from felt_protocols.events import Event


def a_hold() -> tuple[Event, Event]:
    """The first incident of a table and its first hold, on `shoe-1`."""
    return (
        incident.IncidentOpened(incident=1, row="shoe-jam", subject="device", subject_id="shoe-1"),
        incident.HoldOpened(
            incident=1,
            hold=1,
            row="shoe-jam",
            index=0,
            subject="device",
            subject_id="shoe-1",
            gates=("shoe",),
            stops="",
            cause=True,
            until="the jam is cleared",
        ),
    )
