"""A journal of many rows: rounds decided by the real rules, then repeated with numbers and times moved on."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from evenings import GAMES, NS_PER_US, SECONDS_PER_ROUND, US_PER_S

from felt_daemon.journal import Entry, Journal, canonical
from felt_daemon.rules.library import digest_of
from felt_daemon.setup import pack_text_of
from felt_daemon.shell.rows import entry_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from felt_daemon.config import Config
    from felt_protocols.events import Row

TABLE = "bench"
CLOSE_S = 600.0


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much everything that counts up has gone on after one cycle."""

    rows: int
    rounds: int
    batches: int
    incidents: int
    n: Mapping[str, int]

    def moved(self, entry: Entry, times: int) -> Entry:
        """The same row so many cycles later."""
        body: dict[str, Any] = json.loads(entry.public)
        for where in (body, body.get("context", {}), body.get("args", {})):
            self._move(where, times, body.get("device", ""))
        if "key" in body:
            counts = self.batches if body["gate"] == "shuffle" else self.rounds
            body["key"] = str(int(body["key"]) + times * counts)
        gone_us = times * self.rounds * SECONDS_PER_ROUND * US_PER_S
        return replace(
            entry,
            seq=entry.seq + times * self.rows,
            cause=None if entry.cause is None else entry.cause + times * self.rows,
            utc_us=entry.utc_us + gone_us,
            mono_ns=entry.mono_ns + gone_us * NS_PER_US,
            public=canonical(body),
        )

    def _move(self, values: dict[str, Any], times: int, name: str) -> None:
        by = {"round": self.rounds, "batch": self.batches, "cycle": self.batches, "incident": self.incidents}
        for key, step in (by | {"order": self.rows, "n": self.n.get(name, 0)}).items():
            if isinstance(values.get(key), int):
                values[key] += times * step


def entries_of(config: Config, rows: int) -> Iterator[list[Entry]]:
    """Entries of about so many rows, in groups that belong together."""
    cycles: list[list[Row]] = []
    began_us = time.time_ns() // NS_PER_US - rows * 2 * US_PER_S
    evening = GAMES[config.table.game](config, began_us)
    evening.begin()
    for _ in range(4):
        before = len(evening.rows)
        for _ in range(evening.cycle):
            evening.round()
        cycles.append(evening.rows[before:])
    yield [entry_of(row) for row in evening.rows]
    shift = shift_between(cycles[2], cycles[3], tuple(config.devices))
    third, fourth = ([entry_of(row) for row in cycle] for cycle in cycles[2:])
    if [shift.moved(entry, 1) for entry in third] != fourth:
        raise ValueError("a cycle of rounds is not what the one before it was")
    for times in range(1, 1 + (rows - len(evening.rows)) // len(fourth)):
        yield [shift.moved(entry, times) for entry in fourth]


def shift_between(one: Sequence[Row], other: Sequence[Row], names: Sequence[str]) -> Shift:
    """What a cycle moves on, by these devices too."""

    def last(rows: Sequence[Row], name: str, of: str = "") -> int:
        found = [
            getattr(row.event, name)
            for row in rows
            if getattr(row.event, name, None) is not None
            and (not of or getattr(row.event, "device", "") == of)
        ]
        return int(found[-1]) if found else 0

    return Shift(
        rows=len(one),
        rounds=last(other, "round") - last(one, "round"),
        batches=last(other, "batch") - last(one, "batch"),
        incidents=last(other, "incident") - last(one, "incident"),
        n={name: last(other, "n", name) - last(one, "n", name) for name in names},
    )


def make_journal(path: Path, config: Config, rows: int, *, delivered: bool = True) -> int:
    """Make a journal of about so many rows, delivered to the floor or not; gives how many there are."""
    journal = Journal.open(
        path, now=lambda: time.time_ns() // NS_PER_US, on_commit=lambda _: None, on_trouble=print
    )
    text = pack_text_of(config)
    journal.store_pack(digest_of(text), text)
    journal.store_config(config.digest, config.text)
    written = 0
    for group in entries_of(config, rows):
        journal.append(group)
        written += len(group)
        while journal.pending > 20_000:  # noqa: PLR2004 - so that memory is bounded
            time.sleep(0.01)
    if delivered:
        journal.set_cursor("floor", TABLE, written)
    journal.close(CLOSE_S)
    return written
