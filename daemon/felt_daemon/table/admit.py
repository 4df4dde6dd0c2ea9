"""Commands become facts here, or are refused with the reason that their giver is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from felt_daemon.table.life import VOID, move_for
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person

if TYPE_CHECKING:
    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import State
    from felt_protocols.events import Fact
    from felt_protocols.events.person import Person

Admission = Callable[["Pack", "State", Any, "Person"], "Fact"]


def admit(pack: Pack, state: State, command: commands.Command, by: Person) -> Fact:
    """The fact that a command becomes. Raises `CommandRefused` with the reason, in words for its giver."""
    if by.role not in command.roles:
        may = ", ".join(sorted(command.roles))
        raise CommandRefused(f"{command.name} is for {may}; you are {by.role}")
    return _ADMISSIONS[type(command)](pack, state, command, by)


def _open(_pack: Pack, state: State, _command: commands.OpenTable, by: Person) -> Fact:
    if state.table != "closed":
        raise CommandRefused(f"the table is {state.table} already")
    missing = [name for name, one in state.decks.items() if not one.present]
    if missing:
        raise CommandRefused(f"no cards yet for {', '.join(missing)}: report each with change-deck first")
    return person.TableOpened(by=by)


def _close(_pack: Pack, state: State, _command: commands.CloseTable, by: Person) -> Fact:
    if state.table == "closed":
        raise CommandRefused("the table is closed already")
    return person.TableClosed(by=by)


def _round_fact(pack: Pack, state: State, fact: Fact, name: str) -> Fact:
    if state.round is None:
        raise CommandRefused(f"{name}: no round is on; the table is {state.table}")
    if state.round.void:
        raise CommandRefused(
            f"{name}: round {state.round.number} is void ({state.round.void}); release it first"
        )
    if move_for(pack, state, fact) is None:
        raise CommandRefused(f"{name} does not fit: round {state.round.number} is in phase {state.phase}")
    return fact


def _no_more_bets(pack: Pack, state: State, command: commands.NoMoreBets, by: Person) -> Fact:
    return _round_fact(pack, state, person.BetsClosed(by=by), command.name)


def _round_end(pack: Pack, state: State, command: commands.RoundEnd, by: Person) -> Fact:
    return _round_fact(pack, state, person.RoundEnded(by=by), command.name)


def _known_deck(state: State, name: str) -> str:
    if name not in state.decks:
        raise CommandRefused(f"there is no deck {name}; there are: {', '.join(state.decks)}")
    return name


def _change_deck(_pack: Pack, state: State, command: commands.ChangeDeck, by: Person) -> Fact:
    about = state.decks[_known_deck(state, command.deck)]
    now = state.round
    # A stray card on the felt before the first stack is no deal yet.
    if about.places["table"] and now is not None and now.stacks and not now.void:
        raise CommandRefused(f"{about.id} is being played in round {now.number}; change it after the round")
    return person.DeckChanged(by=by, deck=about.id)


def _change_dice(_pack: Pack, state: State, command: commands.ChangeDice, by: Person) -> Fact:
    device = state.devices.get(command.device)
    if device is None or device.family != "shaker":
        shakers = ", ".join(name for name, one in state.devices.items() if one.family == "shaker") or "none"
        raise CommandRefused(f"{command.device} is no shaker of this table; there are: {shakers}")
    return person.DiceChanged(by=by, device=device.id)


def _order(_pack: Pack, state: State, command: commands.Order, by: Person) -> Fact:
    name = None if command.deck is None else _known_deck(state, command.deck)
    return person.FloorOrdered(by=by, what_ordered=command.what, deck=name)


def _count(_pack: Pack, state: State, command: commands.CountCards, by: Person) -> Fact:
    about = state.decks[_known_deck(state, command.deck)]
    if command.part == "remaining":
        # Where nobody knows which deck is dealt, the dealer who counts it does.
        if state.round is None or not state.round.cards or state.round.deck not in {"", about.id}:
            raise CommandRefused(f"no cards of {about.id} remain from a deal now")
    elif about.places["table"] or about.places["shoe"] or _in_shuffler(state, about.id):
        raise CommandRefused(
            f"{about.id} is in use; take all its cards out of devices and off the table first"
        )
    return person.DeckCounted(by=by, deck=about.id, count=command.count, part=command.part)


def _in_shuffler(state: State, deck: str) -> bool:
    """Whether a shuffler has the deck; cards that may have stayed inside one are not the deck."""
    return any(one.deck == deck and one.batch is not None for one in state.devices.values())


def _known_hold(state: State, number: int) -> int:
    if number not in state.holds:
        there = ", ".join(str(key) for key in state.holds) or "none"
        raise CommandRefused(f"there is no open hold {number}; open: {there}")
    return number


def _acknowledge(_pack: Pack, state: State, command: commands.Acknowledge, by: Person) -> Fact:
    return person.HoldAcknowledged(by=by, hold=_known_hold(state, command.hold))


def _override(_pack: Pack, state: State, command: commands.Override, by: Person) -> Fact:
    return person.HoldOverridden(
        by=by, hold=_known_hold(state, command.hold), reason=command.reason, second=command.second
    )


def _release(pack: Pack, state: State, _command: commands.ReleaseRound, by: Person) -> Fact:
    now = state.round
    if now is None or now.phase != VOID:
        raise CommandRefused("no round is void")
    # Other troubles of the round do not keep its players waiting; what voided it does while it is there.
    voiding = {rule.id for rule in pack.rules if rule.void}
    for hold in state.holds.values():
        if hold.row in voiding and hold.cause:
            raise CommandRefused(f"the cause is still there: {hold.subject_id}, {hold.row} (hold {hold.id})")
    return person.RoundReleased(by=by, round=now.number)


_ADMISSIONS: dict[type[commands.Command], Admission] = {
    commands.OpenTable: _open,
    commands.CloseTable: _close,
    commands.NoMoreBets: _no_more_bets,
    commands.RoundEnd: _round_end,
    commands.ChangeDeck: _change_deck,
    commands.ChangeDice: _change_dice,
    commands.Order: _order,
    commands.CountCards: _count,
    commands.Acknowledge: _acknowledge,
    commands.Override: _override,
    commands.ReleaseRound: _release,
}
