"""The list of measures, each under the name that conditions ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from felt_daemon.rules.condition import Value
    from felt_daemon.table.focus import Focus
    from felt_daemon.table.state import State

Measure = Callable[["State", "Focus"], "Value"]
MEASURES: dict[str, Measure] = {}


def measure(function: Measure) -> Measure:
    """Enter a function under its own name."""
    MEASURES[function.__name__] = function
    return function
