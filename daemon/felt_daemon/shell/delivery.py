"""What the publisher tells of the way to the floor: the journal's cursors, rows of what people must know."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from felt_daemon.publisher.delivery import BROKER, CONSUMER, DEAD, FLOOR, SUSPENDED
from felt_protocols.events import delivery, person, system

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_daemon.journal import Journal
    from felt_daemon.shell.core import Core
    from felt_protocols.events import Row

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tell:
    """What the publisher is told: a dead letter is recorded; a replay or the whole picture is asked for."""

    skipped: Callable[[str, int], None]
    replay: Callable[[str, str, int], None]
    snapshot: Callable[[str], None]


class Delivery:
    """One table's. Each method is called in the event loop, with what the publisher says."""

    def __init__(self, core: Core, journal: Journal, tell: Tell) -> None:
        self._core = core
        self._journal = journal
        self._tell = tell
        self._table = core.table.state.setup.table
        consumers = (f"{CONSUMER}{name}" for name in core.table.state.setup.consumers)
        self._cursors = {name: journal.cursor(name, self._table) or 0 for name in (FLOOR, BROKER, *consumers)}
        self._standings: Mapping[str, str] = {}
        # Why events wait, and at which; told in a row once, however often a publisher finds it again.
        self._held: tuple[str, int] | None = None

    def cursors(self, moved: Mapping[str, int]) -> None:
        """So far everybody is."""
        self._cursors.update(moved)
        for name, seq in moved.items():
            self._journal.set_cursor(name, self._table, seq)
        # A publisher that was started anew does not know that events were held.
        if self._held is not None and moved.get(BROKER, 0) >= self._held[1]:
            self._freed(self._held[1])

    def consumers(self, standings: Mapping[str, str]) -> None:
        """So every consumer stands."""
        for name, standing in standings.items():
            if self._standings.get(name, standing) != standing:
                LOG.info("consumer %s is %s", name, standing)
        self._standings = standings

    def suspended(self, consumer: str, seq: int) -> None:
        """Nothing waits for this consumer any more."""
        LOG.error("consumer %s, which has all up to %d, was not heard for a day: suspended", consumer, seq)
        self._stands(delivery.ConsumerSuspended(consumer=consumer, sequence=seq), consumer, suspended=True)

    def returned(self, consumer: str, seq: int) -> None:
        """A consumer that was suspended is heard again."""
        LOG.warning("consumer %s is heard again (has all up to %d)", consumer, seq)
        self._stands(delivery.ConsumerReturned(consumer=consumer, sequence=seq), consumer, suspended=False)

    def ack_refused(self, refused: Mapping[str, str]) -> None:
        """An acknowledgement was not taken."""
        LOG.warning("an acknowledgement of %(consumer)s is refused (%(why)s): %(said)s", refused)
        self._core.take(delivery.AckRefused.model_validate(dict(refused)))

    def lane(self, why: str | None, seq: int, code: int) -> None:
        """Events wait at `seq`, or, for no reason, go out again."""
        if why is None:
            self._freed(seq)
            return
        LOG.error("events wait at %d: %s (code %d)", seq, why, code)
        if self._held is None:
            self._core.take(delivery.EventsHeld.model_validate({"sequence": seq, "why": why, "code": code}))
        self._held = (why, seq)

    def dead_letter(self, seq: int) -> None:
        """This row cannot be sent."""
        row = self._core.table.state.seq + 1

        def recorded() -> None:
            self._journal.set_cursor(f"{DEAD}{seq}", self._table, row)
            self._tell.skipped(self._table, seq)

        self._core.take(system.DeadLettered(sequence=seq), recorded)

    def watch(self, rows: list[Row]) -> None:
        """Rows were decided: what they ask of the publisher is passed on."""
        for row in rows:
            if isinstance(row.event, person.ReplayAsked):
                self._tell.replay(self._table, row.event.consumer, row.event.after)
            elif isinstance(row.event, person.SnapshotAsked):
                self._tell.snapshot(self._table)

    def health(self) -> dict[str, Any]:
        """How far everybody is, for whoever looks."""
        head = self._core.table.state.seq
        held = None if self._held is None else {"why": self._held[0], "sequence": self._held[1]}
        found: dict[str, Any] = {
            "head": head,
            "broker": self._cursors[BROKER],
            "delivered": self._cursors[FLOOR],
            "held": held,
            "consumers": {},
        }
        for name in sorted(self._core.table.state.setup.consumers):
            position = self._cursors[f"{CONSUMER}{name}"]
            standing = self._standings.get(name, "not known yet")
            found["consumers"][name] = {"position": position, "lag": head - position, "standing": standing}
        return found

    def _freed(self, seq: int) -> None:
        LOG.warning("events go to the floor again from %d", seq)
        if self._held is not None:
            self._held = None
            self._core.take(delivery.EventsFreed(sequence=seq))

    def _stands(
        self, fact: delivery.ConsumerSuspended | delivery.ConsumerReturned, consumer: str, *, suspended: bool
    ) -> None:
        row = self._core.table.state.seq + 1 if suspended else 0

        def recorded() -> None:
            self._journal.set_cursor(f"{SUSPENDED}{consumer}", self._table, row)

        self._core.take(fact, recorded)
