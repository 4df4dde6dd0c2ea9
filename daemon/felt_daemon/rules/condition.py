"""The conditions of a rule pack: one comparison each, between names, numbers and words.

`size != hand_cards`, `phase == 'dealing'`, `mode in ('sort')`. A row holds when all of its conditions do.
Names are looked up in the fact, in the pack's constants and among the table's measures; which are which
is known when the pack is checked.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Atom: TypeAlias = int | str | bool | None
Value: TypeAlias = Atom | tuple[Atom, ...]
Lookup = Callable[[str], Value]

_SHAPE = re.compile(
    r"^\s*(?P<left>[a-z_]+)(?P<op>\s*(?:==|!=|<=|>=|<|>)|\s+(?:in|not in)\b)\s*(?P<right>.+?)\s*$"
)
_WORD = re.compile(r"^'([^']*)'$")
_NAME = re.compile(r"^[a-z_]+$")
_NUMBER = re.compile(r"^-?[0-9]+$")
_ORDERS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_KEYWORDS: dict[str, Atom] = {"true": True, "false": False, "none": None}


class BadCondition(ValueError):  # noqa: N818 - it is what was met
    """A condition that is not of the form `name operator value`."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison. `right` is a value, or a name when `right_is_name`."""

    text: str
    left: str
    op: str
    right: Value
    right_is_name: bool = False

    def names(self) -> tuple[str, ...]:
        """Every name that the comparison looks up."""
        return (self.left, str(self.right)) if self.right_is_name else (self.left,)

    def holds(self, lookup: Lookup) -> bool:
        """Whether the comparison is true. An unknown quantity (none) is only ever equal to none."""
        left = lookup(self.left)
        if not self.right_is_name:
            return _compare(left, self.op, self.right)
        right = lookup(str(self.right))
        # What is not known on the right is not known to differ either.
        return _compare(left, self.op, right) and (right is not None or self.op == "==")


def _compare(left: Value, op: str, right: Value) -> bool:
    if op == "==":
        return left == right
    if op == "in":
        return isinstance(right, tuple) and left in right
    # An unknown count is not a wrong count: silence is a doubt of its own.
    if left is None:
        return False
    if op == "!=":
        return left != right
    if isinstance(right, tuple):
        return left not in right
    return isinstance(left, int) and isinstance(right, int) and _ORDERS[op](left, right)


# Every table of a process, and every set of a house's answers, reads the same conditions.
@functools.lru_cache(maxsize=2**12)
def parse(text: str) -> Condition:
    """Read one condition; raises `BadCondition` with what would be right."""
    shape = _SHAPE.match(text)
    if shape is None:
        raise BadCondition(f'{text!r} is no condition; write it like "size != hand_cards"')
    left, op, right = shape["left"], shape["op"].strip(), shape["right"]
    if op in {"in", "not in"}:
        if not (right.startswith("(") and right.endswith(")")):
            raise BadCondition(f"{text!r}: after {op!r} comes a list in brackets")
        items = tuple(_literal(item.strip(), text) for item in right[1:-1].split(","))
        return Condition(text, left, op, items)
    if _NAME.match(right) and right not in _KEYWORDS:
        return Condition(text, left, op, right, right_is_name=True)
    return Condition(text, left, op, _literal(right, text))


def _literal(text: str, whole: str) -> Atom:
    if word := _WORD.match(text):
        return word[1]
    if text in _KEYWORDS:
        return _KEYWORDS[text]
    if _NUMBER.match(text):
        return int(text)
    raise BadCondition(f"{whole!r}: {text!r} is neither a number nor a 'word'")
