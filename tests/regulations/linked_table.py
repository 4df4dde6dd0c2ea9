"""A table in virtual time: simulated devices, the real link, the real translation, the real rules.

Every fact that reaches the table here was bytes of a simulated device, a command of a person, or a timer.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from felt_daemon.rules import load
from felt_daemon.table import Setup, Table, blank, inhibits
from felt_daemon.table.dealers_panel import panel
from felt_drivers.catalogue import CATALOGUE, SCREENS
from felt_drivers.facts import translate
from felt_drivers.link_facts import link_fact
from felt_drivers.standing import Standing
from felt_protocols.events import Fact, Moment, Row, device, system
from felt_protocols.link import items
from felt_protocols.link.host import HostSession
from felt_simulators.chance import seeded
from felt_simulators.devices.dealers_panel import DealersPanel, PanelBuild
from felt_simulators.devices.shaker import Shaker, ShakerBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild
from felt_simulators.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable

PACK = load("659a")
EPOCH = "0123456789abcdef"
FAMILIES = {
    "shuffler-1": "shuffler",
    "shoe-1": "shoe",
    "shaker-1": "shaker",
    "panel-1": "dealers-panel",
}
METHOD = {"shuffle": "device", "deal": "automated-shoe", "start": "shaker"}
BACKS = {"red": "red", "blue": "blue"}
US_PER_S = 1_000_000
NS_PER_S = 1_000_000_000


class LinkedTable:
    """One Asia Poker table and its devices. `now` is seconds; `absent` names a device that is not there."""

    def __init__(
        self,
        seed: int = 1,
        shoe: ShoeBuild | None = None,
        absent: str = "",
        **setup: Any,  # noqa: ANN401 - what the house has chosen, as Setup has it
    ) -> None:
        rng = seeded(seed)
        self.now = 0.0
        self.pack = PACK
        chosen: dict[str, Any] = {"method": METHOD, "selftests": frozenset({"shuffler-1"}), **setup}
        self.setup = Setup(
            table="t-1",
            game="659a",
            devices=FAMILIES,
            decks=BACKS,
            deck_total=int(self.pack.constants["deck_total"]),
            hand_cards=int(self.pack.constants["hand_cards"]),
            positions=int(self.pack.constants["positions"]),
            **chosen,
        )
        self.table = Table(self.pack, blank(self.setup), simulated=True)
        self.rows: list[Row] = []
        self.shuffler = Shuffler(ShufflerBuild(shuffle_s=6.0), rng, 0.0)
        self.shoe = Shoe(shoe or ShoeBuild(), rng, 0.0)
        self.shaker = Shaker(ShakerBuild(), rng, 0.0)
        self.panel = DealersPanel(PanelBuild(), rng, 0.0)
        self.machines: dict[str, Any] = {
            "shuffler-1": self.shuffler,
            "shoe-1": self.shoe,
            "shaker-1": self.shaker,
            "panel-1": self.panel,
        }
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

    # ---- the line ------------------------------------------------------------------------------------

    def connect(self) -> None:
        """New host sessions, as after a start of the daemon."""
        self.boots += 1
        self.sessions.clear()
        self._shown = None
        self.standing = {name: Standing() for name in FAMILIES}
        self.take(self._started())
        for name, family in FAMILIES.items():
            one = self.table.state.devices[name]
            last = (int(one.boot, 16), one.last_n) if one.boot else None
            session = HostSession(self.boots, family, None, None, last, self.now)
            session.renew = True
            self.sessions[name] = session
            self._carry(name, session.opened(self.now))
        self._show()

    def lose_history(self) -> None:
        """The journal is gone: a table that knows nothing, and a new run of the daemon."""
        self.table = Table(self.pack, blank(self.setup), simulated=True)
        self._wished = {}
        self.connect()

    def expect_serial(self, name: str, serial: str) -> None:
        """The configuration names another device than the one that is plugged in."""
        session = HostSession(self.boots, FAMILIES[name], serial, None, None, self.now)
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
                table = CATALOGUE[FAMILIES[name], "felt-link"]
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
            pack="659a",
            pack_digest="00",
            config_digest="00",
            elections={},
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
        session = self.sessions.get("panel-1")
        wished = panel(self.pack, self.table.state)
        if session is not None and wished != self._shown:
            self._shown = wished
            self._to_device("panel-1", session.show(SCREENS["dealers-panel", "felt-link"](*wished), self.now))

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
