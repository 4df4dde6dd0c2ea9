"""What a consumer has of one table, what came too early, and what is missing. Pure: time is an argument."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from felt_floor.positions import Position

if TYPE_CHECKING:
    from felt_floor.event import Envelope

# A gap that stays so long is asked for, and again after pauses that double up to the longest.
GAP_S: Final = 2.0
LONGEST_PAUSE_S: Final = 60.0
# What comes early is kept, so many events of a table at most: a table sends no more than 500 beyond what
# was acknowledged, so that more than this are on their way only to who is far behind.
EARLY_MOST: Final = 1_000
# Journals of one table that are remembered: a table that goes back to an old one is not taken for new.
EPOCHS_MOST: Final = 8


@dataclass(slots=True)
class Counts:
    """What came of one table since this process began."""

    given: int = 0
    doubled: int = 0
    dropped: int = 0
    asked: int = 0
    left_out: int = 0
    unproved: int = 0
    conflicts: int = 0
    unknown: int = 0
    breaches: int = 0
    unreadable: int = 0


@dataclass(slots=True)
class Journal:
    """One journal (epoch) of a table, as far as it came.

    Everything up to `taken` was given to the application, which has stored everything up to `acked`. `seen`
    is the highest sequence that ever came. `hash` is that of event `taken`, None where it is not known.
    """

    epoch: str
    taken: int = 0
    hash: str | None = None
    acked: int = 0
    seen: int = 0
    early: dict[int, Envelope] = field(default_factory=dict["int", "Envelope"])

    @property
    def missing(self) -> int:
        """How many events are known to be and are not here."""
        return self.seen - self.taken - len(self.early)

    @property
    def position(self) -> Position:
        """What the application has stored."""
        return Position(self.epoch, self.acked)


class Ledger:
    """A table's events, each taken once and in order, in the journal that the table has at the time."""

    def __init__(self, begin: Position) -> None:
        self.journal = _at(begin)
        self.counts = Counts()
        self._journals = {begin.epoch: self.journal}
        self._pause_s = GAP_S
        self._ask_at: float | None = None

    def turn(self, epoch: str) -> bool:
        """Go on in this journal from here on; whether it was never seen before."""
        if epoch == self.journal.epoch:
            return False
        new = epoch not in self._journals
        self.journal = Journal(epoch) if new else self._journals.pop(epoch)
        self._journals[epoch] = self.journal  # the last is the one in use
        while len(self._journals) > EPOCHS_MOST:
            self._journals.pop(next(iter(self._journals)))
        for other in self._journals.values():
            if other is not self.journal:
                other.early.clear()
        self._ask_at = None
        return new

    def take(self, envelope: Envelope, now: float, room: int) -> list[Envelope]:
        """Take an event of the journal in use; everything that is next in order comes out, often nothing.

        `room`: how many more may be kept early. What has no room comes again, for it is missing then.
        """
        journal = self.journal
        sequence = int(envelope["sequence"])
        if sequence <= journal.taken or sequence in journal.early:
            self.counts.doubled += 1
            return []
        journal.seen = max(journal.seen, sequence)
        if sequence > journal.taken + 1:
            self._keep(sequence, envelope, room)
            out: list[Envelope] = []
        else:
            out = [envelope, *self._follow(sequence, str(envelope["hash"]))]
            self.counts.given += len(out)
        self._watch(now, progress=bool(out))
        return out

    def differs(self, envelope: Envelope) -> bool:
        """Whether another event with the same sequence is here already: there are two histories then."""
        journal, sequence = self.journal, int(envelope["sequence"])
        known = journal.early[sequence]["hash"] if sequence in journal.early else None
        if sequence == journal.taken:
            known = journal.hash
        return known is not None and known != envelope["hash"]

    def pass_by(self, sequence: int, now: float) -> None:
        """An event came that there is no room for: it is missing, and will be asked for."""
        self.counts.dropped += 1
        self.journal.seen = max(self.journal.seen, sequence)
        self._watch(now, progress=False)

    def ack(self, position: Position) -> bool:
        """The application has stored everything up to here; whether the table does not know that yet."""
        journal = self._journals.get(position.epoch)
        # What was given before a rewind is not stored, whatever comes of it.
        if journal is None or not journal.acked < position.sequence <= journal.taken:
            return False
        journal.acked = position.sequence
        return journal is self.journal

    def rewind(self, sequence: int, now: float) -> None:
        """Take everything after this sequence again, if it was taken."""
        journal = self.journal
        if sequence < journal.taken:
            journal.taken, journal.hash = sequence, None
            journal.acked = min(journal.acked, sequence)
            journal.early.clear()
            self._watch(now, progress=True)

    def due(self) -> float | None:
        """When the missing are to be asked for; None while nothing is missing."""
        return self._ask_at

    def ask(self, now: float) -> None:
        """They are asked for at this moment; the next time is after twice the pause."""
        self.counts.asked += 1
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
        self._ask_at = now + self._pause_s

    def put_off(self, now: float) -> None:
        """There is no room for what is missing: they are asked for later."""
        self._ask_at = now + self._pause_s

    def _follow(self, taken: int, digest: str) -> list[Envelope]:
        """Go on from `taken` through everything that came early."""
        journal = self.journal
        out: list[Envelope] = []
        while (following := journal.early.pop(taken + 1, None)) is not None:
            out.append(following)
            taken, digest = taken + 1, str(following["hash"])
        journal.taken, journal.hash = taken, digest
        return out

    def _keep(self, sequence: int, envelope: Envelope, room: int) -> None:
        """Keep an early event, rather than one that is wanted later."""
        early = self.journal.early
        if len(early) >= EARLY_MOST or room <= 0:
            latest = max(early, default=0)
            self.counts.dropped += 1
            if sequence > latest:
                return
            del early[latest]
        early[sequence] = envelope

    def _watch(self, now: float, *, progress: bool) -> None:
        """Start waiting for what is missing, anew whenever there was progress."""
        if self.journal.missing == 0:
            self._ask_at = None
        elif progress or self._ask_at is None:
            self._pause_s = GAP_S
            self._ask_at = now + GAP_S


def _at(position: Position) -> Journal:
    sequence = position.sequence
    return Journal(position.epoch, sequence, position.hash, sequence, sequence)
