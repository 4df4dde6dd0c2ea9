"""What a pack must keep of its deal: patterns, burns, notes of the round, and what permits say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.measures import MEASURES
from felt_daemon.table.state import NOT_NOTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.condition import Condition
    from felt_daemon.rules.pack import Pack


def deal_breaches(pack: Pack) -> Iterator[str]:
    """Every breach."""
    yield from _patterns(pack)
    yield from _notes(pack)
    yield from _arguments(pack)
    yield from _by_hand(pack)


def uses(pack: Pack) -> Iterator[tuple[str, tuple[str, ...], tuple[Condition, ...]]]:
    """Every place of the deal with conditions: where, the events it listens to, the conditions."""
    for one in pack.sets:
        yield f"note {one.note}", one.on, one.when


def _patterns(pack: Pack) -> Iterator[str]:
    ways = pack.methods.deal if pack.methods else {}
    seen: set[str] = set()
    for pattern in pack.patterns:
        for way in pattern.deal:
            if way not in ways:
                yield f"pattern {way}: there is no way to deal of this name"
            if way in seen:
                yield f"pattern {way}: another pattern is for the same way to deal"
            seen.add(way)
        if pattern.start == "start-position" and pack.start is None:
            yield f"pattern {pattern.deal[0]}: it begins at the start position, and the pack has none"
        if pattern.start == "untold" and pack.start is not None:
            yield f"pattern {pattern.deal[0]}: the pack has a start position, so that where it begins is told"


def _notes(pack: Pack) -> Iterator[str]:
    set_by = [(f"note {one.note}", one.note, one.value) for one in pack.sets]
    for word, kind in pack.reports.items():
        set_by += [(f"report {word}", name, value) for name, value in kind.sets.items()]
    for place, name, value in set_by:
        if name not in pack.notes:
            yield f"{place}: the pack has no note {name}; list it under [notes]"
        elif value not in {*pack.notes[name], NOT_NOTED}:
            yield f"{place}: {name} is never {value!r}; [notes] has {', '.join(pack.notes[name])}"
    told = {(name, value) for _place, name, value in set_by}
    for name, values in pack.notes.items():
        if name in MEASURES or name in pack.constants:
            yield f"note {name}: a measure or a constant is called so"
        yield from (
            f"note {name}: nothing sets it to {value}" for value in values if (name, value) not in told
        )


def _arguments(pack: Pack) -> Iterator[str]:
    for gate in pack.gates:
        for name, value in gate.args.items():
            known = value == "key" or value in MEASURES or value in pack.constants
            if isinstance(value, str) and not known:
                yield f"gate {gate.id}: {name} is {value!r}; write a number, a constant, a measure or key"


def _by_hand(pack: Pack) -> Iterator[str]:
    """A deal that people report takes so many cards as the pattern has, which must be known then."""
    seats = {
        way for one in pack.patterns for way in one.deal if any(step.to == "seats" for step in one.steps)
    }
    for word, kind in pack.reports.items():
        if kind.deals and seats and all("cards_due" not in need.when.names() for need in kind.needs):
            yield f"report {word}: who plays must be told first; it needs cards_due != none"
