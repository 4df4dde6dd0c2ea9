"""What the consumer of a trial stores: a file with a line for each event, in the order it was handed over."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


class Stored(NamedTuple):
    """One event: where it stands, its row's hash, what it says in short, and when it came (monotonic)."""

    table: str
    epoch: str
    sequence: int
    hash: str
    fingerprint: str
    at_ns: int

    def line(self) -> bytes:
        """As it stands in the file."""
        return (" ".join(map(str, self)) + "\n").encode()


def stored(path: Path) -> Iterator[Stored]:
    """Everything that a store has, in order. A last line that was never finished is none."""
    if not path.exists():
        return
    for line in path.read_text(encoding="ascii").splitlines(keepends=True):
        if line.endswith("\n"):
            table, epoch, sequence, digest, short, at_ns = line.split()
            yield Stored(table, epoch, int(sequence), digest, short, int(at_ns))


def last_of_each(path: Path) -> Mapping[str, Stored]:
    """The last event of every table that a store has."""
    return {each.table: each for each in stored(path)}
