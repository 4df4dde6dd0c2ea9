"""The heart of the device process: a fact goes in; stops leave, rows are recorded, the rest is told.

Stop first, then record, then tell: an inhibit leaves while the rows that explain it are still being made;
acknowledgements, numbered orders, answers and the floor wait for the commit.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.shell.rows import entry_of
from felt_daemon.table import inhibits
from felt_daemon.table.dealers_panel import FAMILY as PANEL
from felt_daemon.table.dealers_panel import panel
from felt_daemon.table.failure import undecided
from felt_daemon.table.ready_stops import ReadyStops, ready_stops
from felt_protocols.events import device as devices

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping

    from felt_daemon.clock import Clock
    from felt_daemon.journal import Journal
    from felt_daemon.table import Table
    from felt_daemon.table.state import State
    from felt_drivers.contract import Driver, Mark
    from felt_protocols.events import Fact, Moment, Row

LOG = logging.getLogger(__name__)

# At most so many rows wait for their commit; facts that come after that wait undecided, and unacknowledged in
# the devices' rings.
MOST_WAITING = 256
# After so many rows the state is kept anew, so that a start after a crash folds only a few.
KEEP_EVERY = 2_000
# A row that waits longer than this takes the leases away: nobody may deal what cannot be recorded.
LONGEST_WAIT_S = 2.0
# After a stop the processor is given away for so long: what is left to do is only the record of it.
GIVE_WAY_S = 0.00005


@dataclass(frozen=True, slots=True)
class _Told:
    """A fact as its driver told it."""

    fact: Fact
    at: Moment
    device: str = ""
    mark: Mark | None = None


@dataclass(slots=True)
class Core:
    """One table, its drivers and its journal. Everything runs on the event loop's thread."""

    table: Table
    journal: Journal
    clock: Clock
    loop: asyncio.AbstractEventLoop
    # Called with the last committed seq of each stream.
    tell: Callable[[Mapping[str, int]], None]
    # Called with each step's rows once they are taken: timers look at them.
    watch: Callable[[list[Row]], None]
    # Called when the rules failed and the record of it is committed: the process must end.
    fail: Callable[[], None]
    # Called with False when rows wait too long for the disk, and with True once they no longer do. Where none
    # is given, this table's own leases follow it; tables with one journal lose and regain theirs together.
    leases: Callable[[bool], None] | None = None
    # Called with the state, now and then, when all its rows are committed: the next start begins there.
    # `kept` is the row after which it was kept last.
    keep: Callable[[State], None] | None = None
    kept: int = 0
    drivers: dict[str, Driver] = field(default_factory=dict["str", "Driver"])
    _after: deque[tuple[int, Callable[[], None]]] = field(
        default_factory=deque["tuple[int, Callable[[], None]]"]
    )
    _deferred: deque[_Told] = field(default_factory=deque["_Told"])
    _committed: int = 0
    _wished: dict[str, str] = field(default_factory=dict["str", "str"])
    # The last seq of each step that waits, and since when; the timer looks at the oldest.
    _since: deque[tuple[int, float]] = field(default_factory=deque["tuple[int, float]"])
    _overdue: asyncio.TimerHandle | None = None
    _late: bool = False
    _going_on: asyncio.Handle | None = None
    _failed: bool = False
    # What a device that fails next would stop; for the state of the last time that all was committed.
    _ready: ReadyStops = field(default_factory=ReadyStops)
    _unready: bool = False

    def __post_init__(self) -> None:
        self._committed = self.table.state.seq

    @property
    def waiting(self) -> int:
        """Rows that are decided and not yet committed."""
        return self.table.state.seq - self._committed

    def busy(self) -> bool:
        """Whether something waits for its commit."""
        return self.waiting > 0 or bool(self._deferred)

    def heard(self, device: str, fact: Fact, age_s: float, late: bool, mark: Mark | None) -> None:  # noqa: FBT001 - the driver's contract
        """Take a fact from a driver: its stops first, before there is so much as a time for it."""
        self._stop(fact)
        self._take(_Told(fact, self.clock.moment(late=late, age_s=age_s), device, mark))

    def take(self, fact: Fact, then: Callable[[], None] | None = None) -> None:
        """Take a fact of people or of the daemon itself; `then` is called when it is committed.

        Never deferred: what people report stands behind nothing but their own table.
        """
        self._decide(_Told(fact, self.clock.moment()), then)

    def _take(self, told: _Told) -> None:
        if self._deferred or self.waiting >= MOST_WAITING:
            self._deferred.append(told)
        else:
            self._decide(told, None)

    def _stop(self, fact: Fact) -> None:
        """Inhibit at once what the fact asks to be stopped, unless it is wished inhibited already."""
        table = self.table
        try:
            for device, rule in self._ready.stops(table.pack, table.state, fact):
                driver = self.drivers.get(device)
                if driver is not None and device not in self._wished:
                    self._wished[device] = rule
                    driver.inhibit(rule)
                    # The kernel has the bytes; it may carry them out before this process goes on.
                    time.sleep(GIVE_WAY_S)
        except Exception:
            # The fact is decided next: that fails in the same way, and is recorded.
            LOG.exception("no stop could be decided for %s", fact.what())

    def _decide(self, told: _Told, then: Callable[[], None] | None) -> None:
        if self._failed:
            return
        try:
            rows = self.table.take(told.fact, told.at)
        except Exception as bug:  # noqa: BLE001 - recorded as undecided; the process ends and starts again
            rows = self._undecided(told, bug)
        self.journal.append([entry_of(row) for row in rows])
        self._wish()
        if told.mark is not None:
            self._then(rows[-1].seq, _acknowledging(self.drivers[told.device], told.mark))
        for row in rows:
            self._orders(row)
        if then is not None:
            self._then(rows[-1].seq, then)
        self._since.append((rows[-1].seq, self.loop.time()))
        self._watch_the_oldest()
        self.watch(rows)

    def _undecided(self, told: _Told, bug: Exception) -> list[Row]:
        self._failed = True
        place = traceback.extract_tb(bug.__traceback__)[-1]
        where = f"{type(bug).__name__} at {Path(place.filename).name}:{place.lineno}"
        LOG.error("the rules failed on %s: %s", told.fact.what(), where, exc_info=bug)
        rows = undecided(self.table, told.fact, told.device, where, told.at)
        self._then(rows[-1].seq, self.fail)
        return rows

    def _orders(self, row: Row) -> None:
        event = row.event
        if isinstance(event, devices.OrderIssued):
            self._then(row.seq, lambda: self._order(event.device, row.seq, event.order, event.args))
        elif isinstance(event, devices.DeviceDrained):
            # What was ordered of this boot and never answered is said again; the device answers from memory.
            self._then(row.seq, lambda: self._order_again(event.device))

    def _order(self, device: str, seq: int, name: str, args: Mapping[str, int | str | bool]) -> None:
        driver = self.drivers.get(device)
        if driver is not None:
            driver.order((self.journal.epoch, seq), name, args)

    def _order_again(self, device: str) -> None:
        state = self.table.state
        for grant in state.grants.values():
            if grant.device == device and grant.result == "open" and grant.boot == state.devices[device].boot:
                self._order(device, grant.order, grant.name, grant.args)

    def _wish(self) -> None:
        """Tell drivers what the holds now wish: who is no longer stopped, and who is."""
        wished = inhibits(self.table.state)
        for name in self._wished.keys() - wished.keys():
            self.drivers[name].release()
        for name in wished.keys() - self._wished.keys():
            if name in self.drivers:
                self.drivers[name].inhibit(wished[name])
        self._wished = wished

    def _then(self, seq: int, action: Callable[[], None]) -> None:
        self._after.append((seq, action))

    def started(self) -> None:
        """Drivers are there: say again what holds of before wish, and keep their leases from now on."""
        for rules in self.table.pack.stopping.values():
            for rule in rules:
                for driver in self.drivers.values():
                    driver.prepare(rule.id)
        self._wished = {}
        self._wish()
        self.renew(wish=True)

    def committed(self, heads: Mapping[str, int]) -> None:
        """Rows are committed up to these seqs: acknowledge, order, answer, tell."""
        self._committed = max(self._committed, heads.get(self.table.state.setup.table, 0))
        if self.waiting == 0:
            self._show()
            if self._committed - self.kept >= KEEP_EVERY:
                self.keep_state()
        while self._after and self._after[0][0] <= self._committed:
            self._after.popleft()[1]()
        self.tell(heads)
        while self._since and self._since[0][0] <= self._committed:
            self._since.popleft()
        if self._late and self._left_s() > 0:
            self._late = False
            self._leases(wish=True)
        self._watch_the_oldest()
        if self._going_on is None:
            self._go_on()
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Decide what a device that fails next would stop: last of all, when nothing else waits."""
        table = self.table
        if self.waiting > 0 or self._ready.state is table.state:
            return
        try:
            self._ready = ready_stops(table.pack, table.state)
        except Exception:
            # The fact that would fail is decided when it comes, and recorded. Every commit tries again.
            if not self._unready:
                LOG.exception("no stops could be decided before they are asked for")
            self._unready = True
            self._ready = ReadyStops(table.state)

    def _go_on(self) -> None:
        """Decide the next fact that was deferred; a jam elsewhere has its turn between any two."""
        self._going_on = None
        if self._deferred and self.waiting < MOST_WAITING:
            self._decide(self._deferred.popleft(), None)
            self._going_on = self.loop.call_soon(self._go_on)

    def keep_state(self) -> None:
        """Have the state kept as it is, if all its rows are committed."""
        if self.keep is not None and self.waiting == 0:
            self.kept = self._committed
            self.keep(self.table.state)

    def _show(self) -> None:
        """Let the dealer's panels show what is committed; a driver says again only what has changed."""
        families = self.table.state.setup.devices
        panels = [one for name, one in self.drivers.items() if families[name] == PANEL]
        if panels:
            lines, lamps = panel(self.table.pack, self.table.state)
            for one in panels:
                one.show(lines, lamps)

    def _left_s(self) -> float:
        """Seconds until the oldest row that waits has waited too long; the whole time when none waits."""
        if not self._since:
            return LONGEST_WAIT_S
        return self._since[0][1] + LONGEST_WAIT_S - self.loop.time()

    def _watch_the_oldest(self) -> None:
        if self._since and self._overdue is None and not self._late:
            self._overdue = self.loop.call_later(max(0.0, self._left_s()), self._look_at_the_oldest)

    def _look_at_the_oldest(self) -> None:
        # What was oldest when the timer was set may be committed long since, and others wait for less.
        self._overdue = None
        if self._left_s() > 0:
            self._watch_the_oldest()
            return
        self._late = True
        LOG.error("%d rows wait for the disk; no lease is renewed", self.waiting)
        self._leases(wish=False)

    def _leases(self, *, wish: bool) -> None:
        if self.leases is None:
            self.renew(wish=wish)
        else:
            self.leases(wish)

    def renew(self, *, wish: bool) -> None:
        """Renew the leases of all devices from now on, or let them lapse."""
        for driver in self.drivers.values():
            driver.renew(wish)


def _acknowledging(driver: Driver, mark: Mark) -> Callable[[], None]:
    return lambda: driver.acknowledge(mark)
