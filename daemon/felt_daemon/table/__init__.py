"""The table: two pure functions over one immutable state.

`decide(pack, state, fact)` makes the rows that follow from a fact, once for each fact, ever.
`evolve(state, row)` applies a row; state is the fold of `evolve` over the recorded rows.
"""

from felt_daemon.table.admit import admit
from felt_daemon.table.decide import Table, decide
from felt_daemon.table.evolve import evolve
from felt_daemon.table.interlock import inhibits
from felt_daemon.table.picture import picture
from felt_daemon.table.setting_up import set_up, unfit_ways, ways_of
from felt_daemon.table.state import Setup, State, blank

__all__ = [
    "Setup",
    "State",
    "Table",
    "admit",
    "blank",
    "decide",
    "evolve",
    "inhibits",
    "picture",
    "set_up",
    "unfit_ways",
    "ways_of",
]
