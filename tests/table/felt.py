"""A table that facts are told to directly, without devices: every row that it makes is kept."""

from __future__ import annotations

import copy
import functools
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from felt_daemon.rules import Pack, load
from felt_daemon.rules.library import document_of, parse_pack, stored
from felt_daemon.table import Setup, State, Table, admit, blank
from felt_daemon.table.rulings import stops
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import (
    Event,
    Fact,
    Moment,
    Row,
    card,
    deck,
    device,
    draw,
    incident,
    person,
    ruling,
    system,
)
from felt_protocols.events.person import Person

if TYPE_CHECKING:
    from felt_daemon.rules import Pack

_Event = TypeVar("_Event", bound=Event)

PACK = load("659a")
FAMILIES = {"shuffler-1": "shuffler", "shoe-1": "shoe", "shaker-1": "shaker"}
NS_PER_S = 1_000_000_000
# What is reported of a deck before its shuffle, and by whom: 659a.4(a), (b), (c).
PREPARATION = (
    ("deck-inspected", "dealer"),
    ("inspection-verified", "floor"),
    ("deck-spread", "dealer"),
    ("player-looked", "dealer"),
    ("deck-washed", "dealer"),
)
FLOOR = Person(role="floor", name="Ann")
DEALER = Person(role="dealer", name="Dan")


def setup_of(**changes: Any) -> Setup:  # noqa: ANN401 - a setup's own fields
    """What is on an Asia Poker table with two decks."""
    about: dict[str, Any] = {
        "table": "t-1",
        "game": "659a",
        "devices": FAMILIES,
        "decks": {"red": "red", "blue": "blue"},
        "deck_total": 53,
        "hand_cards": 7,
        "positions": 6,
        "method": {"shuffle": "device", "deal": "automated-shoe", "start": "shaker"},
        "selftests": frozenset({"shuffler-1"}),
        "patterns": PACK.patterns,
        "deck_clocks": frozenset({"deck-age", "deck-age-by-hand"}),
    }
    return Setup(**{**about, **changes})


def changed(rule: str, **keys: object) -> Pack:
    """The pack with other keys in one of its rules."""
    document = document_of("659a")
    [row] = [one for one in document["rules"] if one["id"] == rule]
    row.update(keys)
    return parse_pack(stored(document))


def moment(second: int, *, late: bool = False) -> Moment:
    """A moment so many seconds after the kernel's boot."""
    return Moment("boot-1", "run-1", second * NS_PER_S, second * 1_000_000, trusted=True, late=late)


def refused(felt: Felt, command: commands.Command, by: Person = FLOOR, second: Person | None = None) -> str:
    """The words in which a command is refused; nothing is told by it."""
    before = felt.state
    with pytest.raises(CommandRefused) as refusal:
        admit(felt.pack, felt.state, command, by, second)
    assert felt.state is before
    return str(refusal.value)


def told(felt: Felt, what: str, by: Person = DEALER, **about: object) -> person.Reported:
    """The fact that a report becomes; raises `CommandRefused`."""
    fact = admit(felt.pack, felt.state, commands.Report.model_validate({"what": what, **about}), by)
    assert isinstance(fact, person.Reported)
    return fact


def why_not(felt: Felt, what: str, by: Person = DEALER, **about: object) -> str:
    """The words in which a report is refused."""
    return refused(felt, commands.Report.model_validate({"what": what, **about}), by)


class Felt:
    """One table. Each fact comes a second after the one before it."""

    def __init__(self, pack: Pack = PACK, setup: Setup | None = None) -> None:
        self.pack = pack
        self.setup = setup or setup_of()
        self.table = Table(pack, blank(self.setup))
        self.rows: list[Row] = []
        self.stops: list[tuple[str, str]] = []
        self.batch = 0
        # Whether what is told comes long after it happened.
        self.late = False

    def twin(self) -> Felt:
        """Another table at the same point, which goes its own way from here."""
        other = copy.copy(self)
        other.table = copy.copy(self.table)
        other.rows = list(self.rows)
        other.stops = list(self.stops)
        return other

    @property
    def state(self) -> State:
        """The table's state now."""
        return self.table.state

    @property
    def round(self) -> Any:  # noqa: ANN401 - tests look at a round that they know to be there
        """The round in progress."""
        assert self.state.round is not None
        return self.state.round

    def tell(self, *facts: Fact) -> list[Row]:
        """Tell the table facts, and give every row that it made of them."""
        before = len(self.rows)
        for fact in facts:
            self.stops += stops(self.pack, self.state, fact)
            self.rows += self.table.take(fact, moment(len(self.rows) + 1, late=self.late))
        return self.rows[before:]

    def command(self, command: commands.Command, role: str = "floor", name: str = "Ann") -> list[Row]:
        """Let a person give a command; raises `CommandRefused`."""
        by = Person.model_validate({"role": role, "name": name})
        return self.tell(admit(self.pack, self.state, command, by))

    def of(self, kind: type[_Event]) -> list[_Event]:
        """Events of one class so far."""
        return [row.event for row in self.rows if isinstance(row.event, kind)]

    def rulings(self) -> list[str]:
        """The rows that were ruled on so far."""
        return [one.row for one in self.of(ruling.RulingMade)]

    def holds(self) -> set[tuple[str, str]]:
        """What is held now: row and subject."""
        return {(hold.row, hold.subject_id) for hold in self.state.holds.values()}

    def permits(self, name: str) -> list[dict[str, object]]:
        """The permits given to a device so far."""
        return [dict(one.args) for one in self.of(device.OrderIssued) if one.device == name]

    def incidents(self) -> list[tuple[str, str]]:
        """Row and subject of every incident so far."""
        return [(one.row, one.subject_id) for one in self.of(incident.IncidentOpened)]

    # ---- what devices and people do -------------------------------------------------------------------

    def start(self) -> None:
        """Begin a run of the daemon."""
        self.tell(started())

    def connect(self, *names: str) -> None:
        """Let devices be accepted and tell that they have kept nothing."""
        for name in names or self.setup.devices:
            self.tell(connected(name), device.DeviceDrained(device=name, upto=0))

    def change_deck(self, *names: str) -> None:
        """Let new decks lie at the table, each prepared for its shuffle."""
        for name in names:
            self.tell(person.DeckChanged(by=FLOOR, deck=name))
            for report, role in PREPARATION:
                self.report(report, role, deck=name)

    def report(self, what: str, role: str = "dealer", **about: Any) -> list[Row]:  # noqa: ANN401 - what it is about
        """Let a person report something; raises `CommandRefused`."""
        return self.command(commands.Report(what=what, **about), role)

    def by_hand(self) -> None:
        """Shuffle by hand and deal from a manual shoe from now on."""
        self.tell(person.MethodChosen(by=FLOOR, shuffle="hand", deal="manual-shoe", start="shaker"))

    def empty_shoe(self) -> None:
        """Take a whole deck out of the shoe."""
        self.tell(card.ShoeUnloaded(device="shoe-1", count=53))

    def load(self) -> int:
        """Put a deck into the shuffler; give its batch number."""
        self.batch += 1
        self.tell(deck.DeckLoaded(device="shuffler-1", batch=self.batch, count=53))
        return self.batch

    def shuffle(self, count: int | None = 53) -> None:
        """Put a deck into the shuffler and let it be shuffled."""
        batch = self.load()
        self.tell(
            deck.ShuffleStarted(device="shuffler-1", batch=batch),
            deck.ShuffleCompleted(device="shuffler-1", batch=batch, mode="shuffle", count=count),
        )

    def to_shoe(self) -> None:
        """Take the deck from the shuffler to the shoe."""
        self.tell(
            deck.DeckUnloaded(device="shuffler-1", batch=self.batch, count=53),
            card.ShoeLoaded(device="shoe-1", count=53),
        )

    def open(self) -> None:
        """Red is shuffled in the shoe, blue shuffled in the shuffler, the dice are new, the table is open."""
        self.start()
        self.connect()
        self.tell(person.DiceChanged(by=FLOOR, device="shaker-1"))
        self.change_deck("red")
        self.shuffle()
        self.to_shoe()
        self.change_deck("blue")
        self.shuffle()
        self.tell(person.TableOpened(by=FLOOR))

    def start_position(self, *faces: int) -> None:
        """Shake three times and read the dice."""
        self.tell(draw.ShakerCovered(device="shaker-1"))
        self.tell(*(draw.ShakerShaken(device="shaker-1") for _ in range(3)))
        self.tell(draw.ShakerUncovered(device="shaker-1"))
        self.tell(draw.DiceRead(device="shaker-1", faces=faces or (1, 2, 3), flat=True, inside=True))

    def ready_to_deal(self) -> None:
        """Bets are closed and the start position is known."""
        self.tell(person.BetsClosed(by=DEALER))
        self.start_position()

    def deal(self, *sizes: int) -> None:
        """Let stacks of these sizes come out of the shoe."""
        self.tell(*(card.StackDispensed(device="shoe-1", size=size) for size in sizes or (7,) * 7))

    def finish(self) -> None:
        """Take the four out, shake once and end the round."""
        self.tell(
            card.ShoeUnloaded(device="shoe-1", count=4),
            draw.ShakerCovered(device="shaker-1"),
            draw.ShakerShaken(device="shaker-1"),
            person.RoundEnded(by=DEALER),
        )

    def play_round(self) -> None:
        """One sound round; then the other deck goes to the shoe and this one into the shuffler."""
        self.ready_to_deal()
        self.deal()
        self.finish()
        self.to_shoe()
        self.shuffle()


@functools.cache
def _opened() -> Felt:
    felt = Felt()
    felt.open()
    return felt


def opened() -> Felt:
    """An open table before its first round."""
    return _opened().twin()


def started() -> Fact:
    """A run of the daemon begins."""
    return system.Started(
        version="1",
        epoch="e",
        pack="659a",
        pack_digest="0",
        config_digest="0",
        elections={},
        reference="RS-1",
        reference_date="2026-01-01",
    )


def connected(name: str, boot: str = "00000000000000a1", *, same_boot: bool = False) -> Fact:
    """A device's HELLO was accepted."""
    return device.DeviceConnected(
        device=name,
        family={**FAMILIES, "panel-1": "dealers-panel"}.get(name, "shoe"),
        model="m",
        serial="s-1",
        firmware="1.0",
        digest="0",
        device_boot=boot,
        same_boot=same_boot,
    )
