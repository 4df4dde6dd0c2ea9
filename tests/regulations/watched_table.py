"""A table whose devices are watched, so that what it forbids is held against what they really do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from felt_daemon.table import inhibits
from felt_simulators.faults import CONTINUOUS, SHOE

from ..walk.laws import broken  # noqa: TID252 - the laws of the walks hold at evenings too
from .spoken_table import SpokenTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_protocols.events import Fact, Row
    from felt_simulators.cards import Card

# How long an inhibit may take to a device and back.
OBEYED_S = 1.0


class WatchedTable(SpokenTable):
    """A table that remembers which laws its steps broke, and when each device was to be stopped.

    A device that cannot be reached is not asked to stop: what it does meanwhile, it tells later. It goes
    before the class of a game's table, whose people have cards in the `hand`, on the `felt`, in the `rack`,
    and apart.
    """

    cards: dict[str, list[Card]]
    felt: list[Card]
    rack: list[Card]

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - a table's own options
        self.broken: list[str] = []
        self._stopped_since: dict[str, float] = {}
        # Since when a shoe may not be dealt from by what round is on.
        self._astray: dict[str, float] = {}
        self._stops: list[tuple[str, float, float]] = []
        super().__init__(*args, **options)
        self.hand: list[Card] = []
        self.withdrawn: dict[str, list[Card]] = {name: [] for name in self.cards}

    @override
    def take(self, fact: Fact, *, age_s: float = 0.0, late: bool = False) -> list[Row]:
        """Take a fact, and hold the step against the laws."""
        before = self.state
        rows = super().take(fact, age_s=age_s, late=late)
        self.broken += broken(self.pack, before, rows, self.state)
        self._mind()
        return rows

    @override
    def plug(self, name: str) -> None:
        """The line is there again."""
        super().plug(name)
        self._mind()

    @override
    def unplug(self, name: str) -> None:
        """Nothing passes on this device's line any more."""
        super().unplug(name)
        self._mind()

    def _mind(self) -> None:
        wished = inhibits(self.state)
        for name in self.families:
            reached = name not in self._unplugged and self.state.devices[name].link == "ready"
            if name in wished and reached:
                self._stopped_since.setdefault(name, self.now)
            elif name in self._stopped_since:
                self._stops.append((name, self._stopped_since.pop(name), self.now))
            if self.families[name] in {SHOE, CONTINUOUS} and reached and not self._dealt_from(name):
                self._astray.setdefault(name, self.now)
            else:
                self._astray.pop(name, None)

    def open_when_stopped(self) -> list[str]:
        """Devices that have had to stop for long enough and would work all the same."""
        return [
            name
            for name, since in self._stopped_since.items()
            if self.now > since + OBEYED_S and not self.machines[name]._electronics.why_not(begun=True)
        ]

    def open_for_no_round(self) -> list[str]:
        """Shoes that would begin to deal now, long after no round is on that they may deal."""
        return [
            f"{name} for {round(self.now - since)} s"
            for name, since in self._astray.items()
            if self.now > since + OBEYED_S and not self.machines[name]._electronics.why_not()
        ]

    def _dealt_from(self, name: str) -> bool:
        """Whether a round is on that may be dealt from this shoe."""
        state = self.state
        now = state.round
        ways = self.pack.methods.deal[state.method["deal"]].family
        return state.table == "open" and now is not None and not now.void and self.families[name] == ways

    def given_when_stopped(self) -> list[tuple[str, float]]:
        """Stacks and cards that came from a device long after it was to be stopped: which, and when."""
        stops = [*self._stops, *((name, since, self.now) for name, since in self._stopped_since.items())]
        return [
            (name, at)
            for name, since, until in stops
            for at in self._given(name)
            if since + OBEYED_S < at < until
        ]

    def _given(self, name: str) -> Iterator[float]:
        truth = self.machines[name].truth
        yield from (one["at"] for kind in ("stacks", "draws") for one in truth.get(kind, ()))
