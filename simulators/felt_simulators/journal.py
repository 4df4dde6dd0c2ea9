"""The daemon's journal as anybody reads it: through `felt journal show --json`."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from felt_simulators.house import felt
from felt_simulators.seat import RunFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_LIMIT_S = 60.0


@dataclass(frozen=True, slots=True)
class JournalRow:
    """One row: its place, the seq of the fact that caused it, its event's name and public body.

    `mono_ns` is when it happened, in nanoseconds since the box was started.
    """

    seq: int
    cause: int | None
    what: str
    mono_ns: int
    simulated: bool
    body: Mapping[str, Any]

    @property
    def context(self) -> Mapping[str, Any]:
        """Round, deck, seat, hand, incident, as they apply."""
        context: Mapping[str, Any] = self.body.get("context", {})
        return context


class JournalRows:
    """All rows of a table."""

    def __init__(self, rows: Iterable[JournalRow]) -> None:
        self.all = tuple(rows)

    def of(self, *names: str) -> Iterator[JournalRow]:
        """The rows of these events, in order."""
        return (row for row in self.all if row.what in names)

    def values(self, name: str, field: str) -> list[Any]:
        """One field of every row of an event; None where it is not given."""
        return [row.body.get(field) for row in self.of(name)]


def read_rows(path: Path, table: str) -> JournalRows:
    """Every row of a table's journal. Raises `RunFailed` when it cannot be read."""
    done = subprocess.run(  # noqa: S603 - our own program
        [felt(), "journal", "show", str(path), "--stream", table, "--json"],
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
        check=False,
    )
    if done.returncode:
        raise RunFailed(f"felt journal show ended with code {done.returncode}: {done.stderr.strip()}")
    document = cast("dict[str, Any]", json.loads(done.stdout))
    return JournalRows(_row(each) for each in document["rows"])


def _row(each: Mapping[str, Any]) -> JournalRow:
    # Rows are stored under the event's own name, told as `felt.KIND.NAME.vN`.
    what = str(each["type"])
    name = what.split(".")[2] if what.startswith("felt.") else what
    return JournalRow(
        seq=int(each["seq"]),
        cause=each["cause"],
        what=name,
        mono_ns=int(each["mono_ns"]),
        simulated=bool(each["simulated"]),
        body=each["public"],
    )
