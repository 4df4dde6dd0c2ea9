"""What the dealer's panel shows: the round, what is held, and what to do, in few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.directives import directives
from felt_daemon.table.gates import gates_of, granted, key_of, missing
from felt_daemon.table.interlock import inhibits, locks
from felt_daemon.table.whereabouts import SHOE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import State

LINES = 8
WIDTH = 40
FAMILY = "dealers-panel"
# What a table's state says where no round is on.
_STATES = {"closed": "TABLE CLOSED", "opening": "TABLE OPENS", "open": "NO ROUND", "idle": "CARDS SPREAD"}


def panel(pack: Pack, state: State) -> tuple[tuple[str, ...], dict[str, str]]:
    """The lines of text, most urgent first, and the pattern of each lamp."""
    # What was pressed last and not taken stands where the eye is.
    refused = (f"NOT TAKEN: {state.panel_refusal}",) if state.panel_refusal else ()
    lines = (_head(state), *refused, *_held(pack, state), *_to_do(pack, state))
    return tuple(line[:WIDTH] for line in lines[:LINES]), _lamps(pack, state)


def _head(state: State) -> str:
    now = state.round
    if now is None:
        return _STATES[state.table]
    if now.void:
        return f"ROUND {now.number} IS VOID"
    start = "" if now.start_seat is None else f"  START {now.start_seat or 'DEALER'}"
    return f"ROUND {now.number} {now.phase.upper()}{start}"


def _held(pack: Pack, state: State) -> Iterator[str]:
    bound = list(
        dict.fromkeys(
            f"{pack.word(hold.subject)} {hold.subject_id}"
            for hold in state.holds.values()
            if locks(state, hold)
        )
    )
    if bound:
        yield _as_many_as_fit(bound)
    if state.called is not None:
        yield "FLOOR IS CALLED"


def _as_many_as_fit(bound: list[str]) -> str:
    """What is held, on one line; how many more there are, where they have no room."""
    lines = [
        f"HELD: {', '.join(bound[:count])}" + (f" +{len(bound) - count}" if count < len(bound) else "")
        for count in range(len(bound), 0, -1)
    ]
    return next((line for line in lines if len(line) <= WIDTH), lines[-1])


def _to_do(pack: Pack, state: State) -> Iterator[str]:
    for name in dict.fromkeys(one.do for one in directives(pack, state)):
        yield pack.brief.get(name, name.replace("-", " "))


def _lamps(pack: Pack, state: State) -> dict[str, str]:
    holds = [hold for hold in state.holds.values() if locks(state, hold)]
    if any(not hold.owner for hold in holds):
        held = "fast" if any(not hold.seen for hold in holds) else "slow"
    else:
        held = "on" if holds else "off"
    return {
        "call": "off" if state.called is None else "slow",
        "hold": held,
        "deal": "on" if _may_deal(pack, state) else "off",
    }


def _may_deal(pack: Pack, state: State) -> bool:
    """Whether the permit of this round is given, and nothing has come since that keeps the round from it."""
    if state.round is None or state.round.void:
        return False
    stopped = inhibits(state)
    return any(
        gate.per == "round"
        and gate.family == SHOE
        and (key := key_of(state, gate, device))
        and granted(state, gate, device, key)
        and device.id not in stopped
        and next(missing(pack, state, gate, device), None) is None
        for gate, device in gates_of(pack, state)
    )
