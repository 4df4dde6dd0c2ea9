"""What people must do now: the directives of open incidents and of the round's notices that are not done."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import Incident, State


class Directive(NamedTuple):
    """One thing to do, and the ruling that says so."""

    do: str
    row: str
    cite: tuple[str, ...]
    incident: int


def directives(pack: Pack, state: State) -> Iterator[Directive]:
    """Each that stands, the oldest trouble's first; another trouble's comes again although it is the same."""
    for one in state.incidents.values():
        for name in one.directives:
            if not _done(pack, state, one, name):
                yield Directive(name, one.row, one.cite, one.id)
    for notice in state.round.notices if state.round else ():
        for name in notice.directives:
            yield Directive(name, notice.row, notice.cite, notice.incident)


def _done(pack: Pack, state: State, about: Incident, name: str) -> bool:
    """Whether the pack says what ends this directive, and it has come while the incident goes on."""
    until = pack.done.get(name)
    if until == "round-over":
        # The same trouble may void a later round as well.
        now = state.round
        return now is None or not (now.void or now.number == about.round)
    if until == "device-signed":
        device = state.devices.get(about.subject_id) if about.subject == "device" else None
        return device is not None and bool(device.sign)
    if until in {"answered", "let-go"}:
        over = state.round is None or state.round.number != about.round
        held = any(hold.incident == about.id for hold in state.holds.values())
        return not held or (over and until == "answered")
    return False
