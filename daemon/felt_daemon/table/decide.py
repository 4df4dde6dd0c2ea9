"""`decide(pack, state, fact)`: the rows that follow from a fact, stage by stage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from felt_daemon.table import (
    cards,
    clocks,
    composition,
    escalation,
    gates,
    holds,
    inspections,
    life,
    notes,
    reports,
    rulings,
    service,
    starts,
)
from felt_daemon.table.consequences import consequences
from felt_daemon.table.evolve import evolve
from felt_daemon.table.focus import context_of, set_aside
from felt_protocols.events import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import State
    from felt_protocols.events import Decision, Event, Fact, Moment

    Stage = Callable[[Pack, State, Event], Iterator[Decision]]

# The order matters: cards are where they are before a rule looks, a rule looks before the phase moves on,
# and gates open last, when everything else is known.
STAGES: tuple[Stage, ...] = (
    lambda _pack, state, fact: cards.movements(state, fact),
    lambda _pack, state, fact: composition.composition(state, fact),
    starts.starts,
    reports.reports,
    notes.notes,
    rulings.rulings,
    holds.remedies,
    life.moves,
    clocks.clocks,
    inspections.inspections,
    service.service,
    escalation.escalation,
    gates.permits,
)
# What a device in service or out of use tells is a test: no card moves, no rule looks, no phase goes on.
ASIDE: tuple[Stage, ...] = (holds.remedies_of_device, service.service, escalation.escalation, gates.permits)


@dataclass(slots=True)
class Step:
    """Rows being made from one fact: each is evolved in memory and given its seq at once."""

    pack: Pack
    state: State
    at: Moment
    simulated: bool
    cause: int | None = None

    def rows(self, fact: Fact) -> Iterator[Row]:
        """The fact's own row first, then every decision, each as soon as it is made.

        `state` is the state after the last row taken.
        """
        first = self._row(fact)
        yield first
        self.cause = first.seq
        aside = set_aside(self.state, fact)
        for stage in ASIDE if aside else STAGES:
            for decision in stage(self.pack, self.state, fact):
                yield self._row(decision)
                # What a decision moves is part of the same step: a round's end takes its cards to the rack.
                for moved in cards.movements(self.state, decision):
                    yield self._row(moved)
        # Whoever tries the buttons of a panel in service means no command by it.
        further_facts = () if aside else consequences(self.pack, self.state, fact, late=self.at.late)
        for further in further_facts:
            self.cause = first.seq
            yield from self.rows(further)

    def _row(self, event: Event) -> Row:
        state = self.state
        row = Row(
            state.setup.table,
            state.seq + 1,
            event,
            self.at,
            self.cause,
            self.simulated,
            context_of(state, event),
        )
        self.state = evolve(state, row)
        return row


def decide(pack: Pack, state: State, fact: Fact, at: Moment, *, simulated: bool = False) -> list[Row]:
    """Every row that follows from a fact in this state, its own row first."""
    return list(Step(pack, state, at, simulated).rows(fact))


@dataclass(slots=True)
class Table:
    """The table as the shell holds it: a pack, a state, and one way in."""

    pack: Pack
    state: State
    simulated: bool = False

    def take(self, fact: Fact, at: Moment) -> list[Row]:
        """Decide a fact and go on to the state after it; if a rule fails, the state stays as it was."""
        step = Step(self.pack, self.state, at, self.simulated)
        rows = list(step.rows(fact))
        self.state = step.state
        return rows

    def told(self, row: Row) -> None:
        """Apply a recorded row, deciding nothing."""
        self.state = evolve(self.state, row)
