"""Where the values in a rule's conditions came from: rows of the journal, the fact, the pack or the house.

What a measure is made of is not known here. Each is asked again after every row that is folded, and the row
with which it last changed is the one that gave its value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from felt_daemon.replay.told import document_of
from felt_daemon.table.focus import Asking, Focus, focus_of
from felt_daemon.table.measures import MEASURES
from felt_protocols.events import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from felt_daemon.replay.laws import Law
    from felt_daemon.rules import Pack
    from felt_daemon.rules.condition import Value
    from felt_daemon.table.measures.registry import Measure
    from felt_daemon.table.state import State

    Origin = Callable[[str, Value], "Document"]

Document = dict[str, Any]

# Of a number that went up or down one by one so many rows are told: where it began, and the last ones.
MOST_ROWS = 12
# Measures of what the fact is about, which no row before it can give.
_OF_THE_FACT = frozenset({"family", "clock"})
# The measure that is the deck concerned itself: which deck a fact is about, rows before it decide.
_DECK = "deck"
_WAY = "_method"


@dataclass(frozen=True, slots=True)
class _Change:
    """A value from a row on; before the row stand the facts that led to it, the first one first."""

    value: Value
    rows: tuple[Row, ...]


@dataclass(slots=True)
class _Course:
    """How one name came to its value: the last change, or all of a count that went one by one.

    `began`: whether what is told starts with the value before any row that was looked at.
    """

    value: Value
    first: Value
    began: bool = True
    pace: int = 0
    changes: list[_Change] = field(default_factory=list["_Change"])
    left_out: int = 0

    def go_on(self, value: Value, rows: tuple[Row, ...]) -> None:
        pace = _pace(self.value, value)
        if not pace or self.pace == -pace:
            self.changes, self.left_out, self.began, pace = [], 0, False, 0
        self.value, self.pace = value, pace
        self.changes.append(_Change(value, rows))
        if len(self.changes) > MOST_ROWS:
            del self.changes[1]
            self.left_out += 1


def _pace(before: Value, after: Value) -> int:
    """1 or -1 where a number became the next or the one before, else 0."""
    numbers = type(before) is int and type(after) is int
    step = cast("int", after) - cast("int", before) if numbers else 0
    return step if abs(step) == 1 else 0


class Watch:
    """Looks at some names after each row that is folded, up to the moment at which a rule looks at them.

    What is asked of a deck is asked of every deck, as only the last state knows which one the fact is about.
    """

    def __init__(self, law: Law, fact: Row | Asking, names: Iterable[str]) -> None:
        self._law = law
        self._fact = fact
        self._about: object = fact.event if isinstance(fact, Row) else fact
        found = ((name, _measure(law.pack, name)) for name in names if not self._fact_tells(name))
        self._measures = {name: measure for name, measure in found if measure is not None}
        self._courses: dict[tuple[str, str], _Course] = {}
        self._step: dict[int, Row] = {}
        self._after = 0

    def begin(self, state: State) -> None:
        """From this state on the rows are seen."""
        self._after = state.seq
        self._courses = {key: _Course(value, value) for key, value in self._values(state)}

    def see(self, row: Row, state: State) -> None:
        """The state after a row."""
        if row.cause is None:
            self._step.clear()
        self._step[row.seq] = row
        for key, value in self._values(state):
            course = self._courses[key]
            if value != course.value:
                course.go_on(value, self._led_by(row))

    def origin(self, state: State) -> Origin:
        """Tells of each name where its value came from; `state` is the last one that was seen."""
        about = focus_of(state, self._about).deck
        deck = about.id if about is not None else ""

        def told(name: str, value: Value) -> Document:
            if name in self._measures:
                said = self._of_rows(name, self._courses["" if name == _DECK else deck, name])
            elif name in self._law.pack.constants and name not in MEASURES:
                said = self._of_the_pack(name)
            else:
                rows = () if isinstance(self._fact, Asking) else (_Change(value, (self._fact,)),)
                said = {"from": "fact", "rows": [self._document(one) for one in rows]}
            plain: object = list(value) if isinstance(value, tuple) else value
            return {"name": name, "value": plain, **said}

        return told

    def _values(self, state: State) -> Iterator[tuple[tuple[str, str], Value]]:
        """Each name's value for each deck, and for whichever deck the fact would have been about."""
        about = focus_of(state, self._about)
        for deck in ("", *state.decks):
            focus = Focus(about.device, state.decks[deck], about.clock) if deck else about
            for name, measure in self._measures.items():
                yield (deck, name), measure(state, focus)

    def _fact_tells(self, name: str) -> bool:
        if isinstance(self._fact, Asking):
            return False
        return name in _OF_THE_FACT or (name == _DECK and getattr(self._about, _DECK, None) is not None)

    def _led_by(self, row: Row) -> tuple[Row, ...]:
        """The row after the facts of its step that led to it."""
        found = [row]
        while (cause := found[0].cause) is not None and cause in self._step:
            found.insert(0, self._step[cause])
        return tuple(found)

    def _of_rows(self, name: str, course: _Course) -> Document:
        unseen = {"value": course.first, "before": self._after + 1 if self._after else None}
        if not course.changes:
            chosen = {} if self._after else self._of_the_house(name, course.value)
            return chosen or {"from": "before", "began": unseen, "rows": []}
        return {
            "from": "rows",
            "began": unseen if course.began else None,
            "rows": [self._document(one) for one in course.changes],
            "left_out": course.left_out,
        }

    def _of_the_house(self, name: str, value: Value) -> Document:
        """How the table was set up, for a way to shuffle, deal or find the start that was never changed."""
        way = name.removesuffix(_WAY)
        elected = name.endswith(_WAY) and self._law.answers.get(way) == value
        return {"from": "election", "election": way, "answer": value, "rows": []} if elected else {}

    def _of_the_pack(self, name: str) -> Document:
        election = self._law.sets.get(name)
        if election is None:
            return {"from": "pack", "rows": []}
        return {"from": "election", "election": election, "answer": self._law.answer(election), "rows": []}

    def _document(self, change: _Change) -> Document:
        *causes, row = (document_of(one, self._law.pack) for one in change.rows)
        return row | {"value": change.value, "causes": causes}


def _measure(pack: Pack, name: str) -> Measure | None:
    """How a name is asked of a state, none for a constant and for a field of the fact."""
    if name in MEASURES:
        return MEASURES[name]
    if name in pack.constants or name not in pack.notes:
        return None
    return lambda state, _focus: state.round.notes.get(name) if state.round else None
