"""Whether conditions can all be met at once, found by trying every value that could tell them apart.

Comparisons only ask whether values are equal or which is greater. So what any values meet is met by some
that stand in the conditions themselves, lie next to those, or are like no other.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from felt_daemon.rules.condition import Atom, Condition


@dataclass(frozen=True, slots=True)
class Values:
    """Everything that a name can be.

    `words`: which, or None for any. `numbers`: whole ones, `low` to `high`, both included and open where
    None. `truths`: true and false. `none`: it may be unknown.
    """

    words: frozenset[str] | None = frozenset()
    numbers: bool = False
    low: int | None = None
    high: int | None = None
    truths: bool = False
    none: bool = True

    def described(self) -> str:
        """The same for people: `one of dealt, playing, or none`."""
        kinds: list[str] = []
        if self.words is None:
            kinds.append("any word")
        elif self.words:
            kinds.append(f"one of {', '.join(sorted(self.words))}")
        if self.numbers:
            ends = [
                f"{word} {end}" for word, end in (("from", self.low), ("to", self.high)) if end is not None
            ]
            one_alone = self.low is not None and self.low == self.high
            kinds.append(str(self.low) if one_alone else " ".join(("a whole number", *ends)))
        if self.truths:
            kinds.append("true or false")
        if self.none:
            kinds.append("none")
        return ", or ".join(kinds)

    def has(self, value: Atom) -> bool:
        """Whether it can be this."""
        if value is None:
            return self.none
        if isinstance(value, bool):
            return self.truths
        if isinstance(value, str):
            return self.words is None or value in self.words
        above, below = self.low is None or self.low <= value, self.high is None or value <= self.high
        return self.numbers and above and below


# What nothing is known of.
ANY = Values(words=None, numbers=True, truths=True)
Known: TypeAlias = Callable[[str], Values]


def can_be_met(conditions: Sequence[Condition], known: Known, but: Condition | None = None) -> bool:
    """Whether some values meet all these conditions, and do not meet `but` where one is given.

    `known` says what each name can be.
    """
    every = conditions if but is None else (*conditions, but)
    names = dict.fromkeys(name for one in every for name in one.names())
    return _some_meet(tuple(conditions), but, tuple((name, known(name)) for name in names))


# A pack is checked with each set of the house's answers, which leave most of its rows as they are.
@functools.lru_cache(maxsize=2**16)
def _some_meet(
    conditions: tuple[Condition, ...], but: Condition | None, known: tuple[tuple[str, Values], ...]
) -> bool:
    can_be = dict(known)
    every = conditions if but is None else (*conditions, but)
    named = _named(every, can_be.values())
    # Values beside each one named, as many as there are names to be told apart.
    between = [one for one in conditions if one.right_is_name]
    spread = 1 + len({name for one in every if one.right_is_name for name in one.names()})
    choices: dict[str, list[Atom]] = {}
    for name, values in can_be.items():
        own = [one for one in conditions if one.names() == (name,)]
        choices[name] = [value for value in _worth_trying(values, named, spread) if _meets(value, own)]
    if not all(choices.values()):
        return False
    together = [*between, *(() if but is None else (but,))]
    names = list(dict.fromkeys(name for one in together for name in one.names()))
    return any(but is None or not but.holds(found.__getitem__) for found in _meeting(names, choices, between))


def _meets(value: Atom, conditions: Sequence[Condition]) -> bool:
    return all(one.holds(lambda _name: value) for one in conditions)


def _named(conditions: Sequence[Condition], can_be: Iterable[Values]) -> set[Atom]:
    """Every value that stands in a condition, or at an end of what a name can be."""
    found: set[Atom] = {0}
    for values in can_be:
        found |= {*(values.words or ()), *(end for end in (values.low, values.high) if end is not None)}
    for one in conditions:
        if not one.right_is_name:
            found |= {*one.right} if isinstance(one.right, tuple) else {one.right}
    return found


def _worth_trying(values: Values, named: set[Atom], spread: int) -> list[Atom]:
    """The values that conditions which name these may tell apart."""
    numbers = {one for one in named if isinstance(one, int)}
    near = sorted({one for number in numbers for one in range(number - spread, number + spread + 1)})
    words = values.words
    if words is None:
        # A word that stands nowhere in the conditions is as good as any other such word.
        words = frozenset(one for one in named if isinstance(one, str)) | {
            "\0" * n for n in range(1, spread + 1)
        }
    return [value for value in (*near, *sorted(words), True, False, None) if values.has(value)]


def _meeting(
    names: Sequence[str], choices: Mapping[str, Sequence[Atom]], between: Sequence[Condition]
) -> Iterator[dict[str, Atom]]:
    """Every choice of a value for each of these names that meets the conditions between two names."""
    if not names:
        yield {}
        return
    *before, last = names
    asked = [one for one in between if last in one.names() and {*one.names()} <= {*names}]
    for found in _meeting(before, choices, between):
        for value in choices[last]:
            whole = {**found, last: value}
            if all(one.holds(whole.__getitem__) for one in asked):
                yield whole
