"""One stream of the journal, as the publisher reads it: rows to tell and rows to fold."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from felt_daemon.folding import begin
from felt_daemon.journal import Head
from felt_daemon.journal.chain import FIRST_PREVIOUS
from felt_daemon.shell.rows import row_of
from felt_protocols.cloudevents import Committed

if TYPE_CHECKING:
    from felt_daemon.folding import Marks
    from felt_daemon.journal import Reader, Stored
    from felt_daemon.table.state import Setup, State
    from felt_protocols.events import Row

# The only private thing that is ever told, and that to consumers that the configuration names.
COMPOSITION: Final = "composition"
# So many rows are read at once while a backlog is sent.
_AHEAD = 64


@dataclass(frozen=True, slots=True)
class Disclosed:
    """A row's private body, and the salt: SHA-256 of both is the row's `privatehash`."""

    salt: bytes
    private: bytes


class Source:
    """Committed rows of one stream, in order. Raises what `Reader` raises."""

    def __init__(self, reader: Reader, stream: str) -> None:
        self._reader = reader
        self.stream = stream
        self.epoch = reader.epoch
        # Who reads, and what was read ahead for it: two that stand far apart do not disturb each other.
        self._ahead: dict[str, dict[int, Committed]] = {}

    def head(self) -> int:
        """The seq of the last committed row, 0 if there is none."""
        head = self._reader.head(self.stream)
        return 0 if head is None else head.seq

    def begun(self, setup: Setup, marks: Marks) -> tuple[State, Head]:
        """The state to fold on from, and the row after which it is."""
        state = begin(self._reader, setup, marks)
        digest = self._reader.hash_of(self.stream, state.seq) if state.seq else None
        return state, Head(state.seq, FIRST_PREVIOUS if digest is None else digest)

    def cursors(self) -> dict[str, int]:
        """How far everybody had got, by the names of the journal's cursors."""
        return self._reader.cursors(self.stream)

    def retained(self) -> set[str]:
        """Every topic that the journal knows to have been retained."""
        return self._reader.retained()

    def told(self, seq: int, reader: str = "") -> Committed:
        """What may be told of a committed row. Each `reader` goes its own way through the journal."""
        found = self._ahead.get(reader, {}).pop(seq, None)
        if found is not None:
            return found
        ahead = self._ahead[reader] = {
            stored.entry.seq: _told(stored) for stored in self._reader.read(self.stream, seq - 1, _AHEAD)
        }
        return ahead.pop(seq)

    def composition(self, seq: int) -> Disclosed | None:
        """What a committed row says privately of what a deck is made of; None: more, or nothing."""
        [stored] = self._reader.read(self.stream, seq - 1, 1)
        private: dict[str, object] = json.loads(stored.entry.private)
        if set(private) != {COMPOSITION}:
            return None
        return Disclosed(stored.salt, stored.entry.private)

    def rows(self, after_seq: int, limit: int) -> list[tuple[Row, bytes]]:
        """The rows after a seq, with their private parts, and their hashes."""
        return [(row_of(stored), stored.hash) for stored in self._reader.read(self.stream, after_seq, limit)]


def _told(stored: Stored) -> Committed:
    entry = stored.entry
    return Committed(
        stream=entry.stream,
        seq=entry.seq,
        name=entry.type,
        v=entry.v,
        boot=entry.boot,
        start=entry.start,
        mono_ns=entry.mono_ns,
        utc_us=entry.utc_us,
        recorded_us=stored.recorded_us,
        trusted=entry.clock == "trusted",
        late=entry.late,
        simulated=entry.simulated,
        cause=entry.cause,
        public=entry.public,
        hash=stored.hash,
        previous=stored.previous,
        privatehash=stored.privatehash,
    )
