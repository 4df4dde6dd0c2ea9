"""What goes to the disk in one transaction."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from felt_daemon.journal.chain import (
    FIRST_PREVIOUS,
    SALT_BYTES,
    Digests,
    digests,
    envelope,
    row_of,
)
from felt_daemon.journal.entry import COLUMNS, Entry, Head
from felt_daemon.journal.instant import utc_text

Value = str | int | bytes | None
# One statement for a side table, with its values.
Side = tuple[str, tuple[Value, ...]]

INSERT = f"INSERT INTO rows ({', '.join(COLUMNS[1:])}) VALUES ({', '.join('?' * len(COLUMNS[1:]))})"  # noqa: S608 - the columns are ours


@dataclass(slots=True)
class Batch:
    """Rows and side writes that are committed together or not at all.

    Once sealed its bytes never change, however often it has to be tried. `ticket` is
    the number of the last side write in it.
    """

    entries: list[Entry]
    sides: list[Side]
    ticket: int
    rows: list[tuple[Value, ...]] = field(default_factory=list[tuple[Value, ...]])
    heads: dict[str, Head] = field(default_factory=dict[str, Head])
    body_bytes: int = 0

    def seal(self, epoch: str, heads: Mapping[str, Head], recorded_us: int) -> None:
        """Fix the time of recording, salt every private body, and forge the chain's next links."""
        recorded_utc = utc_text(recorded_us)
        for entry in self.entries:
            before = self.heads.get(entry.stream) or heads.get(entry.stream)
            previous = before.hash if before else FIRST_PREVIOUS
            salt = os.urandom(SALT_BYTES)
            values = row_of(entry, recorded_utc)
            made = digests(previous, envelope(epoch, values), entry, salt)
            self.rows.append((*values, *_bodies(entry), salt, *made))
            self.heads[entry.stream] = Head(entry.seq, made.hash)
            self.body_bytes += len(entry.public) + len(entry.private)


def _bodies(entry: Entry) -> tuple[str, str]:
    return entry.public.decode(), entry.private.decode()


# The last columns of a row, in the order in which `seal` writes them.
assert COLUMNS[-len(Digests._fields) :] == Digests._fields  # noqa: S101 - a slip here would be silent
