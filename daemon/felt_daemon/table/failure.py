"""What is recorded when the rules themselves fail on a fact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.evolve import evolve
from felt_protocols.events import Row, incident, system

if TYPE_CHECKING:
    from felt_daemon.table.decide import Table
    from felt_protocols.events import Event, Fact, Moment

# The name of the hold's row; no pack has it, so that only an override ends the hold.
UNDECIDED = "undecided"


def undecided(table: Table, fact: Fact, device: str, where: str, at: Moment) -> list[Row]:
    """Rows that keep the fact, decide nothing from it, and hold the table until a floorperson lets it go."""
    state = table.state
    gates = tuple(gate.id for gate in table.pack.gates)
    number = state.last_incident + 1
    name = state.setup.table
    events: tuple[Event, ...] = (
        system.Undecided(
            n=fact.n,
            what_failed=fact.what(),
            device=device,
            body=fact.model_dump(mode="json", exclude_none=True),
            where=where,
        ),
        incident.IncidentOpened(incident=number, row=UNDECIDED, subject="table", subject_id=name),
        incident.HoldOpened(
            incident=number,
            hold=state.last_hold + 1,
            row=UNDECIDED,
            index=0,
            cause=False,
            subject="table",
            subject_id=name,
            gates=gates,
            stops="",
            until="a floorperson has looked at what happened and overrides",
        ),
    )
    rows: list[Row] = []
    for event in events:
        cause = rows[0].seq if rows else None
        row = Row(name, table.state.seq + 1, event, at, cause, table.simulated)
        table.state = evolve(table.state, row)
        rows.append(row)
    return rows
