"""What went wrong on the way from a table, in words for people and a word for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    # Of a table's events.
    "new-epoch",
    "missing",
    "dead-letter",
    "unproved",
    "conflict",
    "schema",
    "unreadable",
    "too-many",
    # Of the table itself.
    "journal",
    # Of acknowledgements and of what the broker lets this consumer do.
    "ack-refused",
    "not-allowed",
    # Of the connection.
    "no-connection",
    "taken-over",
    "unanswered",
]


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that a person may have to look at. docs/floor.md says what to do about each kind.

    `table` is None where it is of the connection; `sequence` is the event concerned, where there is one.
    """

    kind: Kind
    text: str
    table: str | None = None
    sequence: int | None = None
