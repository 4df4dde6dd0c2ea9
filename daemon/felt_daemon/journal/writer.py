"""The writer thread: takes what is queued, commits it, tells of it, and never gives up."""

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence

from felt_daemon.journal.batch import Batch, Side
from felt_daemon.journal.entry import Entry, Head
from felt_daemon.journal.errors import JournalError, Kind, Trouble, explain
from felt_daemon.journal.instant import utc_text
from felt_daemon.journal.store import Store

OnCommit = Callable[[Mapping[str, int]], None]
OnTrouble = Callable[[Trouble | None], None]

# A transaction takes no further group of rows beyond this, so that one commit stays short.
MOST_ROWS_AT_ONCE = 1_000
# A delivered position may be lost in a crash (it only means sending again), so it waits so long
# for rows to go with: on an SD card each commit costs milliseconds and wear.
LAZY_S = 0.5
# Work that can wait is done once nothing was queued for so long: what follows a jam comes sooner.
QUIET_S = 0.01

_FIRST_PAUSE_S = 0.05
_LAST_PAUSE_S = 1.0


class Writer(threading.Thread):
    """Commits at once when idle; what is queued meanwhile becomes the next transaction.

    The callbacks run on this thread. They must be quick and must not raise: one that raises
    ends the writer, which is then told as a fatal trouble.
    """

    def __init__(
        self,
        store: Store,
        heads: Mapping[str, Head],
        now: Callable[[], int],
        on_commit: OnCommit,
        on_trouble: OnTrouble,
    ) -> None:
        super().__init__(name="journal-writer", daemon=True)
        self._store = store
        self._now = now
        self._on_commit = on_commit
        self._on_trouble = on_trouble
        self._changed = threading.Condition()
        self._groups: deque[tuple[Entry, ...]] = deque()
        self._sides: dict[Hashable, Side] = {}
        self._spare: dict[Hashable, Callable[[], Side | None]] = {}
        self._lazy_since_s: float | None = None
        self._urgent = False
        self._tickets = 0
        self._pending = 0
        self._settled = 0
        self._heads = dict(heads)
        self._trouble: Trouble | None = None
        self._closing = threading.Event()
        self._deadline_s = float("inf")

    # What other threads call.

    @property
    def pending(self) -> int:
        """Rows that are not yet committed."""
        return self._pending

    @property
    def settled(self) -> int:
        """The ticket up to which all side writes are on the disk."""
        return self._settled

    @property
    def trouble(self) -> Trouble | None:
        """What hinders committing just now."""
        return self._trouble

    def head(self, stream: str) -> Head | None:
        """Return the last committed row of a stream."""
        return self._heads.get(stream)

    def put(self, group: Sequence[Entry]) -> None:
        """Queue rows that belong into one transaction."""
        with self._changed:
            self._groups.append(tuple(group))
            self._pending += len(group)
            self._changed.notify()

    def put_side(self, key: Hashable, side: Side, *, lazy: bool = False) -> int:
        """Queue a write to a side table in place of an older one with the same key; its ticket."""
        with self._changed:
            self._sides.pop(key, None)
            self._sides[key] = side
            self._tickets += 1
            if lazy:
                self._lazy_since_s = self._lazy_since_s or time.monotonic()
            else:
                self._urgent = True
            self._changed.notify()
            return self._tickets

    def put_spare(self, key: Hashable, make: Callable[[], Side | None]) -> None:
        """Have a side write made on this thread once it has nothing else to do; it then goes with rows."""
        with self._changed:
            self._spare[key] = make
            self._changed.notify()

    def stop(self, timeout_s: float) -> None:
        """Flush, close the file and end the thread; wait at most so long, and a second for SQLite."""
        with self._changed:
            self._deadline_s = time.monotonic() + timeout_s
            self._closing.set()
            self._changed.notify()
        self.join(timeout_s + 0.5)
        if self.is_alive():
            self._store.interrupt()
            self.join(0.5)

    # The thread itself.

    def run(self) -> None:  # type: ignore[explicit-override]  # typing.override is Python 3.12's
        """Write until told to stop, or until a trouble that does not heal."""
        sound = False
        try:
            if self._store.is_open or self._settle(self._probe()):
                self._write_on()
            sound = True
        finally:
            self._store.close()
            if not sound:
                self._tell(Kind.BUG, "The journal's writer broke down; its traceback is in the log")

    def _write_on(self) -> None:
        while (batch := self._take()) is not None:
            if not self._settle(batch):
                return
            self._store.tidy(time.monotonic())

    def _probe(self) -> Batch:
        """Return a write that shows whether the disk takes anything again."""
        written_again = ("written_again", utc_text(self._now()))
        sides: list[Side] = [("INSERT OR REPLACE INTO meta VALUES (?, ?)", written_again)]
        return Batch(entries=[], sides=sides, ticket=0)

    def _take(self) -> Batch | None:
        """Wait for work and return it; None when closing and nothing is left."""
        while True:
            with self._changed:
                if self._ready():
                    return self._gather()
                if not self._spare and self._closing.is_set():
                    return None
                quiet = not self._changed.wait(self._patience_s())
                idle = not self._ready()
            # Outside the lock: a checkpoint takes its time, and `put` never waits.
            if idle:
                self._store.tidy(time.monotonic())
            if idle and quiet:
                self._make_spare()

    def _make_spare(self) -> None:
        with self._changed:
            key = next(iter(self._spare), None)
            make = None if key is None else self._spare.pop(key)
        if make is not None and (side := make()) is not None:
            self.put_side(key, side, lazy=True)

    def _gather(self) -> Batch:
        entries: list[Entry] = []
        while self._groups and len(entries) < MOST_ROWS_AT_ONCE:
            entries.extend(self._groups.popleft())
        sides = list(self._sides.values())
        self._sides.clear()
        self._lazy_since_s = None
        self._urgent = False
        return Batch(entries=entries, sides=sides, ticket=self._tickets)

    def _ready(self) -> bool:
        if self._groups or self._urgent:
            return True
        if self._lazy_since_s is None:
            return False
        return self._closing.is_set() or time.monotonic() >= self._lazy_since_s + LAZY_S

    def _patience_s(self) -> float | None:
        """Return how long to sleep while nothing is queued that must go at once."""
        if self._closing.is_set():
            return 0.0
        now_s = time.monotonic()
        lazy_s = None if self._lazy_since_s is None else self._lazy_since_s + LAZY_S
        quiet_s = now_s + QUIET_S if self._spare else None
        due = [when for when in (lazy_s, quiet_s, self._store.tidy_due_s()) if when is not None]
        return max(0.0, min(due) - now_s) if due else None

    def _settle(self, batch: Batch) -> bool:
        """Commit a batch however long that takes; False if it cannot be done any more."""
        batch.seal(self._store.epoch, self._heads, self._now())
        pause_s = 0.0
        while not self._try(batch, again=pause_s > 0):
            pause_s = min(max(2 * pause_s, _FIRST_PAUSE_S), _LAST_PAUSE_S)
            if (self._trouble and self._trouble.fatal) or not self._wait(pause_s):
                return False
        with self._changed:
            self._heads = self._heads | batch.heads
            self._pending -= len(batch.entries)
            self._settled = max(self._settled, batch.ticket)
        if self._trouble is not None:
            self._trouble = None
            self._on_trouble(None)
        self._on_commit({stream: head.seq for stream, head in batch.heads.items()})
        return True

    def _try(self, batch: Batch, *, again: bool) -> bool:
        try:
            self._store.commit(batch, again=again)
        except (sqlite3.Error, OSError, JournalError) as error:
            self._tell(*explain(error, self._store.path))
            return False
        return True

    def _wait(self, pause_s: float) -> bool:
        """Pause between two tries; False when closing has no time left."""
        if not self._closing.wait(pause_s):
            return True
        left_s = self._deadline_s - time.monotonic()
        time.sleep(max(0.0, min(pause_s, left_s)))
        return left_s > 0

    def _tell(self, kind: Kind, text: str) -> None:
        """Tell of a trouble that begins or changes its kind."""
        if self._trouble is not None and self._trouble.kind is kind:
            return
        since = self._trouble.since if self._trouble else self._now()
        self._trouble = Trouble(kind, text, since)
        self._on_trouble(self._trouble)
