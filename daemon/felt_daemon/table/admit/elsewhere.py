"""Commands about meters and consumers, of which a table may have none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person

if TYPE_CHECKING:
    from felt_daemon.table.admit.asked import Admission, Asked
    from felt_protocols.events import Fact

Metered = commands.JackpotVerify | commands.JackpotPaid | commands.MeterReset | commands.MeterCorrect


def _no_meter(asked: Asked, command: Metered) -> Fact:
    raise CommandRefused(f"table {asked.state.setup.table} has no meter {command.meter}; it has none at all")


def _replay(asked: Asked, command: commands.Replay) -> Fact:
    return person.ReplayAsked(by=asked.by, consumer=_consumer(asked, command.consumer), after=command.after)


def _snapshot(asked: Asked, command: commands.Snapshot) -> Fact:
    return person.SnapshotAsked(by=asked.by, consumer=_consumer(asked, command.consumer))


def _consumer(asked: Asked, name: str) -> str:
    """The name of a consumer that is configured. Raises `CommandRefused`."""
    setup = asked.state.setup
    if name not in setup.consumers:
        there = ", ".join(sorted(setup.consumers))
        what = f"there are: {there}" if there else "none is configured"
        raise CommandRefused(f"table {setup.table} has no consumer {name}; {what}")
    return name


ADMISSIONS: dict[type[Any], Admission] = {
    commands.JackpotVerify: _no_meter,
    commands.JackpotPaid: _no_meter,
    commands.MeterReset: _no_meter,
    commands.MeterCorrect: _no_meter,
    commands.Replay: _replay,
    commands.Snapshot: _snapshot,
}
