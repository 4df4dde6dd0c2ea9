"""The life of the table: opening, rounds, phases, closing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from felt_daemon.table.deal import begun, players
from felt_daemon.table.lookup import all_hold, lookup_for
from felt_protocols.events import person
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Move, Pack
    from felt_daemon.table.state import Round, State
    from felt_protocols.events import Decision, Event

# The one phase that is no pack's: the round is void and waits for its release.
VOID = "void"


def moves(pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    """What the fact does to the table's and the round's life."""
    if not isinstance(fact, (person.DeckChanged, person.TableOpened, person.TableClosed)):
        yield from _round_moves(pack, state, fact)
    elif isinstance(fact, person.DeckChanged):
        if state.table == "closed":
            yield rounds.TableStateChanged(state="opening")
        else:
            yield from _round_moves(pack, state, fact)
    elif isinstance(fact, person.TableOpened):
        if state.table != "open":
            yield rounds.TableStateChanged(state="open")
            yield from opened(pack, state.rounds + 1)
    elif state.table in {"opening", "idle"}:
        yield rounds.TableStateChanged(state="closed")
    elif state.round is not None and not begun(state) and not state.round.void:
        yield rounds.RoundClosed(round=state.round.number, outcome="completed", hands=0)
        yield rounds.TableStateChanged(state="closed")
    else:
        yield from _round_moves(pack, state, fact)


def _round_moves(pack: Pack, state: State, fact: Event) -> Iterator[Decision]:
    now = state.round
    if now is None:
        return
    if now.void and now.phase != VOID:
        yield rounds.PhaseChanged(round=now.number, phase=VOID)
    elif now.void and isinstance(fact, person.RoundReleased):
        yield from _over(pack, state, now, "void")
    elif not now.void:
        move = move_for(pack, state, fact)
        if move is not None and move.to == "end":
            yield from _over(pack, state, now, "completed")
        elif move is not None:
            yield rounds.PhaseChanged(round=now.number, phase=move.to)


def move_for(pack: Pack, state: State, fact: Event) -> Move | None:
    """The move that the fact makes in this phase, if any."""
    lookup = lookup_for(pack, state, fact)
    for move in pack.moves:
        if state.phase in move.from_ and fact.what() in move.on and all_hold(move.when, lookup):
            return move
    return None


def _over(pack: Pack, state: State, now: Round, outcome: Literal["completed", "void"]) -> Iterator[Decision]:
    hands = players(state) if now.cards else 0
    yield rounds.RoundClosed(round=now.number, outcome=outcome, hands=hands)
    if state.closing:
        yield rounds.TableStateChanged(state="closed")
    else:
        yield from opened(pack, now.number + 1)


def opened(pack: Pack, number: int) -> Iterator[Decision]:
    """A round and its first phase."""
    yield rounds.RoundOpened(round=number)
    yield rounds.PhaseChanged(round=number, phase=pack.phases[0])
