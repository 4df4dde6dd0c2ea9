"""The stops that devices would ask for if they failed next, decided before they do.

A jam is answered with what lies ready: its stops were decided when the state changed, by the very function
that decides them when a fact comes. They are good for that one state and for no other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from felt_daemon.table.rulings import stops
from felt_daemon.table.whereabouts import SHOE, is_of
from felt_protocols.events import card, deck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import State
    from felt_protocols.events import Event

    # Device and row of each stop.
    Stops = tuple[tuple[str, str], ...]
    Key = tuple[type[Event], str]
    Failure = card.ShoeJammed | card.ShoeStopped | deck.ShuffleInterrupted

_FAILURES = (card.ShoeJammed, card.ShoeStopped, deck.ShuffleInterrupted)
# One failure of each kind, by the family that tells it. Others of the kind say otherwise where it is and why;
# the answer is theirs as well, unless a row of the pack looks at that.
_EXAMPLES: tuple[tuple[str, Callable[[str], Failure]], ...] = (
    (SHOE, lambda name: card.ShoeJammed(device=name, where="gate")),
    (SHOE, lambda name: card.ShoeStopped(device=name)),
    ("shuffler", lambda name: deck.ShuffleInterrupted(device=name, batch=0, why="jam", where="gate")),
)


@dataclass(frozen=True, slots=True)
class ReadyStops:
    """What lies ready for one state (None: for none), by the kind of fact and its device."""

    state: State | None = None
    ready: Mapping[Key, Stops] = field(default_factory=dict["Key", "Stops"])

    def stops(self, pack: Pack, state: State, fact: Event) -> Iterable[tuple[str, str]]:
        """What `rulings.stops` gives: from what lies ready where it is there, or else decided at once."""
        if state is self.state and isinstance(fact, _FAILURES):
            found = self.ready.get((type(fact), fact.device))
            if found is not None:
                return found
        return stops(pack, state, fact)


def ready_stops(pack: Pack, state: State) -> ReadyStops:
    """Decide in this state what would be stopped for each failure that could come next."""
    failures = (
        example(one.id)
        for family, example in _EXAMPLES
        for one in state.devices.values()
        if is_of(one, family)
    )
    return ReadyStops(
        state,
        {
            (type(fact), fact.device): tuple(stops(pack, state, fact))
            for fact in failures
            if not _looked_at(pack, fact)
        },
    )


def _looked_at(pack: Pack, fact: Failure) -> bool:
    """Whether a row that stops something asks for what the fact itself says."""
    own = type(fact).model_fields
    rows = pack.stopping.get(fact.what(), ())
    return any(name in own for row in rows for condition in row.when for name in condition.names())
