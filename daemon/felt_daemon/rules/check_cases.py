"""The cases in which rows fire, moves happen and holds end: an event, and every condition for it."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from felt_daemon.rules.check_people import method_words
from felt_daemon.rules.condition import Condition
from felt_daemon.rules.pack import REPORTED
from felt_daemon.rules.satisfy import can_be_met
from felt_protocols.events import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from felt_daemon.rules.check_values import Names
    from felt_daemon.rules.pack import Doubt, Pack, Rule
    from felt_daemon.rules.satisfy import Known
    from felt_protocols.events import Event

    When = tuple[Condition, ...]
    _Asked = tuple[type[Event] | None, bool, When]


@dataclass(frozen=True, slots=True)
class Case:
    """An event under the conditions of a row; `report` is the word of one that people report.

    `said`: that it is this word. `needs`: what must be so, or nobody can report it.
    """

    event: type[Event]
    row: When
    report: str = ""
    said: When = ()
    needs: When = ()

    @property
    def name(self) -> str:
        """The event's name, or the report's word."""
        return self.report or self.event.what()

    @property
    def when(self) -> When:
        """Every condition."""
        return (*self.row, *self.said, *self.needs)

    def same_fact(self, other: Case) -> bool:
        """Whether one fact may be both."""
        return self.event is other.event and self.report == other.report


@dataclass(frozen=True, slots=True)
class Cases:
    """What can happen in a pack."""

    pack: Pack
    names: Names
    _met: dict[_Asked, bool] = field(default_factory=dict["_Asked", bool])
    _needed: dict[str, When] = field(default_factory=dict["str", "When"])

    def of(self, on: Iterable[str], when: When) -> Iterator[Case]:
        """Each event under these conditions, and what people report word by word."""
        for name in on:
            if name == REPORTED:
                yield from self.reported(self.pack.reports, when)
            elif name in EVENTS:
                yield Case(EVENTS[name], when)

    def reported(self, words: Iterable[str], when: When) -> Iterator[Case]:
        """Each of these reports under these conditions; a word that nobody can report is none."""
        for word in words:
            if word in self.pack.reports:
                said = one_of("report", (word,))
                if word not in self._needed:
                    self._needed[word] = tuple(self._needs(word))
                yield Case(EVENTS[REPORTED], when, word, (said,), self._needed[word])

    def of_rule(self, rule: Rule) -> Iterator[Case]:
        """Every case in which the row fires by itself, and not for a doubt."""
        yield from self.of(rule.on, rule.when)
        for one in rule.as_report:
            yield from self.reported(one.reports, one.when)

    def of_doubt(self, row: Doubt) -> When:
        """Every condition of a doubt's row."""
        phases = (one_of("phase", row.phases),) if row.phases else ()
        return (*row.when, one_of("family", (row.family,)), *phases)

    def _needs(self, word: str) -> Iterator[Condition]:
        """What a report needs and does not change itself, so that it is still so when rows look at it."""
        kind = self.pack.reports[word]
        noted = {*kind.sets} | {one.note for one in self.pack.sets if REPORTED in one.on}
        steady = {*method_words(self.pack), *self.pack.constants, *self.pack.notes} - noted
        if kind.table is None:
            steady |= {"phase", "table"}
        yield from (need.when for need in kind.needs if steady.issuperset(need.when.names()))
        if kind.family is not None:
            yield one_of("family", (kind.family, None))

    def told(self, event: type[Event]) -> bool:
        """Whether a device of the pack, or a person, tells it."""
        return self.names.tellers(event) != frozenset()

    def meet(self, event: type[Event] | None, when: When, *, remedy: bool = False) -> bool:
        """Whether these conditions can be met where the event is looked at; see `Names.at`."""
        key = (event, remedy, when)
        if key not in self._met:
            self._met[key] = can_be_met(when, self.names.at(event, remedy=remedy))
        return self._met[key]

    def implies(self, event: type[Event], some: When, others: When) -> bool:
        """Whether some conditions can be met where the event is looked at, and never without the others."""
        known = self.names.at(event)
        without = (can_be_met(some, known, but=one) for one in others if one not in some)
        return self.meet(event, some) and not any(without)

    def why_never(self, found: Sequence[Case], *, remedy: bool = False) -> str:
        """Why none of these cases can be, in words, with what would be right; empty where one can be."""
        if any(self.meet(case.event, case.when, remedy=remedy) for case in found):
            return ""
        first = found[0]
        for case in found:
            if self.meet(case.event, (*case.row, *case.said), remedy=remedy):
                return why_not(case.when, self.names.at(case.event, remedy=remedy))
        alone = not self.meet(first.event, first.row, remedy=remedy)
        when = first.row if alone else (*first.row, *first.said)
        return why_not(when, self.names.at(first.event, remedy=remedy))


def why_not(when: When, known: Known) -> str:
    """Why these conditions cannot be met, in words, with what would be right."""
    some = _clash(when, known)
    texts = ", ".join(one.text for one in some)
    if len(some) != 1:
        return f"{texts}: one excludes the other; leave one of them out"
    names = dict.fromkeys(some[0].names())
    return f"{texts}: {' and '.join(f'{name} is {known(name).described()}' for name in names)}"


@functools.lru_cache(maxsize=2**10)
def one_of(name: str, values: tuple[str | None, ...]) -> Condition:
    """The condition that a name is one of these."""
    words = ["none" if value is None else f"'{value}'" for value in values]
    if len(values) == 1:
        return Condition(f"{name} == {words[0]}", name, "==", values[0])
    return Condition(f"{name} in ({', '.join(words)})", name, "in", values)


def _clash(conditions: When, known: Known) -> When:
    """The fewest of these conditions that cannot all be met."""
    for size in range(1, len(conditions)):
        for some in itertools.combinations(conditions, size):
            if not can_be_met(some, known):
                return some
    return conditions
