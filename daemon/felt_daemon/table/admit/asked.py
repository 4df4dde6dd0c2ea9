"""Who asks for what of which table, and what a command may name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from felt_daemon.table.state import PREINSPECTED, SPREAD
from felt_protocols.errors import CommandRefused
from felt_protocols.events import Fact

if TYPE_CHECKING:
    from felt_daemon.rules.pack import Opening, Pack
    from felt_daemon.table.state import Deck, Device, Hold, State
    from felt_protocols.events.person import Person


@dataclass(frozen=True, slots=True)
class Asked:
    """A table as a command finds it, who gives the command, and the second person where there is one."""

    pack: Pack
    state: State
    by: Person
    second: Person | None

    def deck(self, name: str) -> Deck:
        """A deck of this table. Raises `CommandRefused`."""
        found = self.state.decks.get(name)
        if found is None:
            there = ", ".join(self.state.decks)
            raise CommandRefused(f"there is no {self.pack.word('deck')} {name}; there are: {there}")
        return found

    def device(self, name: str) -> Device:
        """A device of this table. Raises `CommandRefused`."""
        found = self.state.devices.get(name)
        if found is None:
            raise CommandRefused(f"there is no device {name}; there are: {', '.join(self.state.devices)}")
        return found

    def hold(self, number: int) -> Hold:
        """An open hold. Raises `CommandRefused`."""
        found = self.state.holds.get(number)
        if found is None:
            there = ", ".join(str(key) for key in self.state.holds) or "none"
            raise CommandRefused(f"there is no open hold {number}; open: {there}")
        return found


def steps(opening: Opening, one: Deck) -> tuple[str, ...]:
    """The steps of its preparation that a deck wants; a preinspected one, those from the spread on."""
    if one.preshuffled or PREINSPECTED in one.marks:
        return opening.marks[opening.marks.index(SPREAD) :] if SPREAD in opening.marks else ()
    return opening.marks


Admission = Callable[[Asked, Any], Fact]
