"""Opening, closing, and what the dealer says of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.table.admit.asked import steps
from felt_daemon.table.life import VOID, move_for
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person

if TYPE_CHECKING:
    from felt_daemon.table.admit.asked import Admission, Asked
    from felt_daemon.table.state import Deck
    from felt_protocols.events import Fact


def _open(asked: Asked, _command: commands.OpenTable) -> Fact:
    state = asked.state
    if state.table not in {"closed", "opening"}:
        raise CommandRefused(f"the table is {state.table} already")
    missing = [name for name, one in state.decks.items() if not one.present]
    if missing:
        raise CommandRefused(f"no cards yet for {', '.join(missing)}: report each with change-deck first")
    for one in state.decks.values():
        _is_prepared(asked, one)
    return person.TableOpened(by=asked.by)


def _is_prepared(asked: Asked, one: Deck) -> None:
    opening = asked.pack.opening
    if opening is None or one.preshuffled:
        return
    left = [mark for mark in steps(opening, one) if mark not in one.marks]
    if left:
        named = asked.pack.reports.items()
        reports = [word for mark in left for word, kind in named if kind.marks == mark]
        raise CommandRefused(
            f"{asked.pack.word('deck')} {one.id} is not prepared ({', '.join(opening.cite)});"
            f" report first: {', '.join(reports)}"
        )


def _close(asked: Asked, _command: commands.CloseTable) -> Fact:
    if asked.state.table == "closed":
        raise CommandRefused("the table is closed already")
    return person.TableClosed(by=asked.by)


def _round_fact(asked: Asked, fact: Fact, name: str) -> Fact:
    state = asked.state
    if state.round is None:
        raise CommandRefused(f"no round is on; the table is {state.table}")
    if state.round.void:
        raise CommandRefused(f"round {state.round.number} is void ({state.round.void}); release it first")
    if move_for(asked.pack, state, fact) is None:
        raise CommandRefused(f"{name} does not fit: round {state.round.number} is in phase {state.phase}")
    return fact


def _no_more_bets(asked: Asked, command: commands.NoMoreBets) -> Fact:
    return _round_fact(asked, person.BetsClosed(by=asked.by), command.name)


def _round_end(asked: Asked, command: commands.RoundEnd) -> Fact:
    return _round_fact(asked, person.RoundEnded(by=asked.by), command.name)


def _release(asked: Asked, _command: commands.ReleaseRound) -> Fact:
    now = asked.state.round
    if now is None or now.phase != VOID:
        raise CommandRefused("no round is void")
    # Other troubles of the round do not keep its players waiting; what voided it does while it is there.
    voiding = {rule.id for rule in asked.pack.rules if rule.void}
    for hold in asked.state.holds.values():
        if hold.row in voiding and hold.cause:
            raise CommandRefused(f"the cause is still there: {hold.subject_id}, {hold.row} (hold {hold.id})")
    return person.RoundReleased(by=asked.by, round=now.number)


def _new_dealer(asked: Asked, command: commands.NewDealer) -> Fact:
    # A dealer who proves who it is need not say it again.
    known = asked.by.role == "dealer" and asked.by.proof in {"pin", "signed"}
    return person.DealerCame(by=asked.by, dealer=command.dealer or (asked.by.name if known else ""))


def _call_floor(asked: Asked, _command: commands.CallFloor) -> Fact:
    if asked.state.called is not None:
        raise CommandRefused("a floorperson is called already")
    return person.FloorCalled(by=asked.by)


ADMISSIONS: dict[type[Any], Admission] = {
    commands.OpenTable: _open,
    commands.CloseTable: _close,
    commands.NoMoreBets: _no_more_bets,
    commands.RoundEnd: _round_end,
    commands.ReleaseRound: _release,
    commands.NewDealer: _new_dealer,
    commands.CallFloor: _call_floor,
}
