"""A table in virtual time: simulated devices, the real link, the real translation, the real rules.

Every fact that reaches the table here was bytes of a simulated device, a command of a person, or a timer.
"""

from __future__ import annotations

import copy
from math import inf
from typing import TYPE_CHECKING, Any, Self

from felt_daemon.table import Table, blank, inhibits
from felt_daemon.table.dealers_panel import panel
from felt_daemon.table.setting_up import set_up
from felt_drivers.catalogue import CATALOGUE, SCREENS
from felt_drivers.facts import translate
from felt_drivers.link_facts import link_fact
from felt_drivers.standing import Standing
from felt_protocols.events import Fact, Moment, Row, device, system
from felt_protocols.link import items
from felt_protocols.link.host import HostSession
from felt_simulators.faults import PANEL, Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from felt_daemon.rules.pack import Pack

EPOCH = "0123456789abcdef"
BACKS = {"red": "red", "blue": "blue"}
US_PER_S = 1_000_000
NS_PER_S = 1_000_000_000


class LinkedTable:
    """One table and its devices. `now` is seconds; every machine is read on a line of its own.

    `machines`: the simulated devices by id, whose families they say themselves; `decks`: back colours by
    deck id; `elections`: what the pack was loaded with; `absent` names a device that is not there; the rest
    is what the house has chosen, as `set_up` has it.
    """

    def __init__(
        self,
        pack: Pack,
        machines: Mapping[str, Any],
        *,
        decks: Mapping[str, str] = BACKS,
        elections: Mapping[str, int | str | bool] | None = None,
        absent: str = "",
        **chosen: Any,  # noqa: ANN401 - what the house has chosen, as `set_up` has it
    ) -> None:
        self.now = 0.0
        self.pack = pack
        self.machines = machines
        self.families = {name: machine.build.identity().family for name, machine in machines.items()}
        self.elections = dict(elections or {})
        self.setup = set_up(pack, table="t-1", devices=self.families, decks=decks, **chosen)
        self.table = Table(self.pack, blank(self.setup), simulated=True)
        self.rows: list[Row] = []
        self._wished: dict[str, str] = {}
        self._shown: object = None
        self._unplugged = {absent}
        self._whys: dict[str, str | None] = {}
        self.boots = 0
        self.sessions: dict[str, HostSession] = {}
        self.standing: dict[str, Standing] = {}
        self.connect()

    @property
    def state(self) -> Any:  # noqa: ANN401 - tests look at many of its parts
        """The table's state."""
        return self.table.state

    def twin(self) -> Self:
        """Another table at the same point: what changes is copied, what cannot change is shared."""
        shared = (self.pack, self.setup, self.table.state, *self.rows)
        return copy.deepcopy(self, {id(one): one for one in shared})

    # ---- the line ------------------------------------------------------------------------------------

    def connect(self) -> None:
        """New host sessions, as after a start of the daemon."""
        self.boots += 1
        self.sessions.clear()
        self._shown = None
        self.standing = {name: Standing() for name in self.families}
        self.take(self._started())
        for name, family in self.families.items():
            one = self.table.state.devices[name]
            last = (int(one.boot, 16), one.last_n) if one.boot else None
            session = HostSession(self.boots, family, None, None, last, self.now)
            session.renew = True
            self.sessions[name] = session
            self._carry(name, session.opened(self.now))
        # What was wished before is wished of the new sessions.
        for name, row in self._wished.items():
            self._to_device(name, self.sessions[name].inhibit(row, "now", self.now))
        self._show()

    def lose_history(self) -> None:
        """The journal is gone: a table that knows nothing, and a new run of the daemon."""
        self.table = Table(self.pack, blank(self.setup), simulated=True)
        self._wished = {}
        self.connect()

    def expect_serial(self, name: str, serial: str) -> None:
        """The configuration names another device than the one that is plugged in."""
        session = HostSession(self.boots, self.families[name], serial, None, None, self.now)
        self.sessions[name] = session
        self._carry(name, session.opened(self.now))

    def unplug(self, name: str) -> None:
        """Nothing passes on this device's line any more."""
        self._unplugged.add(name)

    def plug(self, name: str) -> None:
        """The line is there again."""
        self._unplugged.discard(name)

    def fault(self, name: str, text: str) -> None:
        """Put a fault into a device, in the words of the simulators."""
        self.machines[name].set_fault(Fault.parse(text), self.now)

    def inject(self, name: str, event: str, **fields: object) -> None:
        """The device sends an event that no sound one would send now."""
        self.machines[name]._say(event, self.now, **fields)
        self.run(0.5)

    def _carry(self, name: str, found: Iterable[items.Item]) -> None:
        for item in found:
            if isinstance(item, items.Send):
                self._to_device(name, item.data)
            elif isinstance(item, items.Happened):
                table = CATALOGUE[self.families[name], "felt-link"]
                fact = translate(table, name, item.name, item.fields, item.n)
                self.take(fact, age_s=item.age_s, late=item.late)
                self._to_device(name, self.sessions[name].acknowledge(item.n, item.boot))
            else:
                self._reported(name, item)

    def _reported(self, name: str, item: items.Item) -> None:
        standing = self.standing[name]
        if isinstance(item, items.Stale):
            if standing.silent():
                self.take(device.DeviceStale(device=name, silent_ms=round(item.silent_s * 1000)))
        elif isinstance(item, items.Lost):
            why = standing.gone()
            if why is not None:
                self.take(device.DeviceLost(device=name, why=why))
            # As the driver does: the port is closed and opened again.
            session = self.sessions[name]
            self._carry(name, session.closed(self.now))
            self._carry(name, session.opened(self.now))
        elif isinstance(item, items.Back):
            self._heard(name)
        else:
            fact = link_fact(name, item)
            if fact is not None:
                self.take(fact)
            if isinstance(item, items.Connected):
                self._heard(name)

    def _heard(self, name: str) -> None:
        if self.standing[name].heard():
            self.take(device.DeviceBack(device=name))

    def _to_device(self, name: str, data: bytes) -> None:
        if data and name not in self._unplugged:
            for sent in self.machines[name].receive(data, self.now):
                self._to_host(name, sent.data)

    def _to_host(self, name: str, data: bytes) -> None:
        if name not in self._unplugged:
            session = self.sessions[name]
            self._carry(name, session.receive(data, self.now))
            why = session.shown.why if session.shown else None
            if why != self._whys.get(name):
                self._whys[name] = why
                if why == "host-lost":
                    self.take(device.LeaseLapsed(device=name))

    # ---- the table -----------------------------------------------------------------------------------

    def _started(self) -> Fact:
        return system.Started(
            version="test",
            epoch=EPOCH,
            pack=self.pack.source.chapter,
            pack_digest="00",
            config_digest="00",
            elections=self.elections,
            reference="RS-1",
            reference_date="2026-01-01",
        )

    def _moment(self, age_s: float = 0.0, *, late: bool = False) -> Moment:
        at = self.now - age_s
        return Moment(
            boot="boot",
            start=f"run-{self.boots}",
            mono_ns=max(0, round(at * NS_PER_S)),
            utc_us=max(0, round(at * US_PER_S)),
            trusted=True,
            late=late,
        )

    def take(self, fact: Fact, *, age_s: float = 0.0, late: bool = False) -> list[Row]:
        """What the shell does with a fact: stop first, then record, then order, then show."""
        rows = self.table.take(fact, self._moment(age_s, late=late))
        self.rows += rows
        wished = inhibits(self.table.state)
        for name in self._wished.keys() - wished.keys():
            self.sessions[name].release()
        for name in (wished.keys() - self._wished.keys()) & self.sessions.keys():
            self._to_device(name, self.sessions[name].inhibit(wished[name], "now", self.now))
        self._wished = wished
        for row in rows:
            if isinstance(row.event, device.OrderIssued):
                order = row.event
                session = self.sessions[order.device]
                self._to_device(
                    order.device, session.order(order.order, order.args, (EPOCH, row.seq), self.now)
                )
        self._show()
        return rows

    def _show(self) -> None:
        name = next((one for one, family in self.families.items() if family == PANEL), "")
        session = self.sessions.get(name)
        wished = panel(self.pack, self.table.state)
        if session is not None and wished != self._shown:
            self._shown = wished
            self._to_device(name, session.show(SCREENS[PANEL, "felt-link"](*wished), self.now))

    def run(self, seconds: float) -> None:
        """Let time pass, everything due on the way done in its order."""
        end = self.now + seconds
        while True:
            when, name, kind = min(self._moments())
            if when > end:
                self.now = end
                return
            self.now = max(self.now, when)
            if kind == "timer":
                self.take(system.TimerDue(timer=name, overdue_s=0))
            elif kind == "host":
                self._carry(name, self.sessions[name].elapsed(self.now))
            else:
                for sent in self.machines[name].elapsed(self.now):
                    self._to_host(name, sent.data)

    def _moments(self) -> list[tuple[float, str, str]]:
        """When each session, each device and each timer of the table has something to do."""
        moments = [(session.due(), name, "host") for name, session in self.sessions.items()]
        for name, machine in self.machines.items():
            due = machine.due()
            moments.append((inf if due is None else due, name, "device"))
        for name, timer in self.table.state.timers.items():
            moments.append((timer.since.mono_ns / NS_PER_S + timer.after_s, name, "timer"))
        return moments
