"""From messages to events: everything between the connection and the application that needs neither.

Pure: time is an argument, and what is to be sent lies in `acks` until somebody sends it.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final, Literal

from felt_floor import proof
from felt_floor.acks import Acks
from felt_floor.event import Envelope, Event, Findings, UnreadableError, event_of, read
from felt_floor.health import TableHealth
from felt_floor.ledger import Ledger
from felt_floor.payload import value_of
from felt_floor.positions import Position, acknowledged
from felt_floor.private import Privates
from felt_floor.schema import Schemas
from felt_floor.trouble import Kind, Trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_protocols.topics import Place

Begin = Literal["earliest", "now"]

# A table takes a consumer that says nothing for a day for one that is gone, also where nothing happens.
BEAT_S: Final = 3600.0
# What is told of a payload that cannot be read.
_EXCERPT: Final = 60


class Reception:
    """Takes messages of every table and gives events, each once, in the order of its table.

    `ready` are the events that wait for the application; with those that came early they are never more than
    `most`, and those alone never more than half of it. `now` is in seconds of any clock that only goes
    forward. `on_ack` is called when the application has acknowledged something that a table is to be told.
    """

    def __init__(  # noqa: PLR0913 - what an application says of itself, and two ways to call it
        self,
        consumer: str,
        *,
        positions: Mapping[str, Position],
        begin: Begin,
        most: int,
        on_trouble: Callable[[Trouble], None],
        on_ack: Callable[[], None],
    ) -> None:
        self._consumer = consumer
        self._begin: Begin = begin
        self._most = most
        self._on_trouble = on_trouble
        self._on_ack = on_ack
        self._ledgers = {table: Ledger(position) for table, position in positions.items()}
        # The tables of which something is missing.
        self._gaps: dict[str, Ledger] = {}
        self._statuses: dict[str, dict[str, Any]] = {}
        # Why tables cannot write their journals.
        self._unwritten: dict[str, str] = {}
        self._schemas = Schemas()
        self._privates = Privates()
        self._beat_at: float | None = None
        self._early = 0
        self._crowded = False
        self.acks = Acks()
        self.ready: deque[Event] = deque()

    @property
    def room(self) -> bool:
        """Whether more may come: what waits for the application takes half of the places at the most.

        What came early does not count. It waits for what is missing, which must have a way in.
        """
        return 2 * len(self.ready) <= self._most

    def start_of(self, table: str) -> str | None:
        """The run of the table's daemon, which a signed command is for; None while it is not there."""
        status = self._statuses.get(table, {})
        return str(status["start"]) if status.get("online") is True and "start" in status else None

    def remember(self, table: str, payload: bytes) -> None:
        """What the broker kept of this consumer's own acknowledgements is where it goes on."""
        position = acknowledged(payload)
        if position is not None and table not in self._ledgers:
            self._ledgers[table] = Ledger(position)

    def connected(self, now: float) -> None:
        """There is a connection: every table is told what this consumer has, and so what it lacks."""
        self._beat_at = now + BEAT_S
        for table, ledger in self._ledgers.items():
            self.acks.repeat(table, ledger.journal.position)

    def disconnected(self) -> None:
        """The connection is gone."""
        self._beat_at = None
        self.acks.forget()

    def receive(self, place: Place, payload: bytes, now: float) -> None:
        """Take a message of any of a table's topics."""
        if place.what == "event" or (place.what == "replay" and place.item == self._consumer):
            self._event(place.table, payload, now)
        elif place.what == "private" and place.item == self._consumer:
            if not self._privates.keep(place.table, payload):
                # Not a word of it: troubles stand in logs, which others read.
                self._unreadable(place.table, "a private message says nothing")
        elif place.what in {"status", "state"}:
            self._picture(place.table, place.what, payload)

    def next(self) -> Event:
        """The event that has waited longest; raises IndexError when none does."""
        event = self.ready.popleft()
        self._crowded = self._crowded and not self.room
        return event

    def acknowledge(self, event: Event) -> None:
        """The application has stored this event and all before it of its table."""
        ledger = self._ledgers[event.table]
        if ledger.ack(event.position):
            self.acks.note(event.table, ledger.journal.position)
            self._on_ack()

    def rewind(self, table: str, sequence: int, now: float) -> None:
        """Give every event of the journal in use after this sequence again.

        Raises KeyError for a table never heard of, ValueError for a sequence below 0.
        """
        if sequence < 0:
            raise ValueError(f"{sequence} is before the first event, which 0 means already")
        ledger = self._ledgers[table]
        self._early -= len(ledger.journal.early)
        ledger.rewind(sequence, now)
        self._early += len(ledger.journal.early)
        self._mind(table, ledger)
        # What still waits of the journal before comes from nowhere again.
        given = (table, ledger.journal.epoch)
        self.ready = deque(
            one for one in self.ready if (one.table, one.epoch) != given or one.sequence <= sequence
        )
        self.acks.repeat(table, ledger.journal.position)
        self._on_ack()

    def due(self) -> float | None:
        """When `elapsed` or `acks` next has something to do; None while nothing waits."""
        times = [ledger.due() for ledger in self._gaps.values()]
        return min((one for one in (*times, self.acks.due(), self._beat_at) if one is not None), default=None)

    def elapsed(self, now: float) -> None:
        """Ask for what has been missing for too long, and say every hour that this consumer is there."""
        if self._beat_at is not None and now >= self._beat_at:
            self.connected(now)
        for table, ledger in self._gaps.items():
            due = ledger.due()
            if due is None or due > now:
                continue
            if not self.room:
                ledger.put_off(now)
                continue
            ledger.ask(now)
            journal = ledger.journal
            text = f"{journal.missing} events after {journal.taken} have not come; they are asked for again"
            self._tell("missing", text, table, journal.taken + 1)
            self.acks.repeat(table, journal.position)

    def tables(self) -> dict[str, TableHealth]:
        """How every table stands."""
        return {table: self._health(table, ledger) for table, ledger in self._ledgers.items()}

    def _picture(self, table: str, what: str, payload: bytes) -> None:
        """A retained topic tells of a table's journal before any event does."""
        try:
            told: Any = value_of(payload)
            epoch = str(told["epoch"])
            if what == "status":
                self._statuses[table] = told
                online = told["online"] is True
                position = Position(epoch, 0)
            else:
                position = Position(epoch, int(told["sequence"]), str(told["hash"]))
                online = False
                self._journal(table, told.get("journal"))
        except (ValueError, LookupError, TypeError):
            return
        ledger = self._ledgers.get(table)
        if ledger is None and (what == "status") == (self._begin == "earliest"):
            self._begin_at(table, position)
        elif ledger is not None and online:
            self._turn(table, ledger, epoch)

    def _journal(self, table: str, said: Any) -> None:  # noqa: ANN401 - JSON
        """Whether the table can write its journal, as its state says: a trouble once, until it is another."""
        why = str(said["text"]) if said else ""
        if why and why != self._unwritten.get(table):
            text = f"the table cannot write its journal, and what happens there comes later: {why}"
            self._tell("journal", text, table)
        self._unwritten[table] = why

    def _event(self, table: str, payload: bytes, now: float) -> None:
        try:
            envelope = read(table, payload)
        except UnreadableError as error:
            excerpt = payload[:_EXCERPT].decode(errors="replace")
            self._unreadable(table, f"a message is no event ({error}): {excerpt!r}")
            return
        ledger = self._ledgers.get(table) or self._begin_at(table, self._before(envelope))
        self._turn(table, ledger, envelope["epoch"])
        self._take(table, ledger, envelope, now)

    def _take(self, table: str, ledger: Ledger, envelope: Envelope, now: float) -> None:
        sequence = int(envelope["sequence"])
        if ledger.differs(envelope):
            ledger.counts.conflicts += 1
            text = f"event {sequence} came with another hash than before: the table has two histories"
            self._tell("conflict", text, table, sequence)
        taken = ledger.journal.taken
        before = ledger.journal.hash if taken else proof.FIRST_PREVIOUS
        early, dropped = len(ledger.journal.early), ledger.counts.dropped
        room = self._most - len(self.ready) - self._early
        if sequence == taken + 1 and room <= 0:
            ledger.pass_by(sequence, now)
            out: list[Envelope] = []
        else:
            out = ledger.take(envelope, now, min(room, self._most // 2 - self._early))
        self._early += len(ledger.journal.early) - early
        self._mind(table, ledger)
        if ledger.counts.dropped > dropped:
            self._too_many(table)
        for one in out:
            self._give(table, ledger, one, before)
            before = one["hash"]

    def _give(self, table: str, ledger: Ledger, envelope: Envelope, before: str | None) -> None:
        """Give out an event, with whatever is wrong with it told and counted."""
        sequence, type_name, counts = int(envelope["sequence"]), envelope["type"], ledger.counts
        private = self._privates.of(table, envelope)
        unproved = proof.faults(envelope, before)
        if private is not None and not private.proves(envelope):
            unproved += ("what was told in private is not what its hash binds",)
        if unproved:
            counts.unproved += 1
            self._tell("unproved", f"event {sequence}: {'; '.join(unproved)}", table, sequence)
        known = self._schemas.knows(type_name)
        counts.unknown += not known
        found = Findings(
            known=known,
            faults=unproved + self._content(table, ledger, envelope),
            private=None if private is None else private.said,
        )
        event = event_of(table, envelope, found, self.acknowledge)
        if event.name == "ack-refused" and event.data.get("consumer") == self._consumer:
            text = f"the table refuses this consumer's acknowledgement: {event.data.get('why')}"
            self._tell("ack-refused", text, table, sequence)
        self.ready.append(event)

    def _content(self, table: str, ledger: Ledger, envelope: Envelope) -> tuple[str, ...]:
        """What is wrong with an event's content, in words."""
        sequence, type_name = int(envelope["sequence"]), envelope["type"]
        faults = self._schemas.faults_of_envelope(envelope)
        if "deadletter" in envelope:
            ledger.counts.left_out += 1
            text = f"the table could not send event {sequence}, {type_name}: its data is in its journal only"
            self._tell("dead-letter", text, table, sequence)
        else:
            faults += self._schemas.faults(type_name, envelope["data"])
        if faults:
            ledger.counts.breaches += 1
            text = f"event {sequence}, {type_name}, breaks its schema: {'; '.join(faults)}"
            self._tell("schema", text, table, sequence)
        return faults

    def _turn(self, table: str, ledger: Ledger, epoch: str) -> None:
        """Go over to another journal of the table, which a person should know about."""
        before = ledger.journal.epoch
        if epoch == before:
            return
        self._early -= len(ledger.journal.early)
        new = ledger.turn(epoch)
        self._mind(table, ledger)
        what = "a new journal" if new else "an earlier journal again"
        self._tell("new-epoch", f"the table has {what}: epoch {epoch}, before it was {before}", table)
        self.acks.repeat(table, ledger.journal.position)

    def _mind(self, table: str, ledger: Ledger) -> None:
        """Keep in mind whether something is missing of a table."""
        if ledger.due() is None:
            self._gaps.pop(table, None)
        else:
            self._gaps[table] = ledger

    def _before(self, envelope: Envelope) -> Position:
        """Where to begin with a table of which this event is the first thing heard."""
        if self._begin == "earliest":
            return Position(envelope["epoch"], 0)
        return Position(envelope["epoch"], int(envelope["sequence"]) - 1, envelope["previous"])

    def _begin_at(self, table: str, position: Position) -> Ledger:
        ledger = self._ledgers[table] = Ledger(position)
        self.acks.repeat(table, position)
        return ledger

    def _unreadable(self, table: str, what: str) -> None:
        self._tell("unreadable", what, table)
        if table in self._ledgers:
            self._ledgers[table].counts.unreadable += 1

    def _too_many(self, table: str) -> None:
        if not self._crowded:
            self._crowded = True
            text = f"there is room for {self._most} events; what has none is asked for again later"
            self._tell("too-many", text, table)

    def _tell(self, kind: Kind, text: str, table: str, sequence: int | None = None) -> None:
        self._on_trouble(Trouble(kind, text, table, sequence))

    def _health(self, table: str, ledger: Ledger) -> TableHealth:
        journal, counts = ledger.journal, ledger.counts
        online = self._statuses.get(table, {}).get("online")
        return TableHealth(
            online=online if isinstance(online, bool) else None,
            epoch=journal.epoch,
            taken=journal.taken,
            acked=journal.acked,
            early=len(journal.early),
            missing=journal.missing,
            journal=self._unwritten.get(table, ""),
            given=counts.given,
            doubled=counts.doubled,
            asked=counts.asked,
            dropped=counts.dropped,
            left_out=counts.left_out,
            unproved=counts.unproved,
            conflicts=counts.conflicts,
            unknown=counts.unknown,
            breaches=counts.breaches,
            unreadable=counts.unreadable,
        )
