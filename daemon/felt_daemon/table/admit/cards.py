"""Decks, dice, and single cards that leave a deck or come back to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.table.deal import begun
from felt_daemon.table.whereabouts import in_play, surely_in
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person

if TYPE_CHECKING:
    from felt_daemon.table.admit.asked import Admission, Asked
    from felt_protocols.events import Fact


def _change_deck(asked: Asked, command: commands.ChangeDeck) -> Fact:
    about = asked.deck(command.deck)
    now = asked.state.round
    # A stray card on the felt before the first stack is no deal yet.
    if about.places["table"] and now is not None and begun(asked.state) and not now.void:
        raise CommandRefused(f"{about.id} is being played in round {now.number}; change it after the round")
    return person.DeckChanged(by=asked.by, deck=about.id, preshuffled=command.preshuffled)


def _change_dice(asked: Asked, command: commands.ChangeDice) -> Fact:
    devices = asked.state.devices
    device = devices.get(command.device)
    if device is None or device.family != "shaker":
        shakers = ", ".join(name for name, one in devices.items() if one.family == "shaker") or "none"
        raise CommandRefused(f"{command.device} is no shaker of this table; there are: {shakers}")
    return person.DiceChanged(by=asked.by, device=device.id)


def _order(asked: Asked, command: commands.Order) -> Fact:
    name = None if command.deck is None else asked.deck(command.deck).id
    return person.FloorOrdered(by=asked.by, what_ordered=command.what, deck=name)


def _count(asked: Asked, command: commands.CountCards) -> Fact:
    state = asked.state
    about = asked.deck(command.deck)
    if command.part == "remaining":
        # Where nobody knows which deck is dealt, the dealer who counts it does.
        if state.round is None or not state.round.cards or state.round.deck not in {"", about.id}:
            raise CommandRefused(f"no cards of {about.id} remain from a deal now")
    elif in_play(state, about) or surely_in(state, about.id):
        raise CommandRefused(
            f"{about.id} is in use; take all its cards out of devices and off the table first"
        )
    return person.DeckCounted(by=asked.by, deck=about.id, count=command.count, part=command.part)


def _withdraw(asked: Asked, command: commands.WithdrawCard) -> Fact:
    about = asked.deck(command.deck)
    if not about.places[command.place]:
        where = ", ".join(f"{count} in {place}" for place, count in about.places.items() if count)
        raise CommandRefused(f"no card of {about.id} is in {command.place}; there are: {where}")
    return person.CardWithdrawn(
        by=asked.by, deck=about.id, place=command.place, why=command.why, card=command.card
    )


def _replace(asked: Asked, command: commands.ReplaceCard) -> Fact:
    about = asked.deck(command.deck)
    if not about.present or not about.places["withdrawn"]:
        raise CommandRefused(f"no card of {about.id} was withdrawn")
    return person.CardReplaced(by=asked.by, deck=about.id, card=command.card)


ADMISSIONS: dict[type[Any], Admission] = {
    commands.ChangeDeck: _change_deck,
    commands.ChangeDice: _change_dice,
    commands.Order: _order,
    commands.CountCards: _count,
    commands.WithdrawCard: _withdraw,
    commands.ReplaceCard: _replace,
}
