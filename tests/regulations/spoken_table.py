"""What people tell a table of any game, and what the table said: one that is read on simulated lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.table import admit
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import Row, device, incident, person, ruling
from felt_simulators.faults import PANEL

from .linked_table import LinkedTable

if TYPE_CHECKING:
    from collections.abc import Callable


class SpokenTable(LinkedTable):
    """People at a table; what they report, and every ruling, order and incident that came of it."""

    @property
    def panel(self) -> Any:  # noqa: ANN401 - a simulated device
        """The dealer's panel."""
        return next(self.machines[name] for name, family in self.families.items() if family == PANEL)

    # ---- people --------------------------------------------------------------------------------------

    def command(
        self,
        command: commands.Command,
        role: str = "floor",
        second: str = "",
        *,
        name: str = "Ann",
    ) -> list[Row]:
        """A person gives a command, perhaps with a second one; raises `CommandRefused`."""
        by = person.Person.model_validate({"role": role, "name": name})
        other = person.Person(role="floor", name=second) if second else None
        return self.take(admit(self.pack, self.table.state, command, by, other))

    def refused(
        self, command: commands.Command, role: str = "floor", second: str = "", *, name: str = "Ann"
    ) -> str:
        """The reason that a command is refused with; fails where it is not."""
        try:
            self.command(command, role, second, name=name)
        except CommandRefused as refusal:
            return str(refusal)
        raise AssertionError(f"{command.name} was not refused")

    def refused_report(self, what: str, role: str = "dealer", **about: Any) -> str:  # noqa: ANN401 - as below
        """The reason that a report is refused with; fails where it is not."""
        return self.refused(commands.Report(what=what, **about), role)

    def report(self, what: str, role: str = "dealer", **about: Any) -> list[Row]:  # noqa: ANN401 - what a report may name
        """Somebody reports what they saw; raises `CommandRefused`."""
        return self.command(commands.Report(what=what, **about), role)

    def press(self, button: str, what: str = "") -> None:
        """Press a button of the dealer's panel: bytes come over the line, and the table acts on them."""
        if button == "report":
            self.panel.press_report(what, self.now)
        else:
            self.panel.press(button, self.now)
        self.run(0.25)

    def seen(self, what: str, way: str) -> None:
        """The dealer reports what he saw, by this way: his panel's button or a command."""
        if way == "panel":
            self.press("report", what)
        else:
            self.report(what)

    def shown(self) -> tuple[str, ...]:
        """What the dealer reads on the panel."""
        return self.panel.display

    def until(self, condition: Callable[[], bool], limit_s: float = 120.0) -> None:
        """Let time pass until something is so."""
        end = self.now + limit_s
        while not condition():
            assert self.now < end, "it never came to that"
            self.run(0.25)

    # ---- what was said -------------------------------------------------------------------------------

    def rulings(self, row: str = "") -> list[ruling.RulingMade]:
        """Rulings so far, of one row or of all but what links and devices themselves give rise to."""
        found = [one.event for one in self.rows if isinstance(one.event, ruling.RulingMade)]
        return [one for one in found if not row or one.row == row]

    def rows_of(self, kind: type[Any]) -> list[Any]:
        """Events of one class so far."""
        return [one.event for one in self.rows if isinstance(one.event, kind)]

    def places(self, deck: str = "red") -> dict[str, int]:
        """Where the cards of a deck are believed to be."""
        found: dict[str, int] = self.state.decks[deck].places
        return {place: count for place, count in found.items() if count}

    def only_ruling(self, row: str) -> ruling.RulingMade:
        """The one ruling that was made, which must be of this row."""
        assert [one.row for one in self.rulings()] == [row]
        return self.rulings()[0]

    def holds(self) -> set[tuple[str, str]]:
        """What is held now: row and subject."""
        return {(hold.row, hold.subject_id) for hold in self.state.holds.values()}

    def permits(self, name: str) -> list[dict[str, object]]:
        """The permits given to a device so far."""
        return [dict(one.args) for one in self.rows_of(device.OrderIssued) if one.device == name]

    def rows_of_orders(self, name: str) -> list[int]:
        """The numbers of the orders given to a device."""
        return [
            row.seq
            for row in self.rows
            if isinstance(row.event, device.OrderIssued) and row.event.device == name
        ]

    def incidents(self) -> list[incident.IncidentOpened]:
        """Incidents opened so far."""
        return self.rows_of(incident.IncidentOpened)

    def opened_rows(self) -> list[str]:
        """The rows of the incidents opened so far."""
        return [one.row for one in self.incidents()]

    def joined(self) -> list[int]:
        """How often each joining says that its trouble was told so far."""
        return [one.times for one in self.rows_of(incident.IncidentJoined)]
