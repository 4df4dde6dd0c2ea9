"""Whatever devices and people tell, in whatever order: what must hold of every table, always.

The facts here need not be possible: a device out of order tells anything.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from typing_extensions import override

from felt_daemon.table import Table, admit, blank, dealers_panel, evolve, inhibits, picture
from felt_daemon.table.life import VOID
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import (
    Fact,
    Row,
    bodies,
    card,
    deck,
    device,
    draw,
    incident,
    panel,
    person,
    restored,
    system,
)

from .anything import (
    ASIDE,
    BUTTONS,
    CARD_FACTS,
    COMMANDS,
    COUNTS,
    DEVICE_FACTS,
    OTHER_FACTS,
    PEOPLE,
    REPORT,
    REPORTS,
    SECRET,
    SETUP,
    SHUFFLERS,
)
from .felt import DEALER, FLOOR, PACK, PREPARATION, Felt, connected, started

if TYPE_CHECKING:
    from felt_daemon.table.state import Hold, State


def opening() -> list[Fact]:
    """Every fact that leads to an open table with both decks shuffled."""
    felt = Felt(setup=SETUP)
    felt.open()
    return [row.event for row in felt.rows if isinstance(row.event, Fact)]


OPENING = opening()


def closes_the_deal(state: State, hold: Hold, deck_in_shoe: str) -> bool:
    """Whether a hold closes the first dispense, told again without the engine."""
    held = state.devices.get(hold.subject_id) if hold.subject == "device" else None
    if held is not None and held.id != "shoe-1" and held.sign:
        # The shoe deals; of the others the house may go without one that is covered.
        ways = {"shuffler": ("shuffle", "device"), "shaker": ("start", "shaker")}
        name, word = ways[held.family]
        if state.method[name] != word:
            return False
    about = PACK.by_id[hold.row].holds[hold.index]
    closes = "deal" in hold.gates or (hold.cause and "deal" in about.while_cause)
    return closes and (hold.subject != "deck" or hold.subject_id == deck_in_shoe)


class TableMachine(RuleBasedStateMachine):
    """`folded` is the fold of the rows that were made, kept beside the table that made them."""

    def __init__(self) -> None:
        super().__init__()
        self.felt = Felt(setup=SETUP)
        self.folded = blank(self.felt.setup)
        # What a row may name as its cause: the fact that was told, and the one that follows from it.
        self.told = 0
        self.cause = 0
        self.batch = 0
        self.granted: set[tuple[str, str, str, str]] = set()
        # Devices that must be inhibited, by the hold that says so, as the rows tell it.
        self.stopped: dict[int, str] = {}

    def tell(self, *facts: Fact) -> None:
        """Tell facts, and look at every row that they lead to in the state before it."""
        for fact in facts:
            before = set(inhibits(self.felt.state))
            self.felt.stops.clear()
            self.told = 0
            set_aside = self.about_a_device_set_aside(fact)
            played = self.decks_and_round()
            for row in self.felt.tell(fact):
                self.look(row)
                self.folded = evolve(self.folded, row)
            # A stop that leaves before its rows is one that the rows then say, and the other way about.
            wished = set(inhibits(self.felt.state))
            told = {name for name, _row in self.felt.stops}
            assert told <= wished <= before | told or self.stopped_by_people(wished - before - told)
            if set_aside:
                assert played == self.decks_and_round()

    def stopped_by_people(self, names: set[str]) -> bool:
        """Whether these devices are stopped by a report from the panel, which no device told."""
        rows = {hold.row for hold in self.felt.state.holds.values() if hold.stops in names}
        return all(PACK.by_id[row].as_report for row in rows)

    def about_a_device_set_aside(self, fact: Fact) -> bool:
        """Whether a device that is in service or out of use tells this of cards or dice."""
        if not isinstance(fact, (deck.ShufflerFact, deck.InsideCounted, card.ShoeFact, draw.ShakerFact)):
            return False
        about = self.felt.state.devices.get(fact.device)
        return about is not None and (about.retired or about.service != "")

    def decks_and_round(self) -> tuple[object, ...]:
        """What a test may not touch: decks, the round, and what is held."""
        state = self.felt.state
        return state.decks, state.round, state.table, set(state.holds), state.last_deck

    def look(self, row: Row) -> None:
        """Look at a row in the state before it."""
        event = row.event
        assert row.seq == self.folded.seq + 1
        if isinstance(event, Fact):
            # A press and what it means, or what follows where nobody tells it: the second names the first.
            assert row.cause == (self.told or None)
            self.cause = row.seq
            self.told = self.told or row.seq
        assert row.cause == (self.cause if not isinstance(event, Fact) else row.cause)
        self.look_at_test(row)
        public, _private = bodies(event, row.context)
        assert b"secret" not in public
        if isinstance(event, (device.LeaseLapsed, device.DeviceRestarted, person.ServiceBegun)) or (
            isinstance(event, device.OrderAnswered) and event.result == "unknown"
        ):
            self.granted = {key for key in self.granted if key[1] != event.device}
        if isinstance(event, incident.HoldOpened) and event.stops:
            self.stopped[event.hold] = event.stops
        elif isinstance(event, (incident.HoldCauseGone, incident.HoldEnded)):
            self.stopped.pop(event.hold, None)
        elif isinstance(event, device.OrderIssued):
            self.look_at_order(event)

    def look_at_test(self, row: Row) -> None:
        """Look at a row of a device that is set aside: it says so, and belongs to no round and no deck."""
        about = self.folded.devices.get(getattr(row.event, "device", None) or "")
        aside = about is not None and (about.retired or about.service != "")
        of_people = isinstance(row.event, person.PersonFact) or not isinstance(row.event, Fact)
        expected = {"test": about.id} if about is not None and aside and not of_people else None
        assert ("test" in row.context) == (expected is not None)
        assert expected is None or row.context == expected

    def look_at_order(self, order: device.OrderIssued) -> None:
        """Look at a permit: nobody may be unheard, nothing held, and none given twice but one withdrawn."""
        devices = self.folded.devices
        one = devices[order.device]
        if order.gate == "service":
            assert one.service == "ending"
            return
        assert one.link == "ready"
        assert not one.retired
        if one.service:
            assert order.gate == "shuffle"
            return
        assert all(other.link not in {"awaiting", "connected"} or other.retired for other in devices.values())
        if order.gate == "deal":
            in_shoe = next(about.id for about in self.folded.decks.values() if about.places["shoe"])
            assert not [
                hold for hold in self.folded.holds.values() if closes_the_deal(self.folded, hold, in_shoe)
            ]
            assert self.folded.phase == "closed"
        key = (order.gate, order.device, one.boot, order.key)
        withdrawn = any(
            (grant.gate, grant.device) == key[:2] and grant.withdrawn for grant in self.folded.grants.values()
        )
        assert withdrawn or key not in self.granted
        self.granted.add(key)

    # ---- what happens ---------------------------------------------------------------------------------

    @initialize(opened=st.booleans())
    def begin(self, opened: bool) -> None:  # noqa: FBT001 - drawn
        """Begin with a table that is open, or with one that has heard nothing."""
        if opened:
            self.tell(*OPENING)
            self.batch = 2
        else:
            self.tell(started())

    @rule(fact=st.one_of(DEVICE_FACTS))
    def a_device_tells(self, fact: Fact) -> None:
        """Let a device tell something of itself."""
        self.tell(fact)

    @rule(fact=st.one_of(CARD_FACTS))
    def cards_or_dice_move(self, fact: Fact) -> None:
        """Let the shoe or the shaker tell something."""
        self.tell(fact)

    @rule(fact=st.one_of(OTHER_FACTS))
    def something_else(self, fact: Fact) -> None:
        """Let the daemon itself tell something."""
        self.tell(fact)

    @rule(name=SHUFFLERS, count=COUNTS)
    def load(self, name: str, count: int | None) -> None:
        """Put a stack into the shuffler."""
        self.batch += 1
        self.tell(deck.DeckLoaded(device=name, batch=self.batch, count=count))

    @rule(
        name=SHUFFLERS,
        what=st.sampled_from(["started", "stopped", "unloaded", "shuffle", "sort"]),
        count=COUNTS,
    )
    def work(self, name: str, what: str, count: int | None) -> None:
        """Let the shuffler tell of its work on what was loaded last."""
        facts: dict[str, Fact] = {
            "started": deck.ShuffleStarted(device=name, batch=self.batch),
            "stopped": deck.ShuffleInterrupted(device=name, batch=self.batch, why="stopped"),
            "unloaded": deck.DeckUnloaded(device=name, batch=self.batch, count=count),
            "shuffle": deck.ShuffleCompleted(
                device=name, batch=self.batch, mode="shuffle", count=count, composition=SECRET
            ),
            "sort": deck.ShuffleCompleted(device=name, batch=self.batch, mode="sort", count=count),
        }
        self.tell(facts[what])

    @rule(command=st.one_of(COMMANDS), by=PEOPLE)
    def command(self, command: commands.Command, by: person.Person) -> None:
        """Let somebody give a command, which is refused or becomes a fact."""
        with contextlib.suppress(CommandRefused):
            self.tell(admit(PACK, self.felt.state, command, by))

    @rule(command=REPORT, by=PEOPLE)
    def report(self, command: commands.Command, by: person.Person) -> None:
        """Let somebody report something, which may be refused."""
        self.command(command, by)

    @rule(command=st.one_of(ASIDE), by=PEOPLE)
    def set_aside(self, command: commands.Command, by: person.Person) -> None:
        """Let somebody set something aside or take it back, which may be refused."""
        self.command(command, by)

    @rule(button=BUTTONS, report=REPORTS, late=st.booleans())
    def press(self, button: panel.Button, report: str, late: bool) -> None:  # noqa: FBT001 - drawn
        """Let the dealer press a button, perhaps while nobody listens."""
        self.felt.late = late
        self.tell(panel.PanelPressed(device="panel-1", button=button, report=report))
        self.felt.late = False

    @precondition(lambda self: self.felt.state.timers)
    @rule(data=st.data(), known=st.booleans())
    def due(self, data: st.DataObject, known: bool) -> None:  # noqa: FBT001 - drawn
        """Let a timer fall due, or be unknown after a restart."""
        timer = data.draw(st.sampled_from(list(self.felt.state.timers)))
        self.tell(system.TimerDue(timer=timer, overdue_s=0) if known else system.TimerUnknown(timer=timer))

    @precondition(lambda self: self.felt.state.holds)
    @rule(data=st.data())
    def own(self, data: st.DataObject) -> None:
        """Let a floorperson own a hold."""
        self.give(commands.Acknowledge(hold=data.draw(st.sampled_from(list(self.felt.state.holds)))))

    @precondition(lambda self: self.felt.state.grants)
    @rule(data=st.data(), result=st.sampled_from(["done", "failed", "unknown"]))
    def answer(self, data: st.DataObject, result: str) -> None:
        """Let a device answer an order."""
        grant = data.draw(st.sampled_from(list(self.felt.state.grants.values())))
        self.tell(
            device.OrderAnswered.model_validate(
                {"device": grant.device, "order": grant.order, "result": result}
            )
        )

    @rule()
    def prepare(self) -> None:
        """Do what comes before a deal, in so far as it is possible now."""
        self.tell(person.BetsClosed(by=DEALER), draw.ShakerCovered(device="shaker-1"))
        self.tell(*(draw.ShakerShaken(device="shaker-1") for _ in range(3)))
        self.tell(draw.DiceRead(device="shaker-1", faces=(1, 2, 3), flat=True, inside=True))

    @rule(stacks=st.integers(1, 7))
    def bring_a_deck_and_deal(self, stacks: int) -> None:
        """Bring a shuffled deck to the shoe, do what comes before a deal, and deal."""
        self.batch += 1
        self.tell(
            deck.DeckLoaded(device="shuffler-1", batch=self.batch),
            deck.ShuffleStarted(device="shuffler-1", batch=self.batch),
            deck.ShuffleCompleted(device="shuffler-1", batch=self.batch, mode="shuffle", count=53),
            deck.DeckUnloaded(device="shuffler-1", batch=self.batch, count=53),
            card.ShoeLoaded(device="shoe-1", count=53),
        )
        self.prepare()
        self.deal(stacks)

    @rule(stacks=st.integers(2, 8))
    def deal(self, stacks: int) -> None:
        """Let several right stacks come."""
        self.tell(*(card.StackDispensed(device="shoe-1", size=7) for _ in range(stacks)))

    @rule(load=st.booleans())
    def end_a_round_as_it_should(self, load: bool) -> None:  # noqa: FBT001 - drawn
        """Take the four out and end the round, where it has come so far; the other deck may go in."""
        self.tell(card.ShoeUnloaded(device="shoe-1", count=4), draw.ShakerCovered(device="shaker-1"))
        self.tell(draw.ShakerShaken(device="shaker-1"))
        if self.felt.state.phase == "playing":
            self.give(commands.RoundEnd())
        if load:
            self.tell(
                deck.DeckUnloaded(device="shuffler-1", batch=self.batch, count=53),
                card.ShoeLoaded(device="shoe-1", count=53),
            )

    @rule()
    def restart(self) -> None:
        """Start the daemon again: what it knows is what it wrote."""
        state = blank(self.felt.setup)
        for row in self.felt.rows:
            state = evolve(state, stored(row))
        assert state == self.felt.state
        self.felt.table = Table(PACK, state)
        self.tell(started())

    # ---- what must hold -------------------------------------------------------------------------------

    @invariant()
    def cards_are_conserved(self) -> None:
        """Every deck is somewhere, whole."""
        for one in self.felt.state.decks.values():
            assert sum(one.places.values()) == 53
            assert min(one.places.values()) >= 0

    @invariant()
    def the_fold_of_the_rows_is_the_state(self) -> None:
        """Nobody knows more than what was written."""
        assert self.folded == self.felt.state

    @invariant()
    def somebody_is_asked_to_own_what_nobody_owns(self) -> None:
        """An escalation's timer runs for each hold that locks, that nobody owns, and that has a step left."""
        state = self.felt.state
        unowned = [hold for hold in state.holds.values() if not hold.owner and self.locks(hold)]
        if state.table == "closed":
            unowned = []
        wanted = {f"escalation:{hold.id}" for hold in unowned if hold.step in {"dealer", "floor"}}
        assert {name for name in state.timers if name.startswith("escalation:")} == wanted
        assert all(hold.step is not None for hold in unowned)
        assert all(self.locks(hold) for hold in state.holds.values() if hold.step is not None)

    def locks(self, hold: Hold) -> bool:
        """Whether a hold keeps something from being done, told again without the engine."""
        return bool(hold.gates) or PACK.by_id[hold.row].effect != "advise"

    @invariant()
    def the_panel_has_room_for_what_it_shows(self) -> None:
        """Eight lines of forty characters, and three lamps."""
        lines, lamps = dealers_panel.panel(PACK, self.felt.state)
        assert 1 <= len(lines) <= 8
        assert max(map(len, lines)) <= 40
        assert set(lamps) == {"call", "hold", "deal"}

    @invariant()
    def every_incident_is_held_or_void(self) -> None:
        """No incident stays open that nothing would close."""
        state = self.felt.state
        held = {hold.incident for hold in state.holds.values()}
        for one in state.incidents.values():
            void = state.round is not None and state.round.void and one.round == state.round.number
            assert one.id in held or void

    @invariant()
    def an_inhibit_is_wished_while_the_cause_of_a_stopping_hold_is_there(self) -> None:
        """The wish is what the rows say, and that what was opened for another way to deal is shut."""
        withdrawn = {one.device for one in self.felt.state.grants.values() if one.withdrawn}
        assert set(inhibits(self.felt.state)) == {*self.stopped.values(), *withdrawn}

    @invariant()
    def a_round_is_on_while_the_table_is_open(self) -> None:
        """A void round waits in its own phase."""
        state = self.felt.state
        assert (state.round is not None) == (state.table == "open")
        if state.round is not None:
            assert state.phase in PACK.phases if not state.round.void else state.phase == VOID

    @invariant()
    def the_picture_is_json(self) -> None:
        """The picture can be told of every state."""
        shown = picture(PACK, self.felt.state)
        assert json.loads(json.dumps(shown)) == shown
        assert set(shown) == expected_keys(self.felt.state)
        assert "secret" not in json.dumps(shown)

    @override
    def teardown(self) -> None:
        """Show that there is a way out of everything, without an override."""
        self.put_right()
        self.take_back()
        self.open_and_shuffle()
        self.prepare()
        assert self.felt.state.phase == "closed"
        granted = [order for order in self.felt.of(device.OrderIssued) if order.gate == "deal"]
        assert granted[-1].key == str(self.felt.round.number)

    def put_right(self) -> None:
        """Switch every device off and on, take all cards out, and end the round, whatever it is."""
        for name in self.felt.setup.devices:
            self.tell(
                device.DeviceRestarted(device=name, device_boot="ff", previous_boot="a1"),
                connected(name, "ff"),
                device.DeviceBack(device=name),
                device.DeviceDrained(device=name, upto=0),
                device.DeviceCleared(device=name),
                device.DeviceCleared(device=name, code="driver"),
            )
        self.granted.clear()
        self.tell(
            deck.DeckUnloaded(device="shuffler-1", batch=self.batch),
            card.ShoeUnloaded(device="shoe-1"),
            person.DiceChanged(by=FLOOR, device="shaker-1"),
        )
        if self.felt.state.table == "open" and (self.felt.round.stacks or self.felt.round.void):
            self.end_round()

    def take_back(self) -> None:
        """Take every device back into use, inspected and in order, and go back to the ways of before."""
        for one in list(self.felt.state.devices.values()):
            if one.retired:
                self.give(commands.DeviceAccept(device=one.id, serial="s-1", shown_empty=True))
            if one.service:
                self.give(commands.ServiceEnd(device=one.id, shown_empty=True))
            grant = self.felt.state.grants.get(f"service/{one.id}")
            if grant is not None:
                self.tell(device.OrderAnswered(device=one.id, order=grant.order, result="done"))
            self.give(commands.Inspect(device=one.id, result="in-order"))
            if self.felt.state.devices[one.id].sign:
                self.give(commands.Sign(device=one.id, sign="removed"))
        assert not any(one.aside for one in self.felt.state.devices.values())
        if self.felt.state.method != SETUP.method:
            self.give(commands.Method(shuffle="device", deal="automated-shoe", start="shaker"))

    def end_round(self) -> None:
        """Deal what is missing and end the round, or release it if that has voided it."""
        if self.felt.state.phase == "hand-deal":
            self.give(commands.Report(what="cards-dealt", deck=self.felt.round.deck or "red"))
        while self.felt.state.phase == "dealing":
            self.tell(card.StackDispensed(device="shoe-1", size=7))
        if self.felt.state.phase == "dealt":
            dealt = self.felt.round.deck or "red"
            self.give(commands.CountCards(deck=dealt, count=4, part="remaining"))
        if self.felt.state.phase == "void":
            self.tell(card.ShoeUnloaded(device="shoe-1"))
            self.give(commands.ReleaseRound())
        else:
            self.give(commands.RoundEnd())

    def give(self, command: commands.Command) -> None:
        """Give a command that must be admitted."""
        self.tell(admit(PACK, self.felt.state, command, FLOOR))

    def open_and_shuffle(self) -> None:
        """Bring new decks, shuffle both and open the table."""
        for name in ("red", "blue"):
            self.give(commands.ChangeDeck(deck=name))
            for word, role in PREPARATION:
                by = DEALER if role == "dealer" else FLOOR
                self.tell(admit(PACK, self.felt.state, commands.Report(what=word, deck=name), by))
        if self.felt.state.table == "idle":
            self.give(commands.Report(what="play-resumes"))
        elif self.felt.state.table != "open":
            self.give(commands.OpenTable())
        for _ in ("red", "blue"):
            self.batch += 1
            self.tell(
                deck.DeckLoaded(device="shuffler-1", batch=self.batch, count=53),
                deck.ShuffleStarted(device="shuffler-1", batch=self.batch),
                deck.ShuffleCompleted(device="shuffler-1", batch=self.batch, mode="shuffle", count=53),
                deck.DeckUnloaded(device="shuffler-1", batch=self.batch, count=53),
            )
        self.tell(card.ShoeLoaded(device="shoe-1", count=53))


def expected_keys(state: State) -> set[str]:
    """The retained topics of a state."""
    return {
        "state",
        *(f"hold/{number}" for number in state.holds),
        *(f"device/{name}" for name in state.devices),
    }


def stored(row: Row) -> Row:
    """A row as the journal gives it back."""
    event = row.event
    again, context = restored(event.what(), event.v, *bodies(event, row.context))
    assert (again, context) == (event, dict(row.context))
    return Row(row.stream, row.seq, again, row.at, row.cause, row.simulated, context)


TableMachine.TestCase.settings = settings(
    max_examples=15,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestTable = TableMachine.TestCase


@pytest.mark.long
@pytest.mark.timeout(600)
class TestTableForLonger(TableMachine.TestCase):  # type: ignore[misc,name-defined] # made by Hypothesis
    """The same, tried more often."""

    settings = settings(TableMachine.TestCase.settings, max_examples=100)
