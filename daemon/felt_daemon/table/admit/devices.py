"""Inspections, service, and devices that leave the table or come back to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.table.whereabouts import cards_believed_in
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person

if TYPE_CHECKING:
    from felt_daemon.table.admit.asked import Admission, Asked
    from felt_daemon.table.state import Device
    from felt_protocols.events import Fact


def _inspect(asked: Asked, command: commands.Inspect) -> Fact:
    if (command.device is None) == (command.deck is None):
        raise CommandRefused(f"say what was inspected: a device or a {asked.pack.word('deck')}")
    device = None if command.device is None else asked.device(command.device).id
    deck = None if command.deck is None else asked.deck(command.deck).id
    return person.Inspected(by=asked.by, device=device, deck=deck, result=command.result, note=command.note)


def _service_begin(asked: Asked, command: commands.ServiceBegin) -> Fact:
    about = asked.device(command.device)
    if about.aside:
        raise CommandRefused(f"{about.id} is {'out of use' if about.retired else 'in service'} already")
    if about.working and about.link == "ready":
        raise CommandRefused(f"{about.id} is in the middle of a shuffle; wait for its end or stop it")
    now = asked.state.round
    if about.family == "shoe" and now is not None and now.phase == "dealing" and not now.void:
        raise CommandRefused(f"{about.id} deals round {now.number}; begin the service after it")
    return person.ServiceBegun(by=asked.by, device=about.id, why=command.why)


def _service_end(asked: Asked, command: commands.ServiceEnd) -> Fact:
    about = asked.device(command.device)
    if not about.service:
        raise CommandRefused(f"{about.id} is not in service")
    if about.service == "ending":
        raise CommandRefused(f"{about.id} tests itself; the service ends when that is passed")
    if about.id in asked.state.setup.selftests and about.link != "ready":
        raise CommandRefused(f"{about.id} is {about.link} and cannot test itself; connect it, or retire it")
    _shown_empty(about, shown=command.shown_empty)
    return person.ServiceEnding(by=asked.by, device=about.id)


def _retire(asked: Asked, command: commands.DeviceRetire) -> Fact:
    about = asked.device(command.device)
    if about.retired:
        raise CommandRefused(f"{about.id} is out of use already")
    for deck, count in cards_believed_in(asked.state, about).items():
        word = asked.pack.word("deck")
        raise CommandRefused(
            f"{count} cards of {deck} are believed to be in {about.id}: take them out, count the {word}"
            f" by hand and report it with count, or bring another {word} with change-deck"
        )
    _shown_empty(about, shown=command.shown_empty)
    return person.DeviceRetired(by=asked.by, device=about.id, note=command.note)


def _accept(asked: Asked, command: commands.DeviceAccept) -> Fact:
    about = asked.device(command.device)
    if not about.retired:
        raise CommandRefused(f"{about.id} is in use")
    if about.link not in {"connected", "ready"}:
        raise CommandRefused(f"{about.id} is {about.link}; switch it on and plug it in first")
    if command.serial != about.serial:
        raise CommandRefused(f"{about.id} says its serial number is {about.serial}, not {command.serial}")
    _shown_empty(about, shown=command.shown_empty)
    return person.DeviceAccepted(by=asked.by, device=about.id, serial=command.serial)


def _shown_empty(about: Device, *, shown: bool) -> None:
    if not shown:
        raise CommandRefused(f"open {about.id}, show that no card is inside, and say so (shown_empty)")


ADMISSIONS: dict[type[Any], Admission] = {
    commands.Inspect: _inspect,
    commands.ServiceBegin: _service_begin,
    commands.ServiceEnd: _service_end,
    commands.DeviceRetire: _retire,
    commands.DeviceAccept: _accept,
}
