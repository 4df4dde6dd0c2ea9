"""Commands about meters and consumers, of which a table may have none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_protocols import commands
from felt_protocols.errors import CommandRefused

if TYPE_CHECKING:
    from felt_daemon.table.admit.asked import Admission, Asked
    from felt_protocols.events import Fact

Metered = commands.JackpotVerify | commands.JackpotPaid | commands.MeterReset | commands.MeterCorrect


def _no_meter(asked: Asked, command: Metered) -> Fact:
    raise CommandRefused(f"table {asked.state.setup.table} has no meter {command.meter}; it has none at all")


def _no_consumer(asked: Asked, command: commands.Replay | commands.Snapshot) -> Fact:
    raise CommandRefused(
        f"table {asked.state.setup.table} has no consumer {command.consumer}; none is configured"
    )


ADMISSIONS: dict[type[Any], Admission] = {
    commands.JackpotVerify: _no_meter,
    commands.JackpotPaid: _no_meter,
    commands.MeterReset: _no_meter,
    commands.MeterCorrect: _no_meter,
    commands.Replay: _no_consumer,
    commands.Snapshot: _no_consumer,
}
