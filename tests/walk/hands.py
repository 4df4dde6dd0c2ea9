"""Hands that tell a table facts and give it commands, and hold every step against the laws."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from felt_daemon.table import State, Table, admit
from felt_protocols.events.person import Person
from felt_protocols.events.ruling import RulingMade

from .felt_walked import NOW
from .laws import broken

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.rules import Pack
    from felt_protocols import commands
    from felt_protocols.events import Fact

PEOPLE = {
    role: Person.model_validate({"role": role, "name": name})
    for role, name in (("floor", "Ann"), ("dealer", "Dan"), ("tech", "Tim"), ("finance", "Flo"))
}


class LawBroken(AssertionError):  # noqa: N818 - it is what was met
    """A step that breaks a law; the text says which, and by which fact."""


@dataclass
class Hands:
    """One table, and what is done at it. `state` is the state after the last step.

    `ruled`: whether a rule had something to say.
    """

    pack: Pack
    state: State
    told: list[str] = field(default_factory=list[str])
    ruled: bool = False

    def tell(self, *facts: Fact) -> None:
        """Tell facts, each in the state after the one before; raises `LawBroken`."""
        for fact in facts:
            table = Table(self.pack, self.state)
            rows = table.take(fact, NOW)
            self.told.append(fact.what())
            wrong = broken(self.pack, self.state, rows, table.state)
            if wrong:
                raise LawBroken(f"{fact!r}: {'; '.join(wrong)}")
            self.ruled = self.ruled or any(isinstance(row.event, RulingMade) for row in rows)
            self.state = table.state

    def give(self, command: commands.Command, role: str = "floor") -> None:
        """Give a command; raises `CommandRefused`, or `LawBroken` for what comes of it."""
        self.tell(admit(self.pack, self.state, command, PEOPLE[role]))


@dataclass(frozen=True)
class Letter:
    """Something that may be done at a table, in one go.

    `kind`: part of the game, a remedy, a trouble, or strange, which nobody sound would do now. `device`: who
    tells it, where it is a device. `about`: the device or the deck that a remedy puts right. `fits`: whether
    it can be done in a state; `natural`: whether it would be, where nobody errs.
    """

    name: str
    kind: str
    act: Callable[[Hands], None]
    fits: Callable[[State], bool]
    device: str = ""
    about: str = ""

    natural: Callable[[State], bool] = lambda _state: True

    def cost(self, state: State) -> int:
        """Troubles that it is in this state: the game and what puts something right are none."""
        if self.kind == "trouble" or not self.natural(state):
            return 1
        return int(self.kind == "remedy" and not _wants_remedy(state, self.about))


def _wants_remedy(state: State, about: str) -> bool:
    """Whether there is something to put right: of this device or deck, or of the table."""
    if any(hold.subject_id in {about, state.setup.table} for hold in state.holds.values()):
        return True
    if state.round is not None and state.round.void:
        return not about
    one = state.devices.get(about)
    if one is not None:
        return one.link != "ready" or bool(one.faults or one.jam or one.service or one.retired or one.sign)
    deck = state.decks.get(about)
    return (deck is not None and (not deck.present or deck.places["withdrawn"] > 0)) or (
        not about and state.method != state.setup.method
    )
