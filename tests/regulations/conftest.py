"""A table in virtual time: simulated devices, the real link, the real translation, the real rules.

Every fact that reaches the table here was bytes of a simulated device, or a command of a person. What the
table says is compared with what the devices know to be true.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules import load
from felt_daemon.table import Setup, Table, admit, blank, inhibits
from felt_drivers.catalogue import CATALOGUE
from felt_drivers.facts import translate
from felt_drivers.link_facts import link_fact
from felt_drivers.standing import Standing
from felt_protocols import commands
from felt_protocols.events import Fact, Moment, Row, device, incident, person, ruling, system
from felt_protocols.link import items
from felt_protocols.link.host import HostSession
from felt_simulators.cards import Card, new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.shaker import Shaker, ShakerBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild
from felt_simulators.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

EPOCH = "0123456789abcdef"
FAMILIES = {"shuffler-1": "shuffler", "shoe-1": "shoe", "shaker-1": "shaker"}
METHOD = {"shuffle": "device", "deal": "automated-shoe", "start": "shaker"}
# What the dealer and the floorperson report of a deck before it is shuffled: 659a.4(a), (b), (c).
PREPARATION = (
    ("deck-inspected", "dealer"),
    ("inspection-verified", "floor"),
    ("deck-spread", "dealer"),
    ("player-looked", "dealer"),
    ("deck-washed", "dealer"),
)
BACKS = {"red": "red", "blue": "blue"}
US_PER_S = 1_000_000
NS_PER_S = 1_000_000_000


class Bench:
    """One Asia Poker table. `now` is seconds; every hand takes the time that the devices need."""

    def __init__(
        self,
        seed: int = 1,
        shoe: ShoeBuild | None = None,
        absent: str = "",
        **setup: Any,  # noqa: ANN401 - what the house has chosen, as Setup has it
    ) -> None:
        rng = seeded(seed)
        self.now = 0.0
        self.pack = load("659a")
        numbers = {name: int(self.pack.constants[name]) for name in ("deck_total", "hand_cards", "positions")}
        self.setup = Setup(
            table="t-1",
            game="659a",
            devices=FAMILIES,
            decks=BACKS,
            method=METHOD,
            selftests=frozenset({"shuffler-1"}),
            **numbers,
            **setup,
        )
        self.table = Table(self.pack, blank(self.setup), simulated=True)
        self.rows: list[Row] = []
        self.shuffler = Shuffler(ShufflerBuild(), rng, 0.0)
        self.shoe = Shoe(shoe or ShoeBuild(), rng, 0.0)
        self.shaker = Shaker(ShakerBuild(), rng, 0.0)
        self.machines: dict[str, Any] = {
            "shuffler-1": self.shuffler,
            "shoe-1": self.shoe,
            "shaker-1": self.shaker,
        }
        self.cards: dict[str, list[Card]] = {
            name: new_deck(name, back, "table").stack() for name, back in BACKS.items()
        }
        # What people hold or have in front of them, and what lies in the discard rack.
        self.hand: list[Card] = []
        self.felt: list[Card] = []
        self.rack: list[Card] = []
        self._wished: dict[str, str] = {}
        self._unplugged = {absent}
        self._whys: dict[str, str | None] = {}
        self.boots = 0
        self.sessions: dict[str, HostSession] = {}
        self.connect()

    # ---- the line ------------------------------------------------------------------------------------

    def connect(self) -> None:
        """New host sessions, as after a start of the daemon."""
        self.boots += 1
        self.sessions.clear()
        self.standing = {name: Standing() for name in FAMILIES}
        self.take(self._started())
        for name, family in FAMILIES.items():
            one = self.table.state.devices[name]
            last = (int(one.boot, 16), one.last_n) if one.boot else None
            session = HostSession(self.boots, family, None, None, last, self.now)
            session.renew = True
            self.sessions[name] = session
            self._carry(name, session.opened(self.now))

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

    def _carry(self, name: str, found: Iterable[items.Item]) -> None:
        for item in found:
            if isinstance(item, items.Send):
                self._to_device(name, item.data)
            elif isinstance(item, items.Happened):
                table = CATALOGUE[FAMILIES[name], "felt-link"]
                fact = translate(table, name, item.name, item.fields, item.n)
                self.take(fact, age_s=item.age_s, late=item.late)
                self._carry_bytes(name, self.sessions[name].acknowledge(item.n, item.boot))
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

    def _carry_bytes(self, name: str, data: bytes) -> None:
        if data:
            self._to_device(name, data)

    def _to_device(self, name: str, data: bytes) -> None:
        if name not in self._unplugged:
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

    def unplug(self, name: str) -> None:
        """Nothing passes on this device's line any more."""
        self._unplugged.add(name)

    def plug(self, name: str) -> None:
        """The line is there again."""
        self._unplugged.discard(name)

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

    def take(self, fact: Fact, *, age_s: float = 0.0, late: bool = False) -> list[Row]:
        """What the shell does with a fact: stop first, then record, then order."""
        rows: list[Row] = []
        for row in self.table.take(fact, self._moment(age_s, late=late)):
            rows.append(row)
            self.rows.append(row)
        wished = inhibits(self.table.state)
        for name in self._wished.keys() - wished.keys():
            self.sessions[name].release()
        for name in (wished.keys() - self._wished.keys()) & self.sessions.keys():
            self._carry_bytes(name, self.sessions[name].inhibit(wished[name], "now", self.now))
        self._wished = wished
        for row in rows:
            if isinstance(row.event, device.OrderIssued):
                order = row.event
                session = self.sessions[order.device]
                self._carry_bytes(
                    order.device, session.order(order.order, order.args, (EPOCH, row.seq), self.now)
                )
        return rows

    def command(self, command: commands.Command, role: str = "floor", second: str = "") -> list[Row]:
        """A person gives a command, perhaps with a second one; raises `CommandRefused`."""
        by = person.Person.model_validate({"role": role, "name": "Ann"})
        other = person.Person(role="floor", name=second) if second else None
        return self.take(admit(self.pack, self.table.state, command, by, other))

    def run(self, seconds: float) -> None:
        """Let time pass, everything due on the way done in its order."""
        end = self.now + seconds
        while True:
            moments = [(session.due(), name, True) for name, session in self.sessions.items()]
            for name, machine in self.machines.items():
                due = machine.due()
                moments.append((inf if due is None else due, name, False))
            when, name, host = min(moments)
            if when > end:
                self.now = end
                return
            self.now = max(self.now, when)
            if host:
                self._carry(name, self.sessions[name].elapsed(self.now))
            else:
                for sent in self.machines[name].elapsed(self.now):
                    self._to_host(name, sent.data)

    def until(self, condition: Callable[[], bool], limit_s: float = 120.0) -> None:
        """Let time pass until something is so."""
        end = self.now + limit_s
        while not condition():
            assert self.now < end, "it never came to that"
            self.run(0.25)

    # ---- hands ---------------------------------------------------------------------------------------

    def open(self) -> None:
        """Both decks shuffled, one in the shoe and one in the shuffler, dice new, table open."""
        self.until(lambda: all(one.link == "ready" for one in self.table.state.devices.values()))
        self.command(commands.ChangeDice(device="shaker-1"))
        self.bring("red")
        self.shuffle(self.cards["red"])
        self.to_shoe()
        self.bring("blue")
        self.shuffle(self.cards["blue"])
        self.command(commands.OpenTable())

    def bring(self, deck: str) -> None:
        """A new deck comes to the table and is prepared for its shuffle."""
        self.command(commands.ChangeDeck(deck=deck))
        for what, role in PREPARATION:
            self.report(what, role, deck=deck)

    def report(self, what: str, role: str = "dealer", **about: Any) -> list[Row]:  # noqa: ANN401 - what a report may name
        """Somebody reports what they saw; raises `CommandRefused`."""
        return self.command(commands.Report(what=what, **about), role)

    def load(self, cards: list[Card]) -> None:
        """Put cards into the shuffler."""
        self.shuffler.load(cards, self.now)
        self.run(0.5)

    def shuffle(self, cards: list[Card]) -> None:
        """Put cards into the shuffler and wait for the end of its work."""
        self.load(cards)
        self.until(lambda: not self.table.state.devices["shuffler-1"].working)
        self.run(40.0)

    def to_shoe(self) -> None:
        """Take the cards out of the shuffler and put them into the shoe."""
        self.hand = self.shuffler.unload(self.now)
        self.run(0.5)
        self.shoe.load(self.hand, self.now)
        self.hand = []
        self.run(0.5)

    def shake(self, times: int = 3) -> None:
        """Shake the covered shaker."""
        if not self.shaker.covered:
            self.shaker.cover(self.now)
        for _ in range(times):
            self.shaker.shake(self.now)
            self.run(1.0)

    def uncover(self) -> None:
        """Take the lid off and let the dice be read."""
        self.shaker.uncover(self.now)
        self.run(1.0)

    def no_more_bets(self) -> None:
        """The dealer's announcement."""
        self.command(commands.NoMoreBets(), "dealer")

    def ready_to_deal(self) -> None:
        """Bets closed, start position known."""
        self.no_more_bets()
        self.shake()
        self.uncover()

    def deal(self, stacks: int = 7) -> None:
        """Press the shoe's button for each stack, and take what comes."""
        for _ in range(stacks):
            self.shoe.press_deal(self.now)
            self.run(3.0)
            self.felt += self.shoe.take_stack(self.now)

    def take_rest(self) -> None:
        """Take what is left out of the shoe."""
        self.rack += self.shoe.remove_rest(self.now)
        self.run(0.5)

    def empty_shoe(self) -> None:
        """Take every card out of a shoe that has stopped."""
        self.felt += self.shoe.clear_jam(self.now)
        self.run(0.5)
        self.take_rest()

    def cover_and_shake_once(self) -> None:
        """What is done with the shaker after the deal."""
        self.shaker.cover(self.now)
        self.shaker.shake(self.now)
        self.run(0.5)

    def end_round(self) -> None:
        """Finish the round; all its cards go to the rack."""
        self.command(commands.RoundEnd(), "dealer")
        self.rack += self.felt
        self.felt = []

    def play_round(self) -> None:
        """One sound round, and the change of decks after it."""
        self.finish_round()
        self.change_over()

    def change_over(self, *faults: str) -> None:
        """The other deck goes into the shoe, this one into the shuffler, which then has these faults."""
        self.to_shoe()
        for text in faults:
            self.fault("shuffler-1", text)
        used, self.rack = self.rack, []
        self.shuffle(used)

    def finish_round(self) -> None:
        """A sound round up to its end; the decks are not changed over yet."""
        self.ready_to_deal()
        self.deal()
        self.take_rest()
        self.cover_and_shake_once()
        self.end_round()

    def take_from_shuffler(self) -> list[Card]:
        """Take the cards out of the shuffler into the hand."""
        cards = self.shuffler.unload(self.now)
        self.run(0.5)
        return cards

    def inject(self, name: str, event: str, **fields: object) -> None:
        """The device sends an event that no sound one would send now."""
        self.machines[name]._say(event, self.now, **fields)
        self.run(0.5)

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

    def fault(self, name: str, text: str) -> None:
        """Put a fault into a device, in the words of the simulators."""
        self.machines[name].set_fault(Fault.parse(text), self.now)

    # ---- what was said -------------------------------------------------------------------------------

    @property
    def state(self) -> Any:  # noqa: ANN401 - tests look at many of its parts
        """The table's state."""
        return self.table.state

    def rulings(self, row: str = "") -> list[ruling.RulingMade]:
        """Rulings so far, of one row or of all but what links and devices themselves give rise to."""
        found = [one.event for one in self.rows if isinstance(one.event, ruling.RulingMade)]
        return [one for one in found if not row or one.row == row]

    def rows_of(self, kind: type[Any]) -> list[Any]:
        """Events of one class so far."""
        return [one.event for one in self.rows if isinstance(one.event, kind)]

    def only_ruling(self, row: str) -> ruling.RulingMade:
        """The one ruling that was made, which must be of this row."""
        assert [one.row for one in self.rulings()] == [row]
        return self.rulings()[0]

    def holds(self) -> set[tuple[str, str]]:
        """What is held now: row and subject."""
        return {(hold.row, hold.subject_id) for hold in self.state.holds.values()}

    def permits(self, name: str) -> list[dict[str, object]]:
        """The permits given to a device so far."""
        return [dict(one.args) for one in self.rows_of(device.OrderIssued) if one.device == name]

    def rows_of_orders(self, name: str) -> list[int]:
        """The numbers of the orders given to a device."""
        return [
            row.seq
            for row in self.rows
            if isinstance(row.event, device.OrderIssued) and row.event.device == name
        ]

    def incidents(self) -> list[incident.IncidentOpened]:
        """Incidents opened so far."""
        return self.rows_of(incident.IncidentOpened)


_TABLES = pytest.StashKey[list[Bench]]()


@pytest.fixture
def table_of(request: pytest.FixtureRequest) -> Callable[..., Bench]:
    """Make a table; the rules that the test is marked with must have been ruled on at one of its tables."""
    tables = request.node.stash.setdefault(_TABLES, [])

    def make(**options: Any) -> Bench:  # noqa: ANN401 - a bench's own options
        tables.append(Bench(**options))
        return tables[-1]

    return make


@pytest.fixture(autouse=True)
def _marked_rules_were_ruled_on(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    marked = {name for mark in request.node.iter_markers("rule") for name in mark.args}
    tables = request.node.stash.get(_TABLES, [])
    ruled = {one.row for table in tables for one in table.rulings()}
    assert marked <= ruled, f"the test is marked with {marked - ruled} and no such ruling was made in it"


@pytest.fixture
def bench(table_of: Callable[..., Bench]) -> Bench:
    """A table whose devices have just been switched on."""
    return table_of()


@pytest.fixture
def opened(bench: Bench) -> Bench:
    """An open table, ready for its first round."""
    bench.open()
    return bench


@pytest.fixture
def dealing(opened: Bench) -> Bench:
    """An open table, three of seven stacks dealt."""
    opened.ready_to_deal()
    opened.deal(3)
    return opened
