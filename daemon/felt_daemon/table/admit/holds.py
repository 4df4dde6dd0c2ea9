"""Holds: who owns them, and who may let them go without their remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.table.interlock import rule_of
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person

if TYPE_CHECKING:
    from felt_daemon.table.admit.asked import Admission, Asked
    from felt_protocols.events import Fact


def _acknowledge(asked: Asked, command: commands.Acknowledge) -> Fact:
    return person.HoldAcknowledged(by=asked.by, hold=asked.hold(command.hold).id)


def _override(asked: Asked, command: commands.Override) -> Fact:
    hold = asked.hold(command.hold)
    rule = rule_of(asked.pack, hold)
    # A hold that this pack does not know is the daemon's own, and takes one floorperson.
    if rule is not None and rule.override == "two" and asked.second is None:
        raise CommandRefused(f"hold {hold.id} ({hold.row}) takes two people to override; name the second one")
    if asked.second is not None and asked.second.name == asked.by.name:
        raise CommandRefused("the second person must be another one")
    return person.HoldOverridden(by=asked.by, hold=hold.id, reason=command.reason, second=asked.second)


ADMISSIONS: dict[type[Any], Admission] = {
    commands.Acknowledge: _acknowledge,
    commands.Override: _override,
}
