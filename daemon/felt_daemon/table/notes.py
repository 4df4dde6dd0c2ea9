"""What the round is noted for: facts that the pack's later conditions ask for by the pack's own names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.lookup import all_hold, lookup_for
from felt_daemon.table.state import NOT_NOTED
from felt_protocols.events import person
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import State
    from felt_protocols.events import Decision, Event


def notes(pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """Every note that the fact sets and that the round does not have yet, or takes away and that it has."""
    now = state.round
    if now is None:
        return
    told: dict[str, str] = {}
    if pack.sets:
        lookup = lookup_for(pack, state, fact)
        for one in pack.sets:
            if fact.what() in one.on and all_hold(one.when, lookup):
                told[one.note] = one.value
    if isinstance(fact, person.Reported) and fact.report in pack.reports:
        told |= pack.reports[fact.report].sets
    for name, value in told.items():
        if now.notes.get(name, NOT_NOTED) != value:
            yield rounds.RoundNoted(round=now.number, name=name, value=value)
