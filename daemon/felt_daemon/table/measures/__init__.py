"""The quantities that a pack's conditions may ask the table for, each by name.

A measure that is not known is none, and an unknown quantity fires no comparison but `== none`.
"""

from felt_daemon.table.measures import dealing, standing
from felt_daemon.table.measures.registry import MEASURES, Measure
from felt_daemon.table.measures.standing import cards_left, unusable

__all__ = ["MEASURES", "Measure", "cards_left", "dealing", "standing", "unusable"]
