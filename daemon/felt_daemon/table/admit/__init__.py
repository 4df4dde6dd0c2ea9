"""Commands become facts here, or are refused with the reason that their giver is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.table.admit import cards, devices, elsewhere, holds, methods, reports, rounds
from felt_daemon.table.admit.asked import Asked
from felt_protocols.errors import CommandRefused

if TYPE_CHECKING:
    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.admit.asked import Admission
    from felt_daemon.table.state import State
    from felt_protocols.commands import Command
    from felt_protocols.events import Fact
    from felt_protocols.events.person import Person

ADMISSIONS: dict[type[Any], Admission] = {
    **rounds.ADMISSIONS,
    **cards.ADMISSIONS,
    **holds.ADMISSIONS,
    **reports.ADMISSIONS,
    **methods.ADMISSIONS,
    **devices.ADMISSIONS,
    **elsewhere.ADMISSIONS,
}


def admit(pack: Pack, state: State, command: Command, by: Person, second: Person | None = None) -> Fact:
    """The fact that a command becomes. Raises `CommandRefused` with the reason, in words for its giver.

    `second` is the other person where the command names one.
    """
    if by.role not in command.roles:
        may = ", ".join(sorted(command.roles))
        raise CommandRefused(f"{command.name} is for {may}; you are {by.role}")
    if second is not None and second.role not in command.roles:
        may = ", ".join(sorted(command.roles))
        raise CommandRefused(f"the second person must be {may}; {second.name} is {second.role}")
    return ADMISSIONS[type(command)](Asked(pack, state, by, second), command)
