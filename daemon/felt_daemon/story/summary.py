"""Incidents at a glance, out of the few rows that open, hold, own and end them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from felt_daemon.story.holding import HoldStory, Who, holds_of
from felt_daemon.story.span import Point, between_s, point
from felt_daemon.story.telling import Ending, endings_of, owners_of

if TYPE_CHECKING:
    from felt_daemon.story.record import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A hold that somebody let go although its remedy was not seen."""

    hold: int
    by: Who | None
    second: Who | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One incident. While it is open, `rounds` and `hands` are those of rounds that ended since."""

    table: str
    number: int
    row: str
    cite: tuple[str, ...]
    says: str
    subject: str
    subject_id: str
    opened: Point
    closed: Point | None
    lasted_s: float | None
    # While it is open: how long, up to the last row of the journal.
    so_far_s: float | None
    rounds: int
    hands: int
    times: int
    owners: tuple[Who, ...]
    endings: tuple[Ending, ...]
    overrides: tuple[Override, ...]
    # What it was about and what it held, as `device/shoe-1`.
    things: tuple[str, ...]
    open_holds: tuple[int, ...]

    def document(self) -> dict[str, Any]:
        """The summary for JSON."""
        return asdict(self) | {"open": self.closed is None, "overridden": bool(self.overrides)}


@dataclass(slots=True)
class _Rows:
    opened: Said
    rows: list[Said] = field(default_factory=list["Said"])
    rounds: int = 0
    hands: int = 0


@dataclass(slots=True)
class Gathering:
    """Takes rows of one table in order. Of an incident that is over, only its summary is kept."""

    _open: dict[int, _Rows] = field(default_factory=dict[int, _Rows])
    # Which incident a hold is of, while that is open.
    _holds: dict[int, int] = field(default_factory=dict[int, int])
    _done: dict[int, Summary] = field(default_factory=dict[int, Summary])

    def take(self, row: Said) -> None:
        """Take the next row."""
        if row.type == "incident-opened":
            self._open[row.get("incident")] = _Rows(row)
        elif row.type == "hold-opened":
            self._holds[row.get("hold")] = row.get("incident")
        elif row.type == "round-closed":
            self._round_closed(row)
        number: int = row.get("incident") or self._holds.get(row.get("hold"), 0)
        one = self._open.get(number)
        if one is None:
            return
        one.rows.append(row)
        if row.type == "incident-closed":
            self._done[number] = _summary(one, row)
            del self._open[number]
            self._holds = {hold: of for hold, of in self._holds.items() if of != number}

    def summaries(self, head: Said) -> list[Summary]:
        """All incidents up to the journal's last row `head`, in the order of their numbers."""
        found = self._done | {number: _summary(one, head) for number, one in self._open.items()}
        return [found[number] for number in sorted(found)]

    def _round_closed(self, row: Said) -> None:
        for one in self._open.values():
            if row.get("hands", 0) and row.get("round") != one.opened.context.get("round"):
                one.rounds += 1
                one.hands += row.get("hands", 0)


def _summary(one: _Rows, head: Said) -> Summary:
    opened, rows = one.opened, one.rows
    closed = next((row for row in rows if row.type == "incident-closed"), None)
    ruling = next((row for row in rows if row.type == "ruling-made"), None)
    holds = holds_of(rows, opened, {})
    subject, subject_id = str(opened.get("subject", "")), str(opened.get("subject_id", ""))
    things = {f"{subject}/{subject_id}", *(f"{hold.subject}/{hold.subject_id}" for hold in holds)}
    return Summary(
        table=opened.stream,
        number=opened.get("incident"),
        row=str(opened.get("row", "")),
        cite=tuple(ruling.get("cite", ())) if ruling is not None else (),
        says=str(ruling.get("says", "")) if ruling is not None else "",
        subject=subject,
        subject_id=subject_id,
        opened=point(opened, opened),
        closed=None if closed is None else point(closed, opened),
        lasted_s=None if closed is None else between_s(opened, closed),
        so_far_s=between_s(opened, head) if closed is None else None,
        rounds=one.rounds if closed is None else closed.get("rounds", 0),
        hands=one.hands if closed is None else closed.get("hands", 0),
        times=max((row.get("times", 1) for row in rows if row.type == "incident-joined"), default=1),
        owners=owners_of(rows),
        endings=endings_of(holds, closed),
        overrides=tuple(_override(hold) for hold in holds if hold.how == "override"),
        things=tuple(sorted(things)),
        open_holds=tuple(hold.hold for hold in holds if hold.ended is None),
    )


def _override(hold: HoldStory) -> Override:
    return Override(hold=hold.hold, by=hold.by, second=hold.second, reason=hold.reason)
