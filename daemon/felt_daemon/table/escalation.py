"""Who is asked to own a hold: the dealer at once, then one after the other until somebody does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.interlock import locks
from felt_protocols.events import incident, system

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import Hold, State
    from felt_protocols.events import Decision, Event
    from felt_protocols.events.incident import Step

    Ladder = tuple[tuple[Step, int], ...]

_TIMER = "escalation:"


def escalation(_pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """Steps that begin or fall due with this fact, and timers that nobody needs any more."""
    ladder = state.setup.escalation
    due = fact.timer if isinstance(fact, (system.TimerDue, system.TimerUnknown)) else ""
    wanted: set[str] = set()
    # Nobody is fetched to a table where nobody plays; who opens it is asked then.
    asking = ladder and state.table != "closed"
    for hold in state.holds.values():
        if hold.owner or not (asking and locks(state, hold)):
            continue
        name = f"{_TIMER}{hold.id}"
        wanted.add(name)
        to = _next(ladder, hold.step)
        if hold.step is None or (name == due and isinstance(fact, system.TimerDue) and to < len(ladder)):
            yield from _step(hold, name, ladder, to)
        elif to < len(ladder) and (name == due or name not in state.timers):
            # After a restart nobody may know how long it has been: this step's time runs anew.
            yield _timer(name, ladder, to)
    for name in state.timers:
        if name.startswith(_TIMER) and name not in wanted:
            yield system.TimerCancelled(timer=name)


def _next(ladder: Ladder, step: Step | None) -> int:
    """The place after a step; the last one's, or that of a step that the house has given up, is the end."""
    if step is None:
        return 0
    names = [name for name, _after_s in ladder]
    return names.index(step) + 1 if step in names else len(ladder)


def _step(hold: Hold, timer: str, ladder: Ladder, to: int) -> Iterator[Decision]:
    yield incident.HoldEscalated(incident=hold.incident, hold=hold.id, step=ladder[to][0])
    if to + 1 < len(ladder):
        yield _timer(timer, ladder, to + 1)


def _timer(name: str, ladder: Ladder, to: int) -> system.TimerSet:
    return system.TimerSet(timer=name, after_s=ladder[to][1] - ladder[to - 1][1])
